"""Rotations written in NumPy, made to take and give tensors: what cannot be asked of arrays is not asked.

NumPy computes in float64 where it may, so that another dtype is no mistake; and there is no gradient.
"""

import functools
import inspect

import numpy as np
import torch

METHODS = ("__call__", "forward", "rotate", "apply_rotary", "apply")


def over_tensors(names):
    """``names`` of a file that computes with NumPy alone, its functions for tensors; any other names as they are."""
    if not _without_torch(names):
        return names
    own = names.get("__name__")
    return {name: _of_function(thing) if _is_function(thing, own) else thing for name, thing in names.items()}


def method_of(made, names):
    """The method by which an object turns x, for tensors; None where there is none."""
    own = {name for cls in type(made).__mro__ for name in vars(cls)}
    methods = (getattr(made, name) for name in METHODS if name in own)
    method = next(methods, None)
    return _of_function(method) if method and _without_torch(names) else method


def is_of_arrays(rotate):
    return getattr(rotate, "of_arrays", False)


def _without_torch(names):
    modules = {thing.__name__.split(".")[0] for thing in names.values() if inspect.ismodule(thing)}
    return "numpy" in modules and "torch" not in modules


def _is_function(thing, own):
    return inspect.isfunction(thing) and thing.__module__ == own


def _of_function(function):
    @functools.wraps(function)
    def call(*arguments, **named):
        like = next((a.dtype for a in (*arguments, *named.values()) if _is_real(a)), None)
        value = function(*map(_array, arguments), **{name: _array(a) for name, a in named.items()})
        return _tensor(value, like)

    call.of_arrays = True
    return call


def _is_real(value):
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def _array(value):
    """A view where that can be, so that what is written into an argument is seen."""
    if not isinstance(value, torch.Tensor):
        return value
    value = value.detach()
    return (value.float() if value.dtype in (torch.bfloat16, torch.float16) else value).numpy()


def _tensor(value, like):
    """Arrays as tensors; real ones in the dtype of x, which NumPy widens on its own."""
    if isinstance(value, (tuple, list)):
        return type(value)(_tensor(part, like) for part in value)
    if not isinstance(value, np.ndarray):
        return value
    tensor = torch.from_numpy(np.ascontiguousarray(value))
    return tensor.to(like) if like is not None and tensor.is_floating_point() else tensor
