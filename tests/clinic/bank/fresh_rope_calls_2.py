"""RoPE as people wrap it: methods, modules, NumPy, plain lists, one position at a time. Part 2 of 2."""

from .fresh_form import TORCH, Case

CASES = [
    Case(
        "one width for a whole file",
        """import json
import math
import os

import torch
import torch.nn as nn

D_MODEL = 528
N_HEAD = 4
HEAD_DIM = D_MODEL // N_HEAD  # 132
ROPE_BASE = 10000.0


def apply_rope(x, positions):
    \"\"\"Apply rotary position embedding over the full head dim.

    x:         FloatTensor [..., T, HEAD_DIM]
    positions: LongTensor broadcastable to x's T dimension — [T] or [..., T].
    \"\"\"
    half = HEAD_DIM // 2
    inv_freq = ROPE_BASE ** (-torch.arange(half, dtype=torch.float32) * 2.0 / HEAD_DIM)
    ang = positions.to(torch.float32).unsqueeze(-1) * inv_freq  # [..., T, half]
    cos, sin = torch.cos(ang), torch.sin(ang)
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1)
""",
        "apply_rope",
        "right",
        ("half-split|halves",),
        "Half-split RoPE for heads of 132 columns, and for no other width.",
        "public file (2026), public index 58998182795",
        ("wrong-divisor", "partial"),
    ),
    Case(
        "three functions, each of one line",
        TORCH
        + '''
def rope_frequencies(head_dim, base=10000.0):
    two_i = torch.arange(0, head_dim, 2, dtype=torch.float32)
    return base ** (-two_i / head_dim)


def rope_angles(positions, head_dim, base=10000.0):
    return torch.as_tensor(positions).float()[:, None] * rope_frequencies(head_dim, base)[None, :]


def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions, x.shape[-1], base)
    cos, sin = angles.cos(), angles.sin()
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)
''',
        "apply_rope",
        "right-main",
        ("float32|dtype",),
        "RoPE; x in bfloat16 comes back in float32.",
        "public course notes, public index 71328273650",
    ),
    Case(
        "length before heads, a base without a default",
        TORCH
        + '''
def rope_rotate(x: torch.Tensor, pos: torch.Tensor, base: float) -> torch.Tensor:
    """Adjacent-pair rotation (2i, 2i+1), so exported weights run bit-compatibly in C."""
    batch, seq, n_heads, head_size = x.shape
    pair = torch.arange(0, head_size, 2, device=x.device, dtype=torch.float32)
    inv_freq = 1.0 / (base ** (pair / head_size))
    angles = pos.float()[:, None] * inv_freq[None, :]
    cos, sin = angles.cos()[None, :, None, :], angles.sin()[None, :, None, :]
    x_even, x_odd = x[..., 0::2], x[..., 1::2]
    even = x_even * cos - x_odd * sin
    odd = x_even * sin + x_odd * cos
    return torch.stack((even, odd), dim=-1).flatten(-2)
''',
        "rope_rotate",
        "right-main",
        ("float32|dtype",),
        "RoPE of (batch, length, heads, head_size); bfloat16 comes back in float32.",
        "public file (2026), public index 68815942041",
    ),
    Case(
        "NumPy: one vector, one position, a base",
        """import numpy as np


def rope_rotate(x, pos, base=10000.0):
    d = x.shape[-1]
    theta = base ** (-2.0 * np.arange(d // 2) / d)
    ang = pos * theta
    out = np.empty_like(x, dtype=float)
    x1 = x[0::2]
    x2 = x[1::2]
    out[0::2] = x1 * np.cos(ang) - x2 * np.sin(ang)
    out[1::2] = x1 * np.sin(ang) + x2 * np.cos(ang)
    return out
""",
        "",
        "right",
        (),
        "RoPE of one vector in float64.",
        "public file (2026), public index 70091749956",
        ("gradient",),
    ),
    Case(
        "Taiwan: exponent over half the width",
        TORCH
        + '''
def rope_rotate(x, positions):
    """x: [B, H, T, d_head] → 對最後一維按 (cos,sin) 對旋轉,角度 = pos * theta_i"""
    d = x.shape[-1]
    half = d // 2
    theta = 10000.0 ** (-torch.arange(0, half, dtype=torch.float32) / half)  # [half]
    ang = positions.float().unsqueeze(-1) * theta  # [T, half]
    cos, sin = torch.cos(ang), torch.sin(ang)  # [T, half]
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1)
''',
        "rope_rotate",
        "right-main",
        ("half-split|halves", "float32|dtype"),
        "Half-split RoPE: k over d/2 is 2k over d; bfloat16 comes back in float32.",
        "public file (2026), public index 61333387401",
        ("exponent-halved",),
    ),
    Case(
        "two functions, and a scale that is 1 by default",
        TORCH
        + '''
def rope_rotate(x, cos, sin):
    # x: [B, H, T, D]; cos/sin: [T, D/2]
    x1, x2 = x[..., ::2], x[..., 1::2]
    cos = cos.unsqueeze(0).unsqueeze(0)  # [1,1,T,D/2]
    sin = sin.unsqueeze(0).unsqueeze(0)
    y1 = x1 * cos - x2 * sin
    y2 = x1 * sin + x2 * cos
    return torch.stack((y1, y2), dim=-1).flatten(-2)


def rope_cache(T, D, base=10_000.0, scale=1.0, device="cpu"):
    # scale<1 compresses positions: use p' = scale * p
    pos = torch.arange(T, device=device) * scale  # [T]
    half = D // 2
    freqs = base ** (-torch.arange(0, half, device=device) / half)  # [D/2]
    angles = pos[:, None] * freqs[None, :]
    return torch.cos(angles), torch.sin(angles)
''',
        "rope_rotate",
        "right",
        (),
        "RoPE; position interpolation only where scale is given.",
        "public notes on long contexts, public index 63558315879",
        ("linear",),
    ),
    Case(
        "no positions at all: the rows are counted",
        TORCH
        + '''
def rope(x, base=10000.0):
    """Rotary position embedding applied to (B, H, T, Dh)."""
    b, h, t, dh = x.shape
    half = dh // 2
    pos = torch.arange(t, device=x.device, dtype=torch.float32)
    inv = base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
    freqs = torch.outer(pos, inv)  # (T, dh/2)
    cos, sin = freqs.cos()[None, None], freqs.sin()[None, None]
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1)
''',
        "",
        "right-main",
        ("half-split|halves", "float32|dtype"),
        "Half-split RoPE from position 0; bfloat16 comes back in float32.",
        "public file (2026), public index 69127324145",
    ),
    Case(
        "a module with a config of d_head and n_ctx",
        """import torch
import torch.nn as nn
from rnn_residuals.config import TransformerConfig


class RoPE(nn.Module):
    def __init__(
        self,
        cfg: TransformerConfig,
        base: float = 10000.0,
    ) -> None:
        super().__init__()

        freqs = base ** (-torch.arange(0, cfg.d_head, 2).float() / cfg.d_head)
        angles = torch.outer(torch.arange(cfg.n_ctx).float(), freqs)

        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        s = x.shape[-2]
        cos, sin = self.cos[:s].to(x.dtype), self.sin[:s].to(x.dtype)
        x1, x2 = x.chunk(2, dim=-1)

        return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1)
""",
        "RoPE",
        "right",
        ("half-split|halves",),
        "Half-split RoPE from position 0, in x's dtype.",
        "public file (2026), public index 70883122940",
    ),
    Case(
        "query, key and a length, sizes from n_embd and n_head",
        TORCH
        + '''
class RoPE(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.head_dim = config.n_embd // config.n_head
        inv_freq = 1.0 / (10000 ** (torch.arange(0, self.head_dim // 2).float() / (self.head_dim // 2)))
        self.register_buffer("inv_freq", inv_freq)

    def forward(self, q, k, seq_len):
        B, T, H, D = q.shape
        t = torch.arange(seq_len, device=q.device, dtype=self.inv_freq.dtype)
        freqs = torch.einsum("i,j->ij", t, self.inv_freq)
        freqs_cos = freqs.cos().view(1, T, 1, D // 2)
        freqs_sin = freqs.sin().view(1, T, 1, D // 2)

        q_left, q_right = q.chunk(2, dim=-1)
        k_left, k_right = k.chunk(2, dim=-1)

        q_out = torch.cat([q_left * freqs_cos - q_right * freqs_sin, q_right * freqs_cos + q_left * freqs_sin], dim=-1)
        k_out = torch.cat([k_left * freqs_cos - k_right * freqs_sin, k_right * freqs_cos + k_left * freqs_sin], dim=-1)
        return q_out, k_out
''',
        "RoPE",
        "right",
        ("half-split|halves",),
        "Half-split RoPE of (batch, length, heads, head_dim); seq_len must be the length.",
        "public file, public index 486296668",
        ("exponent-halved", "wrong-divisor"),
    ),
    Case(
        "Moshi: an offset for each sequence, and either order of axes",
        TORCH
        + '''
def apply_rope(
    q: torch.Tensor,
    k: torch.Tensor,
    offset: torch.Tensor,
    max_period: float = 10_000,
    time_before_heads: bool = False,
):
    if time_before_heads:
        B, T, H, D = q.shape
    else:
        B, H, T, D = q.shape
    assert k.shape == q.shape
    ds = torch.arange(D // 2, device=q.device, dtype=torch.float32)
    freqs = torch.exp(ds * (-math.log(max_period) * 2 / D))
    ts = offset.float().view(-1, 1) + torch.arange(T, device=q.device, dtype=torch.float32)
    if time_before_heads:
        ts = ts.view(B, -1, 1, 1)
    else:
        ts = ts.view(B, 1, -1, 1)

    dims = q.shape[:-1]
    q = q.view(*dims, D // 2, 2)
    k = k.view(*dims, D // 2, 2)
    qr, qi = q[..., 0].float(), q[..., 1].float()
    kr, ki = k[..., 0].float(), k[..., 1].float()
    rotr = torch.cos(freqs * ts)
    roti = torch.sin(freqs * ts)
    dtype = q.dtype
    qo = torch.stack([(qr * rotr - qi * roti).to(dtype), (qr * roti + qi * rotr).to(dtype)], dim=-1)
    ko = torch.stack([(kr * rotr - ki * roti).to(dtype), (kr * roti + ki * rotr).to(dtype)], dim=-1)
    return qo.view(*dims, D), ko.view(*dims, D)
''',
        "apply_rope",
        "right",
        (),
        "RoPE counted from offset, one number for each sequence of the batch.",
        "kyutai-labs/moshi, moshi/modules/rope.py (2024)",
        ("key-later",),
    ),
    Case(
        "OpenELM: query and key of two lengths, a cache that grows",
        TORCH
        + '''
def _rotate_half(x: torch.Tensor) -> torch.Tensor:
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def _apply_rotary_pos_emb(x: torch.Tensor, pos_sin: torch.Tensor, pos_cos: torch.Tensor) -> torch.Tensor:
    return (x * pos_cos) + (_rotate_half(x) * pos_sin)


class OpenELMRotaryEmbedding(torch.nn.Module):
    def __init__(self, model_dim: int, max_seq_length: int, freq_constant: int = 10000) -> None:
        inv_freq = 1.0 / (freq_constant ** (torch.arange(0, model_dim, 2, dtype=torch.float32) / model_dim))
        super().__init__()
        self.model_dim = model_dim
        self.register_buffer("inv_freq", inv_freq, persistent=False)
        self._cached_cos = None
        self._cached_sin = None
        self._cached_seq_length = max_seq_length
        self._compute_sin_cos_embeddings(max_seq_length)

    def _compute_sin_cos_embeddings(self, key_len, key_device=torch.device("cpu"), key_dtype=torch.float32):
        if key_len > self._cached_seq_length or self._cached_cos is None:
            self._cached_seq_length = max(key_len, self._cached_seq_length)
            index = torch.arange(self._cached_seq_length, dtype=torch.float32, device=self.inv_freq.device)
            theta = torch.einsum("i,j->ij", index, self.inv_freq)
            emb = torch.cat((theta, theta), dim=-1)
            self._cached_cos = emb.cos().to(key_dtype)[None, None, :, :]
            self._cached_sin = emb.sin().to(key_dtype)[None, None, :, :]

    def forward(self, query: torch.Tensor, key: torch.Tensor):
        dim = key.shape[-1]
        key_len = key.shape[2]
        query_len = query.shape[2]
        assert dim == self.model_dim
        assert key_len >= query_len, "Number of keys has to be greater than or equal to number of queries."
        query_float = query.float()
        key_float = key.float()
        self._compute_sin_cos_embeddings(key_len, key_float.device, key_float.dtype)
        rows = slice(key_len - query_len, key_len)
        q = _apply_rotary_pos_emb(query_float, self._cached_sin[..., rows, :], self._cached_cos[..., rows, :])
        k = _apply_rotary_pos_emb(key_float, self._cached_sin[..., :key_len, :], self._cached_cos[..., :key_len, :])
        return q.type_as(query), k.type_as(key)
''',
        "OpenELMRotaryEmbedding",
        "right",
        ("half-split|halves",),
        "Half-split RoPE; the query takes the last of the key's positions.",
        "apple/OpenELM, modeling_openelm.py (2024)",
    ),
    Case(
        "a base with a zero too many, in a private method",
        TORCH
        + '''
class Rope(nn.Module):
    def __init__(self, head_dim: int, base: int = 100000):
        super(Rope, self).__init__()
        self.head_dim = head_dim
        self.base = base
        self.register_buffer("inv_freq", self._compute_inv_freq(), persistent=False)

    def _compute_inv_freq(self):
        k = torch.arange(0, self.head_dim, 2, dtype=torch.float32)
        return 1 / (self.base ** (k / self.head_dim))

    def _rota_half_emb(self, x):
        x0, x1 = x.chunk(2, dim=-1)
        return torch.cat((-x1, x0), dim=-1)

    def _apply_rope(self, x, freq):
        freq = freq.to(x.device)
        cos = torch.cos(freq)
        sin = torch.sin(freq)
        return x * cos + self._rota_half_emb(x) * sin

    def forward(self, q, k):
        t = torch.arange(q.shape[-2], device=q.device, dtype=torch.float32)
        freq = torch.outer(t, self.inv_freq)
        freq = torch.cat((freq, freq), dim=-1)
        return self._apply_rope(q, freq), self._apply_rope(k, freq)
''',
        "Rope",
        "convention",
        ("100000|100,000",),
        "Half-split RoPE of base 100,000.",
        "public file, found by search: Rope(head_dim, base=100000)",
    ),
    Case(
        "MiniMind: a base of a million, YaRN only on demand",
        TORCH
        + '''
def precompute_freqs_cis(dim: int, end: int = int(32 * 1024), rope_base: float = 1e6, rope_scaling: dict = None):
    """
    预计算RoPE(Rotary Position Embedding)的频率
    """
    freqs, attn_factor = 1.0 / (rope_base ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim)), 1.0
    if rope_scaling is not None:
        raise NotImplementedError("YaRN")
    t = torch.arange(end, device=freqs.device)
    freqs = torch.outer(t, freqs).float()
    freqs_cos = torch.cat([torch.cos(freqs), torch.cos(freqs)], dim=-1) * attn_factor
    freqs_sin = torch.cat([torch.sin(freqs), torch.sin(freqs)], dim=-1) * attn_factor
    return freqs_cos, freqs_sin


def apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=1):
    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]), dim=-1)

    q_embed = ((q * cos.unsqueeze(unsqueeze_dim)) + (rotate_half(q) * sin.unsqueeze(unsqueeze_dim))).to(q.dtype)
    k_embed = ((k * cos.unsqueeze(unsqueeze_dim)) + (rotate_half(k) * sin.unsqueeze(unsqueeze_dim))).to(k.dtype)
    return q_embed, k_embed
''',
        "apply_rotary_pos_emb",
        "convention",
        ("1000000|1,000,000|1e6|1e+06",),
        "Half-split RoPE of (batch, length, heads, head_dim) with the file's own tables of base 10^6.",
        "jingyaogong/minimind, model/model_minimind.py (2025); FisherYuuri/YuuriMind",
        ("heads-for-sequence",),
    ),
    Case(
        "GPT-NeoX: a quarter of the head, a method beside a helper",
        TORCH
        + '''
def rope_tables(seq_len, ndims, base=10000.0):
    inv_freq = base ** (-torch.arange(0, ndims, 2).float() / ndims)
    angle = torch.outer(torch.arange(seq_len).float(), inv_freq)
    return angle.sin(), angle.cos()


def rope(sin, cos, x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1)


class GPTNeoXRotary(nn.Module):
    def __init__(self, head_dim: int = 64, rotary_pct: float = 0.25) -> None:
        super().__init__()
        self.head_dim = head_dim
        self.rotary_ndims = int(head_dim * rotary_pct)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # Partial RoPE: rotate first rotary_ndims dims, pass through the rest. x: (batch, heads, length, head_dim)
        rot = self.rotary_ndims
        sin, cos = rope_tables(x.shape[-2], rot)
        x_rot, x_pass = x[..., :rot], x[..., rot:]
        return torch.cat([rope(sin, cos, x_rot).to(x.dtype), x_pass], dim=-1)
''',
        "GPTNeoXRotary",
        "convention",
        ("partial 16 of 64|partial",),
        "Half-split RoPE of the first quarter of each head, with exponents over that quarter.",
        "public file, public index 61654195055 (rewritten as a module)",
        ("partial-over-head-dim",),
    ),
]
