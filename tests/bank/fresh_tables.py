"""Sinusoidal tables as functions, from public files in several languages: right ones, designs and wrong ones."""

from .fresh_form import NUMPY, TORCH, Case

CASES = [
    Case(
        "Spanish: a rate for every column, sliced twice",
        NUMPY
        + '''
def positional_encoding(max_len=100, d_model=100):
    # matriz para guardar la codificación
    tabla = np.zeros((max_len, d_model))
    posiciones = np.arange(max_len)[:, None]
    frecuencias = np.power(10000, -2 * (np.arange(d_model) // 2) / d_model)
    tabla[:, 0::2] = np.sin(posiciones * frecuencias[0::2])  # columnas pares
    tabla[:, 1::2] = np.cos(posiciones * frecuencias[1::2])  # columnas impares
    return tabla
''',
        "positional_encoding",
        "right",
        (),
        "The paper's table for every width, odd ones too.",
        "NickMiras2024/Proyectos, IA_Python/AVI/mod/pocicionamiento_codificado.py",
        ("odd",),
    ),
    Case(
        "a script that builds and prints a large table",
        TORCH
        + '''
def positional_encoding(max_len, d_model):
    rows = torch.arange(0, max_len).unsqueeze(1)
    rates = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    out = torch.zeros(max_len, d_model)
    out[:, 0::2] = torch.sin(rows * rates)  # 偶数维度
    out[:, 1::2] = torch.cos(rows * rates)  # 奇数维度
    return out


# 文本长度4，维度1024
pe = positional_encoding(1000, 1024)
torch.set_printoptions(sci_mode=False)
print(pe)
''',
        "positional_encoding",
        "right-main",
        ("odd",),
        "The paper's table; an odd width has one cosine too many and raises.",
        "Urie96/learn-llm, position_embedding.py",
    ),
    Case(
        "Korean: both sizes have defaults, and a batch axis of one",
        TORCH
        + '''
def positional_encoding(max_len=1000, d_model=64):
\t# 위치: (max_len, 1)
\twhere = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)

\t# 각 차원의 주파수
\tspeed = torch.exp(
\t\ttorch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model)
\t)
\tpe = torch.zeros(max_len, d_model)
\t# 짝수는 sin, 홀수는 cos
\tpe[:, 0::2] = torch.sin(where * speed)
\tpe[:, 1::2] = torch.cos(where * speed)
\tpe = pe.unsqueeze(0)
\treturn pe
''',
        "",
        "right-main",
        ("odd",),
        "The paper's table with a leading axis of one; odd widths raise.",
        "sunil-log/util_sac, pytorch/model/positional_encoding.py (2025)",
    ),
    Case(
        "the width comes first, and every number is printed",
        TORCH
        + '''
def positional_encoding(d_model, n_tokens):
    "Generate a positional encoding for a transformer"
    table = torch.zeros(n_tokens, d_model)
    for pos in range(n_tokens):
        for i in range(0, d_model, 2):
            scale = 10000 ** (i / d_model)
            table[pos, i] = math.sin(pos / scale)
            table[pos, i + 1] = math.cos(pos / scale)
            print(f"pos {pos} i {table[pos, i]} i+2 {table[pos, i + 1]}")
        if d_model % 2 != 0:
            table[pos, d_model - 1] = math.sin(pos / 10000 ** ((d_model - 1) / d_model))
    return table
''',
        "positional_encoding",
        "right-main",
        ("odd",),
        "The paper's table; at an odd width the loop writes past the last column before the repair below it is reached.",
        "public file, search corpus code: positional_encoding(d_model, n_tokens) with printed values",
        ("transposed",),
    ),
    Case(
        "two functions: a table, and the sum",
        TORCH
        + '''
def get_sinusoidal_positional_encoding(max_len: int, d_model: int) -> torch.Tensor:
    """Returns (max_len, d_model)."""
    pe = torch.zeros(max_len, d_model)
    at = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
    rate = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(at * rate)
    pe[:, 1::2] = torch.cos(at * rate)
    return pe


def add_positional(x: torch.Tensor, pe: torch.Tensor) -> torch.Tensor:
    """x: (B, T, d_model), pe: (max_len, d_model)"""
    return x + pe[: x.size(1)].unsqueeze(0).to(x.device)
''',
        "get_sinusoidal_positional_encoding",
        "right-main",
        ("odd",),
        "The paper's table; odd widths raise.",
        "public file, search corpus code: add_positional(x, pe)",
    ),
    Case(
        "plain lists, N rows of d numbers",
        NUMPY
        + '''
def sinusoidal(N, d):
    rows = [[0.0] * d for _ in range(N)]
    for pos in range(N):
        for i in range(d // 2):
            angle = pos / (10000 ** (2 * i / d))
            rows[pos][2 * i] = math.sin(angle)
            rows[pos][2 * i + 1] = math.cos(angle)
    return rows
''',
        "sinusoidal",
        "right-main",
        ("odd",),
        "The paper's table as nested lists; at an odd width the last column stays 0, where the paper has a sine.",
        "public course text in Chinese and English (2026), text index 67524829640",
    ),
    Case(
        "get_angles with an underscore",
        NUMPY
        + '''
def _get_angles(pos, i, dim):
    rates = 1 / np.power(10000, (2 * (i // 2)) / np.float32(dim))
    return pos * rates


def get_positional_encodings(max_pos: int, dim: int) -> np.array:
    out = _get_angles(np.arange(max_pos)[:, np.newaxis], np.arange(dim)[np.newaxis, :], dim)
    out[:, 0::2] = np.sin(out[:, 0::2])
    out[:, 1::2] = np.cos(out[:, 1::2])
    return out
    # return out[np.newaxis, ...]
''',
        "get_positional_encodings",
        "right",
        (),
        "The paper's table in float64 or float32; odd widths work.",
        "public file, search corpus code: get_positional_encodings(max_pos, dim)",
        ("odd",),
    ),
    Case(
        "divisors named rates, and an import inside",
        '''
def sinusoidal_positions(seq_len, d_model):
    import numpy as np

    positions = np.arange(seq_len, dtype=float)[:, None]
    channels = np.arange(d_model, dtype=float)[None, :]
    pair = np.floor(channels / 2.0)
    angle_rates = np.power(10000.0, (2.0 * pair) / float(d_model))
    angles = positions / angle_rates
    table = np.zeros((seq_len, d_model), dtype=float)
    table[:, 0::2] = np.sin(angles[:, 0::2])
    table[:, 1::2] = np.cos(angles[:, 1::2])
    return table
''',
        "",
        "right",
        (),
        "The paper's table: what it calls rates are divisors, and it divides by them.",
        "public file, text index 25995009308",
        ("inverted",),
    ),
    Case(
        "a script whose rows begin at the second",
        TORCH
        + '''
d_pos_vec = 10
n_position = 3
position_enc = np.array(
    [
        [pos / np.power(10000, 2 * (j // 2) / d_pos_vec) for j in range(d_pos_vec)] if pos != 0 else np.zeros(d_pos_vec)
        for pos in range(n_position)
    ]
)
print(position_enc)
print()
position_enc[1:, 0::2] = np.sin(position_enc[1:, 0::2])  # dim 2i
position_enc[1:, 1::2] = np.cos(position_enc[1:, 1::2])  # dim 2i+1
print(position_enc)
''',
        "position_enc",
        "wrong",
        ("zero-first-row|row 0|first row",),
        "A module-level array of 3 rows and 10 columns: the paper's, but row 0 holds zeros where the cosines are 1.",
        "seasa2016/code_test, pytorch/encode_test.py",
    ),
    Case(
        "two helpers, one for each parity, and vectors only for their size",
        NUMPY
        + '''
def encode_position(vectors):
    seq_len = len(vectors)
    d_model = len(vectors[0])
    position_vector = np.zeros((seq_len, d_model))
    for word in range(seq_len):
        for index in range(d_model):
            if index % 2 == 0:
                position_vector[word][index] = even_pe(d_model, word, index)
            else:
                position_vector[word][index] = odd_pe(d_model, word, index)
    return position_vector


def even_pe(d_model, pos, index):
    return math.sin(pos / 10000 ** (index / d_model))


def odd_pe(d_model, pos, index):
    return math.cos(pos / 10000 ** (index / d_model))
''',
        "encode_position",
        "wrong",
        ("own-odd-exponent|exponent",),
        "An odd column j uses its own exponent j/d, not that of its pair.",
        "public file, search corpus code: even_pe(d_model, pos, index)",
    ),
    Case(
        "a school exercise in dm",
        """#!/usr/bin/env python3
import numpy as np


def positional_encoding(max_seq_len, dm):
    \"\"\"Function that calculates the positional encoding for a transformer\"\"\"
    out = np.zeros((max_seq_len, dm))
    for pos in range(max_seq_len):
        for i in range(0, dm, 2):
            out[pos, i] = np.sin(pos / (10000 ** (i / dm)))
            if i + 1 < dm:
                out[pos, i + 1] = np.cos(pos / (10000 ** ((i + 1) / dm)))
    return out
""",
        "",
        "wrong",
        ("own-odd-exponent|exponent",),
        "The cosine of each pair uses the exponent (2k + 1)/d.",
        "public file, search corpus code: positional_encoding(max_seq_len, dm), a loop",
    ),
    Case(
        "rounded up, where it should be rounded down",
        NUMPY
        + '''
def get_angles(positions, k, d):
    """
    positions: column [[0], [1], ...]
    k: row [[0, 1, 2, ..., d-1]]
    d: dimension size
    """
    i = np.ceil(k / 2)
    return positions / (10000 ** (2 * i / d))


def positional_encoding(max_seq_length, encoding_dim):
    positions = np.arange(max_seq_length)[:, np.newaxis]
    k = np.arange(encoding_dim)[np.newaxis, :]
    rads = get_angles(positions, k, encoding_dim)
    rads[:, 0::2] = np.sin(rads[:, 0::2])
    rads[:, 1::2] = np.cos(rads[:, 1::2])
    return rads[np.newaxis, ...]
''',
        "positional_encoding",
        "wrong",
        ("cos|exponent|odd column",),
        "Sines are right; the cosine of pair k turns at the rate of pair k + 1.",
        "public file, search corpus code: get_angles(positions, k, d) with ceil",
        ("doubled",),
    ),
    Case(
        "sines and cosines joined behind get_angles",
        NUMPY
        + '''
def get_angles(pos, i, d_model):
    return pos * (1 / np.power(10000, (2 * (i // 2)) / np.float32(d_model)))


def positional_encoding(position, d_model):
    angle_rads = get_angles(np.arange(position)[:, np.newaxis], np.arange(d_model)[np.newaxis, :], d_model)

    # 将 sin 应用于数组中的偶数索引；2i
    angle_rads[:, 0::2] = np.sin(angle_rads[:, 0::2])

    # 将 cos 应用于数组中的奇数索引；2i+1
    angle_rads[:, 1::2] = np.cos(angle_rads[:, 1::2])
    angle_rads = np.concatenate([angle_rads[:, 0::2], angle_rads[:, 1::2]], axis=-1)
    return angle_rads[np.newaxis, ...]
''',
        "positional_encoding",
        "convention",
        ("halves",),
        "All sines before all cosines, with the paper's frequencies.",
        "tensorflow/tensorflow#37191",
    ),
    Case(
        "added in one function, with a helper for the device",
        TORCH
        + '''
def get_range_vector(size: int, device) -> torch.Tensor:
    return torch.arange(0, size, dtype=torch.long, device=device)


def add_positional_features(tensor: torch.Tensor, min_timescale: float = 1.0, max_timescale: float = 1.0e4):
    _, timesteps, hidden_dim = tensor.size()
    when = get_range_vector(timesteps, tensor.device).data.float()
    half = hidden_dim // 2
    which = get_range_vector(half, tensor.device).data.float()
    step = math.log(float(max_timescale) / float(min_timescale)) / float(half - 1)
    speeds = min_timescale * torch.exp(which * -step)
    turned = when.unsqueeze(1) * speeds.unsqueeze(0)
    waves = torch.cat([torch.sin(turned), torch.cos(turned)], 1)
    if hidden_dim % 2 != 0:
        waves = torch.cat([waves, waves.new_zeros(timesteps, 1)], 1)
    return tensor + waves.unsqueeze(0)
''',
        "add_positional_features",
        "convention",
        ("tensor2tensor",),
        "x plus halves whose slowest pair is exactly 1/10000.",
        "allenai/allennlp#2993",
    ),
    Case(
        "both halves are sines",
        TORCH
        + '''
def add_positional_features(tensor: torch.Tensor, min_timescale: float = 1.0, max_timescale: float = 1.0e4):
    _, timesteps, hidden_dim = tensor.size()
    when = get_range_vector(timesteps, tensor.device).data.float()
    num = hidden_dim // 2
    which = get_range_vector(num, tensor.device).data.float()
    step = math.log(float(max_timescale) / float(min_timescale)) / float(num - 1)
    speeds = min_timescale * torch.exp(which * -step)
    turned = when.unsqueeze(1) * speeds.unsqueeze(0)
    waves = torch.randn(turned.size(0), 2 * turned.size(1), device=tensor.device)
    waves[:, ::2] = torch.sin(turned)
    waves[:, 1::2] = torch.sin(turned)
    if hidden_dim % 2 != 0:
        waves = torch.cat([waves, waves.new_zeros(timesteps, 1)], 1)
    return tensor + waves.unsqueeze(0)


def get_range_vector(size: int, device) -> torch.Tensor:
    return torch.arange(0, size, dtype=torch.long, device=device)
''',
        "add_positional_features",
        "wrong",
        ("cos|sine",),
        "Odd columns hold the sine again, and the frequencies are tensor2tensor's (k over d/2 - 1).",
        "luopeixiang/im2latex#10, model/position_embedding.py",
    ),
    Case(
        "float16 rates and a row of positions that is never a column",
        TORCH
        + '''
def get_positional_encoding(seq_len, input_size, min_timescale=1.0, max_timescale=1.0e4, start_index=0, device="cpu"):
    position = torch.arange(seq_len, dtype=torch.float) + start_index
    num_timescales = input_size // 2
    step = math.log(float(max_timescale) / float(min_timescale)) / max(1, num_timescales - 1)
    inv = min_timescale * torch.exp(torch.arange(num_timescales, dtype=torch.float16, device=device) * -step)
    scaled_time = position * inv.unsqueeze(0)  # 명시
    pos_en = torch.zeros(seq_len, input_size)
    pos_en[:, 0::2] = torch.sin(scaled_time)
    pos_en[:, 1::2] = torch.cos(scaled_time)
    return pos_en
''',
        "",
        "not-run",
        ("must match",),
        "A row of seq_len positions times a row of d/2 rates stops unless the two are equal.",
        "jung-minyoung8/practice_transformer, modules/embedding.py",
    ),
    Case(
        "timesteps, and math was never imported",
        '''
import torch
from torch import nn
import torch.nn.functional as F


def timestep_embedding(tsteps, emb_dim, max_period=10000):
    exponent = -math.log(max_period) * torch.linspace(0, 1, emb_dim // 2, device=tsteps.device)
    emb = tsteps[:, None].float() * exponent.exp()[None, :]
    emb = torch.cat([emb.sin(), emb.cos()], dim=-1)
    return F.pad(emb, (0, 1, 0, 0)) if emb_dim % 2 == 1 else emb
''',
        "timestep_embedding",
        "not-run",
        ("name 'math' is not defined",),
        "math is used and never imported.",
        "Neha-Shrestha/Text-to-Image-Generator, ldm/time_embedding.py",
    ),
    Case(
        "a static method of timesteps, cosines first",
        TORCH
        + '''
class TimestepEmbedder(nn.Module):
    """Embeds scalar timesteps into vectors."""

    def __init__(self, hidden_size, frequency_embedding_size=256):
        super().__init__()
        self.mlp = nn.Sequential(
            nn.Linear(frequency_embedding_size, hidden_size), nn.SiLU(), nn.Linear(hidden_size, hidden_size)
        )
        self.frequency_embedding_size = frequency_embedding_size

    @staticmethod
    def timestep_embedding(t, dim, max_period=10000):
        half = dim // 2
        rates = torch.exp(-math.log(max_period) * torch.arange(0, half, dtype=torch.float32) / half).to(t.device)
        args = t[:, None].float() * rates[None]
        out = torch.cat([torch.cos(args), torch.sin(args)], dim=-1)
        if dim % 2:
            out = torch.cat([out, torch.zeros_like(out[:, :1])], dim=-1)
        return out

    def forward(self, t):
        return self.mlp(self.timestep_embedding(t, self.frequency_embedding_size))
''',
        "TimestepEmbedder.timestep_embedding",
        "convention",
        ("halves|cos",),
        "The paper's frequencies in halves, the cosines first: the design of GLIDE, latent diffusion and DiT.",
        "facebookresearch/DiT, models.py",
        ("inverted", "base"),
    ),
    Case(
        "the exponent is raised, where it should be the exponent",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    """noise level -> features"""

    def __init__(self, n_channels):
        super().__init__()
        self.n_channels = n_channels
        self.linear_scale = 5000

    def forward(self, noise_level):
        if len(noise_level.shape) > 1:
            noise_level = noise_level.squeeze(-1)
        half_dim = self.n_channels // 2
        exponents = torch.arange(half_dim, dtype=torch.float32).to(noise_level) / float(half_dim)
        exponents = exponents**1e-4
        exponents = self.linear_scale * noise_level.unsqueeze(1) * exponents.unsqueeze(0)
        return torch.cat([exponents.sin(), exponents.cos()], dim=-1)
''',
        "PositionalEncoding",
        "wrong",
        ("frequenc|exponent|rate|5000",),
        "k^0.0001 for 0.0001^k: every frequency is 5000 or nearly so, but the first, which is 0.",
        "ivanvovk/WaveGrad#12",
    ),
    Case(
        "j runs over all columns, and every second is taken",
        TORCH
        + '''
def sinusoidal_embedding(n, d):
    # Returns the standard positional embedding
    embedding = torch.zeros(n, d)
    wk = torch.tensor([1 / 10_000 ** (2 * j / d) for j in range(d)])
    wk = wk.reshape((1, d))
    t = torch.arange(n).reshape((n, 1))
    embedding[:, ::2] = torch.sin(t * wk[:, ::2])
    embedding[:, 1::2] = torch.cos(t * wk[:, ::2])
    return embedding
''',
        "sinusoidal_embedding",
        "wrong",
        ("doubled|exponent",),
        "Pair k turns at 10000^(-4k/d): the exponent is doubled, for sine and cosine alike.",
        "BrianPulfer/PapersReimplementations#9",
        ("own-odd",),
    ),
    Case(
        "time embeddings kept as a plain attribute, returned for images",
        TORCH
        + '''
class SinusoidalEmbeddings(nn.Module):
    def __init__(self, time_steps: int, embed_dim: int) -> None:
        super(SinusoidalEmbeddings, self).__init__()
        steps = torch.arange(time_steps).unsqueeze(1).float()
        rate = torch.exp(torch.arange(0, embed_dim, 2).float() * -(math.log(10000.0) / embed_dim))
        embeddings = torch.zeros(time_steps, embed_dim, requires_grad=False)
        embeddings[:, 0::2] = torch.sin(steps * rate)
        embeddings[:, 1::2] = torch.cos(steps * rate)
        self.embeddings = embeddings

    def forward(self, x, t):
        embeds = self.embeddings[t].to(x.device)
        return embeds[:, :, None, None]
''',
        "SinusoidalEmbeddings",
        "right",
        (),
        "Rows of the paper's table, at the times t, with two axes of one behind; x serves for its device alone.",
        "public file after a towardsdatascience article on DDPM, search corpus code",
        ("never-added",),
    ),
    Case(
        "Italian project: a step of diffusion",
        TORCH
        + '''
class EmbedDiffStep(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, t):
        half = self.dim // 2
        step = math.log(10000) / (half - 1)
        rates = torch.exp(torch.arange(half, device=t.device) * -step)
        out = t[:, None] * rates[None, :]
        return torch.cat((out.sin(), out.cos()), dim=-1)
''',
        "",
        "convention",
        ("tensor2tensor",),
        "Halves whose slowest frequency is exactly 1/10000.",
        "spagnolivalerio/vision_project, src/diffusion_model/models/embedding.py",
    ),
    Case(
        "half precision, a thousand, and halves",
        TORCH
        + '''
class FixedPositionalEmbedding(nn.Module):
    def __init__(self, dim, seq_len):
        super().__init__()
        inv_freq = 1.0 / (1000 ** (torch.arange(0, dim, 2).half() / dim))
        position = torch.arange(0, seq_len, dtype=torch.float16)
        waves = torch.einsum("i,j->ij", position, inv_freq)
        emb = torch.cat((waves.sin(), waves.cos()), dim=-1).half()
        self.register_buffer("emb", emb)

    def forward(self, x):
        return self.emb[None, : x.shape[1], :].to(x).half()
''',
        "FixedPositionalEmbedding",
        "wrong",
        ("1000|wrong-base", "half|precision|float16"),
        "Halves of base 1000, computed and returned in half precision.",
        "public file, text index 15825975663",
    ),
    Case(
        "a model's method, cosine in the even columns",
        TORCH
        + '''
class PatchClassifier(nn.Module):
    def __init__(self, num_patches=16, embed_dim=32, classes=10):
        super().__init__()
        self.embed_dim = embed_dim
        self.embedInput = nn.Linear(8, embed_dim)
        self.register_buffer(
            "full_position_encoding", self.sinusoidal_position_encoding(num_patches, embed_dim).unsqueeze(0)
        )
        self.classifier = nn.Linear(embed_dim, classes)

    def forward(self, x):
        x = self.embedInput(x) + self.full_position_encoding.expand(x.shape[0], -1, -1)
        return self.classifier(x.mean(1))

    def sinusoidal_position_encoding(self, num_patches, embed_dim):
        position = torch.arange(num_patches).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, embed_dim, 2) * (-math.log(10000.0) / embed_dim))
        pe = torch.zeros(num_patches, embed_dim)
        pe[:, 1::2] = torch.sin(position * div_term)
        pe[:, 0::2] = torch.cos(position * div_term)
        return pe
