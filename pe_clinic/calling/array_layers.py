"""A function of x, or a method of x of an object: a layer. In NumPy's code its forward hands x over as an array."""

import functools
import re

import numpy as np
import torch

from ..sandbox.guard import attempt, first_look, run
from ..sandbox.state import loaded_torch
from .answering import answers
from .embedding import first_answer
from .inputs import OF_ROLE, alternatives
from .layers import LAYER, FunctionLayer, X, of_function, of_line, with_forward
from .lines import Call, Value, attribute, expression, then, variable
from .methods import METHODS, NAMELESS, of_one
from .parameters import arguments_of, bound, required_of, source_of

OCTAVES = ("L", "m", "multires", "degree", "order", "n_freq", "n_frequencies")  # of NeRF's code
LENGTH, ADD = expression("x.shape[-2]"), r"(^|\.)add"


def as_layers(target, function, file):
    """A function of x, and of sizes perhaps, is a layer's forward."""
    arguments = required_of(function)
    octaves = [a for a in arguments if a.name in OCTAVES or a.role in ("bands", "octaves")]
    if octaves and octaves == arguments:  # it hands back a function of x, by itself or before its width
        made = Call(target, bound(arguments, [OF_ROLE[a.role or "bands"] for a in arguments]))
        return [of_line(then(made, lambda f: f[0] if isinstance(f, tuple) else f, remark="called with x"))]
    takes_x = [a for a in arguments if a.role in ("x", "ids") or (not a.role and len(arguments) == 1)]
    takes_x = takes_x or (arguments[:1] if octaves == arguments[1:] else [])  # of points, and their octaves
    if len(takes_x) != 1:
        return []
    known = {a: [LENGTH] for a in arguments if a.role == "max_len" and "max" not in a.name.lower()}
    known |= {a: [variable("x")] for a in takes_x} | {a: [OF_ROLE.get(a.role, OF_ROLE["bands"])] for a in octaves}
    options = [known.get(a) or alternatives(a, False, file) for a in arguments]
    handed = bound(arguments, [values[0] for values in options]) if all(options) else ()
    if not handed or file.library is loaded_torch():
        return [of_function(Call(target, handed))] if handed else []
    call, adds = Call(target, handed), takes_x[0].role != "x"
    return _of_arrays(call.text, lambda s: lambda x: call.give({**s, "x": x}), source_of(function), adds)


def of_object(file, call, value):
    """The layer, in a list, of an object that is called with x, or has a method of x: in code for torch, or NumPy."""
    named, call = of_one(value, ("x",)), then(call, _quiet)
    for name in dict.fromkeys((*named, *of_one(value, NAMELESS))):
        target, method = call if name == "__call__" else attribute(call, name), getattr(value, name)
        sure = name in named and (name in METHODS[:2] or len(named) == 1)
        if sure and file.library is loaded_torch() and answers(layer := with_forward(target, [X])):
            return [layer]
        quiet = {a.name: False for a in arguments_of(method) if re.fullmatch("(is_)?train(ing)?", a.name)}  # no eval()
        make = then(target, lambda f, quiet=quiet: functools.partial(f, **quiet)).give
        if found := _of_arrays(f"{target.text}(x)", make, source_of(method), not {name} <= {*named} & {*METHODS[:2]}):
            return found
    return _of_ids(call, value)


def _quiet(made):
    """What was made by hand, as its own eval() leaves it."""
    if not isinstance(made, torch.nn.Module) and callable(getattr(made, "eval", None)):
        made.eval()
    return made


def _of_ids(call, value):
    """The layer, in a list, of a method of ids that picks rows of an array for them: x stands in that array's place."""
    held = {n: a for n, a in getattr(value, "__dict__", {}).items() if isinstance(a, np.ndarray) and a.ndim == 2}
    for name in of_one(value, ("ids",)):
        for rows in (n for n in held if not re.search("(?i)pos", n)):
            target, source = attribute(call, name), source_of(getattr(value, name))

            def embedded(setting, rows=rows, name=name):
                made = call.give(setting)

                def forward(x):
                    setattr(made, rows, x.reshape(-1, x.shape[-1]))
                    return getattr(made, name)(np.arange(x[..., 0].size).reshape(x.shape[:-1]))

                return forward

            if found := _of_arrays(f"{target.text}(ids)", embedded, source, True):
                return found
    return []


def _of_arrays(text, make, source, adds):
    """[the layer] of x that ``make(setting)`` gives; [] where that reads no x, or ``adds`` and is no sum."""

    def give(setting):
        shapes = ((2, 3, setting["d_model"]), (3, setting["d_model"]), (setting["max_len"], setting["d_model"]))
        batch, *alone = (first_look(make(setting), np.zeros(one, np.float32)) for one in shapes)
        # Each sample comes alone where no batch fits and the source speaks of none; it may have to be whole.
        fits = np.shape(batch) == shapes[0] and np.array_equal(*batch)
        each = not fits and any(map(np.array_equal, map(np.shape, alone), shapes[1:]))
        each = each and not re.search("(?i)batch", source)
        function = make(setting)

        def forward(x):
            array = x.detach().numpy()  # its own memory: what is written there is seen
            out = [*map(function, array)] if each else function(array)
            return out if out is None else torch.tensor(np.array(out, float)).to(x.dtype)

        return FunctionLayer(forward, functools.partial(forward))  # no module: nothing of it moves, and nothing trains

    def reads_x(d_model):
        layer = give({"max_len": 8, "d_model": d_model})
        pairs = [[first_look(layer, torch.full((1, n, d_model), x)) for x in (0.0, 1.0)] for n in (8, 4)]
        told = [(one, two - one) for one, two in pairs if one is not None and two is not None]
        return any(step.any() and (not adds or (one.any() and np.ptp(step) < 1e-4)) for one, step in told)

    layer, adds = Value(text, give, LAYER), adds and not re.search(ADD, text)
    if not answers(layer):  # an add that never fits, or gives nothing, is no help to its table
        out = first_answer(layer, (1, 4))
        return [layer] * bool(re.search(ADD, text) and (out is None or "broadcast" in f"{vars(out)}"))
    return [layer] if all(attempt(run, "a first look", reads_x, width) for width in (8, 6)) else []
