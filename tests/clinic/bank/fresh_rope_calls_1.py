"""RoPE as people wrap it: methods, modules, NumPy, plain lists, one position at a time. Part 1 of 2."""

from .fresh_form import NUMPY, TORCH, Case

CASES = [
    Case(
        "a course's module: theta, d_k, max_seq_len; x and token_positions",
        """import torch
import torch.nn as nn
from jaxtyping import Float, Int
from torch import Tensor


class RotaryPositionalEmbedding(nn.Module):
    def __init__(self, theta: float, d_k: int, max_seq_len: int, device=None):
        super().__init__()
        self.theta = theta
        self.d_k = d_k
        self.max_seq_len = max_seq_len
        pair_idx = torch.arange(d_k // 2, device=device)
        freq = theta ** (2 * pair_idx / d_k)
        positions = torch.arange(max_seq_len, device=device)
        angles = positions[:, None] / freq[None, :]
        self.register_buffer("cos", torch.cos(angles), persistent=False)
        self.register_buffer("sin", torch.sin(angles), persistent=False)

    def forward(self, x: torch.Tensor, token_positions: torch.Tensor) -> torch.Tensor:
        assert x.shape[-1] % 2 == 0
        cos = self.cos[token_positions]
        sin = self.sin[token_positions]
        *batch_dims, seq_len, d_k = x.shape
        x = x.reshape(*batch_dims, seq_len, d_k // 2, 2)
        x1 = x[..., 0]
        x2 = x[..., 1]
        rotated = torch.stack((x1 * cos - x2 * sin, x1 * sin + x2 * cos), dim=-1)
        return rotated.reshape(*batch_dims, seq_len, d_k)
""",
        "RotaryPositionalEmbedding",
        "right-main",
        ("float32|dtype",),
        "RoPE; x in bfloat16 comes back in float32.",
        "shawnspitzel/cs336, assignment1-basics/cs336_basics/model/rope.py",
        ("inverted",),
    ),
    Case(
        "a module of x and positions, heads before length",
        TORCH
        + '''
class RotaryEmbedding(nn.Module):
    def __init__(self, dim, max_seq_len=4096, base=10000):
        super().__init__()
        self.dim = dim

        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
        t = torch.arange(max_seq_len, dtype=torch.float32)

        freqs = torch.einsum("i,j->ij", t, inv_freq)

        self.register_buffer("cos", freqs.cos(), persistent=False)
        self.register_buffer("sin", freqs.sin(), persistent=False)

    def forward(self, x, positions):
        cos = self.cos[positions].unsqueeze(0).unsqueeze(0)
        sin = self.sin[positions].unsqueeze(0).unsqueeze(0)

        x_even = x[..., 0::2]
        x_odd = x[..., 1::2]

        x_rot = torch.stack((x_even * cos - x_odd * sin, x_even * sin + x_odd * cos), dim=-1)
        return x_rot.flatten(-2)
''',
        "",
        "right-main",
        ("float32|dtype",),
        "RoPE; x in bfloat16 comes back in float32.",
        "prabhsuratsingh/smol-Llama, rope.py (2025)",
    ),
    Case(
        "a private method of attention, a config for its sizes",
        TORCH
        + '''
from dataclasses import dataclass


@dataclass
class GPTConfig:
    vocab_size: int = 65
    block_size: int = 64
    n_layer: int = 2
    n_head: int = 4
    n_embd: int = 64
    dropout: float = 0.0


class CausalSelfAttention(nn.Module):
    def __init__(self, config: GPTConfig):
        super().__init__()
        assert config.n_embd % config.n_head == 0, "n_embd must be divisible by n_head"
        self.n_head = config.n_head
        self.head_dim = config.n_embd // config.n_head

        self.qkv = nn.Linear(config.n_embd, 3 * config.n_embd)
        self.proj = nn.Linear(config.n_embd, config.n_embd)
        theta = 1.0 / (10000 ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim))
        self.register_buffer("rope_theta", theta)

    def _apply_rope(self, x: torch.Tensor) -> torch.Tensor:
        """x of shape (b, nh, t, head_dim)."""
        t = x.size(2)
        angles = torch.outer(torch.arange(t, device=x.device).float(), self.rope_theta)
        cos = angles.cos().repeat(1, 2).unsqueeze(0).unsqueeze(0)
        sin = angles.sin().repeat(1, 2).unsqueeze(0).unsqueeze(0)
        x1, x2 = x.chunk(2, dim=-1)
        return x * cos + torch.cat((-x2, x1), dim=-1) * sin

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        b, t, c = x.size()
        q, k, v = (y.view(b, t, self.n_head, self.head_dim).transpose(1, 2) for y in self.qkv(x).chunk(3, dim=-1))
        y = F.scaled_dot_product_attention(self._apply_rope(q), self._apply_rope(k), v, is_causal=True)
        return self.proj(y.transpose(1, 2).reshape(b, t, c))
''',
        "CausalSelfAttention._apply_rope",
        "right",
        ("half-split|halves",),
        "Half-split RoPE, counted from 0.",
        "public file, public index 55165502765",
    ),
    Case(
        "one head: a method makes the tables, a second one turns",
        TORCH
        + '''
class Head(nn.Module):
    def __init__(self, cfg, head_size):
        super().__init__()
        self.key = nn.Linear(cfg.n_embed, head_size, bias=False)
        self.query = nn.Linear(cfg.n_embed, head_size, bias=False)
        self.value = nn.Linear(cfg.n_embed, head_size, bias=False)
        inv_freq = 1.0 / (10000 ** (torch.arange(0, head_size, 2) / head_size))
        self.register_buffer("inv_freq", inv_freq)

    def _rope_cos_sin(self, t, device, offset=0):
        # offset lets us continue positions when using a KV cache
        positions = torch.arange(offset, offset + t, device=device)
        freqs = torch.einsum("i,j->ij", positions, self.inv_freq)
        return torch.cos(freqs), torch.sin(freqs)

    def _apply_rope(self, x, cos, sin):
        # x: (B, T, head_size), cos/sin: (T, head_size/2)
        x_even = x[..., ::2]
        x_odd = x[..., 1::2]
        cos = cos.unsqueeze(0)
        sin = sin.unsqueeze(0)
        out = torch.zeros_like(x)
        out[..., ::2] = x_even * cos - x_odd * sin
        out[..., 1::2] = x_even * sin + x_odd * cos
        return out

    def forward(self, x, past_kv=None):
        _, t, _ = x.shape
        past_len = 0 if past_kv is None else past_kv[0].size(1)
        cos, sin = self._rope_cos_sin(t, x.device, offset=past_len)
        q, k = self._apply_rope(self.query(x), cos, sin), self._apply_rope(self.key(x), cos, sin)
        return F.scaled_dot_product_attention(q, k, self.value(x), is_causal=True)
''',
        "Head._apply_rope",
        "right",
        (),
        "Neighbouring pairs of (batch, length, head_size), with no axis for heads.",
        "public file, public index 48839858885",
    ),
    Case(
        "attention with its own tables, written into an empty tensor",
        TORCH
        + '''
class GroupedAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, head_dim, rope_theta=10000.0, max_seq_len=2048):
        super().__init__()
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.head_dim = head_dim
        self.q_proj = nn.Linear(hidden_size, num_heads * head_dim, bias=False)
        # rope tables
        freqs = 1.0 / (rope_theta ** (torch.arange(0, head_dim, 2, dtype=torch.float32) / head_dim))
        positions = torch.arange(max_seq_len, dtype=torch.float32)
        angles = torch.outer(positions, freqs)
        self.register_buffer("cos_table", torch.cos(angles), persistent=False)
        self.register_buffer("sin_table", torch.sin(angles), persistent=False)

    def _apply_rope(self, x: torch.Tensor) -> torch.Tensor:
        """apply rope"""
        S = x.shape[2]
        cos = self.cos_table[:S].unsqueeze(0).unsqueeze(0)
        sin = self.sin_table[:S].unsqueeze(0).unsqueeze(0)
        out = torch.empty_like(x)
        out[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
        out[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
        return out

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        B, S, _ = x.shape
        return self._apply_rope(self.q_proj(x).view(B, S, self.num_heads, self.head_dim).permute(0, 2, 1, 3))
''',
        "GroupedAttention._apply_rope",
        "right",
        (),
        "RoPE, counted from 0.",
        "public file, public index 53953208210",
    ),
    Case(
        "serving: positions first, flat tokens",
        TORCH
        + '''
class SimpleRotaryEmbedding(nn.Module):
    def __init__(self, head_dim: int, base: float = 10000.0):
        super().__init__()
        self.head_dim = head_dim
        inv_freq = 1.0 / (base ** (torch.arange(0, head_dim, 2).float() / head_dim))
        self.register_buffer("inv_freq", inv_freq, persistent=False)

    def forward(self, positions: torch.Tensor, q: torch.Tensor, k: torch.Tensor):
        """Apply RoPE to q and k tensors (SGLang-compatible signature)."""
        # positions: [total_tokens], q/k: [total_tokens, num_heads, head_dim]
        freqs = torch.outer(positions.float(), self.inv_freq)
        cos = torch.cos(freqs).unsqueeze(1)
        sin = torch.sin(freqs).unsqueeze(1)
        num_heads = q.shape[1]
        cos = cos.expand(-1, num_heads, -1)
        sin = sin.expand(-1, num_heads, -1)
        return self._apply_rope(q, cos, sin), self._apply_rope(k, cos, sin)

    def _apply_rope(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor):
        x1, x2 = x.chunk(2, dim=-1)
        return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1)
''',
        "SimpleRotaryEmbedding",
        "right",
        ("half-split|halves",),
        "Half-split RoPE of (tokens, heads, head_dim).",
        "public file, public index 53114964590",
    ),
    Case(
        "an attention class with a config: tables for the length, two axes for batch and heads added outside",
        TORCH
        + '''
class StandardAttention(nn.Module):
    """Standard multi-head self-attention with RoPE."""

    def __init__(self, config):
        super().__init__()
        self.n_heads = config.n_heads
        self.d_head = config.d_head
        self.qkv = nn.Linear(config.d_model, 3 * config.d_model, bias=False)
        inv_freq = 1.0 / (config.rope_theta ** (torch.arange(0, config.d_head, 2).float() / config.d_head))
        self.register_buffer("inv_freq", inv_freq)

    def _build_rope(self, seq_len: int, device: torch.device):
        t = torch.arange(seq_len, device=device, dtype=self.inv_freq.dtype)
        freqs = torch.outer(t, self.inv_freq)
        emb = torch.cat([freqs, freqs], dim=-1)
        return emb.cos(), emb.sin()

    def _apply_rope(self, x, cos, sin):
        x1, x2 = x.chunk(2, dim=-1)
        rotated = torch.cat([-x2, x1], dim=-1)
        return x * cos + rotated * sin

    def forward(self, x: torch.Tensor, mask: torch.Tensor = None) -> torch.Tensor:
        B, T, D = x.shape
        q, k, v = self.qkv(x).reshape(B, T, 3, self.n_heads, self.d_head).unbind(dim=2)
        cos, sin = self._build_rope(T, x.device)
        cos = cos.unsqueeze(0).unsqueeze(2)  # (1, T, 1, d_head)
        sin = sin.unsqueeze(0).unsqueeze(2)
        q, k = self._apply_rope(q, cos, sin), self._apply_rope(k, cos, sin)
        return F.scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2))
''',
        "StandardAttention._apply_rope",
        "right",
        ("half-split|halves",),
        "Half-split rotation by the tables that it is given; forward hands in (batch, length, heads, d_head).",
        "public file (2026), public index 53261130215",
    ),
    Case(
        "NumPy: rows and their positions",
        NUMPY
        + '''
def apply_rope(x, positions):
    """
    x: (seq_len, d_model)
    positions: (seq_len,) — position index for each token
    """
    seq_len, d = x.shape
    x_rot = np.copy(x)

    for pos_idx, pos in enumerate(positions):
        for i in range(0, d, 2):
            theta = pos / (10000 ** (i / d))
            cos_val = np.cos(theta)
            sin_val = np.sin(theta)

            # Rotate the 2D pair (i, i+1)
            x0, x1 = x_rot[pos_idx, i], x_rot[pos_idx, i + 1]
            x_rot[pos_idx, i] = x0 * cos_val - x1 * sin_val
            x_rot[pos_idx, i + 1] = x0 * sin_val + x1 * cos_val

    return x_rot


np.random.seed(42)
x = np.random.randn(4, 8)  # 4 positions, 8 dims
positions = np.array([0, 1, 10, 100])
x_rope = apply_rope(x, positions)
''',
        "apply_rope",
        "right",
        (),
        "RoPE of a matrix.",
        "public file, public index 55404129139",
        ("gradient",),
    ),
    Case(
        "NumPy: the heads of one token, six arguments",
        NUMPY
        + '''
def apply_rope(x, pos, n_heads, head_dim, rope_dim, freq_base):
    """Apply RoPE to x: [n_heads, head_dim] at position pos."""
    result = x.copy()
    half = rope_dim // 2
    for h in range(n_heads):
        for p in range(half):
            freq = 1.0 / (freq_base ** (2.0 * p / rope_dim))
            theta = pos * freq
            cos_t = np.cos(theta)
            sin_t = np.sin(theta)
            x0 = result[h, p]
            x1 = result[h, p + half]
            result[h, p] = x0 * cos_t - x1 * sin_t
            result[h, p + half] = x1 * cos_t + x0 * sin_t
    return result
''',
        "apply_rope",
        "right",
        ("half-split|halves",),
        "Half-split RoPE of one token's heads, where rope_dim is head_dim and freq_base 10000.",
        "public file on GGUF weights, public index 52487151154",
        ("gradient", "heads-for-sequence"),
    ),
    Case(
        "one vector or a list of positions",
        '''
def apply_rope(x, position, base=10000.0):
    import torch

    single = x.dim() == 1
    if single:
        x, position = x.unsqueeze(0), [position]
    positions = torch.tensor(position, dtype=torch.float32)
    seq_len, d = x.shape
    half = d // 2
    theta = base ** (-2.0 * torch.arange(half) / d)
    angles = positions[:, None] * theta[None, :]
    cos, sin = torch.cos(angles), torch.sin(angles)
    x_even, x_odd = x[:, 0::2], x[:, 1::2]
    out = torch.empty_like(x)
    out[:, 0::2] = x_even * cos - x_odd * sin
    out[:, 1::2] = x_even * sin + x_odd * cos
    return out.squeeze(0) if single else out
''',
        "",
        "right",
        (),
        "RoPE of (length, d) and a list of positions, or of one vector and one number.",
        "public lesson, public index 66609184850",
    ),
    Case(
        "a list of floats and one position",
        """import math


def apply_rope(x: list[float], position: int) -> list[float]:
    d = len(x)
    half = d // 2

    out = [0.0] * d
    for i in range(half):
        theta = position * (10000.0 ** (-2.0 * i / d))
        c = math.cos(theta)
        s = math.sin(theta)
        a = x[i]
        b = x[i + half]
        out[i] = a * c - b * s
        out[i + half] = a * s + b * c
    return out
""",
        "apply_rope",
        "right",
        ("half-split|halves",),
        "Half-split RoPE of one vector.",
        "public exercise with a solution, public index 62819705836",
        ("gradient", "nothing turns"),
    ),
    Case(
        "lists in lists in lists in lists, and a list of positions",
        """import math


def apply_rope(x: list[list[list[list[float]]]], pos: list[int]) -> list[list[list[list[float]]]]:
    \"\"\"Apply RoPE to the last dimension of x (batch, seq_len, num_heads, head_dim) using pure Python.\"\"\"
    B = len(x)
    S = len(x[0])
    H = len(x[0][0])
    D = len(x[0][0][0])

    half_D = D // 2
    freqs = [1.0 / (10000.0 ** ((2 * i) / D)) for i in range(half_D)]

    out = []
    for b in range(B):
        batch_out = []
        for s in range(S):
            m = float(pos[s])
            seq_out = []
            for h in range(H):
                head_data = x[b][s][h]
                new_head_data = [0.0] * D
                for i in range(half_D):
                    angle = m * freqs[i]
                    c = math.cos(angle)
                    sin_val = math.sin(angle)
                    x_even = head_data[2 * i]
                    x_odd = head_data[2 * i + 1]
                    new_head_data[2 * i] = x_even * c - x_odd * sin_val
                    new_head_data[2 * i + 1] = x_odd * c + x_even * sin_val
                seq_out.append(new_head_data)
            batch_out.append(seq_out)
        out.append(batch_out)
    return out
""",
        "apply_rope",
        "right",
        (),
        "RoPE of nested lists (batch, length, heads, head_dim).",
        "public exercise with a solution, public index 62805377236",
        ("gradient",),
    ),
    Case(
        "Chinese: a list, one position, and the rates from another function",
        """import math


def get_inv_freq(d_model: int) -> list[float]:
    if d_model % 2 != 0:
        raise ValueError("d_model must be even for RoPE.")
    # RoPE 会给每个二维维度对分配一个角频率：
    # 这里 range(0, d_model, 2) 直接枚举的就是 dim = 2i。
    return [1.0 / (10000 ** (dim / d_model)) for dim in range(0, d_model, 2)]


def apply_rope(x: list[float], pos: int) -> list[float]:
    \"\"\"对给定位置的向量应用 RoPE 旋转位置编码。\"\"\"
    d_model = len(x)
    inv_freq = get_inv_freq(d_model)
    out = [0.0 for _ in range(d_model)]

    for pair_index, dim in enumerate(range(0, d_model, 2)):
        theta = pos * inv_freq[pair_index]
        cos_theta = math.cos(theta)
        sin_theta = math.sin(theta)
        x_even = x[dim]
        x_odd = x[dim + 1]
        # 应用二维旋转矩阵
        out[dim] = x_even * cos_theta - x_odd * sin_theta
        out[dim + 1] = x_even * sin_theta + x_odd * cos_theta

    return out


def dot(x: list[float], y: list[float]) -> float:
    return sum(a * b for a, b in zip(x, y))
""",
        "apply_rope",
        "right",
        (),
        "RoPE of one vector.",
        "public Chinese notes, public index 54122732900",
        ("gradient", "nothing turns"),
    ),
]
