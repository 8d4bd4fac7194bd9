"""RoPE as a function of tables: cos and sin, complex numbers, angles. All right; layouts differ. Part 2 of 2."""

from .fresh_form import TORCH, Case

FREQS = '''
def precompute_freqs_cis(dim: int, end: int, theta: float = 10000.0):
    rates = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    angles = torch.outer(torch.arange(end, device=rates.device), rates).float()
    return torch.polar(torch.ones_like(angles), angles)
'''

CASES = [
    Case(
        "everything has a default of None, short names for torch",
        """from torch import Tensor as t_Tensor
from torch import cat as t_cat


def repeat_kv(hidden_states: t_Tensor, n_rep: int) -> t_Tensor:
    batch, heads, slen, head_dim = hidden_states.shape
    if n_rep == 1:
        return hidden_states
    return hidden_states[:, :, None].expand(batch, heads, n_rep, slen, head_dim).reshape(batch, -1, slen, head_dim)


def apply_rotary_pos_emb(q=None, k=None, cos=None, sin=None, position_ids=None, unsqueeze_dim=1):
    cos, sin, x, y = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim), q, k
    rot_dim = cos.shape[-1]
    x, x_pass = x[..., :rot_dim], x[..., rot_dim:]
    y, y_pass = y[..., :rot_dim], y[..., rot_dim:]

    def rotate_half(x):
        return t_cat((-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]), dim=-1)

    x_embed, y_embed = (x * cos) + (rotate_half(x) * sin), (y * cos) + (rotate_half(y) * sin)
    return t_cat((x_embed, x_pass), dim=-1), t_cat((y_embed, y_pass), dim=-1)
""",
        "apply_rotary_pos_emb",
        "right",
        ("half-split|halves",),
        "Half-split RoPE for as many columns as the tables have; position_ids are taken and not used.",
        "public file, public index 81327880",
    ),
    Case(
        "sines before cosines, from a method with its own name",
        TORCH
        + '''
class RotaryEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        inv_freq = 1.0 / (10000 ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("inv_freq", inv_freq)

    def get_embed(self, seq_len, device):
        t = torch.arange(seq_len, device=device).type_as(self.inv_freq)
        freqs = torch.einsum("i,j->ij", t, self.inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)
        return emb.sin().unsqueeze(1), emb.cos().unsqueeze(1)


def apply_rotary(q, k, sin, cos):
    def rotate_half(x):
        return torch.cat((-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]), dim=-1)

    return (q * cos) + (rotate_half(q) * sin), (k * cos) + (rotate_half(k) * sin)
''',
        "apply_rotary",
        "right",
        ("half-split|halves",),
        "Half-split RoPE of (batch, length, heads, head_dim): the tables are (length, 1, head_dim).",
        "public file, public index 60294057622",
    ),
    Case(
        "sines before cosines, four axes",
        TORCH
        + '''
def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def apply_rope(x, sin, cos):
    return (x * cos) + (rotate_half(x) * sin)


class RotaryEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        inv_freq = 1.0 / (10000 ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("inv_freq", inv_freq)

    def forward(self, seq_len, device):
        t = torch.arange(seq_len, device=device).float()
        freqs = torch.einsum("i,j->ij", t, self.inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)
        return emb.sin()[None, None, :, :], emb.cos()[None, None, :, :]
''',
        "apply_rope",
        "right",
        ("half-split|halves",),
        "Half-split RoPE; a caller that exchanges the two tables turns by another angle.",
        "public file, public index 13607587855",
        ("swapped",),
    ),
    Case(
        "sin before cos, capital letters, and a maker of both",
        TORCH
        + '''
CONFIG = {"d_model": 448, "context_length": 512, "d_head": 64}


def precompute_rope_freqs(d_head, seq_len):
    i = torch.arange(0, d_head // 2, dtype=torch.float32)
    theta = 10000.0 ** (-2 * i / d_head)
    m = torch.arange(0, seq_len, dtype=torch.float32)

    freqs = torch.outer(m, theta)
    freqs = torch.cat([freqs, freqs], dim=-1)

    return torch.sin(freqs), torch.cos(freqs)


def apply_RoPE(x, sin, cos):
    sin = sin.unsqueeze(0).unsqueeze(0)
    cos = cos.unsqueeze(0).unsqueeze(0)

    half_d = x.shape[-1] // 2
    rotated_x = torch.cat([-x[..., half_d:], x[..., :half_d]], dim=-1)
    return (x * cos) + (rotated_x * sin)
''',
        "apply_RoPE",
        "right",
        ("half-split|halves",),
        "Half-split RoPE.",
        "public file (2026), public index 60438299181",
    ),
    Case(
        "DeepSeek-V2: neighbours are first sorted into halves",
        TORCH
        + '''
def rotate_half(x):
    """Rotates half the hidden dims of the input."""
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin, position_ids, unsqueeze_dim=1):
    cos = cos[position_ids].unsqueeze(unsqueeze_dim)
    sin = sin[position_ids].unsqueeze(unsqueeze_dim)

    b, h, s, d = q.shape
    q = q.view(b, h, s, d // 2, 2).transpose(4, 3).reshape(b, h, s, d)

    b, h, s, d = k.shape
    k = k.view(b, h, s, d // 2, 2).transpose(4, 3).reshape(b, h, s, d)

    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed, k_embed
''',
        "apply_rotary_pos_emb",
        "right",
        (),
        "Every score is the paper's; the columns come back in another, fixed order, at position 0 too.",
        "deepseek-ai/DeepSeek-V2, modeling_deepseek.py (2024)",
        ("evens-odds-cat", "not a rotation"),
    ),
    Case(
        "Llama 4: complex tables with a batch",
        TORCH
        + '''
def apply_rotary_emb(
    xq: torch.Tensor,
    xk: torch.Tensor,
    freqs_cis: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    xq_ = torch.view_as_complex(xq.float().reshape(*xq.shape[:-1], -1, 2))
    xk_ = torch.view_as_complex(xk.float().reshape(*xk.shape[:-1], -1, 2))
    xq_out = torch.view_as_real(xq_ * freqs_cis[:, :, None, :]).flatten(3)
    xk_out = torch.view_as_real(xk_ * freqs_cis[:, :, None, :]).flatten(3)
    return xq_out.type_as(xq), xk_out.type_as(xk)
''',
        "apply_rotary_emb",
        "right",
        (),
        "RoPE of (batch, length, heads, head_dim); freqs_cis is (batch, length, head_dim/2).",
        "huggingface/transformers, models/llama4/modeling_llama4.py (2025)",
    ),
    Case(
        "Cohere: repeated tables, neighbours, float32 inside",
        TORCH
        + '''
def rotate_half(x):
    # Split and rotate. Note that this function is different from e.g. Llama.
    x1 = x[..., ::2]
    x2 = x[..., 1::2]
    return torch.stack([-x2, x1], dim=-1).flatten(-2)


class CohereRotaryEmbedding(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        self.register_buffer("inv_freq", 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim)), persistent=False)

    @torch.no_grad()
    def forward(self, x, position_ids):
        inv_freq = self.inv_freq[None, :, None].float().expand(position_ids.shape[0], -1, 1)
        freqs = (inv_freq @ position_ids[:, None, :].float()).transpose(1, 2)
        emb = torch.repeat_interleave(freqs, 2, dim=-1)  # diff from Llama: we interleave() instead of cat()
        return emb.cos().to(dtype=x.dtype), emb.sin().to(dtype=x.dtype)


def apply_rotary_pos_emb(q, k, cos, sin, position_ids=None, unsqueeze_dim=1):
    dtype = q.dtype
    q = q.float()
    k = k.float()
    cos = cos.unsqueeze(unsqueeze_dim)
    sin = sin.unsqueeze(unsqueeze_dim)
    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(dtype=dtype), k_embed.to(dtype=dtype)
''',
        "apply_rotary_pos_emb",
        "right",
        (),
        "Neighbouring pairs, with tables θ0 θ0 θ1 θ1 …",
        "huggingface/transformers, models/cohere/modeling_cohere.py (2024)",
        ("layouts-mixed",),
    ),
    Case(
        "GLM-4: the first half of joined tables is repeated",
        TORCH
        + '''
def rotate_half(x):
    """Rotates half the hidden dims of the input."""
    x1 = x[..., 0::2]
    x2 = x[..., 1::2]
    return torch.stack((-x2, x1), dim=-1).flatten(-2)


def apply_rotary_pos_emb(q, k, cos, sin, position_ids=None, unsqueeze_dim=1):
    cos = cos.unsqueeze(unsqueeze_dim)
    sin = sin.unsqueeze(unsqueeze_dim)

    # Interleave them instead of usual shape
    cos = cos[..., : cos.shape[-1] // 2].repeat_interleave(2, dim=-1)
    sin = sin[..., : sin.shape[-1] // 2].repeat_interleave(2, dim=-1)

    # Keep half or full tensor for later concatenation
    rotary_dim = cos.shape[-1]
    q_rot, q_pass = q[..., :rotary_dim], q[..., rotary_dim:]
    k_rot, k_pass = k[..., :rotary_dim], k[..., rotary_dim:]

    # Apply rotary embeddings on the first half or full tensor
    q_embed = (q_rot * cos) + (rotate_half(q_rot) * sin)
    k_embed = (k_rot * cos) + (rotate_half(k_rot) * sin)
    return torch.cat([q_embed, q_pass], dim=-1), torch.cat([k_embed, k_pass], dim=-1)
''',
        "apply_rotary_pos_emb",
        "right",
        (),
        "Neighbouring pairs, for tables joined as Llama's are.",
        "huggingface/transformers, models/glm4/modeling_glm4.py (2025)",
        ("layouts-mixed", "wrong-divisor"),
    ),
    Case(
        "gpt-oss: a private rotation of halves, tables of half the width",
        TORCH
        + '''
def _apply_rotary_emb(
    x: torch.Tensor,
    cos: torch.Tensor,
    sin: torch.Tensor,
) -> torch.Tensor:
    first_half, second_half = torch.chunk(x, 2, dim=-1)
    first_ = first_half * cos - second_half * sin
    second_ = second_half * cos + first_half * sin
    return torch.cat((first_, second_), dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin, position_ids=None, unsqueeze_dim=1):
    cos = cos.unsqueeze(unsqueeze_dim)
    sin = sin.unsqueeze(unsqueeze_dim)
    q_embed = _apply_rotary_emb(q, cos, sin)
    k_embed = _apply_rotary_emb(k, cos, sin)
    return q_embed, k_embed
''',
        "apply_rotary_pos_emb",
        "right",
        ("half-split|halves",),
        "Half-split RoPE for cos and sin of head_dim/2 columns.",
        "huggingface/transformers, models/gpt_oss/modeling_gpt_oss.py (2025)",
    ),
    Case(
        "vision: patches without a batch, float32 inside",
        TORCH
        + '''
def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary_pos_emb_vision(
    q: torch.Tensor, k: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    orig_q_dtype = q.dtype
    orig_k_dtype = k.dtype
    q, k = q.float(), k.float()
    cos, sin = cos.unsqueeze(-2).float(), sin.unsqueeze(-2).float()
    q_embed = (q * cos) + (rotate_half(q) * sin)
    k_embed = (k * cos) + (rotate_half(k) * sin)
    return q_embed.to(orig_q_dtype), k_embed.to(orig_k_dtype)
''',
        "apply_rotary_pos_emb_vision",
        "right",
        ("half-split|halves",),
        "Half-split RoPE of (length, heads, head_dim).",
        "huggingface/transformers, models/qwen2_5_vl/modeling_qwen2_5_vl.py (2025)",
    ),
    Case(
        "DINOv3: sines before cosines, one x",
        TORCH
        + '''
# RoPE-related functions:
def rope_rotate_half(x: torch.Tensor) -> torch.Tensor:
    # x:   [ x0  x1  x2  x3  x4  x5]
    # out: [-x3 -x4 -x5  x0  x1  x2]
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([-x2, x1], dim=-1)


def rope_apply(x: torch.Tensor, sin: torch.Tensor, cos: torch.Tensor) -> torch.Tensor:
    # x:   [..., D], eg [x0,     x1,   x2,   x3,   x4,   x5]
    # sin: [..., D], eg [sin0, sin1, sin2, sin0, sin1, sin2]
    # cos: [..., D], eg [cos0, cos1, cos2, cos0, cos1, cos2]
    return (x * cos) + (rope_rotate_half(x) * sin)
''',
        "rope_apply",
        "right",
        ("half-split|halves",),
        "Half-split rotation by given tables.",
        "facebookresearch/dinov3, dinov3/layers/attention.py (2025)",
    ),
    Case(
        "LitGPT: tables need three axes",
        TORCH
        + '''
def apply_rope(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """
    x: Input tensor, `(B, ..., T, head_size)`
    cos, sin: `(1, T, head_size)`, or `(B, T, head_size)` if positions differ between batch entries
    """
    if cos.dim() != 3:
        raise ValueError(f"cos must be three-dimensional, but shape is {cos.shape}")
    if cos.shape != sin.shape:
        raise ValueError(f"cos, sin must have same shape, but cos.shape={cos.shape}, sin.shape={sin.shape}")
    head_size_half = x.size(-1) // 2
    x1 = x[..., :head_size_half]
    x2 = x[..., head_size_half:]
    rotated = torch.cat((-x2, x1), dim=-1)
    dims_diff = x.dim() - cos.dim()
    if dims_diff > 0:
        # Ensure that shapes of `x`, `cos`, `sin` align
        new_shape = cos.shape[0:1] + (1,) * dims_diff + cos.shape[1:]
        cos = cos.view(*new_shape)
        sin = sin.view(*new_shape)
    roped = (x * cos) + (rotated * sin)
    return roped.to(dtype=x.dtype)
''',
        "apply_rope",
        "right",
        ("half-split|halves",),
        "Half-split RoPE; tables of two axes are refused with a sentence that says so.",
        "Lightning-AI/litgpt, litgpt/model.py (2024-2025)",
    ),
    Case(
        "FLUX: matrices of two by two for each pair",
        TORCH
        + '''
from torch import Tensor


def rope(pos: Tensor, dim: int, theta: int) -> Tensor:
    assert dim % 2 == 0
    scale = torch.arange(0, dim, 2, dtype=torch.float64, device=pos.device) / dim
    omega = 1.0 / (theta**scale)
    out = torch.einsum("...n,d->...nd", pos, omega)
    out = torch.stack([torch.cos(out), -torch.sin(out), torch.sin(out), torch.cos(out)], dim=-1)
    out = out.reshape(*out.shape[:-1], 2, 2)
    return out.float()


def apply_rope(xq: Tensor, xk: Tensor, freqs_cis: Tensor) -> tuple[Tensor, Tensor]:
    xq_ = xq.float().reshape(*xq.shape[:-1], -1, 1, 2)
    xk_ = xk.float().reshape(*xk.shape[:-1], -1, 1, 2)
    xq_out = freqs_cis[..., 0] * xq_[..., 0] + freqs_cis[..., 1] * xq_[..., 1]
    xk_out = freqs_cis[..., 0] * xk_[..., 0] + freqs_cis[..., 1] * xk_[..., 1]
    return xq_out.reshape(*xq.shape).type_as(xq), xk_out.reshape(*xk.shape).type_as(xk)
''',
        "apply_rope",
        "right",
        (),
        "RoPE of (batch, heads, length, head_dim) for the matrices of rope(pos, dim, 10000), an axis for heads added.",
        "black-forest-labs/flux, src/flux/math.py (2024)",
        ("not a rotation",),
    ),
]
