"""Grouped queries: k of fewer heads than q, where the text of a rotation names them."""

import re

import torch

from ..sandbox.guard import Failed, run
from .seen import alike
from .words import MISTAKES

PROMISED = r"(?i)\b(n|num)_?(local_)?(kv|key_value)_?heads?\b|\bkv_heads?\b|\bgrouped[- ]quer|\bGQA\b|fewer (kv )?heads"
AFTERWARDS = r"(?i)repeat|expand|same (number|shape)|\b(no|not|without)\b"


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
