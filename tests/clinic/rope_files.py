"""Rotations restated in the signatures that public code has: a file, the name to look at, and what is true of it."""

HEAD = """
import math
import torch
from torch import nn
"""

TRANSFORMERS = """
class LlamaRotaryEmbedding(nn.Module):
    def __init__(self, config):
        super().__init__()
        dim = config.head_dim
        self.register_buffer("inv_freq", 1.0 / (config.rope_theta ** (torch.arange(0, dim, 2).float() / dim)))

    @torch.no_grad()
    def forward(self, x, position_ids):
        inv_freq = self.inv_freq[None, :, None].float().expand(position_ids.shape[0], -1, 1)
        freqs = (inv_freq @ position_ids[:, None, :].float()).transpose(1, 2)
        emb = torch.cat((freqs, freqs), dim=-1)
        return emb.cos().to(x.dtype), emb.sin().to(x.dtype)

def rotate_half(x):
    x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)

def apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=1):
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    return (q * cos) + (rotate_half(q) * sin), (k * cos) + (rotate_half(k) * sin)
"""

LLAMA = """
def precompute_freqs_cis(dim: int, end: int, theta: float = 10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    freqs = torch.outer(torch.arange(end).float(), freqs)
    return torch.polar(torch.ones_like(freqs), freqs)

def reshape_for_broadcast(freqs_cis, x):
    assert freqs_cis.shape == (x.shape[1], x.shape[-1])
    return freqs_cis.view(*[d if i in (1, x.ndim - 1) else 1 for i, d in enumerate(x.shape)])

def apply_rotary_emb(xq, xk, freqs_cis):
    xq_ = torch.view_as_complex(xq.float().reshape(*xq.shape[:-1], -1, 2))
    xk_ = torch.view_as_complex(xk.float().reshape(*xk.shape[:-1], -1, 2))
    freqs_cis = reshape_for_broadcast(freqs_cis, xq_)
    xq_out = torch.view_as_real(xq_ * freqs_cis).flatten(3)
    xk_out = torch.view_as_real(xk_ * freqs_cis).flatten(3)
    return xq_out.type_as(xq), xk_out.type_as(xk)
"""

TORCHTUNE = """
class RotaryPositionalEmbeddings(nn.Module):
    def __init__(self, dim: int, max_seq_len: int = 4096, base: int = 10_000):
        super().__init__()
        theta = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
        idx_theta = torch.einsum("i, j -> ij", torch.arange(max_seq_len), theta).float()
        self.register_buffer("cache", torch.stack([idx_theta.cos(), idx_theta.sin()], dim=-1), persistent=False)

    def forward(self, x, *, input_pos=None):
        seq_len = x.size(1)
        rope_cache = self.cache[:seq_len] if input_pos is None else self.cache[input_pos]
        xshaped = x.float().reshape(*x.shape[:-1], -1, 2)
        rope_cache = rope_cache.view(-1, xshaped.size(1), 1, xshaped.size(3), 2)
        x_out = torch.stack([
            xshaped[..., 0] * rope_cache[..., 0] - xshaped[..., 1] * rope_cache[..., 1],
            xshaped[..., 1] * rope_cache[..., 0] + xshaped[..., 0] * rope_cache[..., 1],
        ], -1)
        return x_out.flatten(3).type_as(x)
"""

ROTARY_TORCH = """
class RotaryEmbedding(nn.Module):
    def __init__(self, dim, theta=10000):
        super().__init__()
        self.freqs = nn.Parameter(1.0 / (theta ** (torch.arange(0, dim, 2).float() / dim)), requires_grad=False)

    def forward(self, t):
        return (t[:, None].float() * self.freqs).repeat_interleave(2, dim=-1)

    def rotate_queries_or_keys(self, t, seq_dim=None, offset=0):
        freqs = self.forward(torch.arange(t.shape[-2]) + offset)
        half = torch.stack((-t[..., 1::2], t[..., 0::2]), dim=-1).flatten(-2)
        return (t * freqs.cos() + half * freqs.sin()).type(t.dtype)
"""

FORWARD_QK = """
class Rotary(nn.Module):
    def __init__(self, head_dim, max_len=2048):
        super().__init__()
        angle = torch.arange(max_len)[:, None] / 10000 ** (torch.arange(0, head_dim, 2) / head_dim)
        self.register_buffer("cos", angle.cos())
        self.register_buffer("sin", angle.sin())

    def turn(self, x):
        cos, sin = self.cos[: x.shape[-2]].to(x.dtype), self.sin[: x.shape[-2]].to(x.dtype)
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)

    def forward(self, q, k):
        return self.turn(q), self.turn(k)
"""

