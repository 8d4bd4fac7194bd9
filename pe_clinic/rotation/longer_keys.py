"""Queries that are the last of the keys' positions, where the text of a rotation says that k holds cached tokens."""

import re

import torch

from ..sandbox.guard import first_look
from .layouts import FOUR
from .seen import alike
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
    given, whole = (q[:, :, -LAST_ROWS:], k), rotator.turned(q, k)
    calls = [(other.turn, [x.clone() for x in given], torch.arange(ROWS)) for other in _places(rotator, way)]
    outs = [out for call in calls if len(out := first_look(*call) or ()) == 2]
    if not whole or not outs or any(alike(out, (whole[0][:, :, -LAST_ROWS:], whole[1])) for out in outs):
        return None
    said = f"{way.said}: the last {LAST_ROWS} of {ROWS} queries beside all keys, as its text says ({told[0].strip()}),"
    return MISTAKES.found("longer-keys", f"{said} or the keys, are turned by other positions than in the whole text")


def holds_cached(way):
    """Where the text says that k is longer than q; None where it does not."""
    return re.search(TOLD, way.remarks)


def _places(rotator, way):
    """The rotators told where the queries begin, or where all keys stand, with whole tables where there are any."""
    first = ROWS - LAST_ROWS
    places = [lambda p, b: first] if way.found.takes == "start" else [lambda p, b: p[first:], *POSITIONS[:3]]
    if way.found.takes == "positions":
        places.append(lambda p, b: p[None, first:].expand(b, -1))
    return [rotator.by(way=way.with_whole_tables(), place=place) for place in places]
