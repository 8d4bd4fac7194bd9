"""Sinusoidal tables as functions, from public files: right ones, designs, wrong ones. Part 1 of 2."""

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
        "The paper's table; at an odd width the loop writes past the last column before the repair below.",
        "public file, found by search: positional_encoding(d_model, n_tokens) with printed values",
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
        "public file, found by search: add_positional(x, pe)",
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
        "public course text in Chinese and English (2026), public index 67524829640",
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
        "public file, found by search: get_positional_encodings(max_pos, dim)",
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
        "public file, public index 25995009308",
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
        "public file, found by search: even_pe(d_model, pos, index)",
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
        "public file, found by search: positional_encoding(max_seq_len, dm), a loop",
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
        "public file, found by search: get_angles(positions, k, d) with ceil",
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
]
