"""Known designs, and code that looks like one: scaled and proportional RoPE, timescales. Part 2 of 2."""

from .fresh_form import TORCH, Case

CASES = [
    Case(
        "Llama 3: a base of 500,000 and nothing more",
        TORCH
        + '''
class Rotary(nn.Module):
    def __init__(self, dim: int, max_seq_len: int = 8192, theta: float = 500_000.0):
        super().__init__()
        freqs = 1.0 / (theta ** (torch.arange(0, dim, 2).float() / dim))
        angles = torch.outer(torch.arange(max_seq_len).float(), freqs)
        self.register_buffer("freqs_cis", torch.polar(torch.ones_like(angles), angles), persistent=False)

    def forward(self, x: torch.Tensor, start_pos: int = 0) -> torch.Tensor:
        # x: (batch, seqlen, n_heads, head_dim)
        z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        rows = self.freqs_cis[start_pos : start_pos + x.shape[1], None]
        return torch.view_as_real(z * rows).flatten(-2).type_as(x)
''',
        "Rotary",
        "convention",
        ("500000|500,000",),
        "RoPE of base 500,000 on (batch, length, heads, head_dim).",
        "after pytorch/torchtitan, models/llama3 (2025)",
        ("heads-for-sequence", "wrong-base"),
    ),
    Case(
        "Gemma 4: a quarter of the head turns, pairs across the whole head",
        TORCH
        + '''
class ProportionalRotary(nn.Module):
    """inv_freq over head_dim, zero-padded: dim i pairs with i + head_dim // 2."""

    def __init__(self, head_dim: int = 64, partial_rotary_factor: float = 0.25, base: float = 1_000_000.0):
        super().__init__()
        rope_angles = int(partial_rotary_factor * head_dim // 2)
        turning = 1.0 / (base ** (torch.arange(0, 2 * rope_angles, 2).float() / head_dim))
        still = torch.zeros(head_dim // 2 - rope_angles)
        self.register_buffer("inv_freq", torch.cat((turning, still)), persistent=False)

    def forward(self, x: torch.Tensor, position_ids: torch.Tensor) -> torch.Tensor:
        # x: (batch, heads, length, head_dim), position_ids: (length,)
        freqs = position_ids[:, None].float() * self.inv_freq
        emb = torch.cat((freqs, freqs), dim=-1)
        x1, x2 = x.chunk(2, dim=-1)
        return (x * emb.cos() + torch.cat((-x2, x1), dim=-1) * emb.sin()).to(x.dtype)
''',
        "ProportionalRotary",
        "convention",
        ("proportional",),
        "Pairs 0 to 7 of 32 turn, in columns 0–7 and 32–39, with exponents over head_dim and base 10^6.",
        "apple/coreai-models#66 (the right side of the comparison)",
        ("smaller than 10000", "a zero was lost", "columns 16 to 63"),
    ),
    Case(
        "the same frequencies in a block of neighbours' halves: the fault beside Gemma 4",
        TORCH
        + '''
class CompositeRoPE(nn.Module):
    """RoPE(base ** prf, dims=2 * rope_angles): pairs (i, i + dims // 2) inside the first dims columns."""

    def __init__(self, head_dim: int = 64, partial_rotary_factor: float = 0.25, base: float = 1_000_000.0):
        super().__init__()
        self.dims = 2 * int(partial_rotary_factor * head_dim // 2)
        self.base = base**partial_rotary_factor

    def forward(self, x: torch.Tensor, position_ids: torch.Tensor) -> torch.Tensor:
        inv_freq = self.base ** (-torch.arange(0, self.dims, 2).float() / self.dims)
        freqs = position_ids[:, None].float() * inv_freq
        cos, sin = freqs.cos(), freqs.sin()
        x1, x2, rest = x.split([self.dims // 2, self.dims // 2, x.shape[-1] - self.dims], dim=-1)
        return torch.cat((x1 * cos - x2 * sin, x1 * sin + x2 * cos, rest), dim=-1).to(x.dtype)
''',
        "CompositeRoPE",
        "wrong",
        ("partial|frequenc|base",),
        "16 of 64 columns turn, in base 10^1.5: neither partial RoPE of any usual base nor the proportional one.",
        "apple/coreai-models#66 (the faulty side)",
    ),
    Case(
        "NTK-aware: the base grows with alpha",
        TORCH
        + '''
class NTKScaledRotary(nn.Module):
    def __init__(self, dim, max_position_embeddings=16384, base=10000, device=None):
        super().__init__()
        # The method is just these three lines
        a = 8  # Alpha value
        base = base * a ** (dim / (dim - 2))  # Base change formula
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float().to(device) / dim))
        emb = torch.outer(torch.arange(max_position_embeddings).float(), inv_freq)
        emb = torch.cat((emb, emb), dim=-1)
        self.register_buffer("cos_cached", emb.cos()[None, None, :, :], persistent=False)
        self.register_buffer("sin_cached", emb.sin()[None, None, :, :], persistent=False)

    def forward(self, x, position_ids):
        cos = self.cos_cached[0, 0][position_ids]
        sin = self.sin_cached[0, 0][position_ids]
        x1, x2 = x.chunk(2, dim=-1)
        return (x * cos + torch.cat((-x2, x1), dim=-1) * sin).to(x.dtype)
''',
        "NTKScaledRotary",
        "convention",
        ("ntk",),
        "NTK-aware scaling by 8, half-split.",
        "bloc97's notebook on NTK-aware scaling, as in huggingface/transformers#24653",
    ),
    Case(
        "position interpolation by 4",
        TORCH
        + '''
class LinearScalingRotaryEmbedding(nn.Module):
    """RotaryEmbedding extended with linear scaling. Credits to the Reddit user /u/kaiokendev"""

    def __init__(self, dim, max_position_embeddings=2048, base=10000, scaling_factor=4.0):
        super().__init__()
        self.scaling_factor = scaling_factor
        self.max_position_embeddings = max_position_embeddings
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("inv_freq", inv_freq, persistent=False)

    @staticmethod
    def rotate_half(x):
        x1, x2 = x.chunk(2, dim=-1)
        return torch.cat((-x2, x1), dim=-1)

    def forward(self, q, k, position_ids):
        t = position_ids.float() / self.scaling_factor
        freqs = torch.einsum("i,j->ij", t, self.inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)
        cos, sin = emb.cos().to(q.dtype), emb.sin().to(q.dtype)
        return q * cos + self.rotate_half(q) * sin, k * cos + self.rotate_half(k) * sin
''',
        "LinearScalingRotaryEmbedding",
        "convention",
        ("linear",),
        "Half-split RoPE with positions divided by 4.",
        "huggingface/transformers, LlamaLinearScalingRotaryEmbedding (2023-2024)",
        ("constant",),
    ),
    Case(
        "ALiBi in bfloat16, as Falcon has it",
        TORCH
        + '''
def build_alibi_tensor(attention_mask: torch.Tensor, num_heads: int, dtype: torch.dtype) -> torch.Tensor:
    batch_size, seq_length = attention_mask.shape
    closest_power_of_2 = 2 ** math.floor(math.log2(num_heads))
    base = torch.tensor(2 ** (-(2 ** -(math.log2(closest_power_of_2) - 3))), dtype=torch.float32)
    powers = torch.arange(1, 1 + closest_power_of_2, dtype=torch.int32)
    slopes = torch.pow(base, powers)

    if closest_power_of_2 != num_heads:
        extra_base = torch.tensor(2 ** (-(2 ** -(math.log2(2 * closest_power_of_2) - 3))), dtype=torch.float32)
        num_remaining_heads = min(closest_power_of_2, num_heads - closest_power_of_2)
        extra_powers = torch.arange(1, 1 + 2 * num_remaining_heads, 2, dtype=torch.int32)
        slopes = torch.cat([slopes, torch.pow(extra_base, extra_powers)], dim=0)

    arange_tensor = ((attention_mask.cumsum(dim=-1) - 1) * attention_mask)[:, None, :]
    alibi = slopes[..., None].bfloat16() * arange_tensor
    return alibi.reshape(batch_size * num_heads, 1, seq_length).to(dtype)
''',
        "build_alibi_tensor",
        "right",
        ("half|bfloat16|precision", "row-shifted|row|constant"),
        "slope · j with slopes rounded to bfloat16: the paper's bias in half precision, up to a constant in each row.",
        "huggingface/transformers, models/falcon/modeling_falcon.py",
        ("falls-with-key-position", "other-slopes"),
    ),
    Case(
        "rows from padding_idx + 1, for ids",
        TORCH
        + '''
class SinusoidalPositions(nn.Module):
    """Positions of tokens that are no padding begin at padding_idx + 1."""

    def __init__(self, embedding_dim, padding_idx, init_size=1024):
        super().__init__()
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx
        self.register_buffer("weights", self.get_embedding(init_size, embedding_dim, padding_idx), persistent=False)

    @staticmethod
    def get_embedding(num_embeddings, embedding_dim, padding_idx=None):
        half_dim = embedding_dim // 2
        step = math.log(10000) / (half_dim - 1)
        rates = torch.exp(torch.arange(half_dim, dtype=torch.float) * -step)
        emb = torch.arange(num_embeddings, dtype=torch.float).unsqueeze(1) * rates.unsqueeze(0)
        emb = torch.cat([torch.sin(emb), torch.cos(emb)], dim=1).view(num_embeddings, -1)
        if embedding_dim % 2 == 1:
            emb = torch.cat([emb, torch.zeros(num_embeddings, 1)], dim=1)
        if padding_idx is not None:
            emb[padding_idx, :] = 0
        return emb

    def forward(self, input):
        """Input is expected to be of size [bsz x seqlen]."""
        bsz, seq_len = input.shape
        mask = input.ne(self.padding_idx).int()
        positions = (torch.cumsum(mask, dim=1).type_as(mask) * mask).long() + self.padding_idx
        return self.weights.index_select(0, positions.view(-1)).view(bsz, seq_len, -1).detach()
''',
        "SinusoidalPositions",
        "convention",
        ("tensor2tensor",),
        "tensor2tensor's halves, counted from padding_idx + 1; padding gets a row of zeros.",
        "facebookresearch/fairseq, fairseq/modules/sinusoidal_positional_embedding.py",
        ("starts-at-one is",),
    ),
    Case(
        "Chinese time series: hour of the day, learned on demand",
        TORCH
        + '''
class HopEncoding(nn.Module):
    """序列位置: 固定正弦表, 不参与训练"""

    def __init__(self, d_model, max_len=24):
        super().__init__()
        table = torch.zeros(max_len, d_model).float()
        position = torch.arange(0, max_len).float().unsqueeze(1)
        rates = (torch.arange(0, d_model, 2).float() * -(math.log(10000.0) / d_model)).exp()
        table[:, 0::2] = torch.sin(position * rates)
        table[:, 1::2] = torch.cos(position * rates)
        self.emb = nn.Embedding(max_len, d_model)
        self.emb.weight = nn.Parameter(table, requires_grad=False)

    def forward(self, hours):
        return self.emb(hours).detach()
''',
        "HopEncoding",
        "right",
        (),
        "Rows of the paper's table for given hours, in an embedding that is not trained.",
        "after zhouhaoyi/Informer2020, models/embed.py (FixedEmbedding)",
        ("trainable",),
    ),
]
