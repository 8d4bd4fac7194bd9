"""Values and calls in a line, in the types that the learner wrote: whole numbers as whole numbers, a list as a list."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from pe_clinic.sandbox import Failed, run

from .comparing import first_difference, numbers

FULL = 8  # numbers that are shown one by one; of more, the shape is
WIDTH = 80
PLAIN = (bool, int, float, str, type(None), np.ndarray, torch.Tensor, torch.Size)


@dataclass(frozen=True)
class Named:
    """A function that an answer is called with, and what it ``says`` it does."""

    says: str
    function: Callable

    def __call__(self, *arguments):
        return self.function(*arguments)


def shown(value):
    """``value`` in at most one line."""
    try:
        return _shown(value) if type(value) in PLAIN else run("showing the answer", _shown, value)
    except (Failed, NotImplementedError, RecursionError, RuntimeError, ValueError):
        return f"something of type {type(value).__name__}"


def shown_call(answer, example):
    return f"{name_of(answer)}({', '.join(map(shown, example))})"


def name_of(function):
    try:
        name = getattr(function, "__name__", None)
    except Exception:  # an object may raise when it is looked at
        name = None
    return name if isinstance(name, str) and name.isidentifier() else "your function"


def difference(got, want):
    """ "gave …, expected …", and for large results of one shape the first cell in which they differ."""
    text = f"gave {shown(got)}, expected {shown(want)}"
    a, b = numbers(got), numbers(want)
    if a is None or b is None or a.shape != b.shape or a.size <= FULL:
        return text
    place = first_difference(a, b)
    whole = _is_whole(got) and _is_whole(want)
    cells = [str(int(array[place])) if whole else f"{array[place]:.4g}" for array in (a, b)]
    return f"{text}; they differ first at {list(place)}: {cells[0]}, expected {cells[1]}"


def _is_whole(value):
    dtype = str(getattr(value, "dtype", ""))
    return "int" in dtype or "bool" in dtype


def _shown(value):
    if type(value) is int and abs(value) >= 10**80:  # Python writes no more than 4300 digits
        return f"a whole number of {value.bit_length()} bits"
    if isinstance(value, (torch.Tensor, np.ndarray)):
        return _array(value)
    if isinstance(value, (float, np.floating)):
        return f"{value:.4g}"
    if isinstance(value, (np.integer, np.bool_)):
        return str(value.item())
    if isinstance(value, (list, tuple)):
        return _sequence(value)
    if callable(value):
        return _function(value)
    return _cut(repr(value))


def _array(value):
    kind = "tensor" if isinstance(value, torch.Tensor) else "array"
    if kind == "tensor" and value.is_nested:
        return "a nested tensor"
    cells = numbers(value)
    if cells is None:
        return f"a {kind} of {value.dtype}, shape {tuple(value.shape)}".replace("a array", "an array")
    if cells.ndim == 0:
        return _shown(value.item())
    if cells.size <= FULL:
        return str(value.tolist() if _is_whole(value) else (cells.round(4) + 0.0).tolist())  # + 0.0: no -0.0
    return f"a {kind} of shape {cells.shape}".replace("a array", "an array")


def _sequence(value):
    text = ", ".join(map(_shown, value))
    comma = "," if len(value) == 1 else ""
    text = f"({text}{comma})" if isinstance(value, tuple) else f"[{text}]"
    cells = numbers(value) if len(text) > WIDTH else None
    return _cut(text) if cells is None else f"a {type(value).__name__} of shape {cells.shape}"


def _function(value):
    if isinstance(value, Named):
        return value.says
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return getattr(value, "__name__", type(value).__name__).replace("<lambda>", "a function")


def _cut(text):
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
