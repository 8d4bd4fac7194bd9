"""Conventions, mistakes and code that cannot be run, as people hand them in; see `cases_right`."""

from .cases_right import FILL, HEAD

CONVENTIONS, WRONG, NOT_RUN = {}, {}, {}


def _case(group):
    def add(name, target, says, source):
        group[name] = (HEAD + FILL + source, target, says)

    return add


convention, wrong, not_run = map(_case, (CONVENTIONS, WRONG, NOT_RUN))

LAYER = """
class PositionalEncoding(nn.Module):
    def __init__(self, {parameters}):
        super().__init__()
        pe = {table}
        self.register_buffer("pe", pe)
    def forward(self, x):
        return {sum}
"""


def layer(table="fill(max_len, d_model)", sum="x + self.pe[: x.shape[1]]", parameters="d_model, max_len=512"):
    return LAYER.format(table=table, sum=sum, parameters=parameters)


convention(
    "sines left, cosines right",
    "table",
    "halves",
    """
def table(length, depth):
    rate = 1 / 10000 ** (np.arange(0, depth, 2) / depth)
    angle = np.arange(length)[:, None] * rate
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=-1)
""",
)
convention(
    "diffusion times",
    "SinusoidalPosEmb",
    "tensor2tensor",
    """
class SinusoidalPosEmb(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
    def forward(self, x):
        half = self.dim // 2
        rate = torch.exp(torch.arange(half, device=x.device) * -(math.log(10000) / (half - 1)))
        angle = x[:, None] * rate[None, :]
        return torch.cat((angle.sin(), angle.cos()), dim=-1)
""",
)
convention(
    "a signal of timescales",
    "get_timing_signal_1d",
    "tensor2tensor",
    """
def get_timing_signal_1d(length, channels, min_timescale=1.0, max_timescale=1.0e4):
    n = channels // 2
    step = math.log(max_timescale / min_timescale) / (n - 1)
    angle = np.arange(length)[:, None] * (min_timescale * np.exp(np.arange(n) * -step))
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=1)
""",
)
convention(
    "halves in a layer that returns them alone",
    "PosEmb",
    "halves",
    """
class PosEmb(nn.Module):
    def __init__(self, demb):
        super().__init__()
        self.register_buffer("inv_freq", 1 / (10000 ** (torch.arange(0.0, demb, 2.0) / demb)))
    def forward(self, pos_seq):
        angle = torch.outer(pos_seq, self.inv_freq)
        return torch.cat([angle.sin(), angle.cos()], dim=-1)
""",
)
wrong(
    "the exponent doubled by a loop over columns",
    "PositionalEncoder",
    "doubled",
    """
class PositionalEncoder(nn.Module):
    def __init__(self, d_model, max_seq_len=80):
        super().__init__()
        pe = torch.zeros(max_seq_len, d_model)
        for pos in range(max_seq_len):
            for i in range(0, d_model - 1, 2):
                pe[pos, i] = math.sin(pos / (10000 ** ((2 * i) / d_model)))
                pe[pos, i + 1] = math.cos(pos / (10000 ** ((2 * (i + 1)) / d_model)))
        self.register_buffer("pe", pe.unsqueeze(0))
    def forward(self, x):
        return x + self.pe[:, : x.size(1)]
""",
)
wrong(
    "the sign of the exponent",
    "get_table",
    "inverted-frequency",
    """
def get_table(seq_len, dim):
    rate = torch.exp(torch.arange(0, dim, 2) * (math.log(10000.0) / dim))
    angle = torch.arange(seq_len)[:, None] * rate
    return torch.stack([angle.sin(), angle.cos()], 2).reshape(seq_len, -1)[:, :dim]
""",
)
wrong(
    "another base",
    "get_table",
    "wrong-base",
    """
def get_table(context_size, n_embd):
    rate = 1 / 1000 ** (torch.arange(0, n_embd, 2) / n_embd)
    angle = torch.arange(context_size)[:, None] * rate
    return torch.stack([angle.sin(), angle.cos()], 2).reshape(context_size, -1)[:, :n_embd]
""",
)
wrong(
    "cosine first",
    "get_table",
    "swapped",
    """
def get_table(max_position, hidden_size):
    pe = fill(max_position, hidden_size)
    out = torch.empty_like(pe)
    out[:, 0::2] = (1 - pe[:, 0::2] ** 2).clamp(0).sqrt()
    rate = torch.exp(torch.arange(0, hidden_size, 2).float() * (-math.log(10000.0) / hidden_size))
    angle = torch.arange(max_position)[:, None] * rate
    out[:, 0::2], out[:, 1::2] = angle.cos(), angle.sin()[:, : hidden_size // 2]
    return out
""",
)
wrong(
    "times the root of the width",
    "get_table",
    "scaled",
    """
def get_table(n_pos, d_model):
    return fill(n_pos, d_model) * d_model**0.5
""",
)
wrong(
    "positions from one, asked by positions",
    "Pos",
    "starts-at-one",
    """
class Pos(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
    def forward(self, position_ids):
        return fill(int(position_ids.max()) + 2, self.dim)[position_ids + 1]
""",
)
wrong(
    "doubled, and returned alone",
    "Alone",
    "doubled",
    """
class Alone(nn.Module):
    def __init__(self, d_model, max_len=5000):
        super().__init__()
        rate = torch.exp(torch.arange(0, d_model, 2).float() * 2 * (-math.log(10000.0) / d_model))
        angle = torch.arange(max_len)[:, None] * rate
        pe = torch.stack([angle.sin(), angle.cos()], 2).reshape(max_len, -1)[:, :d_model]
        self.register_buffer("pe", pe[None])
    def forward(self, x):
        return self.pe[:, : x.size(1)]
""",
)
wrong(
    "one mean row for all",
    "PositionalEncoding",
    "missing-colon",
    layer("fill(max_len, d_model)[None]", "x + self.pe[:, :1]"),
)
wrong("multiplied", "PositionalEncoding", "multiplied", layer(sum="x * self.pe[: x.shape[1]]"))
wrong(
    "added twice", "PositionalEncoding", "added-twice", layer(sum="x + self.pe[: x.shape[1]] + self.pe[: x.shape[1]]")
)
wrong("never added", "PositionalEncoding", "never-added", layer(sum="x"))
wrong("no slice", "PositionalEncoding", "no-slice", layer(sum="x + self.pe"))
wrong(
    "a missing colon",
    "PositionalEncoding",
    "missing-colon",
    layer("fill(max_len + 1, d_model)[None]", "x + self.pe[:, x.size(1)].unsqueeze(1)"),
)
wrong("in place", "PositionalEncoding", "in-place", layer(sum="x.add_(self.pe[: x.shape[1]])"))
wrong(
    "a trained table",
    "PositionalEncoding",
    "trainable",
    layer("fill(max_len, d_model)").replace('self.register_buffer("pe", pe)', "self.pe = nn.Parameter(pe)"),
)
wrong(
    "a plain attribute",
    "PositionalEncoding",
    "unregistered",
    layer().replace('self.register_buffer("pe", pe)', "self.pe = pe"),
)
wrong("float64 comes out", "PositionalEncoding", "dtype", layer("fill(max_len, d_model).double()"))
wrong(
    "half precision angles",
    "get_table",
    "low-precision",
    """
def get_table(seq_len, head_size):
    rate = torch.exp(torch.arange(0, head_size, 2).float() * (-math.log(10000.0) / head_size)).bfloat16()
    angle = torch.arange(seq_len).bfloat16()[:, None] * rate
    return torch.stack([angle.sin(), angle.cos()], 2).reshape(seq_len, -1)[:, :head_size].float()
""",
)
wrong(
    "integer division",
    "table",
    "no-exponent",
    """
def table(seq_len, d):
    j = np.arange(d)
    angle = np.arange(seq_len)[:, None] / 10000 ** (j // d)
    return np.where(j % 2 == 0, np.sin(angle), np.cos(angle))
""",
)
wrong(
    "nothing is returned",
    "table",
    "none",
    """
def table(seq_len, d_model):
    pe = fill(seq_len, d_model)
""",
)
wrong(
    "transposed",
    "table",
    "transposed",
    """
def table(max_len, d_model):
    return fill(max_len, d_model).T
""",
)
wrong(
    "dropout in use",
    "PositionalEncoding",
    "dropout",
    layer(sum="torch.nn.functional.dropout(x + self.pe[: x.shape[1]], 0.1)"),
)
not_run(
    "an argument that nobody knows",
    "Coloured",
    "colour",
    """
class Coloured(nn.Module):
    def __init__(self, colour, d_model, max_len):
        super().__init__()
        self.register_buffer("pe", fill(max_len, d_model))
    def forward(self, x):
        return x + self.pe[: x.shape[1]]
""",
)
not_run("a name that is not there", "Missing", "has no Missing", "")
not_run(
    "an error",
    "broken",
    "ZeroDivisionError",
    """
def broken(max_len, d_model):
    return fill(max_len, d_model) / (1 // 0)
""",
)
not_run(
    "another kind of model",
    "Classifier",
    "Classifier",
    """
class Classifier(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten(), nn.LazyLinear(num_classes))
    def forward(self, images):
        return self.net(images)
""",
)
not_run(
    "an object that was made",
    "layer",
    "Embedding",
    """
layer = nn.Embedding(10, 8)
""",
)
not_run(
    "not written yet",
    "table",
    "not written yet",
    """
def table(max_len, d_model):
    raise NotImplementedError
""",
)

