"""Which columns turn with each other, by which pair's angle, with which sign: read from the measured columns."""

from dataclasses import dataclass
from itertools import product

import numpy as np

LAYOUTS = ("neighbours", "halves")


@dataclass(frozen=True)
class Structure:
    """For each of the d columns: its pair's number in the tables, −1 for none, its partner, the sign of its sine.

    ``rates`` are those of the pairs, radians per position, in the order of the tables, up to whole turns.
    """

    pair: np.ndarray
    partner: np.ndarray
    sign: np.ndarray
    rates: np.ndarray
    layout: str  # one of `LAYOUTS`, or "other"
    mistake: str = ""  # its id

    def spread(self, rates):
        """The signed rate of every column, where the pairs have these."""
        return np.where(self.pair >= 0, rates[self.pair] * self.sign, 0.0)


def pattern(layout, r):
    """Of r columns the number of each one's pair, its partner, and whether it is the first of the two."""
    j, half = np.arange(r), r // 2
    return {
        "neighbours": (j // 2, j ^ 1, j % 2 == 0),
        "halves": (j % half, (j + half) % r, j < half),
        "cat": (None, np.where(j < half, 2 * j + 1, 2 * (j - half)), j < half),
        "cat back": (None, np.where(j % 2 == 0, j // 2 + half, j // 2), j % 2 == 0),
    }[layout]


def structure_of(columns):
    """The `Structure` that these columns have, right or wrong, in the order of the tables; or None."""
    turned, d = np.flatnonzero(columns.turned), len(columns.rate)
    involved = np.union1d(turned, columns.partner[turned])
    widths = [r for r in sorted({len(involved), 2 * len(turned), d}) if r <= d and r % 2 == 0 and involved.max() < r]
    # The right ones come first: of all that fit the first is named.
    shapes = product(("one minus", "alike"), ("both", "first", "second"), (*LAYOUTS, "cat", "cat back"), LAYOUTS)
    shapes = sorted(shapes, key=lambda shape: (_mistake(*shape) != "", shape[0] != "one minus"))
    return next(filter(None, (_match(columns, r, *shape) for r in widths for shape in shapes)), None)


def _mistake(signs, written, partners, table):
    """Its id, "" where there is none."""
    if partners.startswith("cat"):
        return "evens-odds-cat"
    if written != "both":
        return "one-half-turned"
    if signs == "alike":
        return "signs"
    mixed = {("halves", "neighbours"): "layouts-mixed-repeated", ("neighbours", "halves"): "layouts-mixed-joined"}
    return mixed.get((partners, table), "")


def _match(columns, r, signs, written, partners, table):
    pair, (_, partner, first) = pattern(table, r)[0], pattern(partners, r)
    on = {"both": np.ones(r, bool), "first": first, "second": ~first}[written]
    known = columns.turned[:r]
    if (known & ~on).any() or (columns.partner[:r] != partner)[known].any():
        return None
    seen = np.zeros(r // 2, bool)
    seen[pair[known]] = True
    if not seen[: seen.sum()].all() or (known != on & seen[pair]).any():  # the pairs that turn come first
        return None
    sign = np.where(first & (signs == "one minus"), -1, 1)
    signed = columns.rate[:r] * sign
    low, high = np.full(r // 2, np.inf), np.full(r // 2, -np.inf)
    np.minimum.at(low, pair[on], signed[on])
    np.maximum.at(high, pair[on], signed[on])
    spread = np.abs(np.angle(np.exp(1j * (high - low))))
    if (spread > 1e-6 + 1e-4 * np.abs(high)).any():
        return None
    slow = (low + high)[np.abs(high) < 1] if (np.abs(high) < 1).any() else low + high
    direction = -1 if (slow < 0).sum() > (slow > 0).sum() else 1
    rest = len(columns.rate) - r
    return Structure(
        np.append(np.where(on, pair, -1), np.full(rest, -1)),
        np.append(partner, columns.partner[r:]),
        np.append(direction * sign * on, np.zeros(rest)),
        direction * (low + high) / 2,
        partners,
        _mistake(signs, written, partners, table),
    )


def in_any_order(columns):
    """The `Structure` of any two columns that turn with each other, one each way, the fastest pairs first; or None."""
    j, turned = np.arange(len(columns.rate)), columns.turned
    opposite = np.abs(np.angle(np.exp(1j * (columns.rate + columns.rate[columns.partner])))) < 1e-5
    if (columns.partner[columns.partner] != j)[turned].any() or not opposite[turned].all():
        return None
    firsts = np.flatnonzero(turned & (j < columns.partner))
    firsts = firsts[np.argsort(-np.abs(columns.rate[firsts]), kind="stable")]
    pair, sign = np.full(len(j), -1), np.zeros(len(j))
    pair[firsts] = pair[columns.partner[firsts]] = np.arange(len(firsts))
    sign[firsts] = np.sign(columns.rate[firsts])
    sign[columns.partner[firsts]] = -sign[firsts]
    return Structure(pair, columns.partner, sign, np.abs(columns.rate[firsts]), "other")
