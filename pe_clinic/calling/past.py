"""What is kept of the tokens before, handed to code as models hand it: does a new token stand behind it?"""

import re
from dataclasses import replace
from functools import partial

import torch

from ..sandbox.guard import first_look
from ..sandbox.mistakes import MISTAKES
from .names import role_in_rotations
from .parameters import arguments_of

IGNORED = MISTAKES["past-ignored"]
KEPT = r"(layer_)?past(_(key_value|kv|key|state))?s?|(kv_?)?caches?|past_(key_values?_)?len(gth)?|start_pos|offset"
TOLD = r"start_pos|offset|step|positions?|pos(ition)?_ids"  # in a forward: where its tokens stand
ASTRAY = {
    "title": "A token does not get the row of the position that it is told.",
    "explanation": "With a cache each new token comes alone: its position beside it tells where it stands.",
    "fix": "from a start: pe[:, start : start + x.shape[1]]; from positions: pe[0, positions]",
}
LENGTH = 4  # of what is kept, and the number of its heads


class Past(tuple):
    """Keys and values, as a tuple, or as an object that is asked for its length."""

    def __getattr__(self, name):
        if re.match("get_.*(len|size)", name):
            return lambda *arguments, **named: LENGTH
        if re.search("offset|len|size|seen|pos", name):
            return LENGTH
        raise AttributeError(name)


def parameter_of(function):
    """The one parameter for what is kept, if no other one tells the positions; else None."""
    function = getattr(function, "forward", function)
    every = arguments_of(function)
    every = every[every[0].name in ("idx", "ids") :] if every else []  # first, they are those of words
    kept = [a.name for a in every if re.fullmatch(KEPT, a.name) and not a.required]
    told = [a.name for a in every if role_in_rotations(a.name) in ("positions", "start") or "pos" in a.name]
    return kept[0] if len(kept) == 1 and {*told} <= {*kept} else None


def ignored(ask, name, x, new):
    """Is the last of ``LENGTH`` + 1 tokens x, as ``new`` alone, turned or added to as the first, whatever is kept?"""
    whole, alone = (first_look(last_of, ask, given) for given in (x, new))
    if whole is None or alone is None or whole.shape != alone.shape or torch.allclose(whole, alone, atol=1e-4):
        return False
    outs = [first_look(last_of, partial(ask, **{name: past}), new) for past in pasts(8 if x.ndim == 2 else x.shape[-1])]
    outs += [first_look(_twice, ask, name, x, new)]
    outs = [out for out in outs if out is not None and out.shape == whole.shape]
    same = [[torch.allclose(out, other, atol=1e-4) for out in outs] for other in (alone, whole)]
    return any(same[0]) and not any(same[1])


def beside_the_past(diagnosis, reading):
    """``diagnosis``, or that of a module whose new token gets the first row whatever it is told of those before."""
    module = (reading.call if reading.kind == "layer" else reading.made).give({"max_len": 8, "d_model": 8})
    module = getattr(module, "inner", None) or module
    name = isinstance(module, torch.nn.Module) and parameter_of(module)
    for x in (torch.randn(1, LENGTH + 1, 8), 1 + torch.zeros(1, LENGTH + 1, dtype=torch.long)) if name else ():
        if ignored(module.eval(), name, x, x[:, -1:]):
            said = f"the last of {LENGTH + 1} tokens, alone with {name}, gets what it gets without"
            return _saying(diagnosis, IGNORED.found(f"{type(module).__name__}: {said}"))
    return _told(diagnosis, module)


def _saying(diagnosis, found):
    return replace(diagnosis, ok=False, convention=None, findings=(found,), usage=(), picture=None)


def _told(diagnosis, module):
    """``diagnosis``, or that of a module that does not add the row of the one position that it is told."""
    beside_x = arguments_of(module.forward)[1:] if isinstance(module, torch.nn.Module) else ()
    told = [a for a in beside_x if re.fullmatch(TOLD, a.name)]
    if len(told) != 1 or any(a.required for a in beside_x if a not in told):
        return diagnosis
    name, x, seen = told[0].name, torch.randn(1, LENGTH + 1, 8), []
    for axes in ((), (1,), (1, 1)):
        at = torch.tensor(LENGTH).expand(axes) if axes else LENGTH
        first = {name: at * 0} if told[0].required else {}
        in_turn = {name: torch.arange(LENGTH + 1).expand(*axes[1:], -1)} if first and axes else first
        asked = (last_of, x, in_turn), (_all_of, x[:, -1:], first), (_all_of, x[:, -1:], {name: at})
        whole, alone, out = (first_look(of, partial(module.eval(), **given), tokens) for of, tokens, given in asked)
        if whole is None or alone is None or out is None or torch.allclose(whole, alone, atol=1e-4):
            continue
        same = [out.shape == other.shape and torch.allclose(out, other, atol=1e-4) for other in (whole, alone)]
        if same[0]:
            return diagnosis
        seen += ["gets what it gets at position 0"] * same[1]
        seen += [] if axes or out.shape == alone.shape else [f"gave the shape {(*out.shape,)}"]
    said = f"{type(module).__name__}: the last of {LENGTH + 1} tokens, alone with {name}={LENGTH}, "
    return _saying(diagnosis, IGNORED.found(said + seen[0], **ASTRAY)) if seen else diagnosis


def pasts(width):
    keys = torch.randn(1, LENGTH, LENGTH, width)
    return LENGTH, Past((keys, keys)), Past(((keys, keys), (keys, keys)))


def last_of(ask, x):
    return _all_of(ask, x)[..., -1:, :]


def _all_of(ask, x):
    out = ask(x)
    while isinstance(out, (tuple, list)):
        out = out[0]
    return out


def _twice(ask, name, x, new):
    """With a dictionary that the code fills by itself."""
    kept = {}
    ask(x[..., :LENGTH, :] if x.is_floating_point() else x[:, :LENGTH], **{name: kept})
    if not kept:
        raise ValueError("nothing is kept")
    return last_of(partial(ask, **{name: kept}), new)
