"""What a token is told of its place: is it the same for a text alone, beside another one, backwards, as a tensor?"""

from functools import partial

import torch

from ..sandbox.guard import first_look
from .declared import of_rows
from .parameters import arguments_of

LENGTH = 4  # of what is kept, and the number of its heads


def astray(module, name, x):
    """What shows that the argument ``name`` gives tokens other rows than those of their positions; else ""."""
    if _of_the_first(module, name, x):
        return f"{name} of two texts: the second gets other rows than by itself"
    if of_rows(module, name) and _of_the_first(module, name, x, (torch.tensor([0, 3]), torch.tensor([3]))):
        return f"{name} = [0, 3] for two texts: the second gets other rows than by itself"
    if _by_place(module, name, x[:, :1].expand_as(x[:, :LENGTH])):
        return f"{name} = {[*range(LENGTH)][::-1]}: a position gets another row than at the place of its number"
    if "pos" not in name and _as_tensor(module, name, x):
        return f"{name} = 3 in a tensor gives other rows than the number 3"
    return ""


def _as_tensor(module, name, x):
    number, tensor = (first_look(partial(module, x, **{name: start})) for start in (3, torch.tensor([3])))
    told = all(isinstance(out, torch.Tensor) for out in (number, tensor)) and number.shape == tensor.shape
    return told and not torch.allclose(number, tensor, atol=1e-4)


def in_steps(module):
    """What shows that the prefix of a text, with fairseq's incremental_state, gets one row and not the last one."""
    ids = torch.full((1, LENGTH), 5)
    if not any(a.name == "incremental_state" and not a.required for a in arguments_of(module.forward)):
        return ""
    whole, last = first_look(module, ids), first_look(partial(module, incremental_state={}), ids)
    one = all(isinstance(out, torch.Tensor) for out in (whole, last)) and last.shape[:-1] == (1, 1)
    other = one and whole.ndim == 3 and not torch.allclose(whole[:, -1:], last, atol=1e-4)
    return f"of {LENGTH} tokens with incremental_state={{}} the last one gets another row than without" if other else ""


def _of_the_first(module, name, x, places=None):
    """Do the positions, or the start, of one text count for another one, too?"""
    two, at = x.repeat(2, *[1] * (x.ndim - 1)), torch.arange(LENGTH + 1)
    places = places or (torch.stack([at, at.flip(0)]), at.flip(0)[None])
    both, alone = (first_look(partial(module, texts, **{name: of})) for texts, of in zip((two, x), places, strict=True))
    told = isinstance(both, torch.Tensor) and isinstance(alone, torch.Tensor) and both[1:].shape == alone.shape
    return told and not torch.allclose(both[1:], alone, atol=1e-4)


def _by_place(module, name, x):
    """Do positions of one and the same token get other rows, the last position first, than the first one first?"""
    at = torch.arange(x.shape[1])
    for places in (at, at[None]) if "pos" in name and name != "start_pos" else ():
        up, down = (first_look(partial(module, x, **{name: given})) for given in (places, places.flip(-1)))
        if all(isinstance(out, torch.Tensor) and out.shape == (*x.shape[:2], 8) for out in (up, down)):
            return not torch.allclose(up, down.flip(1), atol=1e-4)
    return False
