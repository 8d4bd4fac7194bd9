"""Right encodings as people hand them in: the parameter names and structures of public code, in words of our own."""

RIGHT = {}  # name -> (source, target)

HEAD = """
import math
import numpy as np
import torch
import torch.nn as nn

"""

FILL = """
def fill(rows, width):
    pe = torch.zeros(rows, width)
    at = torch.arange(rows, dtype=torch.float).unsqueeze(1)
    rate = torch.exp(torch.arange(0, width, 2).float() * (-math.log(10000.0) / width))
    pe[:, 0::2] = torch.sin(at * rate)
    pe[:, 1::2] = torch.cos(at * rate)[:, : width // 2]
    return pe

"""


def right(name, target, source):
    RIGHT[name] = (source if source.startswith(HEAD) else HEAD + FILL + source, target)


right(
    "a layer of the usual kind",
    "PositionalEncoding",
    """
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.register_buffer("pe", fill(max_len, d_model).unsqueeze(0))
    def forward(self, x):
        x = x + self.pe[:, : x.size(1)].requires_grad_(False)
        return self.dropout(x)
""",
)
right(
    "sequence first",
    "PositionalEncoding",
    """
class PositionalEncoding(nn.Module):
    def __init__(self, d_model: int, dropout: float = 0.1, max_len: int = 5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.register_buffer("pe", fill(max_len, d_model)[:, None])
    def forward(self, x):
        return self.dropout(x + self.pe[: x.size(0)])
""",
)
right(
    "only the encoding, with a batch axis of one",
    "PositionalEmbedding",
    """
class PositionalEmbedding(nn.Module):
    def __init__(self, d_model, max_len=5000):
        super().__init__()
        pe = fill(max_len, d_model)
        pe.require_grad = False
        self.register_buffer("pe", pe.unsqueeze(0))
    def forward(self, x):
        return self.pe[:, : x.size(1)]
""",
)
right(
    "only the encoding, two axes",
    "PositionalEncoding",
    """
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len, device):
        super().__init__()
        self.encoding = fill(max_len, d_model).to(device)
        self.encoding.requires_grad = False
    def forward(self, x):
        batch_size, seq_len = x.size()[:2]
        return self.encoding[:seq_len, :]
""",
)
right(
    "only the encoding, for token ids",
    "PositionalEncoding",
    """
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len, device):
        super().__init__()
        self.encoding = fill(max_len, d_model).to(device)
    def forward(self, x):
        batch_size, seq_len = x.size()
        return self.encoding[:seq_len, :]
""",
)
right(
    "only the encoding, expanded over the batch",
    "SinusoidalPositions",
    """
class SinusoidalPositions(nn.Module):
    def __init__(self, embed_model_dim, expected_max_sequence_length=512):
        super().__init__()
        self.register_buffer("table", fill(expected_max_sequence_length, embed_model_dim))
    def forward(self, x):
        return self.table[None, : x.shape[1]].expand(x.shape[0], -1, -1)
""",
)
right(
    "only the encoding, sequence first",
    "PosEnc",
    """
class PosEnc(nn.Module):
    def __init__(self, hidden, num_positions):
        super().__init__()
        self.register_buffer("pos", fill(num_positions, hidden).unsqueeze(1))
    def forward(self, src):
        return self.pos[: src.size(0)]
""",
)
right(
    "forward takes positions",
    "SinusoidalEmbedding",
    """
class SinusoidalEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
    def forward(self, positions):
        rate = 10000 ** (-torch.arange(0, self.dim, 2, device=positions.device).float() / self.dim)
        angle = positions[:, None].float() * rate
        return torch.stack([angle.sin(), angle.cos()], -1).flatten(1)[:, : self.dim]
""",
)
right(
    "forward takes times",
    "TimeEmbedding",
    """
class TimeEmbedding(nn.Module):
    def __init__(self, n_channels: int):
        super().__init__()
        self.n_channels = n_channels
    def forward(self, t):
        rate = torch.exp(-math.log(10_000) * torch.arange(0, self.n_channels, 2) / self.n_channels)
        angle = t.unsqueeze(-1) * rate
        out = torch.zeros(*t.shape, self.n_channels)
        out[..., 0::2] = angle.sin()
        out[..., 1::2] = angle.cos()[..., : self.n_channels // 2]
        return out
""",
)
right(
    "forward takes a length",
    "PositionalEncoder",
    """
class PositionalEncoder(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.d_model = d_model
    def forward(self, seq_len):
        return fill(seq_len, self.d_model)
""",
)
right(
    "forward takes token ids and an embedding is inside",
    "Embeddings",
    """
class Embeddings(nn.Module):
    def __init__(self, vocab_size, d_model, max_len=512, dropout=0.1):
        super().__init__()
        self.tok = nn.Embedding(vocab_size, d_model)
        self.register_buffer("pe", fill(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
    def forward(self, input_ids):
        return self.dropout(self.tok(input_ids) + self.pe[: input_ids.size(1)])
""",
)
right(
    "forward takes nothing",
    "Grid",
    """
class Grid(nn.Module):
    def __init__(self, seq_length, emb_dim):
        super().__init__()
        self.register_buffer("pe", fill(seq_length, emb_dim))
    def forward(self):
        return self.pe
""",
)
right(
    "forward takes x and positions",
    "AddAt",
    """
class AddAt(nn.Module):
    def __init__(self, d_model, max_len=1000):
        super().__init__()
        self.register_buffer("pe", fill(max_len, d_model))
    def forward(self, x, positions):
        return x + self.pe[positions]
""",
)
right(
    "forward takes x and a mask",
    "Masked",
    """
class Masked(nn.Module):
    def __init__(self, d_model, max_len=1000):
        super().__init__()
        self.register_buffer("pe", fill(max_len, d_model))
    def forward(self, x, mask):
        out = x + self.pe[: x.shape[1]]
        return out if mask is None else out.masked_fill(mask[..., None], 0)
""",
)
right(
    "a device is required",
    "PE",
    """
class PE(nn.Module):
    def __init__(self, model_dimension, dropout_probability, expected_max_sequence_length, device):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout_probability)
        table = fill(expected_max_sequence_length, model_dimension)
        self.register_buffer("positional_encodings_table", table.to(device))
    def forward(self, embeddings_batch):
        return self.dropout(embeddings_batch + self.positional_encodings_table[: embeddings_batch.shape[1]])
""",
)
right(
    "a kind is required",
    "Encoder",
    """
class Encoder(nn.Module):
    def __init__(self, enc_type, d_model, max_len):
        super().__init__()
        if enc_type == "learned":
            self.pe = nn.Parameter(torch.randn(max_len, d_model))
        elif enc_type == "sinusoidal":
            self.register_buffer("pe", fill(max_len, d_model))
        else:
            raise ValueError(enc_type)
    def forward(self, x):
        return x + self.pe[: x.shape[1]]
""",
)
right(
    "heads and vocabulary are required",
    "Front",
    """
class Front(nn.Module):
    def __init__(self, n_heads, vocab_size, hidden_size, max_position_embeddings):
        super().__init__()
        assert hidden_size % n_heads == 0 and vocab_size > 1
        self.register_buffer("pe", fill(max_position_embeddings, hidden_size))
    def forward(self, hidden_states):
        return hidden_states + self.pe[: hidden_states.shape[1]]
""",
)
right(
    "a size under an unknown name",
    "ObservationEncoding",
    """
class ObservationEncoding(nn.Module):
    def __init__(self, observation_state, num_positions):
        super().__init__()
        self.register_buffer("pe", fill(num_positions, observation_state))
    def forward(self, x):
        return x + self.pe[: x.shape[1]]
""",
)
right(
    "a timescale comes first",
    "SinPos",
    """
class SinPos(nn.Module):
    def __init__(self, max_timescale=10000.0, embedding_size=64, n_steps=100):
        super().__init__()
        rate = max_timescale ** (-torch.arange(0, embedding_size, 2) / embedding_size)
        angle = torch.arange(n_steps)[:, None] * rate
        self.register_buffer("pe", torch.stack([angle.sin(), angle.cos()], 2).reshape(n_steps, -1)[:, :embedding_size])
    def forward(self, inputs):
        return inputs + self.pe[: inputs.size(1)]
""",
)
right(
    "no size at all",
    "Signal",
    """
class Signal(nn.Module):
    def __init__(self, max_timescale=1.0e4):
        super().__init__()
        self.max_timescale = max_timescale
    def forward(self, x):
        length, channels = x.shape[1], x.shape[2]
        rate = self.max_timescale ** (-torch.arange(0, channels, 2, device=x.device) / channels)
        angle = torch.arange(length, device=x.device)[:, None] * rate
        return x + torch.stack([angle.sin(), angle.cos()], 2).reshape(length, -1)[:, :channels]
""",
)
right(
    "made for each x, no max_len",
    "OnTheFly",
    """
class OnTheFly(nn.Module):
    def __init__(self, num_hiddens, dropout):
        super().__init__()
        self.num_hiddens, self.drop = num_hiddens, nn.Dropout(dropout)
    def forward(self, X):
        return self.drop(X + fill(X.shape[1], self.num_hiddens).to(X.device))
""",
)
right(
    "a config object",
    "Positions",
    """
class Positions(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.drop = nn.Dropout(args.dropout)
        self.register_buffer("pe", fill(args.block_size, args.n_embd))
    def forward(self, x):
        return self.drop(x + self.pe[: x.size(1)])
""",
)
right(
    "a config that is a dict",
    "Positions",
    """
class Positions(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.register_buffer("pe", fill(cfg["context_length"], cfg["emb_dim"]))
    def forward(self, x):
        return x + self.pe[: x.size(1)]
""",
)
right(
    "a buffer kept out of checkpoints, its length in forward only",
    "PosEncoding",
    """
class PosEncoding(nn.Module):
    def __init__(self, d_word_vec, n_position=200):
        super().__init__()
        self.register_buffer("pos_table", self._table(n_position, d_word_vec))
    def _table(self, n_position, d_hid):
        def row(position):
            return [position / np.power(10000, 2 * (j // 2) / d_hid) for j in range(d_hid)]
        table = np.array([row(p) for p in range(n_position)])
        table[:, 0::2] = np.sin(table[:, 0::2])
        table[:, 1::2] = np.cos(table[:, 1::2])
        return torch.FloatTensor(table).unsqueeze(0)
    def forward(self, x):
        return x + self.pos_table[:, : x.size(1)].clone().detach()
""",
)
right(
    "the method of such a class",
    "PosEncoding._table",
    RIGHT["a buffer kept out of checkpoints, its length in forward only"][0],
)
right(
    "a function of n_position and d_hid",
    "sinusoid_table",
    """
def sinusoid_table(n_position, d_hid, padding_idx=None):
    def angle(position, j):
        return position / np.power(10000, 2 * (j // 2) / d_hid)
    table = np.array([[angle(p, j) for j in range(d_hid)] for p in range(n_position)])
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 1::2])
    if padding_idx is not None:
        table[padding_idx] = 0.0
    return torch.FloatTensor(table)
""",
)
right(
    "position is a number",
    "positional_encoding",
    """
def positional_encoding(position, d_model):
    angles = np.arange(position)[:, np.newaxis] / np.power(10000, (2 * (np.arange(d_model)[np.newaxis] // 2)) / d_model)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return angles[np.newaxis, ...]
""",
)
right(
    "positions are an array",
    "encode_positions",
    """
def encode_positions(pos, dim):
    rate = 1.0 / 10000 ** (np.arange(0, dim, 2) / dim)
    out = np.empty((len(pos), dim))
    out[:, 0::2] = np.sin(pos[:, None] * rate)
    out[:, 1::2] = np.cos(pos[:, None] * rate)[:, : dim // 2]
    return out
""",
)
right(
    "positions are a column tensor",
    "embed",
    """
def embed(positions: torch.Tensor, embedding_dim: int) -> torch.Tensor:
    assert positions.ndim == 2 and positions.shape[1] == 1
    rate = torch.pow(10000.0, -torch.arange(0, embedding_dim, 2) / embedding_dim)
    angle = positions * rate
    return torch.stack((angle.sin(), angle.cos()), dim=2).view(len(positions), -1)[:, :embedding_dim]
""",
)
right(
    "a row for one position",
    "row",
    """
def row(pos, d_model):
    return [math.cos(pos / 10000 ** ((j - 1) / d_model)) if j % 2 else math.sin(pos / 10000 ** (j / d_model))
            for j in range(d_model)]
""",
)
right(
    "a tensor whose shape is read",
    "get_position_encoding",
    """
def get_position_encoding(x):
    return fill(x.shape[1], x.shape[2]).to(x.device)
""",
)
right(
    "a function that adds",
    "add_positions",
    """
def add_positions(inputs):
    return inputs + fill(inputs.size(1), inputs.size(2)).to(inputs.device)
""",
)
right(
    "self is first",
    "make_table",
    """
def make_table(self, max_seq_len, embed_size):
    return fill(max_seq_len, embed_size)
""",
)
right(
    "a method that asks self for the width",
    "Model.positional",
    """
class Model(nn.Module):
    def __init__(self, vocabulary, tagger, d_model=512):
        super().__init__()
        self.d_model = tagger.width
    def positional(self, length):
        return fill(length, self.d_model)
""",
)
right(
    "an embedding is returned",
    "position_embedding",
    """
def position_embedding(num_embeddings, embedding_dim):
    emb = nn.Embedding(num_embeddings, embedding_dim)
    emb.weight = nn.Parameter(fill(num_embeddings, embedding_dim), requires_grad=False)
    return emb
""",
)
right(
    "an embedding is inside, asked by positions",
    "FixedEmbedding",
    """
class FixedEmbedding(nn.Module):
    def __init__(self, c_in, d_model):
        super().__init__()
        self.emb = nn.Embedding(c_in, d_model)
        self.emb.weight = nn.Parameter(fill(c_in, d_model), requires_grad=False)
    def forward(self, x):
        return self.emb(x).detach()
""",
)
right(
    "a NumPy class with forward",
    "PositionalEncoding",
    """
class PositionalEncoding:
    def __init__(self, max_len, d_model):
        self.pe = fill(max_len, d_model).numpy()
    def forward(self, x):
        return x + self.pe[: x.shape[1]]
""",
)
right(
    "a NumPy class that is called",
    "Table",
    """
class Table:
    def __init__(self, d_model, max_len=100):
        self.rows = fill(max_len, d_model).numpy()
    def __call__(self, length):
        return self.rows[:length]
""",
)
right(
    "a part of a whole model",
    "Transformer.pos_encoder",
    """
class Pos(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.register_buffer("pe", fill(max_len, d_model))
    def forward(self, x):
        return x + self.pe[: x.shape[1]]

class Transformer(nn.Module):
    def __init__(self, src_vocab_size, tgt_vocab_size, d_model, num_heads, num_layers, d_ff, max_seq_length, dropout):
        super().__init__()
        self.embedding = nn.Embedding(src_vocab_size, d_model)
        self.pos_encoder = Pos(d_model, max_seq_length)
        self.norm = nn.LayerNorm(d_model)
        self.out = nn.Linear(d_model, tgt_vocab_size)
    def forward(self, ids):
        return self.out(self.norm(self.pos_encoder(self.embedding(ids))))
""",
)
right(
    "a buffer of a whole model",
    "Net.pe",
    """
class Net(nn.Module):
    def __init__(self, vocab, dim, ctx_len):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.register_buffer("pe", fill(ctx_len, dim))
        self.out = nn.Linear(dim, vocab)
    def forward(self, tokens):
        return self.out(self.emb(tokens) + self.pe[: tokens.shape[1]])
""",
)
right(
    "x is scaled",
    "ScaledPE",
    """
class ScaledPE(nn.Module):
    def __init__(self, d_model, max_seq_len=80):
        super().__init__()
        self.d_model = d_model
        self.register_buffer("pe", fill(max_seq_len, d_model)[None])
    def forward(self, x):
        x = x * math.sqrt(self.d_model)
        return x + self.pe[:, : x.size(1)]
""",
)
right(
    "odd widths are refused",
    "EvenOnly",
    """
class EvenOnly(nn.Module):
    def __init__(self, d_model, max_len=100):
        super().__init__()
        if d_model % 2:
            raise ValueError(f"Cannot use sin/cos positional encoding with odd dim (got dim={d_model})")
        self.register_buffer("pe", fill(max_len, d_model))
    def forward(self, emb):
        return emb + self.pe[: emb.shape[1]]
""",
)
right(
    "a table for even widths",
    "even_table",
    """
def even_table(length, depth):
    if depth % 2:
        raise ValueError("depth must be even")
    return fill(length, depth)
""",
)
right(
    "a table with an axis of one in the middle",
    "pe_with_axis",
    """
def pe_with_axis(max_len, d_model):
    return fill(max_len, d_model).unsqueeze(1)
""",
)
right(
    "moved lazily",
    "Lazy",
    """
class Lazy(nn.Module):
    def __init__(self, d_model, max_len=64):
        super().__init__()
        self.pe = fill(max_len, d_model)
    def forward(self, x):
        if self.pe.device != x.device:
            self.pe = self.pe.to(x.device)
        return x + self.pe[: x.shape[1]]
""",
)
right(
    "grows when it must",
    "Growing",
    """
class Growing(nn.Module):
    def __init__(self, d_model, dropout_rate, max_len=16):
        super().__init__()
        self.d_model, self.pe = d_model, None
        self.dropout = nn.Dropout(p=dropout_rate)
        self.extend(torch.zeros(1, max_len))
    def extend(self, x):
        if self.pe is None or self.pe.size(1) < x.size(1):
            self.pe = fill(x.size(1), self.d_model)[None]
        self.pe = self.pe.to(device=x.device, dtype=x.dtype)
    def forward(self, x):
        self.extend(x)
        return self.dropout(x + self.pe[:, : x.size(1)])
""",
)
right(
    "a package is missing",
    "PositionalEncoding",
    """
import package_that_nobody_has
from another_missing_one.parts import Trainer

class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=512):
        super().__init__()
        self.register_buffer("pe", fill(max_len, d_model))
    def forward(self, x):
        return x + self.pe[: x.shape[1]]

class Experiment(Trainer):
    pass
""",
)
right(
    "a table in a tuple",
    "freqs",
    """
def freqs(seqlen, dim):
    table = fill(seqlen, dim)
    return table, table.shape
""",
)
right(
    "a class method",
    "Tables.build",
    """
class Tables:
    @classmethod
    def build(cls, n_positions, dim):
        return fill(n_positions, dim)
""",
)
right(
    "a dtype is required",
    "typed",
    """
def typed(length, channels, dtype, device):
    return fill(length, channels).to(device=device, dtype=dtype)
""",
)

