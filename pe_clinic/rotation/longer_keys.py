"""Queries that are the last of the keys' positions, where the text of a rotation says that k holds cached tokens."""

import re
from dataclasses import replace

import torch

from ..sandbox.guard import first_look
from .layouts import FOUR
from .maker import as_tuple
from .way import POSITIONS
from .words import MISTAKES

KEPT = r"cached? (tokens?|ones|keys)|(with|plus) the cache|(holds?|contains?|includes?)\b[^\n]*\bcached?"
LAST = r"\bx?q(uer(y|ies))?\b[^\n]{0,30}\b(is|are|holds?) the last\b"
TOLD = rf"(?i)(\bx?k(eys?)?\b[^\n]*?({KEPT})|{LAST})"
ROWS, LAST_ROWS = 8, 3


def behind_longer_keys(rotator, way, layout, width):
    """The `Finding` where the last queries beside all keys are not turned by the last positions; else None."""
    told = holds_cached(way)
    if not told or not way.found.pair or layout not in FOUR:
        return None
    q, k = torch.randn(2, 1, 2, ROWS, width, generator=torch.Generator().manual_seed(9))
    at = torch.arange(ROWS)
    whole = first_look(rotator.turn, [q.clone(), k.clone()], at)
    outs = [
        first_look(lambda turn=turn: turn(q[:, :, -LAST_ROWS:].clone(), k.clone(), at)) for turn in _turns(way, rotator)
    ]
    outs = [as_tuple(out) for out in outs if isinstance(out, (tuple, list)) and len(out) == 2]
    if not whole or not outs or any(_fits(layout, out, whole) for out in outs):
        return None
    said = f"{way.said}: the last {LAST_ROWS} of {ROWS} queries beside all keys, as its text says ({told[0].strip()}),"
    return MISTAKES.found("longer-keys", f"{said} or the keys, are turned by other positions than in the whole text")


def holds_cached(way):
    """Where the text says that k is longer than q; None where it does not."""
    return re.search(TOLD, way.remarks)


def _turns(way, rotator):
    """The ways to tell where the queries begin, or where all keys stand, with whole tables where there are any."""
    _, layout, shape = rotator.asked
    own = replace(way, found=replace(way.found, required=bool(way.found.positions)))
    first = ROWS - LAST_ROWS
    places = [lambda p, b: first] if way.found.takes == "start" else [lambda p, b: p[first:], *POSITIONS[:3]]
    for place in places:
        yield own.rotate(layout, shape, place)
    if way.found.takes == "positions":
        yield own.rotate(layout, shape, lambda p, b: p[None, first:].expand(b, -1))


def _fits(layout, out, whole):
    """Are q and k, in the code's own layout, those rows of the whole text?"""
    wanted = layout.split(whole[0][:, :, -LAST_ROWS:])[0], layout.split(whole[1])[0]
    got = out[0] if out[0].ndim < 4 or layout.plain else layout.split(out[0])[0], out[1]
    return all(
        a.numel() == b.numel() and torch.allclose(a.reshape(b.shape), b, atol=1e-4)
        for a, b in zip(got, wanted, strict=True)
    )
