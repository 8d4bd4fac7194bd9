"""How a layer combines x with its table: the coefficient of x, and which row of the table goes where."""

from dataclasses import dataclass

import numpy as np

from pe_lib.vectorized import sinusoidal_vectorized

from ..saying.mistake import Mistake
from ..saying.words import row, show
from ..table.alterations import TRANSPOSED
from .cuts import (
    BATCH_AXIS,
    NO_SLICE,
    SLICE_BY_BATCH,
    TOLERANCE,
    batch_axis_in_part,
    by_crashes,
    crashes,
    unusable,
    wrong_cut,
)
from .subject import D_MODEL, MAX_LEN

MISSING_COLON = Mistake(
    "missing-colon",
    "One and the same row is added to every token.",
    "pe[:, n] picks row n; pe[:, :n] cuts the first n rows. Broadcasting hides the difference.",
    "put the colon back: pe[:, :x.shape[1]]",
    "DiffPoseTalk/DiffPoseTalk/issues/20",
)
MEAN_ROW = Mistake(
    "mean-row",
    "The mean over the positions is added to every token.",
    "A mean over the axis of positions leaves one row, and broadcasting gives it to all tokens.",
    "add the rows themselves: x + pe[:, :x.shape[1]]",
)
NEVER_ADDED = Mistake(
    "never-added",
    "The encoding is never added: x comes back as it was.",
    "The sum was computed and not kept or not returned, or its factor is 0.",
    "x = x + pe[:, :x.shape[1]], and return it",
    "msalhab96/Conformer/issues/2",
)
MULTIPLIED = Mistake(
    "multiplied",
    "x is multiplied by the encoding.",
    "A * for a +. Wherever a sine is 0 the token is lost: in row 0, every even column.",
    "x + pe[:, :x.shape[1]]",
)
OTHER_ADDITION = Mistake(
    "other-addition",
    "The output is not x + PE.",
    "None of the known mistakes gives this output.",
    "return x + pe[:, :x.shape[1]]",
)


@dataclass(frozen=True)
class Combination:
    """out = a·x + rows of the table, by ``pattern``: "position" (row n to token n), "encoding" (the rows alone), the id
    of the mistake that puts them elsewhere, or "unknown"."""

    pattern: str
    a: float = 1.0
    findings: tuple = ()


def combine(responses, other_x, narrow):
    """The `Combination`, from the ``responses`` to `SHAPES`, those to ``other_x``, and a layer of half the width."""
    pattern = by_crashes(responses)
    if pattern is NO_SLICE:
        a = coefficient(responses[2, 8], other_x[2, 8])
        named = wrong_cut(responses, narrow, a) or NO_SLICE.found(crashes(responses))
        added = responses[2, 8].out[0] - a * responses[2, 8].x[0]
        if named.id == "slice-of-columns" and np.allclose(added.T, sinusoidal_vectorized(8, D_MODEL), atol=1e-3):
            seen = f"at length {MAX_LEN} token n gets column n of the table"
            return Combination(named.id, a, (TRANSPOSED.found(seen), named))
        return Combination(named.id, a, (named,))
    if pattern is SLICE_BY_BATCH:
        a = coefficient(responses[3, 3], other_x[3, 3])
        return Combination(SLICE_BY_BATCH.id, a, (SLICE_BY_BATCH.found(crashes(responses)),))
    if _is_encoding(responses, other_x):
        return Combination("encoding", 0.0)
    one, two = responses[2, 3], other_x[2, 3]
    if not one.fits:
        named = batch_axis_in_part(responses)
        square = named and responses[3, 3].fits and other_x[3, 3].fits  # there the table can be read
        return Combination("batch-square" if square else "unknown", findings=(named or unusable(responses),))
    if not two.fits:
        return Combination("unknown", findings=(two.finding or unusable(responses),))
    return _of_sum(one, two, responses)