right(
    "input is positions",
    "position_embedding",
    """
def position_embedding(input, d_model):
    input = input.view(-1, 1)
    dim = torch.arange((d_model+1) // 2, dtype=torch.float32).view(1, -1)
    out = torch.zeros((input.shape[0], d_model))
    out[:, ::2] = torch.sin(input / 10000 ** (2 * dim / d_model))
    out[:, 1::2] = torch.cos(input / 10000 ** (2 * dim / d_model))[:, :d_model//2]
    return out
""",
)
right(
    "a config that is kept",
    "PE",
    """
class PE(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        pe = fill(config.max_len, config.hidden_size)
        self.register_buffer('pe', pe.unsqueeze(0))
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, x):
        return self.dropout(x + self.pe[:, :x.size(1)])
""",
)
right(
    "a parameter that is not trained",
    "SinusoidalPosEncoder",
    """
class SinusoidalPosEncoder(torch.nn.Module):
    def __init__(self, max_positions: int, model_dim: int) -> None:
        super().__init__()
        self.pos_embeddings = torch.nn.Parameter(fill(max_positions, model_dim), requires_grad=False)
    def forward(self, x):
        return x + self.pos_embeddings[:x.shape[1]]
""",
)
right(
    "keywords only, above a base class",
    "SPE",
    """
class Base(nn.Module):
    def __init__(self, *, embed_dim, num_heads, head_dim, max_length, padding_idx):
        super().__init__()
        self.max_length = max_length
class SPE(Base):
    def __init__(self, *, embed_dim, max_length, padding_idx):
        super().__init__(
            embed_dim=embed_dim, num_heads=None, head_dim=None, max_length=max_length, padding_idx=padding_idx
        )
        self.register_buffer('pe', fill(max_length, embed_dim))
    def forward(self, x):
        return x + self.pe[None, :x.size(1)]
""",
)
right(
    "odd widths are refused by an assertion",
    "VanillaPositionalEncoding",
    """
class VanillaPositionalEncoding(nn.Module):
    def __init__(self, hidden_dim, max_len, device):
        assert hidden_dim % 2 == 0, "hidden_dim should be divisible by 2"
        super().__init__()
        self.register_buffer('pe', fill(max_len, hidden_dim).to(device))
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.pe[:x.size(1)].unsqueeze(0)
""",
)
right(
    "n_seq and d_hidn",
    "get_position_angle_table",
    """
def get_position_angle_table(n_seq, d_hidn):
    return fill(n_seq, d_hidn)
""",
)
right(
    "a part whose width is called a length",
    "Embedder.positional",
    """
class Embedder(nn.Module):
    def __init__(self, vocab_size, embedding_length, max_sent_len):
        super().__init__()
        self.positional = Pos(embedding_length, max_sent_len)
class Pos(nn.Module):
    def __init__(self, embedding_length, max_sent_len):
        super().__init__()
        self.register_buffer('pe', fill(max_sent_len, embedding_length))
    def forward(self, x):
        return x + self.pe[:x.size(1)]
""",
)
right(
    "a table of a model with a config",
    "GPT.pos_emb",
    """
class GPTConfig:
    block_size = 1024
    n_embd = 768
class GPT(nn.Module):
    def __init__(self, config: GPTConfig):
        super().__init__()
        assert config.vocab_size is not None
        self.wte = nn.Embedding(config.vocab_size, config.n_embd)
        self.pos_emb = fill(config.block_size, config.n_embd)
        self.h = nn.ModuleList([nn.Linear(config.n_embd, config.n_embd) for _ in range(config.n_layer)])
    def forward(self, idx):
        return self.wte(idx)
""",
)
right(
    "a tensor of any shape",
    "encode",
    """
def encode(t: torch.Tensor, size: int):
    w = 10000 ** (-torch.arange(0, size, 2) / size)
    a = t.unsqueeze(-1) * w
    return torch.stack([a.sin(), a.cos()], -1).reshape(*t.shape, -1)[..., :size]
""",
)
right(
    "capital letters, nested lists",
    "pe",
    """
def pe(L, D):
    return fill(L, D).tolist()
""",
)
right(
    "n is the base",
    "positional_encoding",
    """
def positional_encoding(seq_length: int, d_model: int, n: int = 10000) -> np.ndarray:
    P = np.zeros((seq_length, d_model))
    for k in range(seq_length):
        for i in range((d_model + 1) // 2):
            P[k, 2*i] = np.sin(k / n ** (2*i/d_model))
            if 2*i+1 < d_model: P[k, 2*i+1] = np.cos(k / n ** (2*i/d_model))
    return P
""",
)
right(
    "a static method",
    "TransformerDecoder.forward",
    """
class TransformerDecoder:
    @staticmethod
    def forward(length, hidden):
        return fill(length, hidden)
""",
)
right(
    "ninp, sequence first",
    "Enc",
    """
class Enc(nn.Module):
    def __init__(self, ninp, max_len=5000):
        super().__init__()
        self.register_buffer('pe', fill(max_len, ninp).unsqueeze(0).transpose(0, 1))
    def forward(self, x):
        return x + self.pe[:x.size(0), :]
""",
)
right(
    "positions are optional",
    "Enc2",
    """
class Enc2(nn.Module):
    def __init__(self, d_model, seq_len, batch_size):
        super().__init__()
        self.register_buffer('pe', fill(seq_len, d_model))
    def forward(self, x, pos=None):
        return x + self.pe[:x.size(1)] if pos is None else x + self.pe[pos]
""",
)
right(
    "tokens are embeddings",
    "PatchPos",
    """
class PatchPos(nn.Module):
    def __init__(self, in_channels, num_patches, projection_dim):
        super().__init__()
        self.register_buffer('pe', fill(num_patches, projection_dim))
    def forward(self, tokens):
        return tokens + self.pe[:tokens.size(1)]
""",
)
right(
    "scaled tokens are inside",
    "TokenAndPosition",
    """
class TokenAndPosition(nn.Module):
    def __init__(self, vocab_size, embed_dim, maxlen, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embed_dim, padding_idx=pad_id)
        self.scale = embed_dim ** 0.5
        self.register_buffer('pe', fill(maxlen, embed_dim))
    def forward(self, tokens):
        return self.embedding(tokens.long()) * self.scale + self.pe[:tokens.size(1)]
""",
)
right(
    "it writes into out",
    "init_table",
    """
def init_table(n_pos, dim, out):
    with torch.no_grad():
        out[:] = fill(n_pos, dim)
""",
)
right(
    "a method and a config",
    "Model.get_pe",
    """
class Model(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.hidden = cfg.hidden
    def get_pe(self, n_tokens, device):
        return fill(n_tokens, self.hidden).to(device)
""",
)

