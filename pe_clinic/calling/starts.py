"""A module asked again: do its tokens get the rows of their places, however these are told, and beside what else?"""

import re
from functools import partial

import torch

from ..sandbox.guard import first_look
from .declared import of_rows
from .layers import inner_of
from .parameters import arguments_of

LENGTH = 4  # of what is kept, and the number of its heads
SIZES = {"batch": 2, "length": 5, "width": 8, "other": 3}  # of x by its axes
KINDS = r"(token_)?types?(_ids)?|(token_)?segments?(_ids?|_info|_label)?"


def module_of(call, max_len=8):
    """The module, in eval, that ``call`` makes, or that its layer asks; None where it makes none."""
    module = inner_of(first_look(call.give, {"max_len": max_len, "d_model": 8}))
    return module.eval() if isinstance(module, torch.nn.Module) else None


def differ(one, other):
    """Are both tensors of one shape, and others?"""
    told = isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor) and one.shape == other.shape
    return told and not torch.allclose(one, other, atol=1e-4)


def _ask(module, x, **told):
    return first_look(partial(module, x, **told))


def astray(module, name, x):
    """What shows that the argument ``name`` gives tokens other rows than those of their positions; else ""."""
    at = torch.arange(LENGTH + 1)
    if _of_the_first(module, name, x, torch.stack([at, at.flip(0)]), at.flip(0)[None]):
        return f"{name} of two texts: the second gets other rows than by itself"
    if of_rows(module, name) and _of_the_first(module, name, x, torch.tensor([0, 3]), torch.tensor([3])):
        return f"{name} = [0, 3] for two texts: the second gets other rows than by itself"
    if _by_place(module, name, x[:, :1].expand_as(x[:, :LENGTH])):
        return f"{name} = {[*range(LENGTH)][::-1]}: a position gets another row than at the place of its number"
    starts = (_ask(module, x, **{name: start}) for start in (3, torch.tensor([3])))
    if "pos" not in name and differ(*starts):
        return f"{name} = 3 in a tensor gives other rows than the number 3"
    return ""


def _of_the_first(module, name, x, both, alone):
    """Do the positions, or the start, of one text count for another one, too?"""
    two, one = _ask(module, x.repeat(2, *[1] * (x.ndim - 1)), **{name: both}), _ask(module, x, **{name: alone})
    return isinstance(two, torch.Tensor) and differ(two[1:], one)


def _by_place(module, name, x):
    """Do positions of one and the same token get other rows, the last position first, than the first one first?"""
    at = torch.arange(x.shape[1])
    for places in (at, at[None]) if "pos" in name and name != "start_pos" else ():
        up, down = (_ask(module, x, **{name: given}) for given in (places, places.flip(-1)))
        if all(isinstance(out, torch.Tensor) and out.shape == (*x.shape[:2], 8) for out in (up, down)):
            return differ(up, down.flip(1))
    return False


def in_steps(module):
    """What shows that the prefix of a text, with fairseq's incremental_state, gets one row and not the last one."""
    ids = torch.full((1, LENGTH), 5)
    if not any(a.name == "incremental_state" and not a.required for a in arguments_of(module.forward)):
        return ""
    whole, last = _ask(module, ids), _ask(module, ids, incremental_state={})
    if isinstance(whole, torch.Tensor) and whole.ndim == 3 and differ(whole[:, -1:], last):
        return f"of {LENGTH} tokens with incremental_state={{}} the last one gets another row than without"
    return ""


def lost_beside_kinds(module):
    """What shows that places are told apart, and are not beside the kinds of tokens (token_type_ids); else ""."""
    names = [a.name for a in arguments_of(module.forward)[1:] if not a.required and re.fullmatch(KINDS, a.name)]
    kinds = torch.zeros(2, LENGTH, dtype=torch.long)
    for x in (kinds + 3, torch.ones(2, LENGTH, 8)) if names else ():
        usual, beside = _ask(module, x), _ask(module, x, **{names[0]: kinds})
        if _tells_apart(usual) and beside is not None and not _tells_apart(beside):
            return f"with {names[0]} of zeros one and the same token is the same everywhere, and without it is not"
    return ""


def _tells_apart(out):
    return isinstance(out, torch.Tensor) and out.ndim == 3 and bool((out[:, 1:] - out[:, :1]).abs().amax() > 1e-4)


def rows_along(call, axes):
    """What zeros, their ``axes`` in this order, get along their length; None where samples or channels get others.

    None, too, where two places get the same.
    """
    sizes, module = [SIZES[axis] for axis in axes], module_of(call, max_len=16)
    out = first_look(module, torch.zeros(sizes))
    if not isinstance(out, torch.Tensor) or [*out.shape] != sizes:
        return None
    by_axis = out.detach().movedim([axes.index(axis) for axis in ("length", "width")], [-2, -1])
    found = by_axis.reshape(-1, SIZES["length"], SIZES["width"])
    alike = torch.allclose(found, found[:1].expand_as(found), atol=1e-5)
    return found[0] if alike and torch.pdist(found[0]).min() > 1e-5 else None
