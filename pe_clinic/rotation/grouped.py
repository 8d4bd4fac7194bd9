"""Grouped queries: k of fewer heads than q, where the text of a rotation names them."""

import re

import torch

from ..sandbox.guard import Failed, first_look, run
from .maker import as_tuple
from .way import POSITIONS, STARTS
from .words import MISTAKES

PROMISED = r"(?i)\b(n|num)_?(local_)?(kv|key_value)_?heads?\b|\bkv_heads?\b|\bgrouped[- ]quer|\bGQA\b|fewer (kv )?heads"
AFTERWARDS = r"(?i)repeat|expand|same (number|shape)|\b(no|not|without)\b"


def fewer_heads_of_k(rotator, way, layout, width):
    """The `Finding` where q of four heads and k of two stop, or k is turned otherwise than alone; else None."""
    told = re.search(PROMISED, way.remarks)
    sized = "heads" in dict(way.found.sizes).values()
    if not told or not way.found.pair or sized or "heads" not in layout.axes or re.search(AFTERWARDS, way.remarks):
        return None
    turn = way.rotate(layout, rotator.asked[2], STARTS[0] if way.form.takes == "start" else POSITIONS[0])
    q, k, at = torch.randn(2, 4, 5, width), torch.randn(2, 2, 5, width), torch.arange(5)
    alone, usual = (first_look(lambda x=x: as_tuple(turn(x.clone(), x.clone(), at))) for x in (k, q))
    if not alone or not usual or [getattr(out, "shape", None) for out in alone[:2]] != [k.shape] * 2:
        return None
    said = f"{way.said} with 4 heads of q and 2 of k, which its text names ({told[0]}),"
    try:
        both = as_tuple(run(said, turn, q, k, at))
    except Failed as failed:
        return MISTAKES.found("fewer-heads-of-k", failed.finding.evidence)
    except NotImplementedError:
        return None
    wanted = layout.split(alone[1])[0]
    if len(both) > 1 and both[1].shape == wanted.shape and torch.allclose(both[1], wanted, atol=1e-4):
        return None
    return MISTAKES.found("fewer-heads-of-k", f"{said} turns k otherwise than with 2 heads of each")