convention(
    "a learned table, looked up",
    "LearnedPositions",
    "learned",
    """
class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.rows = nn.Embedding(max_len, d_model)
    def forward(self, x):
        return x + self.rows(torch.arange(x.shape[1]))
""",
)
convention(
    "a learned table for one length",
    "PatchPositions",
    "learned",
    """
class PatchPositions(nn.Module):
    def __init__(self, num_patches, hidden_dim):
        super().__init__()
        self.rows = nn.Parameter(torch.randn(1, num_patches, hidden_dim) * 0.02)
    def forward(self, patches):
        return patches + self.rows
""",
)
wrong(
    "a table of sines that is trained, from an embedding",
    "StartsAsSines",
    "trainable",
    """
class StartsAsSines(nn.Module):
    def __init__(self, seq_len, hidden_dim):
        super().__init__()
        self.rows = nn.Embedding(seq_len, hidden_dim)
        self.rows.weight.data.copy_(fill(seq_len, hidden_dim))
    def forward(self, x):
        return x + self.rows(torch.arange(x.shape[1]))
""",
)
wrong(
    "the column's own exponent, rows called channels",
    "sinusoidal_embedding",
    "own-odd-exponent",
    """
def sinusoidal_embedding(n_channels, dim):
    at = torch.FloatTensor([[p / 10000 ** (j / dim) for j in range(dim)] for p in range(n_channels)])
    at[:, 0::2], at[:, 1::2] = torch.sin(at[:, 0::2]), torch.cos(at[:, 1::2])
    return at[None]
""",
)
not_run(
    "a feed-forward part",
    "FeedForward",
    "computes with weights",
    """
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))
    def forward(self, x):
        return self.net(x)
""",
)
