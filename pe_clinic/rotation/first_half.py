"""A new object whose first call is in half precision: does it keep tables in the dtype of its first x?"""

import torch

from ..sandbox.guard import first_look
from ..sandbox.mistakes import found
from .behaviour import CASTS
from .words import MISTAKES

LENGTH = 600  # beyond 256, where bfloat16 has no whole numbers of its own
OFF = 0.25  # no rounding of x is as large


def first_in_half(rotator, again, width):
    """The `Finding` where a new object, of the ways ``again()``, is off if it meets bfloat16 first; else None."""
    way = rotator.asked.way
    of = getattr(way.function, "__self__", way.function) if way and not way.maker else None
    if of is None or isinstance(of, type) or type(of).__module__ in ("builtins", "functools"):
        return None
    own = first_look(lambda: next((one for one in again() if one.said == way.said), None))
    if own is None:
        return None
    new, x = rotator.by(way=own), torch.randn(1, 1, LENGTH, width, generator=torch.Generator().manual_seed(3))
    if not _off(rotator, new, x.bfloat16()):
        return None
    said = f"{way.said}, x of {LENGTH} tokens: a new object that meets bfloat16 first"
    if _off(rotator, new, x):
        return found("not-repeatable", f"{said} turns float32 otherwise afterwards", **(CASTS | {"kind": "usage"}))
    return MISTAKES.found("dtype-of-x", f"{said} is off by more than {OFF}", kind="usage")


def _off(rotator, new, x):
    """Does it come otherwise from the ``new`` object than from the one that was looked at?"""
    usual, out = rotator.turned(x), new.turned(x)
    return bool(usual and out and (usual[0].float() - out[0].float()).abs().max() > OFF)
