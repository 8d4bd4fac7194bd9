"""Ways to judge an answer: a single value, or a function tried on examples. Each knows the usual wrong answers by name.

A judge takes the learner's answer and returns a `Diagnosis`. (`diagnose_table` and `diagnose_layer` are judges too.)
"""

import copy

import numpy as np
import torch

from .diagnosis import Diagnosis, Finding
from .diagnosis.numbers import as_numbers
from .diagnosis.run import Failed, run

TOLERANCE = 1e-4
CHANGED = Finding(
    "in-place",
    "The result is right, but the function changes what it was given.",
    fix="make a new tensor: x + …, and not x += …",
)


def same(a, b, tolerance=TOLERANCE):
    """Are two answers equal: the same shape and, for numbers, no further apart than ``tolerance``?"""
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str) and a.strip().lower() == b.strip().lower()
    try:
        a, b = as_numbers(a), as_numbers(b)
    except ValueError:
        return False
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= tolerance))


def value(right, replies=(), tolerance=TOLERANCE):
    """Judge a value. ``replies`` are (wrong value, what it comes from)."""

    def judge(answer):
        if same(answer, right, tolerance):
            return Diagnosis(ok=True)
        known = [reply for wrong, reply in replies if same(answer, wrong, tolerance)]
        if isinstance(answer, str) and not isinstance(right, str) and not known:
            known = ["Text in quotes; give the value without them."]
        title = known[0] if known else "That is another value. Hint 1 below the check says where to begin."
        return Diagnosis(ok=False, findings=(Finding("value", title, f"you answered {_short(answer)}"),))

    return judge


def function(right, examples, mistakes=(), also=None):
    """Judge a function against ``right``, called on each of ``examples``.

    ``mistakes`` are (wrong function, what it does); the first that gives the learner's results throughout is named.
    ``also`` is one more judge, asked when all results are right.
    """

    def judge(answer):
        if not callable(answer):
            return Diagnosis(ok=False, findings=(Finding("no-function", "A function is wanted here.", _short(answer)),))
        try:
            copies = list(map(_copies, examples))
            results = [run(_call(answer, e), answer, *c) for e, c in zip(examples, copies, strict=True)]
        except Failed as failed:
            return Diagnosis(ok=False, findings=(failed.finding,))
        if all(result is None for result in results):
            finding = Finding("none", "The function returns nothing.", fix="end it with a return")
            return Diagnosis(ok=False, findings=(finding,))
        expected = [right(*example) for example in examples]
        if all(map(same, results, expected)):
            if any(map(_changed, examples, copies)):
                return Diagnosis(ok=False, findings=(CHANGED,))
            return also(answer) if also else Diagnosis(ok=True)
        return Diagnosis(ok=False, findings=(_name_mistake(answer, results, expected),))

    def _name_mistake(answer, results, expected):
        example, got, want = next(
            (e, r, w) for e, r, w in zip(examples, results, expected, strict=True) if not same(r, w)
        )
        evidence = f"{_call(answer, example)} gave {_short(got)}, expected {_short(want)}{_first_difference(got, want)}"
        for wrong, what in mistakes:
            if all(same(r, wrong(*e)) for e, r in zip(examples, results, strict=True)):
                return Finding("known", what, evidence)
        return Finding("other", "The results differ.", evidence)

    return judge


def _first_difference(got, want):
    """Where two large results of one shape begin to differ: small ones are shown whole."""
    if not isinstance(got, (torch.Tensor, np.ndarray)) or not isinstance(want, (torch.Tensor, np.ndarray)):
        return ""
    try:
        got, want = as_numbers(got), as_numbers(want)
    except ValueError:
        return ""
    if got.shape != want.shape or got.size <= 8:
        return ""
    place = tuple(int(n) for n in np.argwhere(~(np.abs(got - want) <= TOLERANCE))[0])
    return f"; they differ first at {list(place)}: {got[place]:.4g}, expected {want[place]:.4g}"


def _copies(example):
    """The learner's function may write into its arguments; the examples must survive that."""
    return [copy.deepcopy(part) if isinstance(part, (torch.Tensor, np.ndarray)) else part for part in example]


def _changed(example, copies):
    """Did the function write into what it was given?"""
    arrays = [(e, c) for e, c in zip(example, copies, strict=True) if isinstance(e, (torch.Tensor, np.ndarray))]
    return not all(same(e, c) for e, c in arrays)


def _call(answer, example):
    return f"{getattr(answer, '__name__', 'function')}({', '.join(map(_short, example))})"


def _short(value):
    """A value in at most one line: small ones in full to four decimals, others by their shape."""
    if callable(value):
        return getattr(value, "__name__", type(value).__name__)
    if isinstance(value, (torch.Tensor, np.ndarray)):
        try:
            numbers = as_numbers(value)
        except ValueError:
            return f"<{type(value).__name__} of {value.dtype}, shape {tuple(value.shape)}>"
        if numbers.ndim == 0:
            return _short(value.item())
        if numbers.size <= 8:
            return str(numbers.round(4).tolist())
        return f"<shape {numbers.shape}>"
    if isinstance(value, float):
        return f"{value:.4g}"
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"
