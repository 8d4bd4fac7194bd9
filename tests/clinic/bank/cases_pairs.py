"""The same code right and wrong: one line apart, in signatures that other parts of the bank do not have.

"…" in a source stands for what differs.
"""

from .cases_right import FILL, HEAD

RIGHT, CONVENTIONS, WRONG = {}, {}, {}


def pair(name, target, source, right, *wrong, convention=None):
    """``right`` in place of "…" is right, or the ``convention``; each of ``wrong`` is (what stands there, the id)."""

    def file(line):
        return HEAD + FILL + source.replace("…", line)

    if convention:
        CONVENTIONS[name] = (file(right), target, convention)
    elif right is not None:
        RIGHT[name] = (file(right), target)
    for line, id in wrong:
        WRONG[f"{name}: {id}"] = (file(line), target, id)


# ------------------------------------------------------------------ tables
pair(
    "padding_idx is required",
    "get_embedding",
    """
def get_embedding(num_embeddings, embedding_dim, padding_idx):
    half = embedding_dim // 2
    rate = torch.exp(torch.arange(half, dtype=torch.float) * …math.log(10000) / (half - 1))
    angle = torch.arange(num_embeddings, dtype=torch.float)[:, None] * rate
    emb = torch.cat([angle.sin(), angle.cos()], dim=1)
    if padding_idx is not None:
        emb[padding_idx] = 0
    return emb
""",
    "-",
    ("", "inverted-frequency"),
    convention="tensor2tensor",
)
pair(
    "the width stands at the top of the file",
    "positional_encoding",
    """
D_MODEL = 64
def positional_encoding(n):
    pos, i = np.arange(n)[:, None], np.arange(D_MODEL)[None]
    angle = pos / np.power(10000, … / D_MODEL)
    return np.where(i % 2 == 0, np.sin(angle), np.cos(angle))
""",
    "(2 * (i // 2))",
    ("(2 * i)", "doubled-column"),
)
pair(
    "both sizes stand at the top of the file, and a function makes the rates",
    "Positions",
    """
EMB_SIZE, MAXLEN = 32, 100
def rates():
    return torch.exp(torch.arange(0, EMB_SIZE, 2) * -(math.log(…) / EMB_SIZE))
class Positions(nn.Module):
    def __init__(self):
        super().__init__()
        angle = torch.arange(MAXLEN)[:, None] * rates()
        self.register_buffer("pe", torch.stack([angle.sin(), angle.cos()], -1).flatten(1)[None])
    def forward(self, x):
        return x + self.pe[:, : x.size(1), :EMB_SIZE]
""",
    "10000.0",
    ("1000.0", "wrong-base"),
)
pair(
    "half precision, and another base",
    "half_table",
    """
def half_table(max_len, dim, base=500.0):
    rate = 1.0 / base ** (torch.arange(0, dim, 2).half() / dim)
    angle = torch.outer(torch.arange(max_len).half(), rate).float()
    return torch.stack((angle.sin(), angle.cos()), -1).flatten(1)[:, :dim]
""",
    None,
    ("", "low-precision"),
    ("", "wrong-base"),
)
# ------------------------------------------------------------------ layers
pair(
    "length, batch, hidden = x.size(), the encoding alone",
    "PosEmb",
    """
class PosEmb(nn.Module):
    def __init__(self, hidden_dim, max_length=512):
        super().__init__()
        self.register_buffer("pe", fill(max_length, hidden_dim))
    def forward(self, x):
        length, batch, hidden = x.size()
        return …self.pe[:length].unsqueeze(1).repeat(1, batch, 1)
""",
    "",
    ("2 * ", "scaled"),
)
pair(
    "a method for sequence-first x",
    "Model.add_positions",
    """
class Model(nn.Module):
    def __init__(self, n_embd):
        super().__init__()
        self.n_embd = n_embd
    def add_positions(self, x):
        length, batch, hidden = x.size()
        return x + fill(length, hidden)…[:, None]
""",
    "",
    (".roll(1, 1)", "permuted"),
)
pair(
    "positions are counted along the axis that the code calls b",
    "SinusoidalPosEmb",
    """
class SinusoidalPosEmb(nn.Module):
    def forward(self, x):
        b, n, d = x.shape
        return x + …
""",
    "fill(n, d).to(x)",
    ("fill(b, d).to(x)[:, None]", "batch-axis"),
)
pair(
    "a config within a config",
    "Pos",
    """
class Pos(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        pe = fill(cfg.model.max_seq_len, cfg.model.hidden_size)
        self.register_buffer("pe", pe[None], persistent=False)
    def forward(self, x):
        return x … self.pe[:, : x.shape[1]]
""",
    "+",
    ("*", "multiplied"),
)
pair(
    "nothing is returned, and it stops at most shapes",
    "PositionalEncoding",
    """
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=512):
        super().__init__()
        self.register_buffer("pe", fill(max_len, d_model))
    def forward(self, x):
        x = x + self.pe[: x.size(…)]
""",
    None,
    ("0", "none"),
)
# ------------------------------------------------------------------ rotations
HALF = """
def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)
"""
pair(
    "the function picks the rows itself, by position_ids",
    "apply_rotary_pos_emb",
    HALF
    + """
class LlamaRotaryEmbedding(nn.Module):
    def __init__(self, dim, max_position_embeddings=2048, base=10000, device=None):
        super().__init__()
        freqs = torch.outer(torch.arange(max_position_embeddings), base ** -(torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("angles", torch.cat((freqs, freqs), dim=-1)[None, None])
    def forward(self, x, seq_len=None):
        angles = self.angles[:, :, :seq_len]
        return angles.cos().to(x.dtype), angles.sin().to(x.dtype)
def apply_rotary_pos_emb(q, k, cos, sin, position_ids):
    cos, sin = (table.squeeze(1).squeeze(0)[…].unsqueeze(1) for table in (cos, sin))
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin
""",
    "position_ids",
    ("None, : q.shape[2]", "positions-ignored"),
)
pair(
    "sines and cosines side by side in one table, as GPT-J has them",
    "apply_rotary_pos_emb",
    """
def create_sinusoidal_positions(num_pos: int, dim: int):
    angle = torch.outer(torch.arange(num_pos).float(), 10000 ** -(torch.arange(0, dim, 2) / dim))
    return torch.cat((angle.sin(), angle.cos()), dim=1)
def rotate_every_two(x):
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=…).flatten(-2)
def apply_rotary_pos_emb(tensor, sin, cos):
    sin, cos = (table[:, :, None].repeat_interleave(2, 3) for table in (sin, cos))
    return tensor * cos + rotate_every_two(tensor) * sin
""",
    "-1",
    ("-2", "evens-odds-cat"),
)
pair(
    "one table of angles, for the columns that it has",
    "apply_rotary_pos_emb",
    HALF
    + """
class RotaryEmbedding(nn.Module):
    def __init__(self, dim, base=10000):
        super().__init__()
        self.register_buffer("inv_freq", base ** -(torch.arange(0, dim, 2).float() / dim))
    def forward(self, seq_len):
        freqs = torch.outer(torch.arange(seq_len).float(), self.inv_freq)
        return torch.cat((freqs, freqs), dim=-1)
def apply_rotary_pos_emb(t, freqs):
    freqs = freqs[-t.shape[-2] :]
    out = t * freqs.cos() + rotate_half(t) * freqs.sin()
    return …
""",
    "out.type_as(t)",
    ("out", "other-dtype"),
    ("(out + t).type_as(t)", "no-rotation"),
)
pair(
    "the table comes before q and k, as in RoFormer",
    "apply_rotary_position_embeddings",
    """
def sinusoidal_positions(n_pos, dim):
    angle = torch.arange(n_pos)[:, None] / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angle.sin(), angle.cos()], dim=-1)
def apply_rotary_position_embeddings(sinusoidal_pos, query_layer, key_layer, value_layer=None):
    sin, cos = (table.repeat_interleave(2, dim=-1) for table in sinusoidal_pos.chunk(2, dim=-1))
    turned = lambda x: x * cos + torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).reshape_as(x) * sin
    return turned(query_layer), …
""",
    "turned(key_layer)",
    ("key_layer", "key-not-turned"),
)
pair(
    "a list of two tables in one argument, as in Qwen",
    "apply_rotary_pos_emb",
    HALF
    + """
class RotaryEmbedding(nn.Module):
    def __init__(self, dim, base=…):
        super().__init__()
        self.rate = base ** -(torch.arange(0, dim, 2).float() / dim)
    def forward(self, max_seq_len):
        angle = torch.outer(torch.arange(max_seq_len).float(), self.rate)
        angle = torch.cat((angle, angle), dim=-1)[None, :, None]
        return [angle.cos(), angle.sin()]
def apply_rotary_pos_emb(t, freqs):
    cos, sin = freqs
    return (t.float() * cos + rotate_half(t.float()) * sin).type_as(t)
""",
    "10000",
    ("1000", "small-base"),
)
pair(
    "freqs_cos and freqs_sin, as in llama2.c",
    "apply_rotary_emb",
    """
def precompute_freqs_cis(dim: int, end: int, theta: float = 10000.0):
    freqs = torch.outer(torch.arange(end).float(), theta ** -(torch.arange(0, dim, 2).float() / dim))
    return freqs.cos(), freqs.sin()
def apply_rotary_emb(xq, xk, freqs_cos, freqs_sin):
    cos, sin = freqs_cos[None, :, None], freqs_sin[None, :, None]
    out = []
    for x in (xq, xk):
        r, i = x.float().unflatten(-1, (-1, 2)).unbind(-1)
        out.append(torch.stack([r * cos - i * sin, r * sin … i * cos], dim=-1).flatten(3).type_as(x))
    return tuple(out)
""",
    "+",
    ("-", "signs"),
)
pair(
    "length first",
    "RotaryPositionalEmbeddings",
    """
class RotaryPositionalEmbeddings(nn.Module):
    def __init__(self, d: int, base: int = 10_000):
        super().__init__()
        self.d, self.base = d, base
    def forward(self, x):
        \"\"\"x: [length, batch, heads, d]\"\"\"
        rate = self.base ** -(torch.arange(0, self.d, 2).float() / self.d)
        angle = (torch.arange(x.shape[0])[:, None] * rate)[:, None, None]
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * angle.cos() - b * angle.sin(), …), dim=-1).to(x.dtype)
""",
    "a * angle.sin() + b * angle.cos()",
    ("b", "one-half-turned"),
)
pair(
    "tables made for x, kept by its length",
    "Rotary",
    """
class Rotary(nn.Module):
    def __init__(self, dim, base=10000):
        super().__init__()
        self.rate, self.kept = base ** -(torch.arange(0, dim, 2).float() / dim), None
    def forward(self, x):
        if self.kept != x.shape[1]:
            self.kept = x.shape[1]
            angle = torch.outer(torch.arange(self.kept).float(), self.rate)
            self.cos, self.sin = angle.cos()…, angle.sin()…
        return self.cos[None, :, None], self.sin[None, :, None]
def apply_rotary_emb(x, cos, sin):
    a, b = x.chunk(2, dim=3)
    return torch.cat([a * cos + b * sin, b * cos - a * sin], 3).type_as(x)
""",
    "",
    (".bfloat16()", "half-tables"),
)
# ------------------------------------------------------------------ biases
pair(
    "ALiBi from a mask, as in BLOOM",
    "build_alibi_tensor",
    """
def build_alibi_tensor(attention_mask, num_heads: int, dtype):
    batch_size, seq_length = attention_mask.shape
    below = 2 ** math.floor(math.log2(num_heads))
    slopes = 2.0 ** (-8 / below * torch.arange(…, … + below))
    more = 2.0 ** (-4 / below * torch.arange(1, 1 + 2 * (num_heads - below), 2))
    at = ((attention_mask.cumsum(-1) - 1) * attention_mask)[:, None]
    return (torch.cat([slopes, more])[:, None] * at).reshape(batch_size * num_heads, 1, seq_length).to(dtype)
""",
    "1",
    ("0", "slopes-from-one"),
)
pair(
    "ALiBi's slopes alone",
    "get_slopes",
    """
def get_slopes(n):
    def of_power(n):
        start = 2 ** (-2 ** -(math.log2(n) - 3))
        return [start * start**i for i in range(n)]
    if math.log2(n).is_integer():
        return of_power(n)
    below = 2 ** math.floor(math.log2(n))
    return of_power(below) + of_power(2 * below)[…::2][: n - below]
""",
    "0",
    ("1", "other-slopes"),
)
pair(
    "ALiBi as a class, added to the scores",
    "AlibiPositionalBias",
    """
class AlibiPositionalBias(nn.Module):
    def __init__(self, heads):
        super().__init__()
        powers = torch.arange(1, 2 ** (heads - 1).bit_length() + 1) * 8 / 2 ** (heads - 1).bit_length()
        slopes = 2.0 ** -powers
        self.slopes = slopes if len(slopes) == heads else torch.cat([slopes[1::2], slopes[::2]])[:heads]
    def forward(self, scores):
        i, j = scores.shape[-2:]
        return scores … (torch.arange(i)[:, None] - torch.arange(j)).abs() * self.slopes[:, None, None]
""",
    "-",
    ("+", "bias-sign"),
)
pair(
    "ALiBi from a mask of queries and keys, the heads last",
    "get_alibi_biases",
    """
def get_alibi_biases(n_heads: int, mask):
    n = 2 ** math.floor(math.log2(n_heads))
    m = 2.0 ** (-8 / n * torch.arange(1, 1 + n))
    if n < n_heads:
        m = torch.cat([m, 2.0 ** (… / n * torch.arange(1, 1 + 2 * (n_heads - n), 2))])
    return mask.cumsum(dim=-1)[:, :, None] * m
""",
    "-4",
    ("-8", "other-slopes"),
)
pair(
    "a maker of complex tables, by its own name",
    "precompute_theta_pos_frequencies",
    """
def precompute_theta_pos_frequencies(head_dim: int, seq_len: int, device: str = "cpu", theta: float = 10000.0):
    angle = torch.outer(torch.arange(seq_len), theta ** -(torch.arange(0, head_dim…).float() / head_dim))
    return torch.polar(torch.ones_like(angle), angle)
def apply_rotary_embeddings(x, freqs_complex, device: str = "cpu"):
    z = torch.view_as_complex(x.float().unflatten(-1, (-1, 2))) * freqs_complex[None, :, None]
    return torch.view_as_real(z).reshape(x.shape).type_as(x).to(device)
""",
    ", 2",
    (" // 2", "exponent-halved"),
)
