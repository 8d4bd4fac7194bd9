"""A function of x, or a method of x of an object: a layer. In NumPy's code its forward hands x over as an array."""

import functools
import re

import numpy as np
import torch

from ..sandbox.guard import first_look
from ..sandbox.state import loaded_torch
from .answering import answers
from .inputs import OF_ROLE, alternatives
from .layers import LAYER, FunctionLayer, X, of_function, of_line, with_forward
from .lines import Call, Value, constant, then, variable
from .parameters import arguments_of, bound, required_of, source_of
from .picking import Reading

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
    if handed and file.library is not loaded_torch():
        return [_of_numpy(target, handed, function)]
    return [of_function(Call(target, handed))] if handed else []


def _of_numpy(target, handed, function):
    call = Call(target, (*handed, *((name, constant(False)) for name in _trains(function))))
    return _of_arrays(call.text, lambda s: lambda x: call.give({**s, "x": x}), source_of(function))


def layer_of(target, method, file):
    """The `Reading` of the ``method`` that ``target`` gives, called with x, for torch or else for NumPy; or None."""
    layers = [with_forward(target, [X])] if file.library is loaded_torch() else []
    quiet = dict.fromkeys(_trains(method), False)
    source = source_of(getattr(method, "__func__", type(method)))
    layers += [_of_arrays(f"{target.text}(x)", lambda s: functools.partial(target.give(s), **quiet), source)]
    layer = next(filter(answers, layers), None)
    return layer and Reading("layer", layer)


def _trains(function):
    """The parameters that tell NumPy's code, which knows no eval(), that it is trained."""
    return [a.name for a in arguments_of(function) if re.fullmatch("(is_)?train(ing)?", a.name)]


def _of_arrays(text, make, source):
    """The layer whose forward is what ``make(setting)`` gives, of x as an array; of each sample where no batch fits.

    ``source`` may say that there is a batch: then it has to fit.
    """

    def give(setting):
        trial, width = make(setting), setting["d_model"]
        batch = first_look(trial, np.zeros((2, 3, width), np.float32))
        alone = first_look(trial, np.zeros((3, width), np.float32)) if np.shape(batch) != (2, 3, width) else None
        each = np.shape(alone) == (3, width) and not re.search("(?i)batch", source)
        asked = functools.partial(_asked, make(setting), each)
        return FunctionLayer(asked, functools.partial(asked))  # no module: nothing of it moves, and nothing trains

    return Value(text, give, LAYER)


def _asked(function, each, x):
    array = x.detach().numpy()  # its own memory: what is written there is seen
    out = np.stack([function(sample) for sample in array]) if each else function(array)
    return tuple(_tensor(part, x) for part in out) if isinstance(out, tuple) else _tensor(out, x)


def _tensor(out, x):
    return out if out is None else torch.tensor(np.array(out, float)).to(x.dtype)
