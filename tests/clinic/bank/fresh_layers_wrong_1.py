"""Sinusoidal layers that are wrong, some in two ways at once. Part 1 of 2."""

from .fresh_form import TORCH, Case

CASES = [
    Case(
        "sizes come with forward, and the exponent is 0",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    def __init__(self):
        super(PositionalEncoding, self).__init__()

    def forward(self, seq_len, dim_model, device):
        pos = torch.arange(seq_len, dtype=torch.float, device=device).reshape(1, -1, 1)
        dim = torch.arange(dim_model, dtype=torch.float, device=device).reshape(1, 1, -1)
        phase = pos / 1e4 ** (dim // dim_model)
        return torch.where(dim.long() % 2 == 0, torch.sin(phase), torch.cos(phase))
''',
        "",
        "wrong",
        ("no-exponent|exponent",),
        "dim // dim_model is 0 in every column: all pairs turn one radian a step.",
        "wicaksonoleksono/NLP, SEQ2SEQ/src/transformer/pos_encode.py",
    ),
    Case(
        "Taiwan: cosine first, kept out of checkpoints",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    def __init__(self, d_model: int, dropout: float = 0.1, max_len: int = 2000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float32).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2, dtype=torch.float32) * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.cos(position * div_term)
        pe[:, 1::2] = torch.sin(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0), persistent=False)  # [1,T,d_model]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.dropout(x + self.pe[:, : x.size(1), :])


class SignTransformerEncoder(nn.Module):
    """
    - 分類用 forward(x, lengths) 回傳 (logits, None)
    """

    def __init__(self, input_size: int, d_model: int, num_classes: int):
        super().__init__()
        self.proj = nn.Linear(input_size, d_model)
        self.pos = PositionalEncoding(d_model)
        self.head = nn.Linear(d_model, num_classes)

    def forward(self, x, lengths):
        return self.head(self.pos(self.proj(x)).mean(1)), None
''',
        "PositionalEncoding",
        "wrong",
        ("swapped|cos",),
        "Sine and cosine of each pair are exchanged.",
        "public file on sign language, public index 2716809964",
    ),
    Case(
        "cosine first, a plain attribute, and a script around it",
        """import math

import torch
import torch.nn as nn
from transformers_challenges import Challenge2, disp


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        position = torch.arange(0, max_len).unsqueeze(1)
        div_term = torch.exp(-math.log(10000) * torch.arange(0, d_model, 2).float() / d_model)
        pe = torch.zeros(max_len, d_model)

        pe[:, 0::2] = torch.cos(position * div_term)
        pe[:, 1::2] = torch.sin(position * div_term)

        self.pos_encod = pe.unsqueeze(0)

    def forward(self, x):
        print(x.shape)
        print(self.pos_encod[:, :].shape)
        return x + self.pos_encod[:, : x.size()[1]]


d_model = 6
sequence_len = 4
token_embedding = torch.rand([sequence_len, d_model])

disp(token_embedding)
disp(torch.sin(torch.tensor([1])))
max_length = 12
disp(torch.arange(0, max_length))
""",
        "PositionalEncoding",
        "wrong",
        ("swapped|cos", "unregistered|buffer"),
        "Two mistakes: the pair is exchanged, and the table stays behind when the model moves.",
        "public file, public index 42276014040",
    ),
    Case(
        "Chinese: a cosine in every column, on purpose",
        TORCH
        + '''
class CosinePositionalEncoding(nn.Module):
    """
    Cosine 位置编码，适用于图 Transformer

    与 NLP 的 Sinusoidal 不同，我们使用纯 Cosine 函数
    """

    def __init__(self, d_model, max_len=10):
        super().__init__()
        # 创建位置编码矩阵
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-np.log(10000.0) / d_model))
        # 只使用 cosine
        pe[:, 0::2] = torch.cos(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x):
        """x: [batch_size, seq_len, d_model]"""
        seq_len = x.size(1)
        return x + self.pe[:seq_len, :].unsqueeze(0)
''',
        "CosinePositionalEncoding",
        "wrong",
        ("cos|sine",),
        "Both columns of each pair hold its cosine: positions p and -p look alike, and no sine is there.",
        "public Chinese file on graph transformers, public index 54819697040",
    ),
    Case(
        "columns 0::2 written twice, and rows cut by the width",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_length):
        super(PositionalEncoding, self).__init__()

        pe = torch.zeros(max_seq_length, d_model)
        position = torch.arange(0, max_seq_length, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * -(math.log(10000.0) / d_model))

        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 0::2] = torch.cos(position * div_term)

        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x):
        return x + self.pe[:, : x.size(-1)]
