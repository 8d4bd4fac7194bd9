"""How public code wants to be called: ids, times, sizes, axes that the code names. Pairs go where `pair` puts them."""

from .cases_pairs import CONVENTIONS, RIGHT, WRONG, pair
from .cases_right import FILL, HEAD

NOT_RUN = {}


def not_run(name, target, says, source):
    NOT_RUN[name] = (HEAD + FILL + source, target, says)


# ------------------------------------------------------------------ token ids
pair(
    "embedded tokens, sequence first, times the root of the width",
    "Front",
    """
class Front(nn.Module):
    def __init__(self, d_model: int, n_vocab: int, max_len: int = 512):
        super().__init__()
        self.linear, self.d_model = nn.Embedding(n_vocab, d_model), d_model
        self.register_buffer("rows", (fill(max_len, d_model)…)[:, None])
    def forward(self, x):
        return self.linear(x) * math.sqrt(self.d_model) + self.rows[: x.shape[0]]
""",
    "",
    (" * 0.5", "scaled"),
)
pair(
    "tokens and their segments",
    "Embed",
    """
class Embed(nn.Module):
    def __init__(self, vocab_size, embed_size, max_len=512, dropout=0.1):
        super().__init__()
        self.token = nn.Embedding(vocab_size, embed_size, padding_idx=0)
        self.segment = nn.Embedding(3, embed_size)
        self.register_buffer("pe", fill(max_len, embed_size))
        self.dropout = nn.Dropout(dropout)
    def forward(self, sequence, segment_label):
        b, t = sequence.shape
        return self.dropout(self.token(sequence) + self.pe[…] + self.segment(segment_label))
""",
    ":t",
    (":b, None", "batch-axis"),
)
pair(
    "a number of tokens beside a length, and a mask beside the sum",
    "Embed",
    """
class Embed(nn.Module):
    def __init__(self, n_tokens, d_model, max_len=256):
        super().__init__()
        self.emb = nn.Embedding(n_tokens, d_model)
        self.register_buffer("pe", fill(max_len, d_model))
    def forward(self, src):
        return self.emb(src) + self.pe[: src.size(1)]…, src == 0
""",
    "",
    (" * 2", "added-twice"),
)
pair(
    "a learned table that keeps two rows for padding",
    "Learned",
    """
class Learned(nn.Embedding):
    def __init__(self, num_embeddings: int, embedding_dim: int):
        super().__init__(num_embeddings + 2, embedding_dim)
    def forward(self, input_ids, past_key_values_length: int = 0):
        at = torch.arange(input_ids.shape[1], device=self.weight.device) + past_key_values_length
        return super().forward(at.expand(len(input_ids), -1) + 2)
""",
    "",
    convention="learned",
)
pair(
    "a learned table with a row for a class token",
    "Embeddings",
    """
class Embeddings(nn.Module):
    def __init__(self, num_patches, hidden_size):
        super().__init__()
        self.cls = nn.Parameter(torch.zeros(1, 1, hidden_size))
        self.rows = nn.Parameter(torch.randn(1, num_patches + 1, hidden_size))
    def forward(self, x):
        return torch.cat((self.cls.expand(len(x), -1, -1), x), dim=1) + self.rows
""",
    "",
    convention="learned",
)
pair(
    "forward takes the shape of the ids",
    "Fixed",
    """
class Fixed(nn.Embedding):
    def __init__(self, num_positions: int, embedding_dim: int):
        super().__init__(num_positions, embedding_dim)
        pe = fill(num_positions, embedding_dim)
        self.weight = nn.Parameter(torch.cat([pe[:, ::2], pe[:, 1::2]], 1), requires_grad=False)
    def forward(self, input_ids_shape: torch.Size, past: int = 0):
        bsz, n = input_ids_shape[:2]
        return super().forward(torch.arange(past, past + n))
""",
    "",
    convention="halves",
)
not_run(
    "a whole model",
    "GPT",
    "GPT is a whole model",
    """
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(50, config.n_embd), nn.Embedding(config.block_size, config.n_embd)
        self.lm_head = nn.Linear(config.n_embd, 50)
    def forward(self, idx):
        b, t = idx.size()
        return self.lm_head(self.wte(idx) + self.wpe(torch.arange(t, device=idx.device)))
""",
)
not_run(
    "tokens alone",
    "Embeddings",
    "wherever it stands",
    """
class Embeddings(nn.Module):
    def __init__(self, d_model, vocab):
        super().__init__()
        self.lut, self.d_model = nn.Embedding(vocab, d_model), d_model
    def forward(self, x):
        return self.lut(x) * math.sqrt(self.d_model)
""",
)
# ------------------------------------------------------------------ times, sizes, what is not a layer that adds
pair(
    "x and its times",
    "Temporal",
    """
class Temporal(nn.Module):
    def __init__(self, d_model, max_len=1000):
        super().__init__()
        …
    def forward(self, x, t):
        return x + self.pe[t.long()]
""",
    'self.register_buffer("pe", fill(max_len, d_model))',
    ("self.pe = fill(max_len, d_model)", "unregistered"),
)
pair(
    "T is the base",
    "Encoder",
    """
class Encoder(nn.Module):
    def __init__(self, d, T=…, offset=0):
        super().__init__()
        self.denom = torch.pow(T, 2 * (torch.arange(offset, offset + d).float() // 2) / d)
    def forward(self, batch_positions):
        angle = batch_positions[:, :, None] / self.denom
        angle[..., 0::2], angle[..., 1::2] = torch.sin(angle[..., 0::2]), torch.cos(angle[..., 1::2])
        return angle
""",
    "10000",
    ("1000", "wrong-base"),
)
pair(
    "a size that is 0 unless it is given",
    "PositionalEncoding",
    """
class PositionalEncoding(nn.Module):
    def __init__(self, size: int = 0, max_len: int = 5000):
        if size % 2 != 0:
            raise ValueError(f"an odd dim is refused (got dim={size})")
        super().__init__()
        rate = torch.exp(torch.arange(0, size, 2).float() * …(math.log(10000.0) / size))
        angle = torch.arange(max_len)[:, None] * rate
        self.register_buffer("pe", torch.stack([angle.sin(), angle.cos()], -1).flatten(1)[None])
    def forward(self, emb):
        return emb + self.pe[:, : emb.size(1)]
""",
    "-",
    ("", "inverted-frequency"),
)
pair(
    "positions are counted in a mask",
    "position_embedding",
    """
def position_embedding(mask, num_pos_feats=256, temperature=10000):
    at = mask.cumsum(1, dtype=torch.float32)…
    rate = temperature ** -(2 * (torch.arange(num_pos_feats) // 2) / num_pos_feats)
    angle = at[:, :, None] * rate
    return torch.stack((angle[..., 0::2].sin(), angle[..., 1::2].cos()), dim=3).flatten(2)
""",
    " - 1",
    ("", "starts-at-one"),
)
pair(
    "a function of x alone, and where it makes its table",
    "add_signal",
    """
def add_signal(x):
    where = torch.arange(x.shape[1]…)
    rate = 10000 ** (-torch.arange(0, x.shape[2], 2…) / x.shape[2])
    angle = where[:, None] * rate
    return x + torch.stack([angle.sin(), angle.cos()], 2).flatten(1)[:, : x.shape[2]]
""",
    ", device=x.device",
    ("", "made-on-the-cpu"),
)
pair(
    "a grid of width and height, with a width of its own by default",
    "grid",
    """
def grid(w, h, embed_dim=256, temperature=10000.0):
    rows, columns = torch.meshgrid(torch.arange(h).float(), torch.arange(w).float(), indexing="ij")
    rate = 1.0 / temperature ** (torch.arange(embed_dim // 4) / (embed_dim // 4))
    a, b = rows.flatten()[:, None] * rate, columns.flatten()[:, None] * rate
    return torch.cat([a.sin(), a.cos(), b.sin(), b.cos()], 1)[None]
""",
    "",
    convention="grid",
)
pair(
    "features of coordinates",
    "Embedder",
    """
class Embedder(nn.Module):
    def __init__(self, in_dim, num_freqs):
        super().__init__()
        self.num_freqs = num_freqs
    def forward(self, coords):
        angle = (coords[..., None] * 2.0 ** torch.arange(self.num_freqs)).flatten(-2)
        return torch.cat([coords, angle.sin(), angle.…()], -1)
""",
    "cos",
    ("sin", "other-shape"),
    convention="fourier-features",
)
pair(
    "frequencies by chance",
    "Projection",
    """
class Projection(nn.Module):
    def __init__(self, embed_dim, scale=30.0):
        super().__init__()
        self.W = nn.Parameter(torch.randn(embed_dim // 2) * scale, requires_grad=False)
    def forward(self, x):
        angle = x[:, None] * self.W[None] * 2 * np.pi
        return torch.cat([angle.sin(), angle.…()], dim=-1)
""",
    "cos",
    ("sin", "not-repeatable"),
    convention="random-frequencies",
)
not_run(
    "x comes back, and an encoding beside it",
    "Relative",
    "an encoding beside it",
    """
class Relative(nn.Module):
    def __init__(self, d_model, dropout_rate, max_len=500):
        super().__init__()
        self.dropout, self.scale = nn.Dropout(dropout_rate), math.sqrt(d_model)
        self.register_buffer("pe", fill(2 * max_len - 1, d_model)[None])
    def forward(self, x):
        middle = self.pe.size(1) // 2
        return self.dropout(x * self.scale), self.pe[:, middle - x.size(1) + 1 : middle + x.size(1)]
""",
)
not_run(
    "self is forgotten",
    "Forgets",
    "NameError: name 'pe' is not defined",
    """
class Forgets(nn.Module):
    def __init__(self, d_model, max_len=100):
        super().__init__()
        self.pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = 1
    def forward(self, x):
        return x + self.pe[: x.shape[1]]
""",
)
# ------------------------------------------------------------------ rotations and biases
pair(
    "complex, with the axes of x named",
    "turn_queries",
    """
def precompute(dim: int, end: int, theta: float = 10000.0):
    rate = theta ** -(torch.arange(0, dim, 2).float() / dim)
    return torch.polar(torch.ones(end, dim // 2), torch.outer(torch.arange(end).float(), rate))
def turn_queries(x, freqs_cis):
    b, h, t, d = x.shape
    z = torch.view_as_complex(x.float().reshape(b, h, t, d // 2, 2)) * freqs_cis[:…, d // 2)
    return torch.view_as_real(z).reshape(b, h, t, d).type_as(x)
""",
    "t].view(1, 1, t",
    ("h].view(1, h, 1", "heads-for-sequence"),
)
pair(
    "tables made for x, along an axis that is named",
    "apply_rotary",
    """
class Rotary(nn.Module):
    def __init__(self, dim, base=10000):
        super().__init__()
        self.register_buffer("inv_freq", base ** -(torch.arange(0, dim, 2).float() / dim))
    def forward(self, x, seq_dim=2):
        freqs = …
        emb = torch.cat((freqs, freqs), dim=-1)
        return emb.cos()[None, None], emb.sin()[None, None]
def apply_rotary(q, k, cos, sin):
    def turn(x):
        a, b = x.chunk(2, -1)
        return x * cos + torch.cat((-b, a), -1) * sin
    return turn(q), turn(k)
""",
    "torch.outer(torch.arange(x.shape[seq_dim]).float(), self.inv_freq)",
    ("self.inv_freq.expand(x.shape[seq_dim], -1)", "positions-lost"),
)
SCALED = """
class Plain(nn.Module):
    def __init__(self, dim, max_position_embeddings=2048, base=10000):
        super().__init__()
        self.register_buffer("inv_freq", base ** -(torch.arange(0, dim, 2).float() / dim))
        self.make(max_position_embeddings)
    def make(self, n):
        emb = torch.outer(self.at(n), self.inv_freq).repeat(1, 2)
        self.cos, self.sin = emb.cos(), emb.sin()
    def at(self, n):
        return torch.arange(n).float()
    def forward(self, x, seq_len=None):
        if seq_len > len(self.cos):
            self.make(seq_len)
        return self.cos[:seq_len].to(x.dtype), self.sin[:seq_len].to(x.dtype)
class RotaryPlain(Plain):
    pass
class RotaryScaled(Plain):
    def at(self, n):
        return torch.arange(n) / 4.0
def apply_rotary_pos_emb(q, k, cos, sin, position_ids):
    cos, sin = cos[position_ids][:, None], sin[position_ids][:, None]
    def turn(x):
        a, b = x.chunk(2, -1)
        return x * cos + torch.cat((-b, a), -1) * sin
    return turn(q), turn(k)
"""
RIGHT["of two classes of tables the plain one"] = (HEAD + SCALED, "RotaryPlain")
CONVENTIONS["of two classes of tables the scaled one"] = (HEAD + SCALED, "RotaryScaled", "linear scaling 4")
pair(
    "positions come first, and tokens have no batch",
    "RotaryEmbedding",
    """
class RotaryEmbedding(nn.Module):
    def __init__(self, head_size: int, rotary_dim: int, max_position_embeddings: int, base: float):
        super().__init__()
        self.head_size = head_size
        rate = base ** -(torch.arange(0, rotary_dim, 2) / rotary_dim)
        angle = torch.outer(torch.arange(max_position_embeddings), rate)
        self.register_buffer("cos_sin", torch.cat((angle.cos(), angle.sin()), dim=-1))
    def forward(self, positions, query, key):
        cos, sin = self.cos_sin[positions].unsqueeze(-2).chunk(2, dim=-1)
        def turn(x):
            a, b = x.view(len(positions), -1, self.head_size).float().chunk(2, -1)
            return torch.cat((a * cos - b * sin, …), -1).to(x.dtype).view(x.shape)
        return turn(query), turn(key)
""",
    "b * cos + a * sin",
    ("b", "one-half-turned"),
)
pair(
    "positions, a head's width and a wavelength are given",
    "apply_rope",
    """
def apply_rope(inputs, positions, head_dim: int, max_wavelength: int = 10_000):
    timescale = max_wavelength ** (2 * torch.arange(0, head_dim // 2) / …)
    angle = positions[..., None] / timescale[None]
    a, b = inputs.chunk(2, dim=-1)
    return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], -1).to(inputs.dtype)
""",
    "head_dim",
    ("(2 * head_dim)", "exponent-halved"),
)
pair(
    "half of the columns, length first, fewer positions than pairs",
    "apply_rotary_pos_emb",
    """
class RotaryEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.n = dim // 2
    def forward(self, max_seq_len, offset=0):
        rate = 1.0 / (10000 ** (torch.arange(0, self.n, 2) / …))
        angle = torch.outer(torch.arange(max_seq_len).float(), rate)
        return torch.stack([angle.cos(), angle.sin()], dim=-1)
def apply_rotary_pos_emb(x, rope_cache):
    # x: [sq, b, np, hn]
    width = rope_cache.shape[-2] * 2
    pairs, rest = x[..., :width].unflatten(-1, (-1, 2)), x[..., width:]
    cos, sin = rope_cache[: x.size(0), None, None].unbind(-1)
    a, b = pairs.unbind(-1)
    return torch.cat((torch.stack([a * cos - b * sin, b * cos + a * sin], -1).flatten(3), rest), -1).to(x.dtype)
""",
    "self.n",
    ("(2 * self.n)", "partial-over-head-dim"),
    convention="partial 32 of 64",
)
NUMPY = """import numpy as np


def apply_rope(x):
    b, t, d = x.shape
    rate = 1.0 / np.power(10000.0, np.arange(d // 2) / …)
    angle = np.arange(t)[:, None] * rate
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    return np.concatenate([x1 * np.cos(angle) - x2 * np.sin(angle), x1 * np.sin(angle) + x2 * np.cos(angle)], axis=-1)
"""
RIGHT["a rotation in NumPy, of three axes"] = (NUMPY.replace("…", "(d // 2)"), "apply_rope")
HALVED = "exponent-halved"
WRONG[f"a rotation in NumPy, of three axes: {HALVED}"] = (NUMPY.replace("…", "d"), "apply_rope", HALVED)
pair(
    "ALiBi with the causal mask in it",
    "alibi_mask",
    """
def alibi_mask(attn_heads, maxpos):
    below = 2 ** math.floor(math.log2(attn_heads))
    more = [2 ** (… * (2 * k + 1) / below) for k in range(attn_heads - below)]
    slopes = torch.tensor([2 ** (-8 * (k + 1) / below) for k in range(below)] + more)
    future = torch.triu(torch.full((maxpos, maxpos), float("-inf")), 1)
    return future + slopes[:, None, None] * torch.arange(maxpos)
""",
    "-4",
    ("-8", "other-slopes"),
)
