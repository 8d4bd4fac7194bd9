"""RoPE that is wrong, or stops by itself, from public files, notes and threads. Part 2 of 2."""

from .fresh_form import TORCH, Case

CASES = [
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
        "public lesson (2026), public index 57046782804",
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
        "public file, found by search: def ROPE()",
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
        "public copy of cs336, found by search",
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
        "public notebook as text, public index 58001536460",
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
        "public README of a LongRoPE implementation (2024), public index 12973962434",
        ("transposed", "doubled"),
    ),
]
