"""A function of x, or a method of x of an object: a layer. In NumPy's code its forward hands x over as an array."""

import functools
import re

import numpy as np
import torch

from ..sandbox.guard import Failed, attempt, first_look, run
from ..sandbox.state import loaded_torch
from .answering import answers
from .file import LAYER_SIZES
from .inputs import OF_ROLE, alternatives
from .layers import LAYER, FunctionLayer, X, of_function, of_line, with_forward
from .lines import Call, Value, attribute, then, variable
from .methods import takes_x
from .parameters import arguments_of, bound, required_of, source_of

OCTAVES = ("L", "m", "multires", "degree", "order", "n_freq", "n_frequencies")  # of NeRF's code


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
    known = {a: [variable("x")] for a in takes_x} | {a: [OF_ROLE.get(a.role, OF_ROLE["bands"])] for a in octaves}
    options = [known.get(a) or alternatives(a, False, file) for a in arguments]
    handed = bound(arguments, [values[0] for values in options]) if all(options) else ()
    if not handed or file.library is loaded_torch():
        return [of_function(Call(target, handed))] if handed else []
    call = Call(target, handed)
    return _of_arrays(call.text, lambda s: lambda x: call.give({**s, "x": x}), source_of(function))


def of_object(file, call, value):
    """The layer, in a list, of an object that is called with x, or has a method of x: in code for torch, or NumPy."""
    name = takes_x(value)
    target, method = (call if name == "__call__" else attribute(call, name)), getattr(value, name)
    if file.library is loaded_torch() and answers(layer := with_forward(target, [X])):
        return [layer]
    # NumPy's code knows no eval().
    quiet = {a.name: False for a in arguments_of(method) if re.fullmatch("(is_)?train(ing)?", a.name)}
    text, source = f"{target.text}(x)", source_of(method)
    return _of_arrays(text, lambda s: functools.partial(target.give(s), **quiet), source, "add" in name)


def _of_arrays(text, make, source, adds=False):
    """[the layer] whose forward is what ``make(setting)`` gives, of x as an array; [] where that reads no x.

    It gets each sample alone where no batch fits and the ``source`` speaks of none. What ``adds`` may stop at every x.
    """

    def give(setting):
        shapes = ((2, 3, setting["d_model"]), (3, setting["d_model"]))
        batch, alone = (np.shape(first_look(make(setting), np.zeros(one, np.float32))) == one for one in shapes)
        each, function = alone and not batch and not re.search("(?i)batch", source), make(setting)

        def forward(x):
            array = x.detach().numpy()  # its own memory: what is written there is seen
            out = np.array([*map(function, array)] if each else function(array), float)
            return torch.tensor(out).to(x.dtype)

        return FunctionLayer(forward, functools.partial(forward))  # no module: nothing of it moves, and nothing trains

    def reads_x():
        layer, xs = give(LAYER_SIZES), [torch.zeros(1, n, LAYER_SIZES["d_model"]) for n in (8, 4)]
        pairs = [[first_look(layer, x + n) for n in (0, 1)] for x in xs]
        return any(one is not None and two is not None and not torch.equal(one, two) for one, two in pairs)

    layer = Value(text, give, LAYER)
    if answers(layer):
        return [layer] if attempt(run, "a first look", reads_x) else []
    try:
        run(text, lambda: give(LAYER_SIZES)(torch.zeros(1, 4, LAYER_SIZES["d_model"])))
    except (Failed, NotImplementedError) as problem:
        return [layer] if adds and "broadcast" in str(getattr(problem, "finding", "")) else []
    return []
