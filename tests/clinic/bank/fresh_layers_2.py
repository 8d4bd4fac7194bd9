"""Sinusoidal layers that are right, learned tables, and layers that stop by themselves. Part 2 of 2."""

from .fresh_form import TORCH, Case

CASES = [
    Case(
        "no import at all, as pasted from a notebook",
        '''class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout, max_len=5000):
        """
        d_model：模型的维度，通常等于词嵌入的维度
        dropout：dropout 的丢弃率
        max_len：最大序列长度
        """
        super(PositionalEncoding, self).__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        pe = pe.unsqueeze(0)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x + Variable(self.pe[:, : x.size(1)], requires_grad=False)
        return self.dropout(x)
''',
        "PositionalEncoding",
        "not-run",
        ("name 'nn' is not defined",),
        "The file imports nothing.",
        "FromZeroToFanatic/Thoroughly_Understanding_Transformer, transformer/PositionalEncoding.py",
    ),
    Case(
        "Korean: the base class is never initialised",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len: int):

        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-torch.log(torch.tensor(10000.0)) / d_model))

        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)

        pe = pe.unsqueeze(0)  # (1, max_len, d_model) 형태로 변경
        self.register_buffer("pe", pe)  # 이거 잘 이해가 안감

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.pe[:, : x.size(1), :]
        return x
''',
        "PositionalEncoding",
        "not-run",
        ("__init__",),
        "super().__init__() is missing, so register_buffer stops.",
        "kimsunggak/study, position_encoding.py",
    ),
    Case(
        "one attribute under two names",
        TORCH
        + '''
class Posencoder(torch.nn.Module):
    def __init__(self, dim, max_len, device):
        """
        dim: int
        max_len: int 方便处理不同长度的句子
        device: torch.device
        """
        super(Posencoder, self).__init__()
        self.encoding = torch.zeros(max_len, dim, device=device)
        self.encoding.requires_grad = False  # 不需要梯度
        self.dim = dim
        self.device = device
        pos = torch.arange(0, max_len, device=self.device).unsqueeze(1)
        _2i = torch.arange(0, dim, 2, device=self.device).float()
        self.encoder[:, 1::2] = torch.sin(pos / (10000 ** (_2i / dim)))
        self.encoder[:, 0::2] = torch.cos(pos / (10000 ** (_2i / dim)))

    def forward(self, input):
        return self.encoder[: input.size(1), :]  # [seq_len, dim]
''',
        "Posencoder",
        "not-run",
        ("encoder",),
        "It makes self.encoding and writes into self.encoder; had it run, sine and cosine would be exchanged.",
        "huan-linwww/Transformer-seq2seq-work, model/embedding/posembedding.py",
    ),
    Case(
        "torch itself is not imported, and pe is never made",
        """import torch.nn as nn


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=200):
        super().__init__()
        self.encoding = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * -torch.log(torch.tensor(10000.0) / d_model))

        # Needs to be modified to support the lattice QCD data
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(poisition * div_term)

        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x):
        return x + self.pe[:, x.size(1)]
""",
        "",
        "not-run",
        ("name 'torch' is not defined",),
        "import torch.nn as nn binds nn alone; pe, the brackets and the slice are wrong besides.",
        "public file on lattice QCD, public index 9456480491",
    ),
    Case(
        "the positions' axis gets a single 0",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    def __init__(self, d_model: int, dropout: float = 0.1, max_len: int = 5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        # pe (positional encoding) 的大小为 (max_len, d_model)
        pe = torch.zeros(1, max_len, d_model)
        # 偶数维度使用 sin, 奇数维度使用 cos
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x + self.pe[:, : x.size(1)]
        return self.dropout(x)
''',
        "PositionalEncoding",
        "not-run",
        ("shape|size|expand",),
        "max_len rows are written into one row: it stops.",
        "datawhalechina/hello-agents#117",
    ),
    Case(
        "the row of ids is the row of positions, math is missing",
        """import torch
import torch.nn as nn


class PositionalEncoding(torch.nn.Module):
    def __init__(self, d_model, max_len=10000):
        super(PositionalEncoding, self).__init__()
        position = torch.arange(max_len).unsqueeze(1).float()
        div_term = torch.exp((torch.arange(0, d_model, 2).float() * -(math.log(10000.0) / d_model)))

        pe = torch.empty(max_len, d_model)
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 0::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = self.pe[x, :]
        return x
""",
        "PositionalEncoding",
        "not-run",
        ("name 'math' is not defined",),
        "math is not imported; the odd columns would hold whatever memory held.",
        "public file, public index 47024561319",
    ),
    Case(
        "two tables of patches, moved to a GPU in any case",
        TORCH
        + '''
class PositionalEncoding1D(nn.Module):
    def __init__(self, d_model, n_patches, p_dropout, max_length=5000):
        super(PositionalEncoding1D, self).__init__()
        self.dropout = nn.Dropout(p_dropout)
        self.name = "positional encoding 1d"
        pe = torch.zeros((n_patches, d_model))
        pos = torch.arange(0, n_patches).unsqueeze(1)
        denominator = torch.exp(torch.arange(0, d_model, 2) * (math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(pos / denominator)
        pe[:, 1::2] = torch.cos(pos / denominator)
        self.pe = pe.cuda().to(non_blocking=True)

    def forward(self, x):
        # x has shape (batch_size, n_patches, d_model)
        x = x + self.pe
        return self.dropout(x)
''',
        "PositionalEncoding1D",
        "not-run",
        ("cuda",),
        "Made with .cuda(): without a GPU it stops.",
        "public file on vision transformers, public index 44514678035",
    ),
    Case(
        "rotation by sinusoids of the wrong axis, registered twice",
        TORCH
        + '''
class RotaryPositionalEncoding(nn.Module):
    """docstring"""

    def __init__(self, d_model, seq_len, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.pe = torch.zeros(seq_len, d_model)
        position = torch.arange(0, seq_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        self.pe[:, 0::2] = torch.sin(position * div_term)
        self.pe[:, 1::2] = torch.cos(position * div_term)
        self.pe = self.pe.unsqueeze(0)  # (1, seq_len, d_model)
        self.register_buffer("pe", self.pe)

    def forward(self, x):
        pos_emb = self.pe[:, : x.size(1)].requires_grad_(False)
        x1 = x[..., 0::2]
        x2 = x[..., 1::2]
        sin = pos_emb[..., 0::2, :]
        cos = pos_emb[..., 1::2, :]
        rotated_x1 = x1 * cos - x2 * sin
        rotated_x2 = x2 * cos + x2 * sin
        x = torch.zeros_like(x)
        x[..., 0::2] = rotated_x1
        x[..., 1::2] = rotated_x2
        return self.dropout(x)
''',
        "RotaryPositionalEncoding",
        "not-run",
        ("already exists",),
        "The attribute pe is there already when the buffer is registered; forward has two faults more.",
        "public file, public index 36681223569",
    ),
]
