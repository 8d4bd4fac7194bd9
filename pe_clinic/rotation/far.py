"""Far out: where a table ends, and what comes then; how exact the angles still are."""

from dataclasses import dataclass, replace

import numpy as np

from .words import MISTAKES

CLAMPED = MISTAKES["clamped"]
ZEROS = MISTAKES["zeros-beyond"]
UNTURNED = MISTAKES["unturned-beyond"]
WRAPPED = MISTAKES["wrapped"]
ANOTHER_FAR = MISTAKES["far-positions"]


def about_far(model, seen, which):
    """A finding about the first far row that is wrong, and those beyond it."""
    rows = wrong_rows(model, seen, which)
    if not rows:
        return []
    off = np.abs(rows[0].out - model.apply(rows[0].x[None], [rows[0].position])[0]).max()
    plain = all(row.is_turned_as(_plain(model), [row.position]).all() for row in rows)
    added = "; from there on it turns by base 10000, as rows do that are added without the scaling" if plain else ""
    return _beyond(model, rows) or [ANOTHER_FAR.found(f"{_begins(rows)}, by up to {off:.3g}{added}")]


def _plain(model):
    """The same, with the paper's frequencies."""
    pace = np.abs(model.rate)
    pair = np.searchsorted(-np.unique(pace)[::-1], -pace)
    return replace(model, rate=np.sign(model.rate) * 10000.0 ** (-2 * pair / len(pace)))


def about_early(model, seen, which):
    """As `about_far`, where the table ends among the first calls; [] where that does not explain them."""
    rows = wrong_rows(model, seen, which, "elsewhere", "unsorted", "single", "length", "far")
    return _beyond(model, sorted(rows, key=lambda row: row.position)) if rows else []


def _beyond(model, rows):
    told = _zero(model, rows) or _cut(model, rows)
    return [told[0].found(f"{_begins(rows)}: {told[1]}")] if told else []


def _begins(rows):
    return f"position {rows[0].position} is the first that was seen to differ"


@dataclass(frozen=True)
class Row:
    """One row of x (head_dim,), what came of it, and its position."""

    position: int
    x: np.ndarray
    out: np.ndarray

    def is_turned_as(self, model, positions):
        """For each of the positions: would it give this row? (n,) of booleans"""
        x = np.broadcast_to(self.x, (len(positions), len(self.x)))
        return (np.abs(model.apply(x, positions) - self.out) <= model.allowed(x, positions) + 1e-4).all(axis=1)


def wrong_rows(model, seen, which, *calls):
    """The `Row` of every far position that is wrong, or of every one in these ``calls``."""
    rows = []
    for probe in seen.responses(*(calls or ["far"])).values():
        x, out = probe.x[which][0, 0], probe.out[which][0, 0]
        bad = (np.abs(out - model.apply(x, probe.positions)) > model.allowed(x, probe.positions)).any(axis=-1)
        rows += [Row(int(probe.positions[n]), x[n], out[n]) for n in np.flatnonzero(bad)]
    return rows


def _zero(model, rows):
    """Cosines and sines of 0, in the columns that turn at all."""
    gone = model.without(np.abs(model.rate) > 0)
    if all(np.abs(row.out - gone.apply(row.x[None], [0])[0]).max() < 1e-5 for row in rows):
        return ZEROS, "its row is all 0" if (model.rate != 0).all() else "what turns is 0"
    return None


def _cut(model, rows):
    """Every row beyond the table has the position 0, or the last one, or its own modulo the table's length."""
    places = np.flatnonzero(rows[0].is_turned_as(model, np.arange(rows[0].position)))
    if not len(places):
        return None
    place, last = int(places[0]), rows[0].position
    some = (rows[0], rows[len(rows) // 2], rows[-1])
    if all(row.is_turned_as(model, [place]).all() for row in some) and (len(rows) > 1 or place == 0):
        if place == 0:
            return UNTURNED, "its row comes back as it was"
        return CLAMPED, f"it is turned as position {place}, and so is every one beyond"
    for length in [n for n in range(last - place, 1, -1) if (last - place) % n == 0 and n > place]:
        if all(row.is_turned_as(model, [row.position % length]).all() for row in some):
            first = f", and {length} is turned as 0" if place else ""
            return WRAPPED, f"it is turned as position {place}: positions are taken modulo {length}{first}"
    return None
