"""The calls that may give a table or a layer, as lines of Python, the likeliest first.

They are calls of a function, a class, a method, or a part of a model.
"""

import functools
import inspect
from itertools import islice

from ..sandbox.values import is_module
from .calling import axes_of, bindings
from .globals import of_globals
from .inputs import alternatives, given, namespace
from .parameters import SIZES, arguments_of


def makers(file, path):
    """Lines for the dotted name ``path``; a part of an instance is reached through its class."""
    thing, owner, rest = resolve(file.names, path)
    if rest:  # an attribute that only an instance has
        return [f"{text}.{rest}" for text in _calls(file, owner, thing)]
    if not callable(thing) or is_module(thing):
        raise TypeError(f"{path} is a {type(thing).__name__}; a function or a class is wanted")
    function = inspect.unwrap(thing) if inspect.isfunction(thing) else thing
    if isinstance(thing, type):
        return _calls(file, path, thing)
    if next(iter(_parameters(function)), None) == "self":
        return _method(file, path, function, owner)
    return _calls(file, path, function)


def resolve(names, path):
    """What ``path`` names, the path of its class, and what is left of the path when a class has no such attribute."""
    thing, seen = None, []
    for n, part in enumerate(path.split(".")):
        if n == 0:
            if part not in names:
                raise KeyError(path)
            thing = names[part]
        elif hasattr(thing, part):
            thing = getattr(thing, part)
        elif isinstance(thing, type):
            return thing, ".".join(seen), ".".join(path.split(".")[n:])
        else:
            raise KeyError(path)
        seen.append(part)
    return thing, ".".join(seen[:-1]), ""


def _parameters(function):
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def _calls(file, path, thing):
    """``path(…)`` in every way that its parameters suggest; positions and tensors for functions only."""
    order = ("d_model", "max_len") if isinstance(thing, type) else SIZES
    arguments = arguments_of(thing) or []
    values = {
        a.role: texts[0] for a in arguments if a.role in ("config", "kind", "dtype") if (texts := _first(file, a))
    }
    extra = () if file.layout is None else ("batch_first",)
    values |= {"batch_first": repr(file.layout)} if extra else {}
    pads = ("None", "0") if any(a.role == "pad" and a.required for a in arguments) else ("0",)
    ways = [b for pad in pads for b in bindings(thing, order, {"pad": pad, **values}, extra)]
    bound = [b for b in ways if not b.unknown]
    texts = [f"{path}({b.text})" for b in bound] + of_globals(path, thing, bound)
    if axes := axes_of(thing):
        texts.insert(0, f"{path}({', '.join(map('{}={}'.format, axes, ('max_len', 'max_len', 'd_model')))})")
    if not isinstance(thing, type):
        ways = given(thing, False, file.context)
        if file.context.library == "torch":
            texts += _as_layers(path, thing, file)
        texts += [f"{path}({text})" for text in ways]
        texts += _row_by_row(path, thing) + _filled(path, thing)
    else:
        texts += [f"{path}({text})" for text in given(thing, False, file.context)]
    return list(dict.fromkeys(texts))


def _first(file, argument):
    return alternatives(argument, False, file.context)


def _as_layers(path, function, file):
    """A function of x, and of sizes perhaps, is a layer's forward."""
    arguments = [a for a in arguments_of(function) or [] if a.required]
    takes_x = [a for a in arguments if a.role in ("x", "ids")] or [
        a for a in arguments if not a.role and len(arguments) == 1
    ]
    if len(takes_x) != 1:
        return []
    texts = []
    for argument in arguments:
        lines = ["x"] if argument is takes_x[0] else alternatives(argument, False, file.context)
        if not lines:
            return []
        texts.append(argument.with_text(lines[0]))
    return [f"as_layer(lambda x: {path}({', '.join(texts)}))"]


def _row_by_row(path, function):
    """A function of one position gives one row."""
    arguments = [a for a in arguments_of(function) or [] if a.required]
    if sorted(str(a.role) for a in arguments) == ["d_model", "positions"]:
        texts = ", ".join(a.with_text("pos" if a.role == "positions" else "d_model") for a in arguments)
        return [f"[{path}({texts}) for pos in range(max_len)]"]
    return []


def _filled(path, function):
    """A function that writes into the tensor that it is given."""
    arguments = [a for a in arguments_of(function) or [] if a.required]
    if [a.role for a in arguments].count("out") != 1 or any(a.role not in (*SIZES, "out") for a in arguments):
        return []
    texts = ", ".join(a.with_text("out" if a.role == "out" else a.role) for a in arguments)
    return [f"filled(lambda out, max_len=max_len, d_model=d_model: {path}({texts}), max_len, d_model)"]


def _method(file, path, function, owner):
    """A method needs an object: one of its class, or none, or something that has what it asks of self."""
    name = path.split(".")[-1]
    without_self = functools.partial(function, None)
    ways = [text.removeprefix("f(")[:-1] for text in _calls(file, "f", without_self) if text.startswith("f(")]
    owners = list(islice(_calls(file, owner, _thing(file, owner)), 6)) if owner else []
    asked = namespace(file.context.attributes_of_self(function))
    objects = [*((f"{text}.{name}", "") for text in owners), (path, "None"), (path, asked)]
    return [f"{call}({', '.join(filter(None, (self, text)))})" for call, self in objects for text in ways]


def _thing(file, path):
    return resolve(file.names, path)[0]
