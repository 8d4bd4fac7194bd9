"""What stands beside queries: keys of fewer heads or of more positions, and values, which are not turned."""

import re
from dataclasses import replace

import torch

from ..sandbox.guard import Failed, first_look, run
from .layouts import FOUR
from .seen import alike
from .way import POSITIONS
from .words import MISTAKES

PROMISED = r"(?i)\b(n|num)_?(local_)?(kv|key_value)_?heads?\b|\bkv_heads?\b|\bgrouped[- ]quer|\bGQA\b|fewer (kv )?heads"
AFTERWARDS = r"(?i)repeat|expand|same (number|shape)|\b(no|not|without)\b"
TWO_LENGTHS = r"\bq_?len\w*\s*<=?\s*kv?_?len|\bkv?_?len\w*\s*(>=?|-)\s*q_?len"
KEPT = r"cached? (tokens?|ones|keys)|(with|plus) the cache|(holds?|contains?|includes?)\b[^\n]*\bcached?"
LAST = r"\bx?q(uer(y|ies))?\b[^\n]{0,30}\b(is|are|holds?) the last\b"
TOLD = rf"(?i)(\bx?k(eys?)?\b[^\n]*?({KEPT})|{LAST})"
ROWS, LAST_ROWS = 8, 3


def fewer_heads_of_k(rotator, way, layout, width):
    """The `Finding` where q of four heads and k of two stop, or k is turned otherwise than alone; else None."""
    told = re.search(PROMISED, way.remarks)
    sized = "heads" in dict(way.found.sizes).values()
    if not told or not way.found.pair or sized or "heads" not in layout.axes or re.search(AFTERWARDS, way.remarks):
        return None
    q, k = torch.randn(2, 4, 5, width), torch.randn(2, 2, 5, width)
    alone = rotator.turned(k)
    if not alone or not rotator.turned(q):
        return None
    said = f"{way.said} with 4 heads of q and 2 of k, which its text names ({told[0]}),"
    try:
        both = run(said, rotator.turn, [q, k], torch.arange(5))
    except Failed as failed:
        return MISTAKES.found("fewer-heads-of-k", failed.finding.evidence)
    except NotImplementedError:
        return None
    if alike(both[1:2], alone[1:]):
        return None
    return MISTAKES.found("fewer-heads-of-k", f"{said} turns k otherwise than with 2 heads of each")


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


def of_fewer_queries(rotator, width, source):
    """What is seen where code that compares two lengths gets the last rows of q alone; "" where it is as before."""
    if not rotator.form.pair or rotator.form.takes or not re.search(TWO_LENGTHS, source):
        return ""
    q, k = torch.randn(2, 1, 1, 5, width)
    every, given = rotator.turned(q, k), [q[:, :, 3:].clone(), k.clone()]
    try:
        last = run("rotate(q, k) with 2 queries and 5 keys", rotator.turn, given, torch.arange(5))[0]
    except NotImplementedError:
        return ""
    except Failed as failed:
        return "" if "AssertionError" in failed.finding.evidence else failed.finding.evidence
    same = not every or alike([last], [every[0][:, :, 3:]])
    return "" if same else "the last 2 of 5 queries, alone, are turned otherwise than among all"


def values_turned(rotator, way, layout, width):
    """The `Finding` where v, too, comes back turned beside q and k, or is laid out otherwise than they; else None."""
    name, seen = next((n for n, role in way.found.sizes if role == "value"), None), []

    def turn(**named):
        v = named[name].clone()
        out = way.function(**named)
        seen.extend([(v, out[0], out[2])] if isinstance(out, (tuple, list)) and len(out) == 3 else [])
        return out

    if name and way.found.pair:
        rotator.by(way=replace(way, function=turn)).turned(torch.randn(2, 3, 5, width), torch.randn(2, 3, 5, width))
    for v, q, out in seen:
        shape = getattr(out, "shape", None)
        if shape == v.shape and not alike([out], [v]):
            return MISTAKES.found("values-turned", f"{way.said}: the third result is not the {name} that was given")
        if shape == q.shape != v.shape and _elsewhere(q, out):
            return MISTAKES.found("values-mixed", f"{way.said}: {name} = q comes back in another order of rows than q")
    return None


def of_one_tensor(rotator, width):
    """The `Finding` where code for q, k and v in one tensor turns v, too; else None."""
    qkv = torch.randn(2, 5, 3, 3, width)
    out = first_look(rotator.whole, qkv.clone(), torch.arange(5)) if rotator.whole else None
    if isinstance(out, (tuple, list)):
        v = out[2] if len(out) == 3 else None
    else:
        v = out[:, :, 2] if getattr(out, "shape", None) == qkv.shape else None
    if v is not None and v.shape == qkv[:, :, 2].shape and not alike([v.to(qkv)], [qkv[:, :, 2]]):
        return MISTAKES.found("values-turned", f"{rotator.said}: the third part is not the v that was given")
    return None


def _elsewhere(q, v):
    """Of one tensor handed over as both: are the same rows of numbers there, by their lengths, in another order?"""
    lengths = [part.detach().norm(dim=-1).flatten() for part in (q, v)]
    times = [(one / other).sort().values for one, other in (lengths, (part.sort().values for part in lengths))]
    return bool(times[1][-1] - times[1][0] < 1e-3 < times[0][-1] - times[0][0])
