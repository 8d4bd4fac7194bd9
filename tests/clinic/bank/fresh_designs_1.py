"""Known designs, and code that looks like one: scaled and proportional RoPE, timescales. Part 1 of 2."""

from .fresh_form import TORCH, Case

CASES = [
    Case(
        "TimesFM: a signal of timescales for a length or for positions",
        TORCH
        + '''
class PositionalEmbedding(torch.nn.Module):
    """Generates position embedding for a given 1-d sequence."""

    def __init__(self, embedding_dims: int, min_timescale: int = 1, max_timescale: int = 10_000) -> None:
        super().__init__()
        self.min_timescale = min_timescale
        self.max_timescale = max_timescale
        self.embedding_dims = embedding_dims

    def forward(self, seq_length=None, position=None):
        if position is None:
            assert seq_length is not None
            # [1, seqlen]
            position = torch.arange(seq_length, dtype=torch.float32).unsqueeze(0)
        else:
            assert position.ndim == 2, position.shape

        num_timescales = self.embedding_dims // 2
        step = math.log(float(self.max_timescale) / float(self.min_timescale)) / max(num_timescales - 1, 1)
        inv = self.min_timescale * torch.exp(torch.arange(num_timescales, dtype=torch.float32) * -step)
        scaled_time = position.unsqueeze(2) * inv.unsqueeze(0).unsqueeze(0)
        signal = torch.cat([torch.sin(scaled_time), torch.cos(scaled_time)], dim=2)
        # Padding to ensure correct embedding dimension
        return F.pad(signal, (0, 0, 0, self.embedding_dims % 2))
''',
        "PositionalEmbedding",
        "convention",
        ("tensor2tensor",),
        "Halves whose slowest pair is exactly 1/10000; for odd widths it pads a row, where it means a column.",
        "google-research/timesfm, pytorch_patched_decoder.py (2024)",
    ),
    Case(
        "M2M-100: a row of zeros for padding, made by a static method",
        TORCH
        + '''
class M2M100SinusoidalPositionalEmbedding(nn.Module):
    """This module produces sinusoidal positional embeddings of any length."""

    def __init__(self, num_positions: int, embedding_dim: int, padding_idx=None):
        super().__init__()
        self.offset = 2
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx
        weights = self.get_embedding(num_positions + self.offset, embedding_dim, padding_idx)
        self.register_buffer("weights", weights, persistent=False)

    @staticmethod
    def get_embedding(num_embeddings: int, embedding_dim: int, padding_idx=None):
        """This matches the implementation in tensor2tensor, but differs slightly from "Attention Is All You Need"."""
        half_dim = embedding_dim // 2
        emb = math.log(10000) / (half_dim - 1)
        emb = torch.exp(torch.arange(half_dim, dtype=torch.int64).float() * -emb)
        emb = torch.arange(num_embeddings, dtype=torch.int64).float().unsqueeze(1) * emb.unsqueeze(0)
        emb = torch.cat([torch.sin(emb), torch.cos(emb)], dim=1).view(num_embeddings, -1)
        if embedding_dim % 2 == 1:
            emb = torch.cat([emb, torch.zeros(num_embeddings, 1)], dim=1)
        if padding_idx is not None:
            emb[padding_idx, :] = 0
        return emb.to(torch.get_default_dtype())
''',
        "M2M100SinusoidalPositionalEmbedding.get_embedding",
        "convention",
        ("tensor2tensor",),
        "Without padding_idx tensor2tensor's table; with it, one row is 0.",
        "huggingface/transformers, models/m2m_100/modeling_m2m_100.py",
        ("zero-first-row",),
    ),
    Case(
        "audio: cosines first, positions with an axis of their own",
        TORCH
        + '''
def create_sin_embedding(positions: torch.Tensor, dim: int, max_period: float = 10000, dtype=torch.float32):
    """
    positions (torch.Tensor): LongTensor of positions, of shape [B, T, 1]
    Returns: torch.Tensor of shape [B, T, C].
    """
    # We aim for BTC format
    assert dim % 2 == 0
    half_dim = dim // 2
    positions = positions.to(dtype)
    adim = torch.arange(half_dim, device=positions.device, dtype=dtype).view(1, 1, -1)
    max_period_tensor = torch.full([], max_period, device=positions.device, dtype=dtype)  # avoid sync point
    phase = positions / (max_period_tensor ** (adim / (half_dim - 1)))
    return torch.cat([torch.cos(phase), torch.sin(phase)], dim=-1)
''',
        "",
        "convention",
        ("tensor2tensor|cos",),
        "tensor2tensor's frequencies in halves, the cosines first.",
        "facebookresearch/audiocraft, modules/transformer.py",
        ("inverted",),
    ),
    Case(
        "speech: a learned number times the table",
        TORCH
        + '''
class SpeechT5ScaledPositionalEncoding(nn.Module):
    """Scaled positional encoding, see §3.2 in https://huggingface.co/papers/1809.08895"""

    def __init__(self, dropout, dim, max_len=5000):
        pe = torch.zeros(max_len, dim)
        position = torch.arange(0, max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, dim, 2, dtype=torch.int64).float() * -(math.log(10000.0) / dim))
        pe[:, 0::2] = torch.sin(position.float() * div_term)
        pe[:, 1::2] = torch.cos(position.float() * div_term)
        pe = pe.unsqueeze(0)
        super().__init__()
        self.register_buffer("pe", pe, persistent=False)
        self.dropout = nn.Dropout(p=dropout)
        self.dim = dim
        self.alpha = nn.Parameter(torch.tensor(1.0))

    def forward(self, emb):
        emb = emb + self.alpha * self.pe[:, : emb.size(1)]
        emb = self.dropout(emb)
        return emb
''',
        "SpeechT5ScaledPositionalEncoding",
        "convention",
        ("learned|scale|alpha",),
        "The paper's table times one trained number, 1 at first.",
        "huggingface/transformers, models/speecht5/modeling_speecht5.py",
        ("added twice", "added-twice", "the table would be trained"),
    ),
    Case(
        "channels before length, the encoding alone",
        TORCH
        + '''
def get_emb(sin_inp):
    """Gets a base embedding for one dimension with sin and cos intertwined"""
    emb = torch.stack((sin_inp.sin(), sin_inp.cos()), dim=-1)
    return torch.flatten(emb, -2, -1)


class PositionalEncoding1D(nn.Module):
    def __init__(self, channels):
        super(PositionalEncoding1D, self).__init__()
        self.org_channels = channels
        channels = int(np.ceil(channels / 2) * 2)
        inv_freq = 1.0 / (10000 ** (torch.arange(0, channels, 2).float() / channels))
        self.register_buffer("inv_freq", inv_freq)
        self.channels = channels

    def forward(self, tensor):
        batch_size, x, orig_ch = tensor.shape
        pos_x = torch.arange(x, device=tensor.device, dtype=self.inv_freq.dtype)
        emb_x = get_emb(torch.einsum("i,j->ij", pos_x, self.inv_freq))
        return emb_x[None, :, :orig_ch].repeat(batch_size, 1, 1)


class PositionalEncodingPermute1D(nn.Module):
    def __init__(self, channels):
        """Accepts (batchsize, ch, x) instead of (batchsize, x, ch)"""
        super(PositionalEncodingPermute1D, self).__init__()
        self.penc = PositionalEncoding1D(channels)

    def forward(self, tensor):
        tensor = tensor.permute(0, 2, 1)
        enc = self.penc(tensor)
        return enc.permute(0, 2, 1)
''',
        "PositionalEncodingPermute1D",
        "right",
        ("channel",),
        "The paper's table for x of shape (batch, channels, length), without x; an odd width uses the rates of the "
        "next even one.",
        "tatp22/multidim-positional-encoding#22",
        ("transposed",),
    ),
    Case(
        "gpt-oss: YaRN with a factor of 1 by default",
        TORCH
        + '''
def _apply_rotary_emb(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    cos = cos.unsqueeze(-2).to(x.dtype)
    sin = sin.unsqueeze(-2).to(x.dtype)
    x1, x2 = torch.chunk(x, 2, dim=-1)
    o1 = x1 * cos - x2 * sin
    o2 = x2 * cos + x1 * sin
    return torch.cat((o1, o2), dim=-1)


class RotaryEmbedding(torch.nn.Module):
    def __init__(
        self,
        head_dim: int,
        base: int,
        dtype: torch.dtype,
        initial_context_length: int = 4096,
        scaling_factor: float = 1.0,
        ntk_alpha: float = 1.0,
        ntk_beta: float = 32.0,
        device=None,
    ) -> None:
        super().__init__()
        self.head_dim = head_dim
        self.base = base
        self.dtype = dtype
        self.initial_context_length = initial_context_length
        self.scaling_factor = scaling_factor
        self.ntk_alpha = ntk_alpha
        self.ntk_beta = ntk_beta
        self.device = device

    def _compute_concentration_and_inv_freq(self):
        """See YaRN paper: https://arxiv.org/abs/2309.00071"""
        freq = self.base ** (
            torch.arange(0, self.head_dim, 2, dtype=torch.float, device=self.device) / self.head_dim
        )
        if self.scaling_factor <= 1.0:
            return 1.0, 1.0 / freq
        concentration = 0.1 * math.log(self.scaling_factor) + 1.0  # YaRN concentration
        d_half = self.head_dim / 2
        low, high = (
            d_half * math.log(self.initial_context_length / (ntk * 2 * math.pi)) / math.log(self.base)
            for ntk in (self.ntk_beta, self.ntk_alpha)
        )
        interpolation = 1.0 / (self.scaling_factor * freq)
        extrapolation = 1.0 / freq
        ramp = (torch.arange(d_half, dtype=torch.float32, device=freq.device) - low) / (high - low)
        mask = 1 - ramp.clamp(0, 1)
        return concentration, interpolation * (1 - mask) + extrapolation * mask

    def forward(self, query: torch.Tensor, key: torch.Tensor):
        num_tokens = query.shape[0]
        concentration, inv_freq = self._compute_concentration_and_inv_freq()
        freqs = torch.einsum("i,j->ij", torch.arange(num_tokens, dtype=torch.float32), inv_freq)
        cos, sin = freqs.cos() * concentration, freqs.sin() * concentration

        query_shape = query.shape
        query = _apply_rotary_emb(query.view(num_tokens, -1, self.head_dim), cos, sin).reshape(query_shape)
        key_shape = key.shape
        key = _apply_rotary_emb(key.view(num_tokens, -1, self.head_dim), cos, sin).reshape(key_shape)
        return query, key
''',
        "RotaryEmbedding",
        "right",
        ("half-split|halves",),
        "Half-split RoPE of (tokens, heads, head_dim) in the base that is given; YaRN starts above a factor of 1.",
        "openai/gpt-oss, gpt_oss/torch/model.py (2025)",
        ("heads-for-sequence", "yarn scaling"),
    ),
    Case(
        "Llama 3.1: slow pairs divided by 8",
        TORCH
        + '''
def apply_scaling(freqs: torch.Tensor):
    # Values obtained from grid search
    scale_factor = 8
    low_freq_factor = 1
    high_freq_factor = 4
    old_context_len = 8192  # original llama3 length

    low_freq_wavelen = old_context_len / low_freq_factor
    high_freq_wavelen = old_context_len / high_freq_factor
    new_freqs = []
    for freq in freqs:
        wavelen = 2 * math.pi / freq
        if wavelen < high_freq_wavelen:
            new_freqs.append(freq)
        elif wavelen > low_freq_wavelen:
            new_freqs.append(freq / scale_factor)
        else:
            assert low_freq_wavelen != high_freq_wavelen
            smooth = (old_context_len / wavelen - low_freq_factor) / (high_freq_factor - low_freq_factor)
            new_freqs.append((1 - smooth) * freq / scale_factor + smooth * freq)
    return torch.tensor(new_freqs, dtype=freqs.dtype, device=freqs.device)


def precompute_freqs_cis(dim: int, end: int, theta: float = 500000.0, use_scaled: bool = True):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=freqs.device, dtype=torch.float32)
    if use_scaled:
        freqs = apply_scaling(freqs)
    freqs = torch.outer(t, freqs)
    return torch.polar(torch.ones_like(freqs), freqs)  # complex64


def reshape_for_broadcast(freqs_cis: torch.Tensor, x: torch.Tensor):
    ndim = x.ndim
    assert 0 <= 1 < ndim
    assert freqs_cis.shape == (x.shape[1], x.shape[-1])
    shape = [d if i == 1 or i == ndim - 1 else 1 for i, d in enumerate(x.shape)]
    return freqs_cis.view(*shape)


def apply_rotary_emb(xq: torch.Tensor, xk: torch.Tensor, freqs_cis: torch.Tensor):
    xq_ = torch.view_as_complex(xq.float().reshape(*xq.shape[:-1], -1, 2))
    xk_ = torch.view_as_complex(xk.float().reshape(*xk.shape[:-1], -1, 2))
    freqs_cis = reshape_for_broadcast(freqs_cis, xq_)
    xq_out = torch.view_as_real(xq_ * freqs_cis).flatten(3)
    xk_out = torch.view_as_real(xk_ * freqs_cis).flatten(3)
    return xq_out.type_as(xq), xk_out.type_as(xk)
''',
        "apply_rotary_emb",
        "convention",
        ("llama 3.1",),
        "With the file's own tables: base 500000, slow pairs divided by 8, a ramp between.",
        "meta-llama/llama-models, models/llama3/model.py (2024)",
        ("unknown-frequencies", "no formula"),
    ),
]
