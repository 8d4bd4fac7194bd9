"""Which column is turned with which, by which pair's angle, with which sign: the right layouts and the wrong ones."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from .entry import Entry, thread


@dataclass(frozen=True)
class Shape:
    """For each of r columns: its pair's number in the tables, its partner, the sign of the sine, and is it turned?"""

    table: np.ndarray
    partner: np.ndarray
    sign: np.ndarray
    turned: np.ndarray


def _shape(r, table, partner, sign, turned=None):
    j, half = np.arange(r), r // 2
    tables = {"neighbours": j // 2, "halves": j % half}
    partners = {
        "neighbours": j ^ 1,
        "halves": (j + half) % r,
        "cat": np.where(j < half, 2 * j + 1, 2 * (j - half)),
        "cat back": np.where(j % 2 == 0, j // 2 + half, j // 2),
    }
    first = {"neighbours": j % 2 == 0, "halves": j < half, "cat": j < half, "cat back": j % 2 == 0}[partner]
    signs = {"turned": np.where(first, -1, 1), "both minus": -np.ones(r, int), "both plus": np.ones(r, int)}
    masks = {None: np.ones(r, bool), "first": first, "second": ~first}
    return Shape(tables[table], partners[partner], signs[sign], masks[turned])


def _builds(table, partner, sign="turned", turned=None):
    return lambda r: _shape(r, table, partner, sign, turned)


RIGHT = {
    "neighbours": _builds("neighbours", "neighbours"),
    "halves": _builds("halves", "halves"),
}

MIXED = (
    "Two layouts are in use, and each is right by itself: pairs of neighbours (2k, 2k + 1), and halves (k, k + d/2)."
)
ONE_HALF = "The second number of each pair is written as it was, or the first: only one line of the rotation is there."
SIGNS = (
    "A rotation has one minus: (x1 cos − x2 sin, x2 cos + x1 sin). With none or with two it is no rotation: lengths "
    "change, and the score depends on the positions themselves."
)
CAT = "cat puts all of one kind first, and then all of the other; what was turned no longer stands at its own column."

MIXED_REPEATED = Entry(
    "layouts-mixed-repeated",
    "Two layouts are mixed: tables for neighbours, and halves turned.",
    MIXED,
    "for halves, join the table with itself: cat((θ, θ), -1), not repeat_interleave(θ, 2)",
    thread("raiyanyahya/how-to-train-your-gpt#6"),
)
MIXED_JOINED = Entry(
    "layouts-mixed-joined",
    "Two layouts are mixed: tables for halves, and neighbours turned.",
    MIXED,
    "for neighbours, repeat each number of the table: repeat_interleave(θ, 2, -1), not cat((θ, θ), -1)",
)
EVENS_ODDS = Entry(
    "evens-odds-cat",
    "Evens and odds are joined by cat, where they should alternate.",
    CAT,
    "stack((-odd, even), -1).flatten(-2)",
)
HALF_TURNED = Entry(
    "one-half-turned",
    "Only one number of each pair is turned.",
    ONE_HALF,
    "compute both from the old two: x1 cos − x2 sin, and x1 sin + x2 cos",
)
WRONG_SIGNS = Entry(
    "signs",
    "A sign is wrong: this is no rotation.",
    SIGNS,
    "one minus, in the first of the two: x1 cos − x2 sin, x2 cos + x1 sin",
)
# Each is tried, the first that fits is named; the same mistake may be made in more than one way.
WRONG = (
    (MIXED_REPEATED, _builds("neighbours", "halves")),
    (MIXED_JOINED, _builds("halves", "neighbours")),
    *((EVENS_ODDS, _builds(table, partner)) for partner in ("cat", "cat back") for table in ("halves", "neighbours")),
    *((HALF_TURNED, _builds(name, name, turned=turned)) for name in RIGHT for turned in ("first", "second")),
    *(
        (WRONG_SIGNS, _builds(table, partner, sign))
        for sign in ("both minus", "both plus")
        for table, partner in product(RIGHT, RIGHT)
    ),
)


@dataclass(frozen=True)
class Structure:
    """What fits: a name of `RIGHT` or None, the mistake or None, and for each pair its signed rate."""

    layout: str | None
    mistake: Entry | None
    rates: np.ndarray  # (r / 2,) radians per position, in the order of the tables, up to whole turns
    direction: int  # 1 as in the paper, −1 the other way
    r: int
    shape: Shape

    @property
    def sign(self):
        return self.direction * self.shape.sign


def structure_of(columns):
    """The `Structure` that these columns have, or None."""
    turned = np.flatnonzero(columns.turned)
    if not len(turned):
        return None
    d = len(columns.rate)
    involved = np.union1d(turned, columns.partner[turned])
    for r in sorted({len(involved), 2 * len(turned), d}):
        if r > d or r % 2 or involved.max() >= r:
            continue
        for layout, build in RIGHT.items():
            if match := _match(columns, build(r), r, layout, None):
                return match
        for entry, build in WRONG:
            if match := _match(columns, build(r), r, None, entry):
                return match
    return None


def _match(columns, shape, r, layout, mistake):
    on = shape.turned
    rate, partner = columns.rate[:r], columns.partner[:r]
    known = columns.turned[:r]
    if (known & ~on).any() or (partner != shape.partner)[known].any():
        return None
    seen = np.zeros(r // 2, bool)
    seen[shape.table[known]] = True
    if not seen[: seen.sum()].all() or (known != on & seen[shape.table]).any():  # the pairs that turn come first
        return None
    signed = rate * shape.sign
    low = np.full(r // 2, np.inf)
    high = np.full(r // 2, -np.inf)
    np.minimum.at(low, shape.table[on], signed[on])
    np.maximum.at(high, shape.table[on], signed[on])
    spread = np.abs(np.angle(np.exp(1j * (high - low))))
    if (spread > 1e-6 + 1e-4 * np.abs(high)).any():
        return None
    slow = (low + high)[np.abs(high) < 1] if (np.abs(high) < 1).any() else low + high
    direction = -1 if (slow < 0).sum() > (slow > 0).sum() else 1
    return Structure(layout, mistake, direction * (low + high) / 2, direction, r, shape)
