"""What is kept of the tokens before, handed to code as models hand it: does a new token stand behind it?"""

import re
from functools import partial
from itertools import product

import torch

from ..sandbox.guard import attempt, first_look, run
from ..sandbox.mistakes import MISTAKES
from .names import role_in_rotations
from .parameters import arguments_of
from .starts import LENGTH, astray, differ, in_steps, lost_beside_kinds, module_of

IGNORED, APART, LOST = MISTAKES["past-ignored"], MISTAKES["positions-apart"], MISTAKES["places-lost"]
ASTRAY = MISTAKES["past-ignored, of rows"]
KEPT = r"(layer_)?past(_(key_value|kv|key|state))?s?|(kv_?)?caches?|past_(key_values?_)?len(gth)?|start_pos|offset"
TOLD = rf"{KEPT}|offsets|step|(cache_)?positions?|pos(ition)?_ids"  # by a forward of x: where its tokens stand
COUNTED = r"(position_?)?offset|start_pos|past_len(gth)?|past_key_values_length"  # nothing but a number of tokens


class Past(tuple):
    """Keys and values, as a tuple, or as an object that is asked for its length."""

    def __getattr__(self, name):
        if re.match("get_.*(len|size)", name):
            return lambda *arguments, **named: LENGTH
        if re.search("offset|len|size|seen|pos", name):
            return LENGTH
        raise AttributeError(name)


def parameter_of(function, names=KEPT):
    """The one parameter for what is kept, if no other one tells the positions; else None. Other ``names`` follow x."""
    function = getattr(function, "forward", function)
    every = arguments_of(function)[names is not KEPT :]
    kept = [a.name for a in every if re.fullmatch(names, a.name) and (names is not KEPT or not a.required)]
    told = [a.name for a in every if role_in_rotations(a.name) in ("positions", "start") or "pos" in a.name]
    return kept[0] if len(kept) == 1 and {*told} <= {*kept} else None


def ignored(ask, name, x, new, number=False):
    """Is the last of ``LENGTH`` + 1 tokens x, as ``new`` alone, turned or added to as the first, whatever is kept?

    Of what is a ``number`` by default: or does it stop?
    """
    whole, alone = (first_look(last_of, ask, given) for given in (x, new))
    if not differ(whole, alone):
        return False
    outs = [first_look(last_of, partial(ask, **{name: past}), new) for past in pasts(8 if x.ndim == 2 else x.shape[-1])]
    outs += [first_look(_twice, ask, name, x, new)]
    empty = any(not out.numel() for out in outs if out is not None)
    outs = [out for out in outs if out is not None and out.shape == whole.shape]
    counted = (outs or empty or number) and re.fullmatch(COUNTED, name)
    as_alone, as_one_of_all = (any(not differ(out, other) for out in outs) for other in (alone, whole))
    return bool(as_alone or empty or counted) and not as_one_of_all


def beside_the_past(diagnosis, reading):
    """``diagnosis``, or that of a module whose tokens lose their places beside something else that it is told."""
    module = module_of(reading.call if reading.kind == "layer" else reading.made)
    if module is None:
        return diagnosis
    if found := _astray(module):
        return diagnosis.mistaken(found)
    said = attempt(run, "it", lost_beside_kinds, module) if reading.kind == "layer" else ""
    return diagnosis.mistaken(LOST.found(said)) if said else diagnosis


def _astray(module):
    """The `Finding` where a new token gets the first row whatever it is told of those before; else None."""
    called = type(module).__name__
    if said := in_steps(module):
        return ASTRAY.found(f"{called}: {said}")
    texts = torch.randn(1, LENGTH + 1, 8), 1 + torch.zeros(1, LENGTH + 1, dtype=torch.long)
    for name, x in product(_told_to(module), texts):
        number = any(a.name == name and type(a.parameter.default) is int for a in arguments_of(module.forward))
        if ignored(partial(_in_turn, module, name), name, x, x[:, -1:], number):
            said = f"the last of {LENGTH + 1} tokens, alone with {name}, does not get the row that it gets among them"
            return ASTRAY.found(f"{called}: {said}")
        if said := astray(module, name, x):
            return APART.found(f"{called}: {said}")
    return None


def _told_to(module):
    """The parameters that tell where tokens stand: the one, or those of several that may be left out."""
    optional = [a.name for a in arguments_of(module.forward)[1:] if not a.required]
    one = parameter_of(module, TOLD)
    return [one] if one else [name for name in optional if re.fullmatch(f"{COUNTED}|position_ids", name)]


def _in_turn(module, name, x, **kept):
    """``module`` of x, whose tokens stand at 0, 1, … where it has to be told and nothing else is."""
    if not kept and any(a.name == name and a.required for a in arguments_of(module.forward)):
        kept = {name: torch.arange(x.shape[1]) if "pos" in name[:3] else 0}
    return module(x, **kept)


def pasts(width):
    keys = torch.randn(1, LENGTH, LENGTH, width)
    at = torch.tensor([[LENGTH]])
    return LENGTH, at, at[0], Past((keys, keys)), Past(((keys, keys), (keys, keys)))


def last_of(ask, x):
    out = ask(x)
    while isinstance(out, (tuple, list)):
        out = out[0]
    return out[..., -1:, :]


def _twice(ask, name, x, new):
    """With a dictionary that the code fills by itself."""
    kept = {}
    ask(x[..., :LENGTH, :] if x.is_floating_point() else x[:, :LENGTH], **{name: kept})
    if not kept:
        raise ValueError("nothing is kept")
    return last_of(partial(ask, **{name: kept}), new)