right(
    "channels first",
    "PositionsOfChannels",
    """
class PositionsOfChannels(nn.Module):
    def __init__(self, d_model, max_len=5000):
        super().__init__()
        self.register_buffer("pe", fill(max_len, d_model).T.contiguous())
    def forward(self, x):
        return x + self.pe[None, :, : x.size(2)]
""",
)
right(
    "the sum and the encoding beside it",
    "PositionalEncoding",
    """
class PositionalEncoding(nn.Module):
    def __init__(self, d_model: int, dropout_rate: float, max_len: int = 5000):
        super().__init__()
        self.root, self.dropout = math.sqrt(d_model), nn.Dropout(dropout_rate)
        self.register_buffer("pe", fill(max_len, d_model)[None])
    def forward(self, x, offset: int = 0):
        rows = self.pe[:, offset : offset + x.size(1)]
        return self.dropout(x * self.root + rows), self.dropout(rows)
""",
)
right(
    "two loops that leave the last odd column empty",
    "getPositionEncoding",
    """
def getPositionEncoding(seq_len, d, n=10000):
    table = np.zeros((seq_len, d))
    for pos in range(seq_len):
        for k in range(d // 2):
            table[pos, 2 * k : 2 * k + 2] = np.sin(pos / n ** (2 * k / d)), np.cos(pos / n ** (2 * k / d))
    return table
""",
)
