"""A rotation that asks for sizes, too: they are read from x, so that it is called as rotate(x, positions)."""

import functools
import inspect

import torch

from ..calling.names import role_of
from .filling import VALUES
from .forms import KEYS, POSITIONS, STARTS
from .of_arrays import is_of_arrays

LENGTH_AXES = (-2, -3)  # where the length stands in x: before the width, or before the heads


def with_sizes_of_x(rotate, axis):
    """``rotate`` without its required sizes, base, device and dtype; None where it asks for none of these.

    ``axis`` is that of the length.
    """
    target = rotate.forward if isinstance(rotate, torch.nn.Module) else rotate
    parameters = list(inspect.signature(target).parameters.values())
    given = {p.name: role for p in parameters[1:] if p.default is p.empty and (role := _role(p.name)) in OF_X}
    if not given:
        return None
    left = inspect.Signature([p for p in parameters if p.name not in given])

    @functools.wraps(target)
    def called(*arguments, **named):
        asked = left.bind(*arguments, **named).arguments
        x = arguments[0]
        return rotate(**asked, **{name: OF_X[role](x, axis) for name, role in given.items()})

    called.__signature__ = left
    called.of_arrays = is_of_arrays(rotate)
    return called


def _role(name):
    plain = name.lower()
    if plain in POSITIONS | STARTS | KEYS:
        return None
    return role_of(plain) or ("d_model" if VALUES.get(plain) == 64 else None)


OF_X = {
    "max_len": lambda x, axis: x.shape[axis],
    "d_model": lambda x, axis: x.shape[-1],
    "heads": lambda x, axis: x.shape[-5 - axis],
    "batch": lambda x, axis: x.shape[0],
    "base": lambda x, axis: 10000.0,
    "device": lambda x, axis: x.device,
    "dtype": lambda x, axis: x.dtype,
}
