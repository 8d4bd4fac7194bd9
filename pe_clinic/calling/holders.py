"""Readings of a torch module without a forward of its own: of a table that it holds, or that its methods make."""

import difflib

import torch

from .answering import answers
from .file import SIZES
from .layers import ROWS, with_forward
from .lines import attribute
from .makers import method_calls
from .names import role_of
from .picking import ATTRIBUTES, Reading, picks, table_in, tried_table


def never_set_up(module):
    """The class of the module, or of a part of it, whose __init__ has not called nn.Module's; "" without one."""
    if not hasattr(module, "_modules"):
        return type(module).__name__
    return next(filter(None, (never_set_up(part) for part in module._modules.values() if part is not None)), "")


def has_no_forward(module):
    return type(module).forward is torch.nn.Module.forward and type(module).__call__ is torch.nn.Module.__call__


def misspelt_forward(module):
    """The name of a method that was meant to be forward; "" without one."""
    return next(iter(difflib.get_close_matches("forward", vars(type(module)), cutoff=0.75)), "")


def of_torch(call, module):
    """An nn.Embedding with a row for each position, or an nn.Sequential."""
    if picks(call, module, tuple(SIZES[0].values())):
        if module.weight.requires_grad and hasattr(module, "num_embeddings"):
            yield Reading("layer", with_forward(call, [ROWS]))
        elif table := table_in(call, module):
            yield table
    elif isinstance(module, torch.nn.Sequential) and answers(call):
        yield Reading("layer", call)


def _embeds_tokens(call):
    """Is it handed token ids? Then what it gives is no table, but one part of what the module does with them."""
    return any(name and role_of(name) == "ids" for name, _ in call.arguments)


def of_what_it_holds(file, call, module):
    """The table that a module holds, or that its methods make; else itself: its diagnosis says what it lacks."""
    if not misspelt_forward(module):
        names = dict.fromkeys([*ATTRIBUTES, *(name for name, _ in module.named_buffers())])
        held = [attribute(call, name) for name in names if hasattr(module, name)]
        tables = filter(None, (tried_table(file, one) for one in held))
        if one := next(tables, None):
            yield one
            return
        calls = (one for one in method_calls(file, call, module) if not _embeds_tokens(one))
        made = [*filter(None, (tried_table(file, one) for one in calls))]
        yield from made
        if made:
            return
    yield Reading("layer", call)
