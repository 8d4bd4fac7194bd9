"""RoPE as a function of tables: cos and sin, complex numbers, angles. All right; layouts differ. Part 1 of 2."""

from .fresh_form import TORCH, Case

FREQS = '''
def precompute_freqs_cis(dim: int, end: int, theta: float = 10000.0):
    rates = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    angles = torch.outer(torch.arange(end, device=rates.device), rates).float()
    return torch.polar(torch.ones_like(angles), angles)
'''

CASES = [
    Case(
        "complex numbers, after Gemma: halves, and a transpose inside",
        TORCH
        + '''
def compute_freqs_cis(dim: int, end: int, theta: float = 10000.0) -> torch.Tensor:
    rates = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=rates.device)
    angles = torch.outer(t, rates).float()
    return torch.polar(torch.ones_like(angles), angles)


def rotary_emb(x: torch.Tensor, freqs_cis: torch.Tensor) -> torch.Tensor:
    z = torch.view_as_complex(torch.stack(torch.chunk(x.transpose(1, 2).float(), 2, dim=-1), dim=-1))
    out = torch.view_as_real(z * freqs_cis).type_as(x)
    out = torch.cat(torch.chunk(out, 2, dim=-1), dim=-2)
    out = out.reshape(out.shape[0], out.shape[1], out.shape[2], -1).transpose(1, 2)
    return out
''',
        "rotary_emb",
        "right",
        ("half-split|halves",),
        "Half-split RoPE of x (batch, length, heads, head_dim).",
        "GTPlayT/Large-Language-Models, llm/misc.py",
        ("heads-for-sequence",),
    ),
    Case(
        "complex numbers, and a maker that stops half way",
        '''
import torch


def precompute_freqs_cis(args) -> torch.Tensor:
    dim = args.head_dim
    base = args.rope_theta
    return 1.0 / (base ** (torch.arange(0, dim, 2, dtype=torch.float32) / dim))


def apply_rotary_emb(x: torch.Tensor, freqs_cis: torch.Tensor) -> torch.Tensor:
    dtype = x.dtype
    x = torch.view_as_complex(x.float().view(*x.shape[:-1], -1, 2))
    freqs_cis = freqs_cis.view(1, x.size(1), 1, x.size(-1))
    y = torch.view_as_real(x * freqs_cis).flatten(3)
    return y.to(dtype)
''',
        "apply_rotary_emb",
        "right",
        (),
        "RoPE of (batch, length, heads, head_dim) for complex freqs_cis; the maker beside it gives the rates alone.",
        "junjinyong/Qwen3-MoE, models/demos/qwen3_moe/reference/rope_helpers.py (2025)",
        ("nothing turns",),
    ),
    Case(
        "video model: query and key in one, real tables, no maker",
        '''
import torch


def apply_rotary_emb_qk_real(
    xqk: torch.Tensor,
    freqs_cos: torch.Tensor,
    freqs_sin: torch.Tensor,
) -> torch.Tensor:
    """
    xqk: (B, S, *, num_heads, D). Can be either just query or just key, or both stacked along some batch or * dim.
    """
    even = xqk[..., 0::2]
    odd = xqk[..., 1::2]

    first = (even * freqs_cos - odd * freqs_sin).type_as(xqk)
    second = (even * freqs_sin + odd * freqs_cos).type_as(xqk)

    return torch.stack([first, second], dim=-1).flatten(-2)
''',
        "",
        "right",
        (),
        "Neighbouring pairs turned by given cosines and sines of d/2 columns.",
        "comfyanonymous/ComfyUI, comfy/ldm/genmo/joint_model/temporal_rope.py (2024)",
    ),
    Case(
        "a module that gives tables, and a function with rotate_half inside",
        TORCH
        + '''
class RotaryPositionalEmbedding(nn.Module):
    def __init__(self, dim, max_seq_len=2048, base=10000):
        super().__init__()
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("inv_freq", inv_freq)
        t = torch.arange(max_seq_len)
        freqs = torch.outer(t, inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)
        self.register_buffer("cos_cached", emb.cos())
        self.register_buffer("sin_cached", emb.sin())

    def forward(self, seq_len):
        return self.cos_cached[:seq_len], self.sin_cached[:seq_len]


def apply_rotary_emb(q, k, cos, sin):
    def rotate_half(x):
        x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
        return torch.cat((-x2, x1), dim=-1)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed, k_embed
''',
        "apply_rotary_emb",
        "right",
        ("half-split|halves",),
        "Half-split RoPE of (…, length, head_dim).",
        "xinlan-technology/skillsbench, nanogpt-training/references/gpt-architecture.md (2026)",
    ),
    Case(
        "the way back stands beside the way there",
        '''
from functools import lru_cache

import torch
from torch import nn


def apply_rotary_emb(
    x: torch.Tensor,
    cos: torch.Tensor,
    sin: torch.Tensor,
) -> torch.Tensor:
    x1, x2 = torch.chunk(x.float(), 2, dim=-1)
    y1 = x1 * cos - x2 * sin
    y2 = x2 * cos + x1 * sin
    return torch.cat((y1, y2), dim=-1).to(x.dtype)


def reverse_rotary_emb(
    x: torch.Tensor,
    cos: torch.Tensor,
    sin: torch.Tensor,
) -> torch.Tensor:
    """对已应用 RoPE 的向量执行逆操作，恢复到位置无关状态。"""
    y1, y2 = torch.chunk(x.float(), 2, dim=-1)
    x1 = y1 * cos + y2 * sin
    x2 = y2 * cos - y1 * sin
    return torch.cat((x1, x2), dim=-1).to(x.dtype)
''',
        "reverse_rotary_emb",
        "right",
        ("reversed",),
        "Half-split RoPE that turns the other way.",
        "public file after nano-vllm, found by search: reverse_rotary_emb",
    ),
    Case(
        "a test file of tensors without a batch, run as it loads",
        TORCH
        + '''
class Rotary(torch.nn.Module):
    def __init__(self, dim, base=10000):
        super().__init__()
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("inv_freq", inv_freq)
        self.seq_len_cached = None
        self.cos_cached = None
        self.sin_cached = None

    def forward(self, x, seq_dim=0):
        seq_len = x.shape[seq_dim]
        if seq_len != self.seq_len_cached:
            self.seq_len_cached = seq_len
            t = torch.arange(x.shape[seq_dim], device=x.device).type_as(self.inv_freq)
            freqs = torch.einsum("i,j->ij", t, self.inv_freq)
            emb = torch.cat((freqs, freqs), dim=-1).to(x.device)
            self.cos_cached = emb.cos()[:, None, :]
            self.sin_cached = emb.sin()[:, None, :]
        return self.cos_cached, self.sin_cached


def rotate_half(x):
    x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    q_rot = (q * cos) + (rotate_half(q) * sin)
    k_rot = (k * cos) + (rotate_half(k) * sin)
    return q_rot, k_rot


seq_len = 10
n_heads = 4
head_dim = 16
q = torch.randn(seq_len, n_heads, head_dim)
k = torch.randn(seq_len, n_heads, head_dim)
rotary_pos_emb = Rotary(head_dim)
cos, sin = rotary_pos_emb(q)
q_rot, k_rot = apply_rotary_pos_emb(q, k, cos, sin)
''',
        "apply_rotary_pos_emb",
        "right",
        ("half-split|halves",),
        "Half-split RoPE of (length, heads, head_dim); the tables come with an axis for the heads.",
        "Francesco215/Language_CA, test.py",
    ),
    Case(
        "a book's compute_rope, four axes",
        TORCH
        + '''
def compute_rope_params(head_dim, theta_base=10_000, context_length=4096, dtype=torch.float32):
    assert head_dim % 2 == 0, "Embedding dimension must be even"
    inv_freq = 1.0 / (theta_base ** (torch.arange(0, head_dim, 2, dtype=dtype)[: (head_dim // 2)].float() / head_dim))
    positions = torch.arange(context_length, dtype=dtype)
    angles = positions.unsqueeze(1) * inv_freq.unsqueeze(0)
    angles = torch.cat([angles, angles], dim=1)
    return torch.cos(angles), torch.sin(angles)


def apply_rope(x, cos, sin):
    # x: (batch_size, num_heads, seq_len, head_dim)
    batch_size, num_heads, seq_len, head_dim = x.shape
    assert head_dim % 2 == 0, "Head dimension must be even"
    first = x[..., : head_dim // 2]
    second = x[..., head_dim // 2 :]
    cos = cos[:seq_len, :].unsqueeze(0).unsqueeze(0)
    sin = sin[:seq_len, :].unsqueeze(0).unsqueeze(0)
    turned = torch.cat((-second, first), dim=-1)
    return ((x * cos) + (turned * sin)).to(dtype=x.dtype)
''',
        "apply_rope",
        "right",
        ("half-split|halves",),
        "Half-split RoPE.",
        "rasbt/LLMs-from-scratch#838",
    ),
    Case(
        "Chinese: complex numbers, length before heads",
        TORCH
        + FREQS.replace("end: int", "seq_len: int").replace("arange(end", "arange(seq_len")
        + '''

def apply_rotary_emb(x, freqs_cis):
    # 面试手写版
    z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    turned = z * freqs_cis[:, None, :]
    return torch.view_as_real(turned).flatten(3).type_as(x)
''',
        "apply_rotary_emb",
        "right",
        (),
        "RoPE of (batch, length, heads, head_dim).",
        "public Chinese interview notes, public index 52655322671",
    ),
    Case(
        "tokens without a batch, a theta without a default",
        TORCH
        + '''
def precompute_freqs_cis(dim: int, end: int, theta: float, device: torch.device | None = None) -> torch.Tensor:
    rates = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=rates.device)
    angles = torch.outer(t, rates).float()
    return torch.polar(torch.ones_like(angles), angles)


def apply_rotary_emb(
    xq: torch.Tensor,
    xk: torch.Tensor,
    freqs_cis: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    xq_ = torch.view_as_complex(xq.float().reshape(*xq.shape[:-1], -1, 2))
    xk_ = torch.view_as_complex(xk.float().reshape(*xk.shape[:-1], -1, 2))
    freqs_cis = freqs_cis[:, None, :]
    xq_out = torch.view_as_real(xq_ * freqs_cis).flatten(2)
    xk_out = torch.view_as_real(xk_ * freqs_cis).flatten(2)
    return xq_out.type_as(xq), xk_out.type_as(xk)


def repeat_kv(keys: torch.Tensor, values: torch.Tensor, repeats: int, dim: int):
    return torch.repeat_interleave(keys, repeats, dim=dim), torch.repeat_interleave(values, repeats, dim=dim)
''',
        "apply_rotary_emb",
        "right",
        (),
        "RoPE of (tokens, heads, head_dim), as Mistral writes it.",
        "public file after mistralai/mistral-inference, public index 36617309705",
    ),
    Case(
        "heads before length, two axes put before the tables",
        TORCH
        + FREQS
        + '''

def apply_rotary_emb(
    xq: torch.Tensor,
    xk: torch.Tensor,
    freqs_cis: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """
    xq: Query tensor of shape (batch_size, seq_len, dim)
    freqs_cis: Precomputed frequency tensor of shape (seq_len, dim // 2)
    """
    xq_ = torch.view_as_complex(xq.float().reshape(*xq.shape[:-1], -1, 2))
    xk_ = torch.view_as_complex(xk.float().reshape(*xk.shape[:-1], -1, 2))
    freqs_cis = freqs_cis.unsqueeze(0).unsqueeze(0)  # Add batch and head dimensions
    xq_out = torch.view_as_real(xq_ * freqs_cis).flatten(3)
    xk_out = torch.view_as_real(xk_ * freqs_cis).flatten(3)
    return xq_out.type_as(xq), xk_out.type_as(xk)
''',
        "apply_rotary_emb",
        "right",
        (),
        "RoPE of (batch, heads, length, head_dim), against its own docstring.",
        "public file, public index 16801506686",
    ),
    Case(
        "one argument holds both tables, unpacked after a cast",
        TORCH
        + '''
def rotate(x, cos, sin):
    x0, x1 = x.split(x.shape[-1] // 2, dim=-1)
    return torch.cat((cos * x0 - sin * x1, cos * x1 + sin * x0), dim=-1)


def embed_rope(q, k, cos_sin):
    cos, sin = cos_sin.to(q.dtype)
    assert q.shape[-2] == k.shape[-2]
    sequence_length = q.shape[-2]
    cos, sin = cos[:sequence_length], sin[:sequence_length]
    return rotate(q, cos, sin), rotate(k, cos, sin)


def precompute_cos_sin(head_dim: int, sequence_length: int, base: float = 10000.0) -> torch.Tensor:
    freq = base ** -torch.arange(0, head_dim, 2, dtype=torch.float32).div_(head_dim)
    position_ids = torch.arange(0, sequence_length, dtype=torch.float32)
    angle = freq[None, :] * position_ids[:, None]
    return torch.stack((angle.cos(), angle.sin()))
''',
        "embed_rope",
        "right",
        ("half-split|halves",),
        "Half-split RoPE; cos_sin is (2, length, head_dim/2).",
        "public file (2026), public index 62161103936",
    ),
    Case(
        "an offset for the cache",
        TORCH
        + '''
def precompute_rope(dim: int, max_seq_len: int, theta: float = 10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2).float() / dim))
    t = torch.arange(max_seq_len)
    freqs = torch.outer(t, freqs)
    return freqs.cos(), freqs.sin()


def apply_rope(q, k, cos, sin, offset: int = 0):
    """
    q, k: (batch, n_heads, seq_len, head_dim)
    cos, sin: precomputed RoPE tables (max_seq_len, head_dim/2)
    offset: position offset for KV-cache decoding (length of cached sequence)
    """
    seq_len = q.shape[2]
    cos = cos[offset : offset + seq_len].unsqueeze(0).unsqueeze(0).to(dtype=q.dtype, device=q.device)
    sin = sin[offset : offset + seq_len].unsqueeze(0).unsqueeze(0).to(dtype=q.dtype, device=q.device)

    def rotate(x, cos, sin):
        x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1)

    return rotate(q, cos, sin), rotate(k, cos, sin)
''',
        "apply_rope",
        "right",
        ("half-split|halves",),
        "Half-split RoPE, counted from offset.",
        "public file, public index 16103332900",
        ("key-later", "positions-ignored"),
    ),
    Case(
        "cosines and sines alternate in one tensor",
        TORCH
        + '''
class RoPEFreqs(nn.Module):
    def __init__(self, dim, max_seq_len=2048, base=10000.0):
        super().__init__()
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
        angle = torch.outer(torch.arange(max_seq_len).float(), inv_freq)
        self.register_buffer("freqs", torch.stack([angle.cos(), angle.sin()], dim=-1).flatten(-2))

    def forward(self, seq_len):
        return self.freqs[:seq_len]


def apply_rope(q, k, freqs):
    """
    freqs: Frequency tensor from RoPEFreqs of shape [seq_len, head_dim]
    """
    # Extract cos and sin components
    cos = freqs[..., 0::2]  # [seq_len, head_dim/2]
    sin = freqs[..., 1::2]  # [seq_len, head_dim/2]
    q_split = q.view(*q.shape[:-1], -1, 2)
    k_split = k.view(*k.shape[:-1], -1, 2)

    def rotate(x, cos, sin):
        x1, x2 = x[..., 0], x[..., 1]
        return torch.stack([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1)

    q_rot = rotate(q_split, cos, sin)
    k_rot = rotate(k_split, cos, sin)
    return q_rot.view(*q.shape), k_rot.view(*k.shape)
''',
        "apply_rope",
        "right",
        (),
        "Neighbouring pairs; freqs holds cos, sin, cos, sin, …",
        "public file, public index 39468104212",
        ("not a rotation",),
    ),
    Case(
        "angles come in, and no maker stands beside",
        TORCH
        + '''
def apply_rope(x, freqs):
    # x shape: (b, num_heads, seq_len, head_dim)
    # freqs shape: (seq_len, head_dim/2)
    x1 = x[..., 0::2]  # even indices — first of each pair
    x2 = x[..., 1::2]  # odd indices  — second of each pair

    cos = freqs.cos().unsqueeze(0).unsqueeze(0)
    sin = freqs.sin().unsqueeze(0).unsqueeze(0)

    rotated_x1 = x1 * cos - x2 * sin
    rotated_x2 = x1 * sin + x2 * cos

    out = torch.stack([rotated_x1, rotated_x2], dim=-1)
    return out.flatten(-2)
''',
        "",
        "right",
        (),
        "Neighbouring pairs turned by the angles that are given.",
        "public file on grouped-query attention (2026), public index 56463547030",
    ),
]