def coefficient(one, two):
    """The factor of x, from two responses to different x of one shape."""
    difference = one.x - two.x
    a = float(((one.out - two.out) * difference).sum() / (difference**2).sum())
    return 1.0 if abs(a - 1) < 1e-5 else 0.0 if abs(a) < 1e-5 else a


def _is_encoding(responses, other_x):
    """Rows that are the same for all samples and whatever x is: the table, cut to the length."""
    one, two = responses[2, 3].rows, other_x[2, 3].rows
    if any(response.rows is None for response in responses.values()) or two is None:
        return False
    return bool(np.abs(one - two).max() < TOLERANCE < np.ptp(one, axis=0).max())


def _of_sum(one, two, responses):
    a = coefficient(one, two)
    rest, rest_two = one.out - a * one.x, two.out - a * two.x  # what is added to a · x
    if np.abs(rest - rest_two).max() > TOLERANCE * (1 + abs(a)):
        return _no_sum(one, two, a)
    if np.abs(rest).max() < TOLERANCE:
        return Combination("never-added", a, (NEVER_ADDED.found(f"out = {show(a)}·x, and nothing else"),))
    over_batch = np.abs(rest - rest[:1]).max() > TOLERANCE
    over_position = np.abs(rest - rest[:, :1]).max() > TOLERANCE
    if over_batch and not over_position:
        seen = (
            f"the first token of sample 1 gets {row(rest[1, 0])}; that is what its second token gets too, and sample 0 "
            f"gets {row(rest[0, 0])}"
        )
        return Combination(BATCH_AXIS.id, a, (BATCH_AXIS.found(seen),))
    if not over_position:
        return Combination(MISSING_COLON.id, a, (_one_row(rest[0, 0], responses),))
    if over_batch:
        seen = (
            "what is added differs between samples: the first token gets "
            f"{row(rest[0, 0])} in sample 0 and {row(rest[1, 0])} in sample 1"
        )
        return Combination("unknown", a, (OTHER_ADDITION.found(seen),))
    return Combination("position", a)


def _one_row(added, responses):
    paper = sinusoidal_vectorized(MAX_LEN + 1, D_MODEL)
    for count in (3, MAX_LEN):
        if np.allclose(paper[:count].mean(axis=0), added, atol=1e-3):
            return MEAN_ROW.found(f"at length 3 every token gets the mean of rows 0 to {count - 1}")
    if _is_mean(added, responses):
        return MEAN_ROW.found(f"at length 3 every token gets {row(added)}: three rows of length 1, divided by 3")
    near = [n for n in range(len(paper)) if np.allclose(paper[n], added, atol=1e-3)]
    what = f"row {near[0]} of the table" if near else f"the row {row(added)}"
    end = "" if responses[2, 8].fits else f"; length {MAX_LEN}, the whole table, stops it"
    return MISSING_COLON.found(f"at length 3 every token gets {what}{end}")


def _is_mean(added, responses):
    """Of a mean over the length the next row can be told; in a row the squares of each pair give 1."""
    longer = responses[1, 4]
    if not longer.fits or (added**2).sum() > 0.99 * D_MODEL / 2:
        return False
    return bool(abs(((4 * (longer.out[0, 0] - longer.x[0, 0]) - 3 * added) ** 2).sum() - D_MODEL / 2) < 1e-2)


def _no_sum(one, two, a):
    with np.errstate(divide="ignore", invalid="ignore"):
        factor, factor_two = one.out / one.x, two.out / two.x
    near = np.abs(factor - factor_two) < 1e-2 * (1 + np.abs(factor))
    if near.mean() > 0.95:
        seen = f"out / x is the same for two different x; for the second token it is {row(factor[0, 1])}"
        return Combination(MULTIPLIED.id, findings=(MULTIPLIED.found(seen),))
    rest = show(np.abs(one.out - a * one.x).max())
    seen = f"the nearest is out = {show(a)}·x + something that depends on x, up to {rest}"
    return Combination("unknown", a, (OTHER_ADDITION.found(seen),))
