"""What tests make layers of; layers with one mistake each, and right ones, stand in zoo/layers.md."""

import math

import torch
from torch import nn
from zoo_tables import textbook


class Buffer(nn.Module):
    """A registered table (1, max_len, d_model), added to x."""

    def __init__(self, d_model, max_len=512, p=0.0, table=textbook):
        super().__init__()
        self.d_model, self.drop = d_model, nn.Dropout(p)
        self.register_buffer("pe", torch.as_tensor(table(max_len, d_model)).float()[None])

    def rows(self, x):
        return self.pe[:, : x.shape[1]]

    def forward(self, x):
        return x + self.rows(x)


def layer(forward, p=0.0, **more):
    """A maker of layers with this forward."""
    return lambda d_model, max_len: type("Layer", (Buffer,), {"forward": forward})(d_model, max_len, p, **more)


class Tutorial(nn.Module):
    """Sequence first, dropout second: PyTorch's tutorial, which stops at odd widths."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x + self.pe[: x.size(0)]
        return self.dropout(x)