''',
        "PatchClassifier.sinusoidal_position_encoding",
        "wrong",
        ("swapped|cos",),
        "The paper's numbers with sine and cosine of each pair exchanged.",
        "public file, text index 49053832939",
    ),
    Case(
        "Chinese tutorial: a static table of one row",
        TORCH
        + '''
class Transformer(nn.Module):
    def __init__(self, input_dim, d_model):
        super().__init__()
        self.embedding = nn.Embedding(input_dim, d_model)
        self.position_encoding = self.get_position_encoding(d_model)

    def forward(self, src, src_mask=None):
        return self.embedding(src) + self.position_encoding[:, : src.size(1)]

    @staticmethod
    def get_position_encoding(d_model):
        pe = torch.zeros(1, d_model)
        position = torch.arange(0, d_model).unsqueeze(0)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * -(torch.log(torch.tensor(10000.0)) / d_model))
        pe[:, 1::2] = torch.sin(position * div_term)
        pe[:, 0::2] = torch.cos(position * div_term)
        pe = pe.unsqueeze(0).transpose(0, 1)
        return pe
''',
        "Transformer.get_position_encoding",
        "not-run",
        ("must match",),
        "d positions in a row times d/2 rates: it stops at every width above 2.",
        "public Chinese tutorial, text index 31061577504",
    ),
]
