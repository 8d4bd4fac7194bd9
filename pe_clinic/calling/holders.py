"""Readings of a torch module without a forward of its own: of a table that it holds, or that its methods make."""

import difflib
import inspect
import re

import torch

from ..sandbox.guard import attempt
from .answering import answers
from .file import SIZES
from .inputs import asked_of_self, given
from .layers import ROWS, X, with_forward
from .lines import Call, Value, attribute
from .methods import method_calls, of_one
from .names import role_of
from .parameters import source_of
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


def prepared(file, call, module):
    """(call, module) after the method has run that makes what forward reads, such as extend_pe of a Conformer."""
    source, classes = source_of(type(module).forward), [c for c in type(module).__mro__ if c.__module__[:5] != "torch"]
    lacks = [n for n in asked_of_self(module.forward) if not hasattr(module, n) and f"self.{n} =" not in source]
    own = dict.fromkeys(n for c in classes for n, f in vars(c).items() if inspect.isfunction(f) and n[:2] != "__")
    called = {n for c in classes for n in re.findall(r"\bself\.(\w+)\(", re.sub("#.*", "", source_of(c)))}
    for name in (n for n in own if lacks and n not in called and not re.search("(^|_)init_*$|^forward$", n)):
        for way in given(getattr(module, name), True, file)[:4]:

            def give(setting, name=name, way=way):
                made = call.give(setting)
                Call(Value(name, lambda s: getattr(made, name)), way).give(setting)
                return made

            made = Value(call.text, give, call.made, f"after {name}")
            ready = attempt(lambda made=made: file.tried(made))
            if all(hasattr(ready, n) for n in lacks):
                return made, ready
    return call, module


def of_torch(call, module):
    """An nn.Embedding with a row for each position, or an nn.Sequential."""
    if picks(call, module, tuple(SIZES[0].values())):
        if module.weight.requires_grad and hasattr(module, "num_embeddings"):
            yield Reading("layer", with_forward(call, [ROWS]))
        elif table := table_in(call, module):
            yield table
    elif isinstance(module, torch.nn.Sequential) and answers(call):
        yield Reading("layer", call)


def of_what_it_holds(file, call, module):
    """The table that a module holds, or that its methods make; else itself: its diagnosis says what it lacks."""
    if not misspelt_forward(module):
        of_x = [with_forward(attribute(call, name), [X]) for name in of_one(module, ("x",))]
        if len(of_x) == 1 and answers(added := of_x[0]):  # its table alone would hide what is done with it
            yield Reading("layer", added)
            return
        names = dict.fromkeys([*ATTRIBUTES, *(name for name, _ in module.named_buffers())])
        held = [attribute(call, name) for name in names if hasattr(module, name)]
        tables = filter(None, (tried_table(file, one) for one in held))
        if one := next(tables, None):
            yield one
            return
        # What is handed token ids gives no table, but one part of what the module does with them.
        roles = ((one, {role_of(name or "") for name, _ in one.arguments}) for one in method_calls(file, call, module))
        made = [*filter(None, (tried_table(file, one) for one, told in roles if "ids" not in told))]
        yield from made
        if made:
            return
    yield Reading("layer", call)
