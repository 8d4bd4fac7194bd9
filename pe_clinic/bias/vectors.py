"""Is this a vector for each distance between a query and a key, learned and clipped, as Shaw et al. have it?"""

import inspect
import re

import numpy as np

from ..calling.parameters import source_of
from ..sandbox.guard import run
from .buckets import HEADS, by_offset, found_by, gives_numbers, numbers_of
from .given import GIVEN, role
from .signatures import calls_of
from .words import wrong

CLIPPED, LONG = 4, 9  # the length for which it is made, and the one that it is asked for


def has_vectors(thing, name):
    """A class that learns rows, speaks of relative positions, and is asked for lengths alone?"""
    code = _with_functions(thing) if isinstance(thing, type) else ""
    told = re.search(r"(?i)relative|distance", f"{name} {code}") and re.search(r"clamp|clip|minimum", code)
    if not told or not re.search(r"Embedding\(|Parameter\(", code) or "Linear(" in code:
        return False
    taken = [*inspect.signature(getattr(thing, "forward", thing)).parameters][1:]
    return bool(taken) and all(role(name) in ("max_len", "queries") for name in taken)


def _with_functions(cls):
    """The code of the class, and of the functions beside it that it calls."""
    code, space = source_of(cls), getattr(getattr(cls, "forward", None), "__globals__", {})
    called = [space.get(name) for name in dict.fromkeys(re.findall(r"\b(\w+)\(", code))]
    return code + "".join(source_of(one) for one in called if inspect.isfunction(one))


def vectors_of(file, path):
    """(`Diagnosis`, `Found`) of the first call that gives a vector for each query and key; None of none."""
    return found_by(calls_of(file, path, {**GIVEN}), gives_numbers, _diagnosis)


def _diagnosis(call):
    shown = f"{call.text}, made for length={CLIPPED} and asked for length={LONG}"
    setting = {"heads": HEADS, "length": CLIPPED, "kept": {}}
    run(shown, call.give, setting)
    values = by_offset(run(shown, numbers_of, call, {**setting, "length": LONG}), LONG)
    id, seen, *words = _told(values)
    return wrong(id, f"{shown}: {seen}", *words)


def _told(values):
    """(the id, what is seen, and of a design its words) of vectors (numbers, queries, keys)."""
    if not np.allclose(values[:, 1:, 1:], values[:, :-1, :-1]):
        return "t5-absolute", "a diagonal holds several vectors"
    row = {n: tuple(np.round(values[:, max(-n, 0), max(n, 0)], 5)) for n in range(1 - LONG, LONG)}  # key minus query
    left, right = (max(n for n in range(LONG) if n == 0 or row[side * n] != row[side * (n - 1)]) for side in (-1, 1))
    owner = {row[n]: n for n in range(-left, right + 1)}
    alike = ", the same for both signs" if all(row[n] == row[-n] for n in row) else ""
    if left + right and (alike or len(owner) == left + right + 1):
        seen = f"a vector for each distance from {-left} to {right}, key minus query{alike}"
        return "learned-vectors", seen, "a learned vector for each relative distance"
    shared = next((n for n in range(-left, right + 1) if owner[row[n]] != n), 1)
    return "vectors-collide", f"the distances {shared} and {owner[row[shared]]} share one"
