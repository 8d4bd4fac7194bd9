"""Files in signatures that public code has, restated: from a name to (source, name in it, kind, what is said)."""

HEAD = """
import math
import numpy as np
import torch
from torch import nn
"""
FILES = {
    "cos and sin, no maker in the file": (
        HEAD
        + """
def rotate_half(x):
    x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)
def apply_rotary_pos_emb(q, k, cos, sin, position_ids=None, unsqueeze_dim=1):
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    return (q * cos) + (rotate_half(q) * sin), (k * cos) + (rotate_half(k) * sin)
""",
        "apply_rotary_pos_emb",
        "rope",
        "Right. Convention: half-split.",
    ),
    "position ids pick the rows": (
        HEAD
        + """
def rotate_half(x):
    x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)
def apply_rotary_pos_emb(q, k, cos, sin, position_ids):
    cos = cos.squeeze(1).squeeze(0)
    sin = sin.squeeze(1).squeeze(0)
    cos = cos[position_ids].unsqueeze(1)
    sin = sin[position_ids].unsqueeze(1)
    return (q * cos) + (rotate_half(q) * sin), (k * cos) + (rotate_half(k) * sin)
""",
        "apply_rotary_pos_emb",
        "rope",
        "Right. Convention: half-split.",
    ),
    "e^(iθ) without a maker": (
        HEAD
        + """
def apply_rotary_emb(x, freqs_cis):
    x_ = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    freqs_cis = freqs_cis.view(1, x_.size(1), 1, x_.size(3))
    return torch.view_as_real(x_ * freqs_cis).flatten(3).type_as(x)
""",
        "apply_rotary_emb",
        "rope",
        "Right.",
    ),
    "a static method that asks for a device": (
        HEAD
        + """
class Attention(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.wq = nn.Linear(args.dim, args.dim)
    @staticmethod
    def apply_rotary_embeddings(x, freqs_complex, device):
        x_complex = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        freqs_complex = freqs_complex.unsqueeze(0).unsqueeze(2)
        x_out = torch.view_as_real(x_complex * freqs_complex).reshape(*x.shape)
        return x_out.type_as(x).to(device)
""",
        "Attention.apply_rotary_embeddings",
        "rope",
        "Right.",
    ),
    "a list and one position": (
        """
import math
def apply_rope(x, pos, base=10000):
    d = len(x)
    out = [0.0] * d
    for i in range(0, d, 2):
        theta = pos / base ** (i / d)
        out[i] = x[i] * math.cos(theta) - x[i + 1] * math.sin(theta)
        out[i + 1] = x[i] * math.sin(theta) + x[i + 1] * math.cos(theta)
    return out
""",
        "apply_rope",
        "rope",
        "Right.",
    ),
    "a list, one position and a base": (
        """
import math
def rotate_vector(vec, position, base):
    d = len(vec)
    out = []
    for i in range(0, d, 2):
        theta = position / base ** (i / d)
        out.append(vec[i] * math.cos(theta) - vec[i + 1] * math.sin(theta))
        out.append(vec[i] * math.sin(theta) + vec[i + 1] * math.cos(theta))
    return out
""",
        "rotate_vector",
        "rope",
        "Right.",
    ),
    "an array and one position": (
        """
import numpy as np
def rope(x, m, base=10000.0):
    d = x.shape[0]
    theta = base ** (-np.arange(0, d, 2) / d)
    c, s = np.cos(m * theta), np.sin(m * theta)
    out = np.empty_like(x)
    out[0::2] = x[0::2] * c - x[1::2] * s
    out[1::2] = x[0::2] * s + x[1::2] * c
    return out
""",
        "rope",
        "rope",
        "Right.",
    ),
    "X(dim).get(length)": (
        HEAD
        + """
class RotaryCache:
    def __init__(self, dim, base=10000):
        self.inv = 1.0 / base ** (torch.arange(0, dim, 2).float() / dim)
    def get(self, seq_len, device=None):
        f = torch.outer(torch.arange(seq_len).float(), self.inv)
        return f.cos(), f.sin()
def apply_rotary(x, cos, sin):
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)
""",
        "apply_rotary",
        "rope",
        "Right.",
    ),
    "a class of tables alone": (
        HEAD
        + """
class RotaryEmbedding(nn.Module):
    def __init__(self, dim, max_seq_len=2048, base=10000):
        super().__init__()
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
        t = torch.arange(max_seq_len).float()
        freqs = torch.outer(t, inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)
        self.register_buffer("cos_cached", emb.cos())
        self.register_buffer("sin_cached", emb.sin())
    def forward(self, seq_len):
        return self.cos_cached[:seq_len], self.sin_cached[:seq_len]
""",
        "RotaryEmbedding",
        "rope",
        "Right. Convention: half-split.",
    ),
    "a maker of e^(iθ) alone": (
        HEAD
        + """
def precompute_freqs_cis(dim, end, theta=10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    return torch.polar(torch.ones(end, dim // 2), torch.outer(torch.arange(end).float(), freqs))
""",
        "precompute_freqs_cis",
        "rope",
        "Right.",
    ),
    "two axes": (
        HEAD
        + """
def rope(x):
    seq_len, dim = x.shape
    inv = 10000 ** (-torch.arange(0, dim, 2).float() / dim)
    f = torch.outer(torch.arange(seq_len).float(), inv)
    a, b = x[:, ::2], x[:, 1::2]
    out = torch.zeros_like(x)
    out[:, ::2] = a * f.cos() - b * f.sin()
    out[:, 1::2] = a * f.sin() + b * f.cos()
    return out
""",
        "rope",
        "rope",
        "Right.",
    ),
    "queries, keys and values in one tensor": (
        HEAD
        + """
def apply_rope_qkv(qkv, cos, sin):
    b, n, three, h, d = qkv.shape
    q, k, v = qkv.unbind(2)
    cos, sin = cos[None, :, None], sin[None, :, None]
    def turn(x):
        a, b2 = x[..., : d // 2], x[..., d // 2 :]
        return torch.cat((a * cos - b2 * sin, a * sin + b2 * cos), -1)
    return torch.stack((turn(q), turn(k), v), 2)
""",
        "apply_rope_qkv",
        "rope",
        "Right. Convention: half-split.",
    ),
    "a pair of tables in one parameter": (
        HEAD
        + """
class Rot(nn.Module):
    def __init__(self, head_dim, theta=10000.0):
        super().__init__()
        self.register_buffer("inv_freq", theta ** -(torch.arange(0, head_dim, 2).float() / head_dim))
    def forward(self, x, position_ids):
        f = position_ids[..., None].float() * self.inv_freq
        return torch.cat((f, f), -1).cos(), torch.cat((f, f), -1).sin()
RotaryTables = Rot
def apply_rope(x, position_embeddings):
    cos, sin = position_embeddings
    h = x.shape[-1] // 2
    r = torch.cat((-x[..., h:], x[..., :h]), -1)
    return x * cos[:, None] + r * sin[:, None]
""",
        "apply_rope",
        "rope",
        "Right. Convention: half-split.",
    ),
    "a configuration with a dict in it": (
        HEAD
        + """
class MyRotaryEmbedding(nn.Module):
    def __init__(self, config, device=None):
        super().__init__()
        base = config.rope_parameters["rope_theta"]
        dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self.register_buffer("inv_freq", 1.0 / base ** (torch.arange(0, dim, 2).float() / dim))
    def forward(self, x, position_ids):
        f = position_ids[..., None].float() * self.inv_freq
        e = torch.cat((f, f), -1)
        return e.cos().to(x.dtype), e.sin().to(x.dtype)
def rotate_half(x):
    x1, x2 = x.chunk(2, -1)
    return torch.cat((-x2, x1), -1)
def apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=1):
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin
""",
        "MyRotaryEmbedding",
        "rope",
        "Right. Convention: half-split.",
    ),
    "slopes alone": (
        HEAD
        + """
def get_slopes(n):
    def p2(n):
        s = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [s * s ** i for i in range(n)]
    if math.log2(n).is_integer():
        return p2(n)
    c = 2 ** math.floor(math.log2(n))
    return p2(c) + get_slopes(2 * c)[0::2][: n - c]
""",
        "get_slopes",
        "alibi",
        "Right.",
    ),
    "a bias from an attention mask": (
        HEAD
        + """
def build_alibi_tensor(attention_mask, num_heads, dtype):
    batch_size, seq_length = attention_mask.shape
    c = 2 ** math.floor(math.log2(num_heads))
    base = torch.tensor(2 ** (-(2 ** -(math.log2(c) - 3))))
    slopes = torch.pow(base, torch.arange(1, 1 + c))
    if c != num_heads:
        eb = torch.tensor(2 ** (-(2 ** -(math.log2(2 * c) - 3))))
        slopes = torch.cat([slopes, torch.pow(eb, torch.arange(1, 1 + 2 * (num_heads - c), 2))])
    t = ((attention_mask.cumsum(dim=-1) - 1) * attention_mask)[:, None, :]
    return (slopes[..., None] * t).reshape(batch_size * num_heads, 1, seq_length).to(dtype)
""",
        "build_alibi_tensor",
        "alibi",
        "Right.",
    ),
    "a private method of attention": (
        HEAD
        + """
class Attention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.register_buffer("slopes", 2.0 ** (-8.0 * torch.arange(1, num_heads + 1) / num_heads))
    def _get_alibi_bias(self, seq_len):
        p = torch.arange(seq_len)
        return (self.slopes[:, None, None] * (p[None, :] - p[:, None])[None]).unsqueeze(0)
""",
        "Attention._get_alibi_bias",
        "alibi",
        "",
    ),
    "a bias that is added to scores": (
        HEAD
        + """
class ALiBi(nn.Module):
    def __init__(self, num_heads, max_len=512):
        super().__init__()
        self.register_buffer("m", 2.0 ** (-8.0 * torch.arange(1, num_heads + 1) / num_heads))
    def forward(self, attn_scores):
        n = attn_scores.shape[-1]
        p = torch.arange(n)
        return attn_scores + self.m[None, :, None, None] * (p[None] - p[:, None])
""",
        "ALiBi",
        "alibi",
        "",
    ),
    "a module of two lengths": (
        HEAD
        + """
class AlibiPositionalBias(nn.Module):
    def __init__(self, heads, total_heads=None):
        super().__init__()
        self.heads = heads
        self.register_buffer("slopes", torch.tensor([2 ** (-8 * (i + 1) / heads) for i in range(heads)])[:, None, None])
    def forward(self, i, j):
        a, b = torch.arange(j - i, j), torch.arange(j)
        return -(b[None, None] - a[None, :, None]).abs() * self.slopes
""",
        "AlibiPositionalBias",
        "alibi",
        "",
    ),
    "a width that is written into the code": (
        HEAD
        + """
class PE(nn.Module):
    def __init__(self):
        super().__init__()
        pe = torch.zeros(512, 768)
        p = torch.arange(512).unsqueeze(1)
        div = torch.exp(torch.arange(0, 768, 2) * (-math.log(10000.0) / 768))
        pe[:, 0::2] = torch.sin(p * div); pe[:, 1::2] = torch.cos(p * div)
        self.register_buffer("pe", pe[None])
    def forward(self, x):
        return x + self.pe[:, : x.size(1)]
""",
        "PE",
        "layer",
        "Right.",
    ),
    "a finished table": (
        """
import numpy as np
pos = np.arange(50)[:, None]
i = np.arange(16)[None]
angle = pos / np.power(10000, (2 * (i // 2)) / 16)
TABLE = np.where(i % 2 == 0, np.sin(angle), np.cos(angle))
""",
        "TABLE",
        "table",
        "Right.",
    ),
    "a module without a forward": (
        HEAD
        + """
class PosEnc(nn.Module):
    def __init__(self, d_model, max_len=100):
        super().__init__()
        p = torch.arange(max_len).unsqueeze(1)
        div = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = torch.cos(p * div); pe[:, 1::2] = torch.sin(p * div)
        self.register_buffer("pe", pe)
""",
        "PosEnc",
        "table",
        "Not right yet.",
    ),
    "angles that are called theta": (
        HEAD
        + """
def apply_rotary_emb(x, theta, conj=False):
    x = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    rot = torch.polar(torch.ones_like(theta), theta)
    if conj: rot = rot.conj()
    return torch.view_as_real(x * rot).flatten(-2)
""",
        "apply_rotary_emb",
        "rope",
        "",
    ),
    "a private method that turns x": (
        HEAD
        + """
class Attention(nn.Module):
    def __init__(self, d_model, n_heads, max_len=2048):
        super().__init__()
        self.q_proj = nn.Linear(d_model, d_model)
        self.head_dim = d_model // n_heads
        inv = 10000 ** (-torch.arange(0, self.head_dim, 2).float() / self.head_dim)
        f = torch.outer(torch.arange(max_len).float(), inv)
        self.register_buffer("cos", f.cos()); self.register_buffer("sin", f.sin())
    def _apply_rope(self, x):
        n = x.shape[-2]
        a, b = x[..., ::2], x[..., 1::2]
        c, s = self.cos[:n], self.sin[:n]
        return torch.stack((a * c - b * s, a * s + b * c), -1).flatten(-2)
""",
        "Attention._apply_rope",
        "rope",
        "",
    ),
    "tables come first, and t is x": (
        HEAD
        + """
def rotate_half(x):
    x = x.unflatten(-1, (-1, 2))
    x1, x2 = x.unbind(-1)
    return torch.stack((-x2, x1), dim=-1).flatten(-2)
def apply_rotary_emb(freqs, t, start_index=0, scale=1.):
    rot_dim = freqs.shape[-1]
    end = start_index + rot_dim
    l, t, r = t[..., :start_index], t[..., start_index:end], t[..., end:]
    t = (t * freqs.cos() * scale) + (rotate_half(t) * freqs.sin() * scale)
    return torch.cat((l, t, r), dim=-1)
""",
        "apply_rotary_emb",
        "rope",
        "",
    ),
}
