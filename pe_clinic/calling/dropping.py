"""A class asked for a dropout of another share than its default: does it hear?"""

import re

from ..sandbox.guard import attempt, run
from .file import LAYER_SIZES
from .lines import Call, constant
from .parameters import arguments_of

SHARES = r"drop|keep_?(prob|rate)"  # of what goes, or of what stays


def with_dropout(reading):
    """What makes the layer of a ``reading`` from the two sizes, and from a dropout where its class has one to give."""
    call = reading.call
    made = attempt(run, call.text, call.target.give, LAYER_SIZES) if isinstance(call, Call) else None
    if not isinstance(made, type):
        return reading.layer
    given = {name for name, _ in call.arguments}
    drops = [a for a in arguments_of(made) if a.role == "dropout" and re.search(SHARES, a.name) and a.name not in given]
    default = drops[0].parameter.default if len(drops) == 1 else None
    if type(default) not in (int, float) or default == 0:
        return reading.layer  # what is off by default is looked at no further

    def layer(d_model, max_len, dropout=None):
        name, sizes = drops[0].name, {"max_len": max_len, "d_model": d_model}
        share = dropout if dropout is None or "keep" not in name else 1 - dropout
        asked = () if share is None else ((name, constant(share)),)
        return Call(call.target, (*call.arguments, *asked)).give(sizes)

    return layer
