"""Is this a vector for each distance between a query and a key, learned and clipped, as Shaw et al. have it?"""

import inspect
import re
from functools import partial

import numpy as np

from ..calling.lines import constant
from ..calling.parameters import source_of
from ..sandbox.guard import attempt, run
from .buckets import HEADS, by_offset, found_by, gives_numbers, numbers_of
from .forms import is_bias
from .given import GIVEN, HEADS_LAST, role
from .inside import SOFTMAX, at_softmax
from .signatures import calls_of
from .words import wrong

NETWORK = r"Linear\(1,"  # of the distance alone
CLIPPED, LONG = 4, 9  # the length for which it is made, and the one that it is asked for


def has_vectors(thing, name):
    """Does a class learn rows or numbers, speak of distances, and take lengths, scores, or q and k?"""
    code = _with_functions(thing) if isinstance(thing, type) else ""
    told = re.search(r"(?i)relative|distance", f"{name} {code}") and re.search(r"clamp|clip|minimum|log|pow|\*\*", code)
    learned = NETWORK if "Linear(" in code else r"Embedding\(|Parameter\("
    if not told or not re.search(learned, code) or is_bias(thing, name):
        return False
    taken = [*inspect.signature(getattr(thing, "forward", thing)).parameters][1:]
    asked = {"vectors", "mask"} if re.search(SOFTMAX, code) else {"max_len", "queries", "scores"}
    return bool(taken) and {role(name) for name in taken} <= asked


def _with_functions(cls):
    """The code of the class, and of the functions beside it that it calls."""
    code, space = source_of(cls), getattr(getattr(cls, "forward", None), "__globals__", {})
    called = [space.get(name) for name in dict.fromkeys(re.findall(r"\b(\w+)\(", code))]
    return code + "".join(source_of(one) for one in called if inspect.isfunction(one))


def vectors_of(file, path):
    """(`Diagnosis`, `Found`) of the first call that gives a vector for each query and key; None of none."""
    known = {**GIVEN, "farthest": constant(CLIPPED)}
    calls = calls_of(file, path, known)
    code = source_of(file.resolve(path)[0])
    if re.search(SOFTMAX, code):  # of ones, which are alike: the rest is added
        ways = [calls_of(file, path, {**known, "vectors": ones}) for ones in (GIVEN["vectors"], HEADS_LAST)]
        calls = ((at_softmax(call), part) for calls in ways for call, part in calls if not part)
    return found_by(
        calls, lambda call: gives_numbers(call, LONG), partial(_diagnosis, network=re.search(NETWORK, code))
    )


def _diagnosis(call, network):
    for made_for in (CLIPPED, LONG):  # the longer one, where it holds a row or a column for each length
        shown = f"{call.text}, made for length={made_for} and asked for length={LONG}"
        setting = {"heads": HEADS, "length": made_for, "kept": {}}
        run(shown, call.give, setting)
        values = attempt(lambda: by_offset(run(shown, numbers_of, call, {**setting, "length": LONG}), LONG))  # noqa: B023
        if values is not None and np.isfinite(values).all():
            id, seen, *words = _told(values, network)
            return wrong(id, f"{shown}: {seen}", *words)


def _told(values, network):
    """(the id, what is seen, and of a design its words) of vectors (numbers, queries, keys)."""
    if not np.allclose(values[:, 1:, 1:], values[:, :-1, :-1]):
        return "t5-absolute", "a diagonal holds several vectors"
    if network:
        return "learned-distances", "every diagonal holds one number", "a learned function of the distance"
    row = {n: tuple(np.round(values[:, max(-n, 0), max(n, 0)], 5)) for n in range(1 - LONG, LONG)}  # key minus query
    left, right = (max(n for n in range(LONG) if n == 0 or row[side * n] != row[side * (n - 1)]) for side in (-1, 1))
    owner = {row[n]: n for n in range(-left, right + 1)}
    alike = ", the same for both signs" if all(row[n] == row[-n] for n in row) else ""
    if left + right and (alike or len(owner) == left + right + 1):
        seen = f"a vector for each distance from {-left} to {right}, key minus query{alike}"
        if left == right == LONG - 1 and len(values) <= HEADS:
            return "learned-distances", seen.replace("vector", "number"), "a learned function of the distance"
        return "learned-vectors", seen, "a learned vector for each relative distance"
    shared = next((n for n in range(-left, right + 1) if owner[row[n]] != n), 1)
    return "vectors-collide", f"the distances {shared} and {owner[row[shared]]} share one"
