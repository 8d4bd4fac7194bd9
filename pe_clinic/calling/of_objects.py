"""Calls of what was made: of an object, of its methods, of a module's forward, as lines of Python."""

import inspect
import re
from itertools import islice, product

from ..sandbox.state import loaded_torch
from .inputs import alternatives, given
from .parameters import arguments_of

TRIALS = 12  # of the ways to fill further arguments
METHODS = ("__call__", "forward", "call", "encode", "get_encoding", "get_table", "build", "make", "generate")


def method_calls(file, text, value):
    """Calls of an object that was made: of itself, or of its methods."""
    own = [name for name in vars(type(value)) if not name.startswith("_")]
    for name in dict.fromkeys([*METHODS, *own]):
        method = getattr(value, name, None) if name in METHODS else getattr(type(value), name, None)
        if not inspect.ismethod(method) and not inspect.isfunction(method):
            continue
        bound = getattr(value, name)
        for way in given(bound, True, file.context) or [""]:
            yield f"{text}({way})" if name == "__call__" else f"{text}.{name}({way})"


def forward_calls(file, text, module):
    """Calls that give a table and come first, lines that give a layer, and calls that come after these.

    A forward whose parameter is called positions, ids or length is asked for a table first.
    """
    required = [a for a in arguments_of(module.forward) or [] if a.required]
    has_any = any(p.kind is p.VAR_POSITIONAL for p in inspect.signature(module.forward).parameters.values())
    if not required and not has_any:
        return (
            [f"{text}()", f"{text}({first})"] if (first := _optional_x(module)) else [f"{text}()"],
            _plain(text, first),
            [],
        )
    calls = [f"{text}({way})" for way in given(module.forward, True, file.context)]
    if any("torch.full(" in call for call in calls) and has_embedding(module):
        calls = [call.replace(text, f"without_tokens({text})", 1) if "torch.full(" in call else call for call in calls]
    tables_first = required and required[0].role in ("positions", "ids", "max_len", "column")
    layers = [text] if len(required) <= 1 else _with_more(file, text, required)
    # A layer is looked at from many sides, and the table that x of zeros gives from one: it comes last.
    of_x = [call for call in calls if ", d_model))" in call]
    others = [call for call in calls if call not in of_x]
    return (others, layers, of_x) if tables_first else ([], layers, [*others, *of_x])


def _optional_x(module):
    """The first parameter's text when forward takes x, though it need not."""
    first = next(iter(arguments_of(module.forward)), None)
    if first is None or first.required:
        return ""
    shape = "torch.full((1, max_len), 2)" if first.role == "ids" else "torch.zeros((1, max_len, d_model))"
    return first.with_text(shape)


def _plain(text, takes_x):
    return [text] if takes_x else []


def _with_more(file, text, required):
    """forward(x, something): what the second argument is called tells what it gets; the likeliest first."""
    lists = [alternatives(a, True, file.context) for a in required[1:]]
    lists = [["None"] if a.role in ("mask", None) else texts for a, texts in zip(required[1:], lists, strict=True)]
    ways = (zip(required[1:], texts, strict=True) for texts in islice(product(*lists), TRIALS))
    return [_given_more(text, ", ".join(a.with_text(one) for a, one in way)) for way in ways]


def _given_more(text, more):
    for size, axis in (("max_len", 1), ("d_model", 2)):
        more = re.sub(rf"\b{size}\b(?!=)", f"x.shape[{axis}]", more)  # not the name of the parameter itself
    more = more.replace("arange(x.shape[1])", "arange(x.shape[1], device=x.device)")
    return f"layer_with({text}, lambda layer, x: layer(x, {more}))"


def has_embedding(module):
    torch = loaded_torch()
    return any(isinstance(part, torch.nn.Embedding) for part in module.modules())