FROM_SCRATCH = """
def compute_rope_params(head_dim, theta_base=10_000, context_length=4096, dtype=torch.float32):
    inv_freq = 1.0 / (theta_base ** (torch.arange(0, head_dim, 2, dtype=dtype) / head_dim))
    angles = torch.arange(context_length, dtype=dtype)[:, None] * inv_freq[None, :]
    angles = torch.cat([angles, angles], dim=1)
    return torch.cos(angles), torch.sin(angles)

def apply_rope(x, cos, sin):
    batch, heads, length, head_dim = x.shape
    x1, x2 = x[..., : head_dim // 2], x[..., head_dim // 2 :]
    cos, sin = cos[:length][None, None], sin[:length][None, None]
    return ((x * cos) + (torch.cat((-x2, x1), dim=-1) * sin)).to(dtype=x.dtype)
"""

NANOCHAT = """
def precompute_rotary_embeddings(seq_len, head_dim, base=10000):
    inv_freq = 1.0 / (base ** (torch.arange(0, head_dim, 2, dtype=torch.float32) / head_dim))
    freqs = torch.outer(torch.arange(seq_len, dtype=torch.float32), inv_freq)
    return freqs.cos()[None, :, None, :], freqs.sin()[None, :, None, :]

def apply_rotary_emb(x, cos, sin):
    d = x.shape[3] // 2
    x1, x2 = x[..., :d], x[..., d:]
    y1 = x1 * cos + x2 * sin
    y2 = x1 * (-sin) + x2 * cos
    return torch.cat([y1, y2], 3).to(x.dtype)
"""

PLAIN = """
def apply_rope(x, positions):
    theta = positions[:, None] / 10000 ** (torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    a, b = x[..., 0::2], x[..., 1::2]
    cos, sin = theta.cos(), theta.sin()
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2).to(x.dtype)

def rope(x):
    return apply_rope(x, torch.arange(x.shape[-2]))
"""

# (file, name, convention)
RIGHT = [
    (TRANSFORMERS, "apply_rotary_pos_emb", "half-split"),
    (TRANSFORMERS, "LlamaRotaryEmbedding", "half-split"),
    (LLAMA, "apply_rotary_emb", None),
    (LLAMA, "precompute_freqs_cis", None),
    (TORCHTUNE, "RotaryPositionalEmbeddings", None),
    (ROTARY_TORCH, "RotaryEmbedding", None),
    (FORWARD_QK, "Rotary", "half-split"),
    (FROM_SCRATCH, "apply_rope", "half-split"),
    (NANOCHAT, "apply_rotary_emb", "half-split, reversed"),
    (PLAIN, "apply_rope", None),
    (PLAIN, "rope", None),
]

# (file, what is changed in it, name, mistake)
WRONG = [
    (TRANSFORMERS, ("torch.cat((freqs, freqs), dim=-1)", "freqs.repeat_interleave(2, dim=-1)"), "apply_rotary_pos_emb",
     "layouts-mixed-repeated"),
    (TRANSFORMERS, ("(k * cos) + (rotate_half(k) * sin)", "k * 1"), "apply_rotary_pos_emb", "key-not-turned"),
    (LLAMA, ("torch.arange(0, dim, 2)[", "2 * torch.arange(0, dim, 2)["), "apply_rotary_emb", "exponent-doubled"),
    (LLAMA, (".type_as(xk)", ""), "apply_rotary_emb", "other-dtype"),
    (TORCHTUNE, ("self.cache[input_pos]", "self.cache[:seq_len]"), "RotaryPositionalEmbeddings", "positions-ignored"),
    (ROTARY_TORCH, ("+ offset", ""), "RotaryEmbedding", "positions-ignored"),
    (FORWARD_QK, ("return self.turn(q), self.turn(k)", "return self.turn(q), self.turn(self.turn(k))"), "Rotary",
     "key-turned-twice"),
    (FROM_SCRATCH, ("theta_base=10_000", "theta_base=1_000"), "apply_rope", "small-base"),
    (NANOCHAT, ("x1 * (-sin) + x2 * cos", "x1 * sin + x2 * cos"), "apply_rotary_emb", "signs"),
    (PLAIN, ("a * sin + b * cos", "b"), "apply_rope", "one-half-turned"),
]  # fmt: skip

ATTENTION = """
class SelfAttention(nn.Module):
    def __init__(self, d_model=64, n_heads=4):
        super().__init__()
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, d_model) for _ in range(3))
        self.n_heads = n_heads

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = (p(x).view(b, n, self.n_heads, -1).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        q, k = rope(q), rope(k)
        return (torch.softmax(q @ k.transpose(-1, -2), -1) @ v).transpose(1, 2).reshape(b, n, d)
"""
