"""Rotations written without torch, made to take and give tensors: what cannot be asked of them is not asked.

NumPy computes in float64 where it may, and plain Python always: another dtype is no mistake, and there is no gradient.
"""

import functools
import inspect
import re

import numpy as np
import torch

from ..calling.names import role_in_rotations
from ..calling.parameters import source_of
from .forms import parameters_of, takes_tables
from .roles import HELPER, SIZES, query_and_key

METHODS = ("__call__", "forward", "rotate", "apply_rotary", "apply")
TURNS = r"^(apply|appl\w+|rotate)(_|$)|rope|rotary|^\w+_qk$"  # what other names of such methods begin with, or hold

TURNED = r"rotate_|chunk\(|cat\(|stack\(|complex|:: *2\] *="  # in the code of what turns x, and not of what adds to it
WAVES = r"(?i)cos|\bsin\b|polar|cis|exp\(|freq"


def over_tensors(names):
    """``names`` of a file that computes with NumPy alone, its functions for tensors; any other names as they are."""
    if not _without_torch(names):
        return names
    own = names.get("__name__")
    is_own = {name for name, thing in names.items() if inspect.isfunction(thing) and thing.__module__ == own}
    return {name: of_plain(thing) if name in is_own else thing for name, thing in names.items()}


def method_of(made, names):
    """The method by which an object, or one of a class, turns x, for tensors; None where there is none."""
    cls = made if isinstance(made, type) else type(made)
    own = list(dict.fromkeys(name for one in cls.__mro__ for name in vars(one)))
    told = [name for name in own if re.search(TURNS, name.lower()) and callable(getattr(made, name))]
    told.sort(key=lambda name: name[0] == "_")  # a class RoPE holds __rotate_half as _RoPE__rotate_half
    public = [name for name in own if name[0] != "_" and inspect.isfunction(getattr(cls, name, None))]
    of_pairs = [name for name in public if query_and_key(parameters_of(getattr(cls, name)).names)]
    found = [*(name for name in METHODS if name in own), *told, *of_pairs, *(public if len(public) == 1 else [])]
    return tensors_to(getattr(made, found[0]), names) if found else None


def turning_method(cls):
    """The one method by which a module turns x whose forward takes a length or places, or hands x on; else ""."""
    if hasattr(cls, "rotate_queries_or_keys"):
        return "rotate_queries_or_keys"
    forward = parameters_of(cls.forward).names[1:2] if issubclass(cls, torch.nn.Module) else ("x",)
    if forward and role_in_rotations(forward[0]) not in SIZES and not _hands_on(cls, forward[0]):
        return ""
    public = {n: f for n, f in vars(cls).items() if inspect.isfunction(f) and n[0] != "_"}
    named = {n: f for n, f in public.items() if re.search(TURNS, n) and not re.search(HELPER, n)}
    of_x = {n: f for n, f in named.items() if role_in_rotations("".join(parameters_of(f).names[1:2])) not in SIZES}
    found = [name for name, function in of_x.items() if re.search(TURNED, source_of(function))]
    found = found or [name for name, function in public.items() if parameters_of(function).pair]
    return found[0] if len(found) == 1 and re.search(WAVES, source_of(cls)) else ""


def _hands_on(cls, x):
    """Is its forward one line, which returns x as it came?"""
    lines = [line.partition("#")[0].strip() for line in source_of(getattr(cls, "forward", None)).splitlines()]
    return [*filter(None, lines)][1:] == [f"return {x}"]


def method_with_tables(thing, left=""):
    """The name of the one method of an object that turns by tables; "" of others, and where names are ``left``."""
    own = [name for name in vars(type(thing)) if name[:2] != "__" and callable(getattr(thing, name))]
    found = [name for name in own if takes_tables(getattr(thing, name))]
    return found[0] if len(found) == 1 and not left else ""


def tensors_to(function, names):
    """``function``, which takes tensors although the file with these ``names`` computes with NumPy alone."""
    return of_plain(function) if _without_torch(names) else function


def is_plain(rotate):
    return getattr(getattr(rotate, "func", rotate), "of_plain", False)  # of a partial its function tells


def known_as_plain(function):
    """The same function, of which `is_plain` is true; ``function`` itself bears no mark."""
    call = functools.wraps(function)(lambda *arguments, **named: function(*arguments, **named))
    call.of_plain = True
    return call


def _without_torch(names):
    modules = {thing.__name__.split(".")[0] for thing in names.values() if inspect.ismodule(thing)}
    own = "".join(source_of(t) for t in names.values() if getattr(t, "__module__", "") == names.get("__name__"))
    alone = re.search(r"\b(np|numpy)\.", own) and not re.search(r"\b(torch|nn|F|Tensor|rearrange)\b", own)
    return "numpy" in modules and ("torch" not in modules or bool(alone))


def of_plain(function, lists=False):
    """``function`` of arrays, or of ``lists``, for tensors; real numbers come back in the dtype of x."""
    given = (lambda v: v.tolist() if torch.is_tensor(v) else v) if lists else _array

    @functools.wraps(function)
    def call(*arguments, **named):
        like = next((a.dtype for a in (*arguments, *named.values()) if _is_real(a)), None)
        own, by_name = [*map(given, arguments)], {name: given(a) for name, a in named.items()}
        value = function(*own, **by_name)
        for tensor, array in zip((*arguments, *named.values()), (*own, *by_name.values()), strict=True):
            if value is None and _is_real(tensor):  # a copy was written into
                tensor.detach().copy_(torch.as_tensor(array))
        return _tensor(_arrays(value) if lists else value, like)

    call.of_plain = True
    return call


def _is_real(value):
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def _array(value):
    """A view where that can be, so that what is written into an argument is seen; of torch's dtype NumPy's."""
    if isinstance(value, torch.dtype):
        return _array(torch.empty(0, dtype=value)).dtype
    if not isinstance(value, torch.Tensor):
        return tuple(map(_array, value)) if isinstance(value, tuple) else value
    value = value.detach()
    return (value.float() if value.dtype in (torch.bfloat16, torch.float16) else value).numpy()


def _arrays(value):
    """Nested lists as arrays; a tuple, of q and k, stays one."""
    return tuple(map(_arrays, value)) if isinstance(value, tuple) else np.asarray(value) if value else value


def _tensor(value, like):
    if isinstance(value, (tuple, list)):
        return type(value)(_tensor(part, like) for part in value)
    if not isinstance(value, np.ndarray):
        return value
    tensor = torch.from_numpy(np.ascontiguousarray(value))
    return tensor.to(like) if like is not None and tensor.is_floating_point() else tensor
