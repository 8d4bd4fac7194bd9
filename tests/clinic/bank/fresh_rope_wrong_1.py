"""RoPE that is wrong, or stops by itself, from public files, notes and threads. Part 1 of 2."""

from .fresh_form import TORCH, Case

CASES = [
    Case(
        "the minus is missing in the swap",
        """import math
from typing import Optional, Tuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from config import GPTConfig


def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat([x2, x1], dim=-1)


def apply_rope(x, sin, cos):
    # x: (B, n_heads, T, head_dim)
    return (x * cos) + (rotate_half(x) * sin)


def build_rope_cache(seq_len, head_dim, device):
    theta = 10000 ** (-torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    t = torch.arange(seq_len, device=device).float()

    sinusoid = torch.einsum("i,j->ij", t, theta)
    sin = sinusoid.sin().unsqueeze(0).unsqueeze(0)  # (1,1,T,head_dim/2)
    cos = sinusoid.cos().unsqueeze(0).unsqueeze(0)  # (1,1,T,head_dim/2)

    sin = torch.cat([sin, sin], dim=-1)  # repeat to match head_dim
    cos = torch.cat([cos, cos], dim=-1)
    return sin, cos
""",
        "apply_rope",
        "wrong",
        ("signs|sign|minus|no rotation|not a rotation",),
        "x cos + swap(x) sin without a minus: lengths change.",
        "public file (2025), public index 35228013082",
    ),
    Case(
        "odd and even halves are joined, tables repeated",
        TORCH
        + '''
def apply_rope(x, sin, cos):
    return x * cos + rotate_half(x) * sin


def rotate_half(x):
    x1 = x[..., ::2]
    x2 = x[..., 1::2]
    return torch.cat((-x2, x1), dim=-1)


def get_rope_cache(seq_len, head_dim, device):
    freqs = 10000 ** (-torch.arange(0, head_dim, 2, device=device) / head_dim)
    pos = torch.arange(seq_len, device=device).unsqueeze(1)
    angles = pos * freqs
    sin = torch.sin(angles)
    cos = torch.cos(angles)
    sin = torch.stack([sin, sin], dim=-1).reshape(seq_len, head_dim)
    cos = torch.stack([cos, cos], dim=-1).reshape(seq_len, head_dim)
    return sin, cos
''',
        "apply_rope",
        "wrong",
        ("evens-odds-cat|cat|wrong column|no rotation|not a rotation",),
        "−odd numbers fill the left half and even ones the right: each number is mixed with a stranger.",
        "public files on vision transformers, public index 56856818436 and 20751507545",
    ),
    Case(
        "a course's module: x times cosines and sines, rates not inverted",
        """import torch
import torch.nn as nn


class RotaryPositionEmbedding(nn.Module):
    def __init__(self, theta: float, d_k: int, max_seq_len: int, device=None):
        super(RotaryPositionEmbedding, self).__init__()
        self.theta = theta
        self.d_k = d_k
        self.max_seq_len = max_seq_len
        self.device = device

    def forward(self, x: torch.Tensor, token_positions: torch.Tensor) -> torch.Tensor:
        seq_len = x.size(1)
        position_ids = token_positions[:, :seq_len]
        freqs = self.theta ** (torch.arange(0, self.d_k, 2, device=self.device) / self.d_k)
        freqs = position_ids[:, :, None] * freqs[None, None, :]
        cos_emb = torch.cos(freqs)
        sin_emb = torch.sin(freqs)
        emb = torch.zeros_like(x)
        emb[:, :, ::2] = cos_emb
        emb[:, :, 1::2] = sin_emb
        return x * emb
""",
        "RotaryPositionEmbedding",
        "wrong",
        ("no rotation|not a rotation|multipl",),
        "Even columns times a cosine, odd ones times a sine, of frequencies 10000^(+2k/d): no rotation.",
        "public solution of cs336, public index 33089891512",
    ),
    Case(
        "a course's module: one is taken from arange",
        """import torch
import torch.nn as nn


class RotaryPositionEmbedding(nn.Module):
    def __init__(
        self,
        theta: float,
        d_k: int,
        max_seq_len: int,
        device: torch.device | None = None,
    ):
        super().__init__()
        self.d_k = d_k

        assert d_k % 2 == 0, "dimension should be even in RotaryPositionEmbedding"

        inv_freqs = 1.0 / (theta ** ((torch.arange(0, d_k, 2, device=device).float() - 1) / d_k))
        positions = torch.arange(max_seq_len, device=device).float()
        freqs = torch.outer(positions, inv_freqs)

        self.register_buffer("freq_cos", freqs.cos(), persistent=False)
        self.register_buffer("freq_sin", freqs.sin(), persistent=False)

    def forward(self, x: torch.Tensor, token_positions: torch.Tensor):
        cos = self.freq_cos[token_positions]
        sin = self.freq_sin[token_positions]
        x1 = x[..., ::2]
        x2 = x[..., 1::2]
        rotated_x1 = x1 * cos - x2 * sin
        rotated_x2 = x1 * sin + x2 * cos
        rotated = torch.stack([rotated_x1, rotated_x2], dim=-1)
        return rotated.flatten(-2)
""",
        "RotaryPositionEmbedding",
        "wrong",
        ("constant|frequenc|exponent|faster|factor",),
        "Every frequency is base^(1/d) times the paper's: 1.15 times at d = 64.",
        "public solution of cs336, public index 2896229962",
        ("base is",),
    ),
    Case(
        "the exponent holds the 2 twice, one function",
        TORCH
        + '''
def rope1d(x, head_dim):
    theta = 10000 ** (-2 * torch.arange(0, head_dim, 2, dtype=torch.float32) / head_dim)
    theta = theta.to(x.device)
    m = torch.arange(x.size(1), dtype=torch.float32).to(x.device)
    freqs = torch.outer(m, theta)
    freqs = torch.cat((freqs, freqs), dim=-1)
    cos = torch.cos(freqs)[None, :, None, :]  # [1, seq, 1, head_dim]
    sin = torch.sin(freqs)[None, :, None, :]
    r1 = x * cos
    r2 = torch.cat((-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]), dim=-1)
    return r1 + r2 * sin
''',
        "rope1d",
        "wrong",
        ("exponent-doubled|doubled|squared",),
        "base^(−4k/d) on (batch, length, heads, head_dim).",
        "public file of Triton kernels, public index 17141203015",
        ("heads-for-sequence",),
    ),
    Case(
        "Chinese: the exponent holds the 2 twice, tables and rows",
        """import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import torch
import torch.nn as nn
from pytorch.utils import combine_heads, softmax, split_heads


def precompute_rotary_frequencies(d_k, max_seq_len=128, base=10000.0):
    \"\"\"预计算 RoPE 的 cos/sin 表（PyTorch 版）\"\"\"
    theta = base ** (-2 * torch.arange(0, d_k, 2).float() / d_k)
    pos = torch.arange(max_seq_len).float()
    angles = pos[:, None] * theta[None, :]
    return torch.cos(angles), torch.sin(angles)


def apply_rotary(x, cos_table, sin_table, positions=None):
    \"\"\"对 Q 或 K 应用 RoPE 旋转（PyTorch 版）\"\"\"
    seq_len = x.shape[0]
    if positions is None:
        positions = torch.arange(seq_len, device=x.device)
    cos_val = cos_table[positions].to(x.device)
    sin_val = sin_table[positions].to(x.device)

    x_even = x[:, 0::2]
    x_odd = x[:, 1::2]
    out = torch.zeros_like(x)
    out[:, 0::2] = x_even * cos_val - x_odd * sin_val
    out[:, 1::2] = x_even * sin_val + x_odd * cos_val
    return out
""",
        "apply_rotary",
        "wrong",
        ("exponent-doubled|doubled|squared",),
        "With the file's own tables: base^(−4k/d), on (length, d_k).",
        "public Chinese file, public index 55704574737",
    ),
    Case(
        "a method of attention with a base of 1000, evens before odds",
        TORCH
        + '''
class CausalSelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        assert config.n_embd % config.n_head == 0
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd)
        self.attn_dropout = nn.Dropout(p=getattr(config, "attn_dropout", 0.05))
        self.n_head = config.n_head
        self.n_embd = config.n_embd

    def apply_rotary_emb(self, x, seq_len):
        # Assumes x is [B, n_head, T, head_dim]
        head_dim = x.size(-1)
        freqs = torch.arange(0, head_dim, 2, device=x.device).float() / head_dim
        theta = 1000.0 ** (-freqs)  # Frequency base
        positions = torch.arange(seq_len, device=x.device).float()
        angles = positions[:, None] * theta[None, :]  # [T, head_dim/2]
        sin = angles.sin()
        cos = angles.cos()
        x1, x2 = x[..., 0::2], x[..., 1::2]  # Split even/odd dimensions
        return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1)

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        q, k, v = (y.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for y in (q, k, v))
        q = self.apply_rotary_emb(q, T)
        k = self.apply_rotary_emb(k, T)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))
''',
        "CausalSelfAttention.apply_rotary_emb",
        "wrong",
        ("small-base|1000",),
        "Base 1000; the other order of the columns does no harm, since query and key share it.",
        "public file, public index 6754402385",
        ("evens-odds-cat",),
    ),
    Case(
        "ERNIE-Image: angles repeated, halves turned",
        TORCH
        + '''
def rope(pos: torch.Tensor, dim: int, theta: int = 10000) -> torch.Tensor:
    scale = torch.arange(0, dim, 2, dtype=torch.float64, device=pos.device) / dim
    omega = 1.0 / (theta**scale)
    out = torch.einsum("...n,d->...nd", pos.double(), omega).float()
    return torch.stack([out, out], dim=-1).flatten(-2)  # [θ0,θ0,θ1,θ1,...]


# x_in: [B, S, heads, head_dim], freqs_cis: [B, S, 1, head_dim] with angles [θ0,θ0,θ1,θ1,...]
def apply_rotary_emb(x_in: torch.Tensor, freqs_cis: torch.Tensor) -> torch.Tensor:
    rot_dim = freqs_cis.shape[-1]
    x, x_pass = x_in[..., :rot_dim], x_in[..., rot_dim:]
    cos_ = torch.cos(freqs_cis).to(x.dtype)
    sin_ = torch.sin(freqs_cis).to(x.dtype)
    # Non-interleaved rotate_half: [-x2, x1]
    x1, x2 = x.chunk(2, dim=-1)
    x_rotated = torch.cat((-x2, x1), dim=-1)
    return torch.cat((x * cos_ + x_rotated * sin_, x_pass), dim=-1)
''',
        "apply_rotary_emb",
        "wrong",
        ("layouts-mixed|mixed|two layouts|no rotation|not a rotation",),
        "With the file's own angles the two numbers of a pair turn by two angles.",
        "baidu/ERNIE-Image#6 (2026)",
    ),
    Case(
        "a private function that computes in x's dtype",
        TORCH
        + '''
def _rope(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Rotary position embedding on (B, H, L, D) with D even (rotate-half convention)."""
    d = x.shape[-1]
    half = d // 2
    inv = base ** (-torch.arange(half, device=x.device, dtype=x.dtype) / half)
    ang = torch.outer(torch.arange(x.shape[-2], device=x.device, dtype=x.dtype), inv)  # (L, half)
    cos, sin = ang.cos(), ang.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1)
''',
        "_rope",
        "wrong",
        ("dtype-of-x|dtype|half precision|bfloat16",),
        "Right in float32; for bfloat16 x positions and angles are rounded to 8 bits.",
        "public file on diffusion language models (2026), public index 66077319005",
    ),
    Case(
        "rope as a product with a sinusoidal table",
        TORCH
        + '''
class RopeEmbeddings(nn.Module):
    def __init__(self, dim, max_len=5000):
        super(RopeEmbeddings, self).__init__()
        self.dim = dim

        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, dim, 2).float() * -(math.log(10000.0) / dim))
        pe = torch.zeros(max_len, dim)
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x):
        seq_len = x.size(1)
        x = x * self.pe[:seq_len, :].unsqueeze(0)
        return x


rope_emb = RopeEmbeddings(dim=512)
input_tensor = torch.randn(32, 50, 512)
output_tensor = rope_emb(input_tensor)
print(output_tensor.shape)
''',
        "RopeEmbeddings",
        "wrong",
        ("no rotation|not a rotation|multipl",),
        "Every column is multiplied by one sine or cosine.",
        "public README on embeddings, public index 92226707",
    ),
    Case(
        "rope as a sum with a sinusoidal table, cut by the batch",
        TORCH
        + '''
class RoPEPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_seq_len: int, dropout: float = 0.1):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.d_model = d_model
        self.max_seq_len = max_seq_len

        # Create position embeddings
        position = torch.arange(max_seq_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_seq_len, d_model)
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # Apply rotary position embeddings
        x = x + self.pe[: x.size(0)]
        return self.dropout(x)
''',
        "RoPEPositionalEncoding",
        "wrong",
        ("added|adds|sum|no rotation|not a rotation|slice-by-batch",),
        "A sinusoidal table is added; nothing is rotated, and the rows are counted along the batch.",
        "public file of four encodings, public index 44121853950",
    ),
    Case(
        "ported from MLX: periods taken for frequencies",
        TORCH
        + '''
class DynamicNTKAlphaRoPE(nn.Module):
    def __init__(self, dims: int, base: float = 10000, scaling_alpha: float = 1.0):
        super().__init__()
        self.dims = dims
        base = base * scaling_alpha ** (dims / (dims - 2))
        self._freqs = base ** (torch.arange(0, self.dims, 2, dtype=torch.float32) / self.dims)

    def forward(self, x, offset: int = 0):
        positions = torch.arange(offset, offset + x.shape[1], dtype=torch.float32, device=x.device)
        angles = torch.outer(positions, self._freqs.to(x.device))
        cos = torch.cos(angles)
        sin = torch.sin(angles)
        x1 = x[..., : self.dims // 2]
        x2 = x[..., self.dims // 2 : self.dims]
        rx1 = x1 * cos - x2 * sin
        rx2 = x2 * cos + x1 * sin
        return torch.cat([rx1, rx2], dim=-1)
''',
        "DynamicNTKAlphaRoPE",
        "wrong",
        ("not-inverted|inverted",),
        "Angles of p · base^(+2k/d): MLX's kernel divides by these numbers, this code multiplies.",
        "public file (2026), public index 53725211079",
    ),
    Case(
        "one name for sines and cosines, halves of halves turned",
        TORCH
        + '''
def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


class RotaryPositionalEmbedding(torch.nn.Module):
    def __init__(self, dim, max_seq_len):
        super(RotaryPositionalEmbedding, self).__init__()
        self.dim = dim
        self.max_seq_len = max_seq_len
        inv_freq = 1.0 / (1000 ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("inv_freq", inv_freq)
        self.register_buffer("pos_enc", self._generate_positional_encoding(max_seq_len))

    def _generate_positional_encoding(self, seq_len):
        t = torch.arange(seq_len, device=self.inv_freq.device, dtype=self.inv_freq.dtype)
        freqs = torch.einsum("i,j->ij", t, self.inv_freq)
        return torch.cat((freqs.sin(), freqs.cos()), dim=-1)

    def forward(self, seq_len):
        return self.pos_enc[:seq_len, :]


def apply_rotary_pos_emb(x, pos_emb):
    x_cos, x_sin = torch.split(pos_emb, x.shape[-1] // 2, dim=-1)
    x1_rot = (x[..., ::2] * x_cos) + (rotate_half(x[..., 1::2]) * x_sin)
    x2_rot = (x[..., 1::2] * x_cos) + (rotate_half(x[..., ::2]) * x_sin)
    return torch.cat([x1_rot, x2_rot], dim=-1)
''',
        "apply_rotary_pos_emb",
        "wrong",
        ("no rotation|not a rotation|1000|base",),
        "Sines are taken for cosines, halves of the evens are mixed with halves of the odds, and the base is 1000.",
        "public file, public index 40020705006",
    ),
]
