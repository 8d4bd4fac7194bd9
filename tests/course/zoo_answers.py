"""Answers to the exercises, written as a learner would, without pe_lib: all the right ones, and layers to spoil."""

import math
from dataclasses import is_dataclass

import numpy as np
import torch
import torch.nn.functional as F
from oracle import exact_table
from torch import nn
from zoo_tables import textbook

from pe_course.exercises import EXERCISES

NAMED_BY_DIAGNOSIS = (
    "03.1",
    "03.3",
    "04.3",
    "05.3",
    "06.3",
    "08.3",
    "12.2",
    "12.3",
    "12.4",
    "12.6",
    "05.4",
    "08.4",
)


def ids(reply):
    return [finding.id for finding in (*reply.diagnosis.findings, *reply.diagnosis.usage)]


def judged_by(exercise_id):
    """What an exercise's judge holds: right, replies, examples, mistakes …"""
    judge = EXERCISES[exercise_id].judge
    return vars(judge) if is_dataclass(judge) else {}


def equivariant(f, x, order):
    return bool((f(x[order]) - f(x)[order]).abs().max() < 1e-4)


def one_hot_product(ids, weight):
    rows = torch.zeros(*ids.shape, len(weight))
    for sentence, token in np.ndindex(*ids.shape):
        rows[sentence, token, ids[sentence, token]] = 1
    return rows @ weight


def rotation(n, frequency):
    turn = n * frequency
    return np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])


def freqs(d_model, base):
    return np.array([1 / base ** (j / d_model) for j in range(0, d_model, 2)])


def loop(max_len, d_model):
    table = np.zeros((max_len, d_model))
    for pos in range(max_len):
        for j in range(0, d_model, 2):
            table[pos, j] = np.sin(pos / 10000 ** (j / d_model))
            if j + 1 < d_model:
                table[pos, j + 1] = np.cos(pos / 10000 ** (j / d_model))
    return table


def at_once(max_len, d_model):
    j = np.arange(d_model)
    return np.sin(np.arange(max_len)[:, None] / 10000 ** ((j - j % 2) / d_model) + np.pi / 2 * (j % 2))


