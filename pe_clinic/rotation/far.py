"""Where a table ends, among the first positions or far out, and what comes then; angles that follow the length."""

from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from .first import understood
from .maker import room
from .pairing import First
from .probing import fits, turned_as
from .seen import Near
from .words import MISTAKES

ALIKE = 1e-5  # between two matrices of one position, read in float32
MODULO = "is turned as position {}: positions are taken modulo {}"
CUT = "is turned as position {}, and so is every one beyond"
SLOWER = {  # by how many times longer than the limit the text is
    "dynamic NTK scaling": lambda n, factor, pair, d: (factor * n - factor + 1) ** (-2.0 * pair / (d - 2)),
    "scaling by the length beyond a limit": lambda n, factor, pair, d: 1 / n,
}


class Row(NamedTuple):
    """One row of x (head_dim,), what came of it, and its position."""

    position: int
    x: np.ndarray
    out: np.ndarray


def wrong_rows(model, seen, which, *calls):
    """The `Row` of every far position that is wrong, or of every one in these ``calls``."""
    rows = []
    for probe in seen.responses(*(calls or ["far"])).values():
        x, out = probe.x[which][0, 0], probe.out[which][0, 0]
        bad = (np.abs(out - model.apply(x, probe.positions)) > model.allowed(x, probe.positions)).any(axis=-1)
        rows += [Row(int(probe.positions[n]), x[n], out[n]) for n in np.flatnonzero(bad)]
    return rows


def about_far(model, seen, which):
    """A finding about the first far row that is wrong, and those beyond it."""
    rows = wrong_rows(model, seen, which)
    if not rows:
        return []
    off = np.abs(rows[0].out - model.apply(rows[0].x[None], [rows[0].position])[0]).max()
    pair, d = _pairs(model)
    plain = replace(model, rate=np.sign(model.rate) * 10000.0 ** (-2 * pair / d))
    added = "; from there on it turns by base 10000, as rows do that are added without the scaling"
    added *= all(_at(plain, row, row.position) for row in rows)
    return _beyond(model, rows) or [MISTAKES.found("far-positions", f"{_begins(rows)}, by up to {off:.3g}{added}")]


def about_early(model, seen, which):
    """As `about_far`, where the table ends among the first calls; [] where that does not explain them."""
    rows = wrong_rows(model, seen, which, "elsewhere", "unsorted", "single", "length", "far")
    return _beyond(model, sorted(rows, key=lambda row: row.position)) if rows else []


def _beyond(model, rows):
    told = _zero(model, rows) or _cut(model, rows)
    return [MISTAKES.found(told[0], f"{_begins(rows)}: {told[1]}")] if told else []


def _begins(rows):
    return f"position {rows[0].position} is the first that was seen to differ"


def _at(model, row, position):
    return bool(turned_as(model, row.x, row.out, [position])[0])


def _zero(model, rows):
    """Cosines and sines of 0, in the columns that turn at all."""
    still = (model.rate == 0)[None].astype(float)
    gone = replace(model, cos_sin=lambda positions: (still, 0 * still))
    if all(np.abs(row.out - gone.apply(row.x[None], [0])[0]).max() < 1e-5 for row in rows):
        return "zeros-beyond", "its row is all 0" if (model.rate != 0).all() else "what turns is 0"
    return None


def _cut(model, rows):
    """Every row beyond the table has the position 0, or the last one, or its own modulo the table's length."""
    last = rows[0].position
    places = np.flatnonzero(turned_as(model, rows[0].x, rows[0].out, np.arange(last)))
    if not len(places):
        return None
    place, some = int(places[0]), (rows[0], rows[len(rows) // 2], rows[-1])
    if all(_at(model, row, place) for row in some) and (len(rows) > 1 or place == 0):
        return ("clamped", f"it {CUT.format(place)}") if place else ("unturned-beyond", "its row comes back as it was")
    for length in (n for n in range(last - place, max(place, 1), -1) if (last - place) % n == 0):
        if all(_at(model, row, row.position % length) for row in some):
            return "wrapped", f"it {MODULO.format(place, length)}" + f", and {length} is turned as 0" * bool(place)
    return None


def repeating(near):
    """The `First` of a rotation by ``positions % n``, or by positions up to a last one; None of all else.

    Its model turns every position as it was seen to be turned, so that the other calls are compared with that.
    """
    matrices, positions = near.matrices, np.arange(len(near.matrices))
    if np.abs(near.added).max() > ALIKE or np.abs(matrices[1] - matrices[0]).max() <= ALIKE:
        return None
    for n in range(2, len(positions)):
        wrapped, clamped = (lambda p, n=n: np.mod(p, n)), (lambda p, n=n: np.minimum(p, n - 1))
        for id, said, places in ("wrapped", MODULO, wrapped), ("clamped", CUT, clamped):
            if np.abs(matrices - matrices[places(positions)]).max() > ALIKE:
                continue
            first = understood(Near(matrices[:n], near.added[:n]))
            if first is None or first.model is None:
                return None
            columns = first.model.columns
            model = replace(first.model, cos_sin=lambda p, columns=columns, places=places: columns(places(p)))
            found = MISTAKES.found(id, f"position {n} {said.format(places(n), n)}")
            return First(model, (found, *first.findings), first.conventions)
    return None


def about_growing(model, seen, which):
    """The design that explains every far call that the first positions' model does not; else [].

    Beyond a limit the frequencies follow the length of each call: dynamic NTK, and all angles divided.
    """
    wrong = [probe for probe in seen.responses("far").values() if not fits(model, probe, which)]
    limits = {2048, 4096, 8192, *(n for n in seen.numbers if n >= 16)}
    factors = {1.0, 2.0, *(n for n in seen.numbers if 1 < n <= 64)}
    for words, slower in SLOWER.items():
        for limit, factor in product(limits, factors if words.startswith("dynamic") else (1.0,)):
            if len(wrong) > 1 and any(
                all(fits(_slowed(model, slower, length(probe) / limit, factor), probe, which) for probe in wrong)
                for length in (lambda probe: float(probe.positions[-1] + 1), lambda probe: room(probe.positions[-1]))
            ):  # of x, or of a table
                said = f"beyond {limit:g} positions, by the length of the call; factor {factor:g}"
                return [MISTAKES.found("by-length", said, title=f"It follows the length: {words}.")]
    return []


def _slowed(model, slower, times, factor):
    return replace(model, rate=model.rate * slower(max(times, 1.0), factor, *_pairs(model)))


def _pairs(model):
    """The number of each column's pair, the fastest first; and of how many columns."""
    pace = np.abs(model.rate)
    return np.searchsorted(-np.unique(pace)[::-1], -pace), len(pace)
