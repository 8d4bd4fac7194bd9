"""Rotations written as people write them: right ones in many styles, one for each mistake, and designs."""

import math

import numpy as np
import torch
from torch import nn

BASE = 10000.0


def frequencies(d, base=BASE):
    return base ** -(torch.arange(0, d, 2, dtype=torch.float32) / d)


def angles(positions, d, **how):
    return positions[:, None].float() * frequencies(d, **how)


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), dim=-1)


def rotate_pairs(x):
    return torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)


def halves(x, positions, angles=angles):
    """transformers: the table joined with itself, the halves swapped."""
    theta = angles(positions, x.shape[-1])
    emb = torch.cat((theta, theta), dim=-1)
    return (x * emb.cos() + rotate_half(x) * emb.sin()).to(x.dtype)


def pairs(x, positions, angles=angles):
    """GPT-J: every number of the table twice, neighbours swapped."""
    emb = angles(positions, x.shape[-1]).repeat_interleave(2, dim=-1)
    return (x * emb.cos() + rotate_pairs(x) * emb.sin()).to(x.dtype)


def complex_pairs(x, positions):
    """Llama's own: one complex number for each pair."""
    freqs = torch.polar(torch.ones(len(positions), x.shape[-1] // 2), angles(positions, x.shape[-1]))
    z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(z * freqs).flatten(3).type_as(x)


def stacked(x, positions):
    """torchtune: a table of (cos, sin), the result stacked."""
    theta = angles(positions, x.shape[-1])
    cache = torch.stack([theta.cos(), theta.sin()], dim=-1)[None, None]
    y = x.float().reshape(*x.shape[:-1], -1, 2)
    out = [y[..., 0] * cache[..., 0] - y[..., 1] * cache[..., 1], y[..., 1] * cache[..., 0] + y[..., 0] * cache[..., 1]]
    return torch.stack(out, -1).flatten(3).type_as(x)


def dense(x, positions):
    """The paper's matrix, one for each position."""
    d = x.shape[-1]
    theta = angles(positions, d).double()
    matrix = torch.zeros(len(positions), d, d, dtype=torch.float64)
    even = torch.arange(0, d, 2)
    matrix[:, even, even] = matrix[:, even + 1, even + 1] = theta.cos()
    matrix[:, even, even + 1], matrix[:, even + 1, even] = -theta.sin(), theta.sin()
    return torch.einsum("lij,bhlj->bhli", matrix, x.double()).to(x.dtype)


def filled(x, positions):
    """An empty result, filled by slices."""
    theta = angles(positions, x.shape[-1])
    cos, sin = theta.cos().to(x.dtype), theta.sin().to(x.dtype)
    out = torch.empty_like(x)
    out[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    out[..., 1::2] = x[..., 1::2] * cos + x[..., 0::2] * sin
    return out


def loops(x, positions):
    """Row by row, pair by pair."""
    d, rows = x.shape[-1], []
    for n, pos in enumerate(positions.tolist()):
        row = []
        for k in range(d // 2):
            angle = pos * BASE ** (-2 * k / d)
            a, b = x[:, :, n, 2 * k], x[:, :, n, 2 * k + 1]
            row += [a * math.cos(angle) - b * math.sin(angle), a * math.sin(angle) + b * math.cos(angle)]
        rows.append(torch.stack(row, dim=-1))
    return torch.stack(rows, dim=2)


def in_float64(x, positions):
    theta = positions.double()[:, None] * 10000.0 ** (
        -torch.arange(0, x.shape[-1], 2, dtype=torch.float64) / x.shape[-1]
    )
    a, b = x.double().chunk(2, dim=-1)
    return torch.cat((a * theta.cos() - b * theta.sin(), b * theta.cos() + a * theta.sin()), dim=-1).to(x.dtype)


def in_numpy(x, positions):
    theta = torch.from_numpy(positions.numpy()[:, None] / 10000 ** (np.arange(0, x.shape[-1], 2) / x.shape[-1])).float()
    return pairs(x, positions, lambda p, d: theta)


class Cached(nn.Module):
    """Tables for max_len positions; an error beyond."""

    def __init__(self, head_dim=64, max_len=2048, base=BASE):
        super().__init__()
        theta = angles(torch.arange(max_len), head_dim, base=base)
        self.register_buffer("cos", theta.cos(), persistent=False)
        self.register_buffer("sin", theta.sin(), persistent=False)

    def rows(self, positions):
        return self.cos[positions], self.sin[positions]

    def forward(self, x, positions):
        cos, sin = (table.to(x.dtype) for table in self.rows(positions))
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)


class Growing(Cached):
    """The table is made longer when it is needed."""

    def __init__(self):
        super().__init__(max_len=8)

    def rows(self, positions):
        if int(positions.max()) >= len(self.cos):
            theta = angles(torch.arange(int(positions.max()) + 1), 64)
            self.cos, self.sin = theta.cos(), theta.sin()
        return super().rows(positions)


class KeptByPositions(nn.Module):
    """A cache whose key holds the positions."""

    def __init__(self):
        super().__init__()
        self.kept = {}

    def forward(self, x, positions):
        key = tuple(positions.tolist())
        if key not in self.kept:
            self.kept[key] = angles(positions, x.shape[-1])
        return pairs(x, positions, lambda p, d: self.kept[key])


def by_length(x):
    return halves(x, torch.arange(x.shape[-2]))


def both(q, k, positions):
    return halves(q, positions), halves(k, positions)


def both_by_length(query, key):
    return tuple(pairs(x, torch.arange(x.shape[2])) for x in (query, key))


def offset(x, start_pos):
    return halves(x, start_pos + torch.arange(x.shape[-2]))


def two_axes(x, position_ids=None):
    if position_ids is None:
        position_ids = torch.arange(x.shape[-2])
    return halves(x, position_ids)


ORDER = torch.randperm(64, generator=torch.Generator().manual_seed(0))
BACK = ORDER.argsort()
TURN = torch.linalg.qr(torch.randn(64, 64, dtype=torch.float64, generator=torch.Generator().manual_seed(1)))[0].float()


def joined_back(x, positions):
    """Evens and odds in, first and second half out, for q and k alike."""
    theta = angles(positions, x.shape[-1])
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.cat((a * theta.cos() - b * theta.sin(), a * theta.sin() + b * theta.cos()), dim=-1).to(x.dtype)


def only_float32(x, positions):
    if x.dtype != torch.float32:
        raise TypeError(f"float32 is wanted, not {x.dtype}")
    return halves(x, positions)


# From a name to the rotation and the convention that is named.
RIGHT = {
    "transformers": (halves, "half-split"),
    "gpt-j": (pairs, None),
    "complex": (complex_pairs, None),
    "torchtune": (stacked, None),
    "dense matrix": (dense, None),
    "filled": (filled, None),
    "loops": (loops, None),
    "float64": (in_float64, "half-split"),
    "numpy": (in_numpy, None),
    "cached module": (Cached(), "half-split"),
    "small cache": (Cached(max_len=40), "half-split"),
    "growing cache": (Growing(), "half-split"),
    "kept by positions": (KeptByPositions(), None),
    "by length": (by_length, "half-split"),
    "q and k": (both, "half-split"),
    "q and k by length": (both_by_length, None),
    "start_pos": (offset, "half-split"),
    "optional positions": (two_axes, "half-split"),
    "reversed": (lambda x, positions: pairs(x, -positions), "reversed"),
    "reversed halves": (lambda x, positions: halves(x, -positions), "half-split, reversed"),
    "from 1": (lambda x, positions: pairs(x, positions + 1), "shifted"),
    "from 1, by length": (lambda x: halves(x, torch.arange(1, x.shape[2] + 1)), "half-split, shifted"),
    "from 100": (lambda x, positions: halves(x, positions + 100), "half-split, shifted"),
    "backwards from 7": (lambda x, positions: pairs(x, 7 - positions), "reversed, shifted"),
    "permuted": (lambda x, positions: pairs(x[..., ORDER], positions)[..., BACK], "permuted"),
    "columns from the end": (lambda x, positions: pairs(x.flip(-1), positions).flip(-1), "permuted, reversed"),
    "permuted, and left so": (lambda x, positions: pairs(x[..., ORDER], positions), "permuted"),
    "joined by cat": (joined_back, "permuted"),
    "other coordinates": (lambda x, positions: pairs(x @ TURN.to(x), positions) @ TURN.T.to(x), "other coordinates"),
    "turned, and left so": (lambda x, positions: pairs(x @ TURN.to(x), positions), "other coordinates"),
    "no bfloat16": (only_float32, "half-split"),
}


def with_table(table, turn):
    """Tables of one layout, turned in another, or with other signs."""

    def rotate(x, positions):
        theta = angles(positions, x.shape[-1])
        emb = torch.cat((theta, theta), -1) if table == "joined" else theta.repeat_interleave(2, -1)
        return (x * emb.cos() + turn(x) * emb.sin()).to(x.dtype)

    return rotate


def cat_of_pairs(x):
    return torch.cat((-x[..., 1::2], x[..., 0::2]), dim=-1)


def stack_of_halves(x):
    a, b = x.chunk(2, dim=-1)
    return torch.stack((-b, a), dim=-1).flatten(-2)


def swapped_halves(sign_first, sign_second):
    def turn(x):
        a, b = x.chunk(2, dim=-1)
        return torch.cat((sign_first * b, sign_second * a), dim=-1)

    return turn


def one_half(x, positions):
    theta = angles(positions, x.shape[-1])
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * theta.cos() - b * theta.sin(), b), dim=-1).to(x.dtype)


def one_of_each_pair(x, positions):
    theta = angles(positions, x.shape[-1])
    out = x.clone()
    out[..., 0::2] = x[..., 0::2] * theta.cos() - x[..., 1::2] * theta.sin()
    return out


def overwritten(x, positions):
    """The second line uses what the first has written."""
    theta = angles(positions, x.shape[-1])
    out = x.clone()
    out[..., 1::2] = x[..., 1::2] * theta.cos() + x[..., 0::2] * theta.sin()
    return out


def read_after_writing(x, positions):
    """The second line uses what the first has written, too, and the first line is right."""
    theta = angles(positions, x.shape[-1])
    out = x.clone()
    out[..., 0::2] = out[..., 0::2] * theta.cos() - out[..., 1::2] * theta.sin()
    out[..., 1::2] = out[..., 1::2] * theta.cos() + out[..., 0::2] * theta.sin()
    return out


def read_after_writing_halves(x, positions):
    theta, half = angles(positions, x.shape[-1]), x.shape[-1] // 2
    out = x.clone()
    out[..., half:] = out[..., half:] * theta.cos() + out[..., :half] * theta.sin()
    out[..., :half] = out[..., :half] * theta.cos() - out[..., half:] * theta.sin()
    return out


def both_lines_minus(x, positions):
    theta = angles(positions, x.shape[-1])
    a, b = x[..., 0::2], x[..., 1::2]
    return (
        torch.stack((a * theta.cos() - b * theta.sin(), b * theta.cos() - a * theta.sin()), -1).flatten(-2).to(x.dtype)
    )


def added(x, positions):
    theta = angles(positions, x.shape[-1])
    return (x + torch.cat((theta.sin(), theta.cos()), dim=-1)).to(x.dtype)


def added_pairs(x):
    theta = angles(torch.arange(x.shape[2]), x.shape[-1])
    return (x + torch.stack((theta.sin(), theta.cos()), dim=-1).flatten(-2)).to(x.dtype)


def times_table(x, positions, even=torch.sin, odd=torch.cos):
    """The sinusoidal table, multiplied where it used to be added."""
    theta = angles(positions, x.shape[-1])
    return (x * torch.stack((even(theta), odd(theta)), dim=-1).flatten(-2)).to(x.dtype)


def along_axis_1(x):
    """For (batch, length, heads, d): the table has x.shape[1] rows."""
    theta = angles(torch.arange(x.shape[1]), x.shape[-1])[None, :, None]
    return pairs(x, None, lambda p, d: theta)


def heads_last(x, positions):
    theta = angles(positions, x.shape[-1])[None, :, None]
    return halves(x, None, lambda p, d: theta)


def along_axis_0(x):
    theta = angles(torch.arange(x.shape[0]), x.shape[-1])[:, None, None]
    return pairs(x, None, lambda p, d: theta)


def viewed(x, positions):
    b, h, n, d = x.shape
    y = x.reshape(b, n, h, d)
    return heads_last(y, positions).reshape(b, h, n, d)


def viewed_back(x, positions):
    b, h, n, d = x.shape
    return heads_last(x.transpose(1, 2), positions).reshape(b, h, n, d)


def viewed_there(x, positions):
    b, h, n, d = x.shape
    return heads_last(x.reshape(b, n, h, d), positions).transpose(1, 2)


class Clamped(Cached):
    def rows(self, positions):
        return super().rows(positions.clamp(max=len(self.cos) - 1))


class Wrapped(Cached):
    def rows(self, positions):
        return super().rows(positions % len(self.cos))


class Padded(Cached):
    """Rows beyond the table are zeros."""

    def rows(self, positions):
        cos, sin = super().rows(positions.clamp(max=len(self.cos) - 1))
        inside = (positions < len(self.cos))[:, None]
        return cos * inside, sin * inside


class LeftAlone(Cached):
    def rows(self, positions):
        cos, sin = super().rows(positions.clamp(max=len(self.cos) - 1))
        inside = (positions < len(self.cos))[:, None]
        return torch.where(inside, cos, 1.0), sin * inside


class LeftAloneByLength(Cached):
    """Only as many rows are turned as the table has."""

    def forward(self, x):
        n = min(x.shape[2], len(self.cos))
        return torch.cat((super().forward(x[:, :, :n], torch.arange(n)), x[:, :, n:]), dim=2)


class KeptByLength(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {}

    def forward(self, x, positions):
        if len(positions) not in self.kept:
            self.kept[len(positions)] = angles(positions, x.shape[-1])
        return halves(x, positions, lambda p, d: self.kept[len(positions)])


class KeptLast(nn.Module):
    length = None

    def forward(self, x, positions):
        if self.length != x.shape[2]:
            self.length, self.theta = x.shape[2], angles(positions, x.shape[-1])
        return pairs(x, positions, lambda p, d: self.theta)


def one_row_is_zero(x, positions):
    return halves(x, positions if x.shape[2] > 1 else torch.zeros(1))


def one_row_comes_back(x, positions):
    return x.clone() if x.shape[-2] == 1 else pairs(x, positions)


def with_frequencies(make, turn=pairs):
    return lambda x, positions: turn(x, positions, lambda p, d: p[:, None].float() * make(d))


def in_dtype(dtype, frequency=False, position=False, product=False, table=False, turn=halves):
    def rotate(x, positions):
        f, p = frequencies(x.shape[-1]), positions[:, None].float()
        f = f.to(dtype).float() if frequency else f
        p = p.to(dtype).float() if position else p
        theta = (p * f).to(dtype).float() if product else p * f
        if not table:
            return turn(x, positions, lambda *_: theta)
        emb = torch.cat((theta, theta), dim=-1)
        cos, sin = emb.cos().to(dtype), emb.sin().to(dtype)
        return (x * cos + rotate_half(x) * sin).to(x.dtype)

    return rotate


def all_in_dtype(dtype):
    """As in a model that was cast as a whole."""

    def theta(p, d):
        return p.to(dtype)[:, None] * (1.0 / (10000 ** (torch.arange(0, d, 2).to(dtype) / d)))

    return lambda x, positions: halves(x, positions, lambda p, d: theta(p, d).float())


def dtype_of_x(x, positions):
    theta = positions.to(x.dtype)[:, None] * frequencies(x.shape[-1]).to(x.dtype)
    return halves(x, positions, lambda p, d: theta)


def position_in_dtype_of_x(x, positions):
    return pairs(x, positions.to(x.dtype))


def written_into(x, positions):
    theta = angles(positions, x.shape[-1])
    a, b = x[..., 0::2].clone(), x[..., 1::2].clone()
    x[..., 0::2] = a * theta.cos() - b * theta.sin()
    x[..., 1::2] = a * theta.sin() + b * theta.cos()
    return x


def written_into_halves(x, positions):
    x.copy_(halves(x, positions))
    return x


def positions_moved(x, positions):
    out = halves(x, positions)
    positions += 1
    return out


def stays_float32(x, positions):
    theta = angles(positions, x.shape[-1])
    return x * theta.repeat_interleave(2, -1).cos() + rotate_pairs(x) * theta.repeat_interleave(2, -1).sin()


def partial(x, positions, r, over, turn=halves, base=BASE):
    theta = positions[:, None].float() * base ** -(torch.arange(0, r, 2).float() / over)
    return torch.cat((turn(x[..., :r], positions, lambda *_: theta), x[..., r:]), dim=-1)


def proportional(x, positions, r, base=BASE, turn=halves):
    """Gemma 4: a table for the whole head, in which the slow pairs have rate 0."""

    def angles(positions, d):
        rates = frequencies(d, base)
        return positions[:, None].float() * torch.where(torch.arange(d // 2) < r // 2, rates, 0.0)

    return turn(x, positions, angles)


def detached(x, positions):
    return halves(x.detach(), positions)


@torch.no_grad()
def under_no_grad(x, positions):
    return pairs(x, positions)


class Counts(nn.Module):
    """Goes on counting from call to call."""

    seen = 0

    def forward(self, x):
        start, self.seen = self.seen, self.seen + x.shape[2]
        return halves(x, torch.arange(start, start + x.shape[2]))


def scaled_frequencies(x, positions):
    return halves(x, positions, lambda p, d: p[:, None] * frequencies(d) ** 1.0 * 4)


def exchanged(x, positions):
    emb = angles(positions, x.shape[-1]).repeat_interleave(2, dim=-1)
    return (x * emb.sin() + rotate_pairs(x) * emb.cos()).to(x.dtype)


def unfilled(d):
    return torch.rand(d // 2, generator=torch.Generator().manual_seed(3)) * 1e-2


def pairwise(turn_q, turn_k):
    return lambda q, k, positions: (turn_q(q, positions), turn_k(k, positions))


BF16, FP16 = torch.bfloat16, torch.float16
# From a mistake to rotations that have it and nothing else.
WRONG = {
    "layouts-mixed-repeated": [with_table("repeated", rotate_half)],
    "layouts-mixed-joined": [with_table("joined", rotate_pairs)],
    "evens-odds-cat": [
        with_table("joined", cat_of_pairs),
        with_table("repeated", cat_of_pairs),
        with_table("repeated", stack_of_halves),
        with_table("joined", stack_of_halves),
    ],
    "one-half-turned": [one_half, one_of_each_pair, overwritten],
    "signs": [
        with_table("joined", swapped_halves(1, 1)),
        with_table("joined", swapped_halves(-1, -1)),
        both_lines_minus,
    ],
    "cosines-for-sines": [
        exchanged,
        lambda x, positions: halves(x, positions, lambda p, d: math.pi / 2 - angles(p, d)),
    ],
    "overwritten": [read_after_writing, read_after_writing_halves],
    "added-to-x": [added, added_pairs],
    "multiplied-by-table": [times_table, lambda x, positions: times_table(x, positions, torch.cos, torch.sin)],
    "rotation-scaled": [lambda x, positions: 8 * halves(x, positions), lambda x: by_length(x) / 64**0.25],
    "heads-for-sequence": [
        along_axis_1,
        heads_last,
        lambda x: halves(x.transpose(1, 2), torch.arange(x.shape[1])).transpose(1, 2),
    ],
    "batch-for-sequence": [along_axis_0],
    "view-for-transpose": [viewed, viewed_back, viewed_there],
    "positions-ignored": [
        lambda x, positions: by_length(x),
        lambda x, positions=None: complex_pairs(x, torch.arange(x.shape[2])),
        lambda q, k, positions: (by_length(q), by_length(k)),
        lambda x, start_pos: by_length(x),
    ],
    "from-first-row": [
        lambda x, positions: halves(x, positions - positions[0]),
        lambda x, positions: pairs(x, positions - positions.min()),
    ],
    "single-row-zero": [one_row_is_zero, one_row_comes_back],
    "clamped": [Clamped(max_len=2048), Clamped(max_len=1000), Clamped(max_len=100)],
    "wrapped": [Wrapped(max_len=1024), Wrapped(max_len=512)],
    "zeros-beyond": [Padded(max_len=512), Padded(max_len=4096)],
    "unturned-beyond": [LeftAlone(max_len=512), LeftAloneByLength(max_len=512), LeftAloneByLength(max_len=2048)],
    "kept-by-length": [KeptByLength(), KeptLast()],
    "turned-twice": [
        lambda x, positions: halves(halves(x, positions), positions),
        lambda x, positions: pairs(x, 2 * positions),
    ],
    "multiplied-by-factor": [
        lambda x, positions: halves(x, 4 * positions),
        scaled_frequencies,
        lambda x: pairs(x, 8 * torch.arange(x.shape[2])),
    ],
    "key-not-turned": [pairwise(halves, lambda k, p: k.clone()), pairwise(pairs, lambda k, p: 1 * k)],
    "query-not-turned": [pairwise(lambda q, p: q.clone(), pairs)],
    "key-turned-twice": [
        pairwise(halves, lambda k, p: halves(halves(k, p), p)),
        pairwise(pairs, lambda k, p: pairs(k, 2 * p)),
    ],
    "key-later": [pairwise(halves, lambda k, p: halves(k, p + 1)), pairwise(pairs, lambda k, p: pairs(k, p - 1))],
    "key-turned-back": [pairwise(halves, lambda k, p: halves(k, -p))],
    "keys-unlike": [pairwise(halves, pairs)],
    "keys-scaled": [pairwise(halves, lambda k, p: -halves(k, p)), pairwise(pairs, lambda k, p: 0.5 * pairs(k, p))],
    "positions-whole": [lambda x, positions: halves(x, positions // 2), lambda x, p: pairs(x, (p / 4).long())],
    "exponent-halved": [
        with_frequencies(lambda d: BASE ** -(torch.arange(d // 2) / d)),
        with_frequencies(lambda d: 10000.0 ** -(torch.arange(0, d, 2) / (2 * d)), halves),
    ],
    "exponent-brackets": [
        with_frequencies(lambda d: 1.0 / (BASE ** torch.arange(0, d, 2).float() / d), halves),
        with_frequencies(lambda d: BASE ** -torch.arange(0, d, 2).float() / d),
    ],
    "pairs-from-minus-one": [with_frequencies(lambda d: BASE ** (-2 * (torch.arange(d // 2) - 1) / d), halves)],
    "exponent-doubled": [
        with_frequencies(lambda d: BASE ** -(2 * torch.arange(0, d, 2) / d)),
        with_frequencies(lambda d: frequencies(d, 1e8), halves),
    ],
    "small-base": [
        with_frequencies(lambda d: frequencies(d, 1000.0)),
        with_frequencies(lambda d: frequencies(d, 1000.0), halves),
    ],
    "not-inverted": [
        with_frequencies(lambda d: BASE ** (torch.arange(0, d, 2) / d)),
        with_frequencies(lambda d: 1 / frequencies(d), halves),
    ],
    "partial-over-head-dim": [
        lambda x, positions: partial(x, positions, 32, 64),
        lambda x, positions: partial(x, positions, 16, 64, pairs),
        lambda x, positions: partial(x, positions, 16, 64, pairs, 1e6),  # Gemma 4's rates, other columns
        lambda x, positions: proportional(x, positions, 16, 1e6, pairs),
    ],
    "unknown-frequencies": [
        with_frequencies(unfilled),
        with_frequencies(lambda d: torch.linspace(1, 1e-4, d // 2), halves),
    ],
    "zero-frequencies": [
        with_frequencies(lambda d: torch.zeros(d // 2)),
        lambda x, positions: halves(x, 0 * positions),
    ],
    "half-frequencies": [in_dtype(BF16, frequency=True), in_dtype(FP16, frequency=True, turn=pairs)],
    "half-positions": [in_dtype(BF16, position=True), in_dtype(FP16, position=True, turn=pairs)],
    "half-angles": [
        in_dtype(FP16, product=True),
        in_dtype(BF16, frequency=True, position=True, product=True),
        all_in_dtype(FP16),
        all_in_dtype(BF16),
    ],
    "half-tables": [in_dtype(BF16, table=True), in_dtype(FP16, table=True)],
    "writes-into-x": [written_into, written_into_halves],
    "positions-changed": [positions_moved],
    "no-gradient": [detached, under_no_grad],
    "not-repeatable": [Counts()],
    "pairs-from-one": [with_frequencies(lambda d: BASE ** -((torch.arange(0, d, 2) + 2) / d))],
    "pairs-from-half": [with_frequencies(lambda d, n=n: BASE ** -((torch.arange(0, d, 2) + n) / d)) for n in (1, -1)],
    "wrong-divisor": [with_frequencies(lambda d: BASE ** -(torch.arange(0, d, 2) / 512))],
    "turned-by-constant": [lambda x, positions: halves(x, positions * 2 * math.pi)],
    "divided-by-length": [lambda x: halves(x, torch.arange(x.shape[2]) / x.shape[2])],
}


def ntk(d, factor=4, base=BASE):
    return frequencies(d, base * factor ** (d / (d - 2)))


def by_parts(d, factor, kept):
    f = frequencies(d)
    return kept * f + (1 - kept) * f / factor


def yarn_paper(d, factor=4, length=4096):
    turns = length * frequencies(d) / (2 * math.pi)
    return by_parts(d, factor, ((turns - 1) / 31).clamp(0, 1))


def yarn_authors(d, factor=4, length=4096):
    def number(turns):
        return d * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(BASE))

    low, high = max(math.floor(number(32)), 0), min(math.ceil(number(1)), d - 1)
    return by_parts(d, factor, 1 - ((torch.arange(d // 2) - low) / (high - low)).clamp(0, 1))


def llama3(d, factor=8, length=8192):
    out = []
    for f in frequencies(d, 500000.0).tolist():
        wavelength = 2 * math.pi / f
        smooth = (length / wavelength - 1) / 3
        out.append(
            f
            if wavelength < length / 4
            else f / factor
            if wavelength > length
            else (1 - smooth) * f / factor + smooth * f
        )
    return torch.tensor(out)


def yarn(make, factor, turn=halves, **how):
    scale = 0.1 * math.log(factor) + 1
    return lambda x, positions: (scale * with_frequencies(lambda d: make(d, factor, **how), turn)(x, positions)).to(
        x.dtype
    )


def longrope(x, positions):
    """Every pair has a divisor of its own, and lengths grow."""
    size = math.sqrt(1 + math.log(32) / math.log(4096))
    return (size * with_frequencies(lambda d: frequencies(d) / torch.linspace(1, 40, d // 2), halves)(x, positions)).to(
        x.dtype
    )


# From what the convention is called to rotations.
DESIGNS = {
    "16 frequencies for 32 pairs": [
        with_frequencies(lambda d: frequencies(d // 2).repeat_interleave(2), halves),
        with_frequencies(lambda d: frequencies(d // 2).repeat(2)),
    ],
    "base 500000": [with_frequencies(lambda d: frequencies(d, 500000.0)), Cached(base=500000.0, max_len=4096)],
    "base 1000000": [with_frequencies(lambda d: frequencies(d, 1e6), halves)],
    "base 150000": [with_frequencies(lambda d: frequencies(d, 150000.0), halves)],
    "base 100": [with_frequencies(lambda d: frequencies(d, 100.0), halves)],
    "proportional 16 of 64": [lambda x, positions: proportional(x, positions, 16)],
    "proportional 16 of 64, base 1000000": [lambda x, positions: proportional(x, positions, 16, 1e6)],
    "LongRoPE scaling": [longrope],
    "partial 32 of 64": [
        lambda x, positions: partial(x, positions, 32, 32),
        lambda x, positions: partial(x, positions, 32, 32, pairs),
    ],
    "partial 16 of 64": [lambda x, positions: partial(x, positions, 16, 16)],
    "partial 32 of 64, base 500000": [lambda x, positions: partial(x, positions, 32, 32, base=500000.0)],
    "linear scaling 4": [lambda x, positions: halves(x, positions / 4), with_frequencies(lambda d: frequencies(d) / 4)],
    "linear scaling 2.5": [with_frequencies(lambda d: frequencies(d) / 2.5)],
    "NTK-aware scaling 4": [with_frequencies(ntk)],
    "NTK-aware scaling 8": [with_frequencies(lambda d: ntk(d, 8), halves)],
    "YaRN scaling 4": [yarn(yarn_paper, 4), yarn(yarn_authors, 4), yarn(yarn_authors, 4, pairs, length=2048)],
    "YaRN scaling 16": [yarn(yarn_authors, 16), yarn(yarn_paper, 16, length=2048)],
    "Llama 3.1 scaling 8": [with_frequencies(llama3, halves), with_frequencies(llama3)],
    "Llama 3.1 scaling 32": [with_frequencies(lambda d: llama3(d, 32), halves)],
}
