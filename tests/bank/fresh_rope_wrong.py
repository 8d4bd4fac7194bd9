"""RoPE that is wrong, or stops by itself, from public files, notes and threads."""

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
        "public file (2025), text index 35228013082",
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
        "public files on vision transformers, text index 56856818436 and 20751507545",
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
        "public solution of cs336, text index 33089891512",
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
        "public solution of cs336, text index 2896229962",
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
        "public file of Triton kernels, text index 17141203015",
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
        "public Chinese file, text index 55704574737",
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
        "public file, text index 6754402385",
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
        "public file on diffusion language models (2026), text index 66077319005",
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
        "public README on embeddings, text index 92226707",
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
        "public file of four encodings, text index 44121853950",
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
        "public file (2026), text index 53725211079",
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
        "public file, text index 40020705006",
    ),
    Case(
        "a sinusoidal table in a class called Rotate",
        '''



class RotatePositionEncoding:
    def __init__(self, d_model, max_len=5000):
        self.d_model = d_model
        self.max_len = max_len
        self.pe = self._generate_pe()

    def _generate_pe(self):
        import math

        import torch

        pe = torch.zeros(self.max_len, self.d_model)
        position = torch.arange(0, self.max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, self.d_model, 2) * -(math.log(10000.0) / self.d_model))

        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)

        return pe.unsqueeze(0)  # Add batch dimension
''',
        "RotatePositionEncoding",
        "right-main",
        ("odd",),
        "The paper's sinusoidal table under .pe, in a folder on RoPE; nothing is rotated, and odd widths raise.",
        "iCake-zg/llm-engineer-upgrade, rope-handmake/03_rope-core/rope.py",
    ),
    Case(
        "a method without its class, above a relative import",
        """from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import torch

from .configuration_utils import PretrainedConfig


def _apply_key_rotary_pos_emb(self, key_states: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    rotated_key_states = key_states * cos + self._rotate_half(key_states) * sin
    return rotated_key_states
""",
        "_apply_key_rotary_pos_emb",
        "not-run",
        ("_rotate_half|self|relative import",),
        "It asks self for a method that stands in no file at hand.",
        "Ace1928/eidosian_forge, archive_forge/code/func__apply_key_rotary_pos_emb.py",
        ("division",),
    ),
    Case(
        "a slip of the keyboard in the last line",
        """import torch
import torch.nn as nn


class RotaryEmbedding(nn.Module):
    def __init__(self, dim, scale=40):
        super().__init__()
        assert dim % 2 == 0, "dim must be even"
        self.dim = dim
        inv_freq = 1.0 / (10000 ** (torch.arange(0, dim // 2, 2).float() / (dim // 2)))
        self.register_buffer("inv_freq", inv_freq)
        self.scale = scale

    def forward(self, seq_len):
        t = torch.arange(seq_len, device=self.inv_freq.device).type_as(self.inv_freq) / self.scale
        freqs = torch.einsum("i,j->ij", t, self.inv_freq)
        return torch.cat((freqs, freqs), dim=-1)


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary(x, cos, sin):
    \"\"\"
    Apply rotary embeddings to the first half of x.
    \"\"\"
    x_rot, x_base = x.split(cos.shape[-1], dim=-1)
    x_rot = (x_rot * cos) + (rotate_half(x_rot) * sin)
    return tozZAZqaaarch.cat([x_rot, x_base], dim=-1)
""",
        "apply_rotary",
        "not-run",
        ("tozZAZqaaarch|unpack|values",),
        "A name that nobody defined; the split needs tables of half the width besides.",
        "Skyward176/AIrys, experiments/modules/embedding/RotaryEmbedding.py (2025)",
    ),
    Case(
        "a web course: tables of d columns, x of d/2",
        """import torch
import torch.nn as nn


class RotaryPositionalEmbedding(nn.Module):
    def __init__(self, dim, max_seq_len=2048):
        super().__init__()
        inv_freq = 1.0 / (10000 ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("inv_freq", inv_freq)

    def forward(self, x):
        seq_len = x.size(1)
        t = torch.arange(seq_len, device=x.device).type_as(self.inv_freq)
        freqs = torch.outer(t, self.inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)

        cos_emb = emb.cos()
        sin_emb = emb.sin()

        return cos_emb, sin_emb


def apply_rope(x, cos, sin):
    \"\"\"Apply rotary embeddings\"\"\"
    x1, x2 = x[..., ::2], x[..., 1::2]
    rotated = torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1)
    return rotated
""",
        "apply_rope",
        "not-run",
        ("must match",),
        "The file's own tables have d columns and x[..., ::2] has d/2: it stops.",
        "Open-Superintelligence-Lab.github.io, learn/building-a-transformer/rope-positional-encoding (2025)",
        ("nothing turns",),
    ),
    Case(
        "repeated tables for half of the columns",
        TORCH
        + '''
def apply_rope(x, cos, sin):
    """x: (B, H, L, D); rotate even/odd pairs by position-dependent angles."""
    x1, x2 = x[..., ::2], x[..., 1::2]
    rx1 = x1 * cos - x2 * sin
    rx2 = x1 * sin + x2 * cos
    out = torch.empty_like(x)
    out[..., ::2] = rx1
    out[..., 1::2] = rx2
    return out


class RoPECache(nn.Module):
    def __init__(self, head_dim: int, max_len: int, base: float = 10_000.0):
        super().__init__()
        inv_freq = 1.0 / (base ** (torch.arange(0, head_dim, 2).float() / head_dim))
        t = torch.arange(max_len).float()
        freqs = torch.einsum("l,d->ld", t, inv_freq)  # (L, D/2)
        self.register_buffer("cos", freqs.cos().repeat_interleave(2, dim=-1), persistent=False)
        self.register_buffer("sin", freqs.sin().repeat_interleave(2, dim=-1), persistent=False)

    def forward(self, L):
        return self.cos[:L], self.sin[:L]
''',
        "apply_rope",
        "not-run",
        ("must match",),
        "The cache repeats each number, the function wants it once: they stop together, and each is sound alone.",
        "public lesson (2026), text index 57046782804",
    ),
    Case(
        "a rotation that turns pairs of pairs",
        TORCH
        + '''
class RotaryPositionalEmbedding(nn.Module):
    def __init__(self, dim, base=10000):
        super().__init__()
        self.dim = dim
        self.base = base
        inv_freq = 1.0 / (self.base ** (torch.arange(0, self.dim, 2).float() / self.dim))
        self.register_buffer("inv_freq", inv_freq)

    def forward(self, x, seq_dim=1):
        t = torch.arange(x.shape[seq_dim], device=x.device).type_as(self.inv_freq)
        sinusoid_inp = torch.einsum("i,j->ij", t, self.inv_freq)
        emb = torch.cat((sinusoid_inp.sin(), sinusoid_inp.cos()), dim=-1)
        return emb[None, :, :]


def apply_rotary_pos_emb(q, k, pos_emb):
    sin, cos = pos_emb.chunk(2, dim=-1)
    q = (q * cos) + (rotate_half(q) * sin)
    k = (k * cos) + (rotate_half(k) * sin)
    return q, k


def rotate_half(x):
    x = x.reshape(x.shape[:-1] + (-1, 2))
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)
''',
        "apply_rotary_pos_emb",
        "not-run",
        ("must match",),
        "Tables of d/2 columns times q of d columns, and a rotate_half with an axis too many: it stops.",
        "kreasof-ai/Homunculus-Project, RoPE.py",
    ),
    Case(
        "def where class is meant",
        """import torch


def ROPE():
    def __init__(self, hidden_dim, max_length, base):
        self.hidden_dim = hidden_dim
        self.max_length = max_length
        self.rope_cache = {}
        self.inv_freq = 1.0 / (base ** (torch.arange(0, hidden_dim, 2, dtype=torch.float32) / hidden_dim))
        self.freqs = torch.outer(torch.arange(max_length), self.inv_freq)
        self.emb = torch.cat([self.freqs, self.freqs], dim=-1)
        self.cos_cached = self.emb.cos()
        self.sin_cached = self.emb.sin()

    def half_rope(self, x, seq_len):
        half_seq_len = seq_len // 2
        x1 = x[:, :half_seq_len]
        x2 = x[:, half_seq_len:]
        return torch.cat([-x2, x1], dim=-1)
""",
        "ROPE",
        "not-run",
        ("None|return|argument|class",),
        "A function without arguments that returns nothing.",
        "public file, search corpus code: def ROPE()",
    ),
    Case(
        "an exercise not begun",
        """import torch


class RotaryPositionalEmbedding:
    def __init__(self, theta: float, d_k: int, max_seq_len: int, device: torch.device | None = None):
        pass

    def forward(self, x: torch.Tensor, token_positions: torch.Tensor) -> torch.Tensor:
        pass
""",
        "",
        "not-run",
        ("not written|nothing|None",),
        "Both bodies are empty.",
        "public copy of cs336, search corpus code",
        ("nothing turns",),
    ),
    Case(
        "a buffer registered without a name",
        """import torch
from einops import einsum


class RotaryPositionalEmbedding(torch.nn.Module):
    def __init__(self, theta: float, d_k: int, max_seq_len: int, device: torch.device | None = None):
        super().__init__()
        self.theta = theta  # Θ value for the RoPE
        self.d_k = d_k  # dimension of query and key vectors
        self.max_seq_len = max_seq_len  # Maximum sequence length that will be inputted
        self.device = device  # Device to store the buffer on

        self.register_buffer(persistent=False)

    def forward(self, x: torch.Tensor, token_positions: torch.Tensor) -> torch.Tensor:
        return einsum(x, token_positions, " ... sequence_length d_k, ... sequence_length -> ")
""",
        "RotaryPositionalEmbedding",
        "not-run",
        ("register_buffer",),
        "register_buffer() needs a name and a tensor.",
        "saehoon0501/assignment1-basics, cs336_basics/positional_embedding.py",
    ),
    Case(
        "a name that only another function has",
        TORCH
        + '''
def apply_rotary_emb_torch(
    xq: torch.Tensor,  # Query Tensor, Shape (batch, num_heads, seq_len, head_dim)
    xk: torch.Tensor,  # Key Tensor, Shape (batch, num_heads, seq_len, head_dim)
    freqs_cis: torch.Tensor,  # Precomputed complex rotations, Shape (max_seq_len, head_dim)
):
    # Applies RoPE rotations to Q and K using torch complex numbers
    freqs_cis = freqs_cis.to(xq.device)
    freqs_cis = freqs_cis[position_ids]
    freqs_cis = freqs_cis[:, None, :, :]
    xq_ = torch.view_as_complex(xq.float().reshape(*xq.shape[:-1], -1, 2))
    xk_ = torch.view_as_complex(xk.float().reshape(*xk.shape[:-1], -1, 2))
    freqs_cis_broadcast = freqs_cis[..., : xq_.shape[-1]]
    rotated_xq = xq_ * freqs_cis_broadcast
    rotated_xk = xk_ * freqs_cis_broadcast
    return torch.view_as_real(rotated_xq).flatten(3).type_as(xq), torch.view_as_real(rotated_xk).flatten(3).type_as(xk)
''',
        "apply_rotary_emb_torch",
        "not-run",
        ("name 'position_ids' is not defined",),
        "position_ids is no argument and no global.",
        "public notebook as text, text index 58001536460",
    ),
    Case(
        "a wrapper around another package's module",
        """import torch
import torch.nn as nn
from torchtune.modules import RotaryPositionalEmbeddings


class Rotary(nn.Module):
    def __init__(self, dim: int, max_seq_len: int):
        super().__init__()
        self.rope = RotaryPositionalEmbeddings(dim=dim, max_seq_len=max_seq_len, base=10000)

    def forward(self, x_BTHD: torch.Tensor):
        # x_BTHD shape: [B, T, H, D] - need to convert to [B, T, H, D] format
        return self.rope(x_BTHD)
""",
        "Rotary",
        "not-run",
        ("torchtune",),
        "The rotation itself is in torchtune, which is not there.",
        "vukrosic/leo-optimizer#2 (2025)",
        ("nothing turns",),
    ),
    Case(
        "Chinese thread: a reference that moves its angles to a GPU",
        TORCH
        + '''
def naive_rope(x: torch.Tensor, theta: float = 10000.0):
    dim = x.shape[-1]
    seq_len = x.shape[-2]
    # x: [batch_size, seq_len, dim]
    x_ = x.float().reshape(*x.shape[:-1], -1, 2)
    x_ = torch.view_as_complex(x_)
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    t = torch.arange(seq_len, device=freqs.device)
    freqs = torch.outer(t, freqs).float().cuda()
    freqs_cis = torch.polar(torch.ones_like(freqs), freqs)
    xq_out = torch.view_as_real(x_ * freqs_cis).flatten(1)
    return xq_out.type_as(x)
''',
        "naive_rope",
        "not-run",
        ("cuda",),
        "Its angles go to a GPU in any case; flatten(1) would join length and width besides.",
        "xlite-dev/LeetCUDA#289",
    ),
    Case(
        "from a README: angles doubled in width, cosines and sines side by side",
        TORCH
        + '''
class RoPEPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=1000000, base=10000):
        super().__init__()
        self.d_model = d_model
        self.max_len = max_len
        self.base = base
        self.theta = torch.tensor([base ** (-2 * (i // 2) / d_model) for i in range(d_model)])

    def forward(self, positions):
        angles = positions.unsqueeze(-1) * self.theta
        sin_cos = torch.stack([angles.cos(), angles.sin()], dim=-1)
        return sin_cos.view(*sin_cos.shape[:-2], -1)
''',
        "RoPEPositionalEncoding",
        "not-run",
        ("turn|rotat|table|cos",),
        "It gives cosines and sines, 2·d_model columns of them, and no x is turned anywhere.",
        "public README of a LongRoPE implementation (2024), text index 12973962434",
        ("transposed", "doubled"),
    ),
]
