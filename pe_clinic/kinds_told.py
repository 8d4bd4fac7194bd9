"""The kinds of tokens (token_type_ids, segments) handed over beside tokens: do the places still count?"""

import re
from dataclasses import replace
from functools import partial

from .calling.parameters import arguments_of
from .sandbox.guard import attempt, first_look, run
from .sandbox.state import loaded_torch
from .times import WORDS

KINDS = r"(token_)?types?(_ids)?|(token_)?segments?(_ids?|_info|_label)?"
LENGTH = 4


def places_lost(diagnosis, reading, file):
    """The mistake of a good layer that tells places apart by default, and not beside the kinds of tokens; else None."""
    if reading.kind != "layer" or not loaded_torch() or not diagnosis.verdict.good:
        return None
    said = attempt(run, "it", _lost, reading)
    found = said and WORDS["places-lost"].found(said)
    return found and replace(diagnosis, ok=False, convention=None, findings=(found,), usage=(), picture=None)


def _lost(reading):
    torch = loaded_torch()
    module = first_look(reading.call.give, {"max_len": 8, "d_model": 8})
    module = getattr(module, "inner", None) or module
    if not isinstance(module, torch.nn.Module):
        return ""
    names = [a.name for a in arguments_of(module.forward)[1:] if not a.required and re.fullmatch(KINDS, a.name)]
    kinds = torch.zeros(2, LENGTH, dtype=torch.long)
    for x in (kinds + 3, torch.ones(2, LENGTH, 8)) if names else ():
        usual = first_look(module.eval(), x)
        beside = first_look(partial(module, **{names[0]: kinds}), x)
        if _tells_apart(usual) and beside is not None and not _tells_apart(beside):
            return f"with {names[0]} of zeros one and the same token is the same everywhere, and without it is not"
    return ""


def _tells_apart(out):
    return (
        isinstance(out, loaded_torch().Tensor) and out.ndim == 3 and bool((out[:, 1:] - out[:, :1]).abs().amax() > 1e-4)
    )