''',
        "PositionalEncoding",
        "wrong",
        ("overwritten|twice|column", "slice-by-width|width|d_model"),
        "Even columns hold the cosine, odd ones nothing; the number of rows taken is d_model.",
        "public file, public index 12748735607",
    ),
    Case(
        "a base of 1000 in a layer of another framework",
        """import math

import pytorch_lightning as pl
import torch
import torch.nn as nn
from einops import rearrange


class PositionalEncoding(pl.LightningModule):
    def __init__(self, d_model, dropout=0.1, max_len=4):
        super(PositionalEncoding, self).__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(1000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        pe = pe.unsqueeze(0).transpose(0, 1)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x + self.pe[: x.size(0), :]
        return self.dropout(x)
""",
        "PositionalEncoding",
        "wrong",
        ("1000|wrong-base",),
        "Base 1000; x is (length, batch, d), and at most 4 long by default.",
        "public file on multimodal experts, public index 10677739025",
    ),
    Case(
        "a base of 1000, and the length is called timesteps",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    def __init__(self, timesteps: int, d_model: int, dropout: float) -> None:
        super().__init__()
        self.timesteps = timesteps
        self.d_model = d_model
        self.dropout = nn.Dropout(dropout)

        # Create a matrix of shape (timesteps, d_model)
        pe = torch.zeros(timesteps, d_model)
        # Create a vector of shape (timesteps, 1)
        position = torch.arange(0, timesteps, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(1000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        pe = pe.unsqueeze(0)  # (1, timesteps, d_model)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x + (self.pe[:, : x.shape[1], :]).requires_grad_(False)
        return self.dropout(x)
''',
        "PositionalEncoding",
        "wrong",
        ("1000|wrong-base",),
        "The table of base 1000.",
        "public file on time series, public index 2972469393",
    ),
    Case(
        "counted from the end, divided, and a base of 1000",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    """Sinusoidal positional encoding similar to the reference transformer."""

    def __init__(self, d_model: int, seq_len: int) -> None:
        super().__init__()
        scale = float(d_model) ** 0.5
        positions = torch.arange(0, seq_len, dtype=torch.float32).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2, dtype=torch.float32) * (-math.log(1000.0) / d_model))
        encoding = torch.zeros(seq_len, d_model, dtype=torch.float32)
        encoding[:, 0::2] = torch.sin(positions * div_term)
        encoding[:, 1::2] = torch.cos(positions * div_term)
        encoding = torch.flip(encoding.unsqueeze(0), dims=[1]) / scale
        self.register_buffer("encoding", encoding)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.encoding[:, -x.size(1) :, :]
''',
        "PositionalEncoding",
        "wrong",
        ("1000|base|revers|scale|factor|√|sqrt",),
        "The last token gets position 0, the one before it 1; the table is divided by √d, and its base is 1000.",
        "public file on reinforcement learning, public index 52572833113",
    ),
    Case(
        "a tenth of a table of base 1000, and the sum is clamped",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000):
        super(PositionalEncoding, self).__init__()
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(1000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        pe = pe * 0.1
        pe = pe.unsqueeze(0).transpose(0, 1)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return torch.clamp(x + self.pe[: x.size(0), :], min=-10.0, max=10.0)
''',
        "PositionalEncoding",
        "wrong",
        ("1000|base", "0.1|scale"),
        "0.1 times the table of base 1000; x is (length, batch, d), and sums beyond ±10 are cut.",
        "public file, public index 41124889423",
    ),
    Case(
        "the annotated transformer, and one colon lost",
        TORCH
        + '''
class PositionalEmbedding(nn.Module):
    "Stolen from annotated transformer"

    def __init__(self, d_model, dropout, max_len=500):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        # Compute the positional encodings once in log space.
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * -(torch.log(torch.Tensor([10000.0])) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        pe = pe.unsqueeze(0)
        self.register_buffer("pe", pe)

    def forward(self, x):
        # x - batch, seq_len, d_model
        return self.dropout(x + self.pe[:, x.size(1)])
''',
        "PositionalEmbedding",
        "wrong",
        ("missing-colon|colon|one row",),
        "Row number length is added to every token; at length = max_len it stops.",
        "public file, public index 32000986940",
    ),
    Case(
        "the table is made at the first call, one colon lost",
        TORCH
        + '''
from typing import Optional

from torch import Tensor


class PositionalEncoding(nn.Module):
    def __init__(self, dim: int, dropout: float = 0.1, max_len: int = 5000) -> None:
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.dim = dim
        self.max_len = max_len
        self.pe: Optional[Tensor] = None

    def forward(self, x: Tensor) -> Tensor:
        if self.pe is None:
            # can't use buffer, nor parameter because pe gets sliced
            self.pe = self._init_pos_encoding(device=x.device)

        x = x + self.pe[:, x.size(1)]
        return self.dropout(x)

    def _init_pos_encoding(self, device: torch.device) -> Tensor:
        pe = torch.zeros(self.max_len, self.dim, device=device)
        position = torch.arange(0, self.max_len, dtype=torch.float, device=device).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, self.dim, 2, device=device).float() * (-math.log(10000.0) / self.dim))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        pe = pe.unsqueeze(0)
        return pe
''',
        "PositionalEncoding",
        "wrong",
        ("missing-colon|colon|one row",),
        "Every token gets the row whose number is the length.",
        "Lightning-AI/pytorch-lightning, the transformer demo; public index 3900580596",
    ),
]