def shift(n, d_model):
    """Leads from row p to row p + n: [sin, cos] @ block, for every pair."""
    blocks = np.zeros((d_model, d_model))
    for k, frequency in enumerate(freqs(d_model, 10000)):
        blocks[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = rotation(n, frequency)
    return blocks


def by_rotation(max_len, d_model):
    rows = [np.tile([0.0, 1.0], d_model // 2)]
    for _ in range(max_len - 1):
        rows.append(rows[-1] @ shift(1, d_model))
    return np.array(rows)


def rope(x, positions, frequency):
    turn = positions * frequency
    return torch.stack(
        [x[:, 0] * turn.cos() - x[:, 1] * turn.sin(), x[:, 0] * turn.sin() + x[:, 1] * turn.cos()], dim=1
    )


def samples_swap(layer, x):
    order = torch.arange(len(x))
    order[:2] = torch.tensor([1, 0])
    return torch.equal(layer(x[order]), layer(x)[order])


def rope_halves(x, n):
    """All rows of x turned by n: pair k is columns k and k + d / 2."""
    a, b = x.chunk(2, dim=-1)
    angle = n * torch.tensor([10000 ** (-2 * k / x.shape[-1]) for k in range(a.shape[-1])])
    return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], dim=-1)


class Table(nn.Module):
    """A right module for 05.3; the wrong ones below override what they get wrong."""

    def __init__(self, d_model, max_sequence_length):
        super().__init__()
        self.keep(textbook(max_sequence_length, d_model))

    def keep(self, table):
        self.register_buffer("table", table)

    def forward(self):
        return self.table


class Layer(nn.Module):
    """A right layer for 06.3; likewise."""

    def __init__(self, d_model, max_len, dropout=0.0):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.keep(textbook(max_len, d_model)[None])

    def keep(self, table):
        self.register_buffer("pe", table, persistent=False)

    def rows(self, x):
        return self.pe[:, : x.shape[1]]

    def forward(self, x):
        return self.drop(x + self.rows(x))


def own(base=Layer, **methods):
    """A ``base`` with other methods."""
    return type("Own", (base,), methods)


def mode_aware(self, x):
    return F.dropout(x + self.rows(x), self.drop.p, self.training)


class Swapped(Layer):
    def __init__(self, size, other_size, dropout=0.0):
        super().__init__(other_size, size, dropout)


class SwappedNames(Layer):
    def __init__(self, max_len, d_model, dropout=0.0):
        super().__init__(d_model, max_len, dropout)


class WithoutDropout(Layer):
    def __init__(self, d_model, max_len):
        super().__init__(d_model, max_len)


class NeedsDropout(Layer):
    def __init__(self, d_model, max_len, dropout):
        super().__init__(d_model, max_len, dropout)


class Options(Layer):
    """The diagnosis sees no dropout among its parameters: only exercise 06.3 itself asks for it."""

    def __init__(self, d_model, max_len, **options):
        super().__init__(d_model, max_len)
        self.p = options.get("dropout", 0.0)


def always_dropping(p):
    """The dropout that is asked for plays no part."""

    class Own(Layer):
        def __init__(self, d_model, max_len, dropout=0.0):
            super().__init__(d_model, max_len, p)

    return Own


def turned(row, position):
    """A row turned by dense 2 × 2 rotations, as RoPE does."""
    matrix = torch.block_diag(*(torch.tensor(rotation(position, w)) for w in freqs(len(row), 10000)))
    return matrix.to(row.dtype) @ row


def dense_rope_attention(x, positions, W_query, W_key, W_value):
    rows = []
    for n in range(len(x)):
        q = turned(x[n] @ W_query, float(positions[n]))
        scores = torch.stack([q @ turned(x[m] @ W_key, float(positions[m])) for m in range(n + 1)])
        rows.append((scores / math.sqrt(len(q))).softmax(0) @ (x[: n + 1] @ W_value))
    return torch.stack(rows)


def cached_by_hand(x_new, keys, values, W_query, W_key, W_value):
    n, row = len(keys), x_new[0]
    keys = torch.vstack([keys, turned(row @ W_key, n)])
    weights = (keys @ turned(row @ W_query, n) / math.sqrt(len(row))).softmax(0)
    values = torch.vstack([values, row @ W_value])
    return (weights @ values)[None], keys, values


def volume_by_cells(depth, height, width, d_model):
    sizes, part = (depth, height, width), d_model // 3
    tables = [loop(size, part) for size in sizes]
    table = np.zeros((*sizes, d_model))
    for place in np.ndindex(*sizes):
        table[place] = np.concatenate([tables[axis][place[axis]] for axis in range(3)])
    return table


def rotate_halves(x, positions):
    with torch.autocast("cpu", enabled=False):
        omega = torch.tensor(freqs(x.shape[-1], 10000))
        z = torch.polar(torch.ones(()).double(), positions.double()[:, None] * omega)
        a, b = x.double().chunk(2, dim=-1)
        turned = torch.complex(a, b) * z
        return torch.cat([turned.real, turned.imag], dim=-1).to(x.dtype)


def alibi_by_hand(heads, length):
    """Slopes as in the authors' code: of the next lower power of two, then every second one of twice as many."""
    power = 2 ** int(math.log2(heads))
    slopes = [2 ** (-8 * (n + 1) / power) for n in range(power)]
    slopes += [2 ** (-4 * (n + 1) / power) for n in range(0, 2 * power, 2)][: heads - power]
    bias = torch.zeros(heads, length, length)
    for head, query, key in np.ndindex(*bias.shape):
        bias[head, query, key] = (key - query) * slopes[head]
    return bias


RIGHT = {
    "00.1": [24, 24.0, 4 * 3 * 2, torch.tensor(24), np.int64(24)],
    "00.2": [
        equivariant,
        lambda f, x, order: torch.allclose(f(x)[order], f(x[order]), atol=1e-5),
    ],
    "01.1": [(4, 7, 16), [4, 7, 16], torch.Size([4, 7, 16]), torch.zeros(4, 7, 16).shape, np.array([4, 7, 16])],
    "01.2": [
        one_hot_product,
        lambda ids, weight: F.one_hot(ids, len(weight)).float() @ weight,
        lambda ids, weight: torch.stack([F.one_hot(row, weight.shape[0]).float() @ weight for row in ids]),
        lambda ids, weight: torch.einsum("btv,vd->btd", F.one_hot(ids, len(weight)).to(weight.dtype), weight),
    ],
    "01.3": [lambda ids, weight: weight[ids] * math.sqrt(weight.shape[-1])],
    "02.1": [rotation, lambda n, f: torch.tensor(rotation(n, f)), lambda n, f: rotation(n, f).tolist()],
    "02.2": [(0.9093, -0.4161, 0.02, 0.9998), [0.909, -0.416, 0.020, 1.0], torch.tensor([0.909, -0.416, 0.02, 0.9998])],
    "02.3": [freqs, lambda d, base: torch.exp(torch.arange(0, d, 2) * (-math.log(base) / d))],
    "03.1": [loop, exact_table, lambda n, d: loop(n, d)[np.newaxis], lambda n, d: loop(n, d).tolist()],
    "03.2": [2, 2.0],
    "03.3": [loop],
    "04.1": [(6, 4), [6, 4], np.zeros((6, 4)).shape],
    "04.2": [lambda n, d, base: np.outer(np.arange(n), base ** (-np.arange(0, d, 2) / d))],
    "04.3": [at_once, lambda n, d: torch.from_numpy(at_once(n, d)).float().requires_grad_()],
    "05.1": ["b", "B", " b "],
    "05.2": [
        lambda even, odd: torch.stack([even, odd], 2).reshape(len(even), -1),
        lambda even, odd: torch.cat([even.unsqueeze(2), odd.unsqueeze(2)], 2).flatten(1),
    ],
    "05.3": [Table, own(Table, forward=lambda self: self.table.clone())],
    "05.4": ["EHDGCBAF", "EHGDCBAF", "ehgcdbaf", "E H G C D B A F", ["E", "A", "F", "H", "D", "G", "C", "B"]],
    "06.1": [(32, 100, 512), torch.Size([32, 100, 512])],
    "06.2": [lambda x, pe: x + pe[:, : x.size(1), :], lambda x, pe: torch.add(x, pe[:, : x.size(1)])],
    "06.3": [Layer, own(forward=mode_aware)],
    "06.4": [Layer],
    "07.1": ["b"],
    "07.2": [samples_swap],
    "08.1": [lambda offset, d_model: sum(math.cos(offset * f) for f in freqs(d_model, 10000))],
    "08.2": [lambda n, table: table @ shift(n, table.shape[1]) @ table.T],
    "08.3": [by_rotation],
    "08.4": ["ECGHFDAB", "EGCHFDAB", "EGCHFADB", "ecghfadb"],
    "09.1": [rope],
    "09.2": [dense_rope_attention],
    "09.3": [cached_by_hand],
    "09.4": ["half-split", "Half-split"],
    "10.1": [
        lambda length, slope: -slope * np.abs(np.subtract.outer(np.arange(length), np.arange(length))),
        lambda length, slope: -slope * torch.cdist(*[torch.arange(length)[:, None] * 1.0] * 2),
    ],
    "10.2": ["d"],
    "10.3": [(0.5, 2), (0.2546479089470326, 2.54), [1, 2], np.array([0.5, 2]), torch.tensor([0.5, 2])],
    "11.1": [
        lambda lengths: [n for length in lengths for n in range(length)],
        lambda lengths: torch.cat([torch.arange(length) for length in lengths]),
    ],
    "11.2": [volume_by_cells],
    "11.3": [
        lambda t, d: np.array([[f(1000 * x * w) for f in (math.cos, math.sin) for w in freqs(d, 10000)] for x in t])
    ],
    "12.1": ["c", "C"],
    "12.2": [Layer],
    "12.3": [alibi_by_hand],
    "12.4": [rotate_halves],
    "12.5": [lambda mask, past: torch.tensor([[sum(row[:n]) for n in range(past, len(row))] for row in mask.tolist()])],
    "12.6": [loop, Layer],
    "13.1": [
        lambda mask: torch.tensor(
            [[max(sum(row[: n + 1]) - 1, 0) * row[n] for n in range(len(row))] for row in mask.tolist()]
        )
    ],
    "13.2": [
        lambda documents: torch.tensor([[n - row.index(row[n]) for n in range(len(row))] for row in documents.tolist()])
    ],
    "13.3": [lambda keys, n: torch.cat([rope_halves(keys[:, :, i : i + 1], n) for i in range(keys.shape[2])], dim=2)],
    "13.4": ["b"],
}
