"""How a layer combines x with its table: the coefficient of x, and which row of the table goes where."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..saying.words import show
from .outputs import Response
from .picks import PICKS, RIGHT, WITH_ROOM, Pick, cells
from .subject import D_MODEL, MAX_LEN

SHAPES = ((2, 3), (1, 4), (2, 8), (3, 3), (3, 1), (9, 2))  # of (batch, length); max_len is 8
TOLERANCE = 1e-4
MANY = 64  # rows of a table that is longer than it was asked to be


@dataclass(frozen=True)
class Combination:
    """out = a·x + rows of the table, or x · rows; ``pattern`` is "position" (row n to token n), "encoding" (the rows
    alone), the id of the mistake that puts them elsewhere, or "unknown"."""

    pattern: str
    a: float = 1.0
    entry: str = ""  # the id of that mistake
    pick: Pick = RIGHT
    product: bool = False
    said: str = ""  # what shows that it is neither a sum nor a product

    def rest(self, one, two=None):
        """What meets x in a response, or in two responses to different x."""
        if not self.product:
            return one.out - self.a * one.x
        two = one if two is None else two
        return (one.out * one.x + two.out * two.x) / (one.x**2 + two.x**2)


def combine(responses: Mapping, other_x: Mapping, narrow: Response | None) -> Combination:
    """The `Combination`, from the ``responses`` to `SHAPES`, those to ``other_x``, and a layer of half the width."""
    if _is_encoding(responses, other_x):
        return Combination("encoding", 0.0)
    pairs = [(one, other_x[shape]) for shape, one in responses.items() if _aligned(one, other_x[shape])]
    if not pairs:
        return Combination("unknown")
    one, two = pairs[0]
    a = coefficient(one, two)
    how = Combination("unknown", a)
    if np.abs(how.rest(one) - how.rest(two)).max() > TOLERANCE * (1 + abs(a)):
        with np.errstate(divide="ignore", invalid="ignore"):
            factor, factor_two = one.out / one.x, two.out / two.x
        if (np.abs(factor - factor_two) < 1e-2 * (1 + np.abs(factor))).mean() <= 0.95:
            rest = show(np.abs(how.rest(one)).max())
            said = f"the nearest is out = {show(a)}·x + something that depends on x, up to {rest}"
            return Combination("unknown", a, said=said)
        how = Combination("unknown", product=True)
    if all(np.abs(how.rest(pair[0])).max() < TOLERANCE for pair in pairs):
        return Combination("never-added", a, "never-added")
    return _placed(how, responses, narrow)


def coefficient(one, two):
    """The factor of x, from two responses to different x of one shape."""
    difference = np.broadcast_to(one.x - two.x, one.out.shape)
    a = float(((one.out - two.out) * difference).sum() / (difference**2).sum())
    return 1.0 if abs(a - 1) < 1e-5 else 0.0 if abs(a) < 1e-5 else a


def _aligned(one, two):
    """Did both give a tensor, x's shape or one that x was stretched to?"""
    if one.out is None or two.out is None or one.out.shape != two.out.shape or one.out.ndim != 3:
        return False
    return all(n in (1, m) for n, m in zip(one.x.shape, one.out.shape, strict=True))


def _is_encoding(responses, other_x):
    """Rows that are the same for all samples and whatever x is: the table, cut to the length."""
    one, two = responses[2, 3].rows, other_x[2, 3].rows
    if any(response.rows is None for response in responses.values()) or two is None:
        return False
    return bool(np.abs(one - two).max() < TOLERANCE < np.ptp(one, axis=0).max())


def _placed(how, responses, narrow):
    """``how``, with the entry and the pick that explain where every response has its rows."""
    seen = [*responses.values(), *([narrow] if narrow else [])]
    observed = [(r.x.shape, how.rest(r) if _aligned(r, r) else None if r.out is None else r.out) for r in seen]
    grown = {max(r.out.shape[:2]) for r in responses.values() if r.out is not None and r.out.ndim == 3}
    tries = [
        (*_misses(pick, rows, observed), entry, pick)
        for entry, picks in {"": (RIGHT,), **PICKS}.items()
        for pick in picks
        for rows in {MAX_LEN, MANY, *grown}
        if rows >= MAX_LEN
    ]
    misses, *_, first, entry, pick = min(tries, key=lambda one: one[:3])
    if misses and not first:
        return Combination("unknown", how.a, product=how.product)
    short = [one for one in observed if one[0][1] != MAX_LEN]
    if not entry and (responses[2, MAX_LEN].out is None or (misses and not _misses(RIGHT, MAX_LEN, short)[0])):
        pick = WITH_ROOM
    pattern = "multiplied" if how.product else entry or "position"
    return Combination(pattern, how.a, entry, pick, how.product)


def _misses(pick, rows, observed):
    """How many of the responses do not have their rows where ``pick`` puts them; how many cells it uses, and how far
    the first row is from one of zeros and ones, as sines and cosines of 0 are; is the first response met?"""
    table, missed = np.full(rows * D_MODEL, np.nan), []
    for shape, rest in observed:
        index = cells(pick, shape, rows)
        if index is None or rest is None or index.shape != rest.shape:
            missed.append(rest is not None or index is not None)
            continue
        missed.append(False)
        if shape[-1] == D_MODEL:  # another width has another table
            cell, at = np.unique(index, return_index=True)
            filled = table.copy()
            filled[cell] = np.where(np.isnan(table[cell]), rest.ravel()[at], table[cell])
            missed[-1] = not np.allclose(filled[index], rest, rtol=1e-3, atol=10 * TOLERANCE)
            table = table if missed[-1] else filled
    known = ~np.isnan(table)
    first = np.abs(table[:D_MODEL] / np.abs(table[known]).max()) if known.any() else table[:D_MODEL]
    off = np.nan_to_num(np.minimum(first, np.abs(1 - first)), nan=1.0).sum()
    return sum(missed), int(known.sum()), off, observed[0][1] is not None and not missed[0]
