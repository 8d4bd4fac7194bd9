"""What any wrong value may show. A reason looks at (answer, right, tolerance) and speaks only of what is certain."""

import numpy as np

from .comparing import near, numbers


def nothing(answer, right, tolerance):
    if answer is None:
        return "The answer is None: is there a function in the cell whose result is not returned?"


def text(answer, right, tolerance):
    parts = answer if isinstance(answer, (list, tuple)) and answer else [answer]
    if all(isinstance(part, str) for part in parts) and not isinstance(right, str):
        return "Text in quotes; give the value without them."


def one_by_one(answer, right, tolerance):
    if not hasattr(answer, "__next__") and not isinstance(answer, (range, zip, map)):
        return None
    if np.ndim(right) == 0:
        return "That gives items one by one, and is no number yet: len(list(…)) counts them."
    return "That gives its items one by one: list(…) makes a list of them."


def no_text(answer, right, tolerance):
    if isinstance(right, str) and not isinstance(answer, str) and not callable(answer):
        return "One letter in quotes is asked for."


def no_letter(answer, right, tolerance):
    if isinstance(right, str) and len(right) == 1 and isinstance(answer, str) and len(answer.strip(" ().")) != 1:
        return "One letter is asked for, in quotes."


def a_set(answer, right, tolerance):
    if isinstance(answer, (set, frozenset, dict)):
        return "Braces make a set or a dict, which keeps no places; use round or square brackets."


def not_called(answer, right, tolerance):
    if callable(answer):
        wanted = "; a word in quotes is asked for" if isinstance(right, str) else " that was not called"
        return f"The answer is a function or a class{wanted}."


def boxed(answer, right, tolerance):
    got, want = numbers(answer), numbers(right)
    if got is not None and want is not None and got.ndim > want.ndim and near(got.ravel(), want.ravel(), tolerance):
        return "Right, but in one pair of brackets too many; a comma at the end of a line makes them, too."


def nested(answer, right, tolerance):
    deep = isinstance(answer, (list, tuple)) and any(isinstance(part, (list, tuple)) for part in answer)
    if deep and np.ndim(right) == 1:
        return "Brackets stand within brackets; one row of numbers is asked for."
    return None


def itself(answer, right, tolerance):
    shape = getattr(answer, "shape", None)
    if isinstance(right, tuple) and isinstance(shape, tuple) and shape == right:
        return "That is the array itself, and its shape is right: .shape gives it."
    return None


def several(answer, right, tolerance):
    got, want = numbers(answer), numbers(right)
    if got is not None and want is not None and want.ndim == 0 and got.ndim and got.size != 1:
        return "One number is asked for; these are several."


def too_few(answer, right, tolerance):
    got, want = numbers(answer), numbers(right)
    if got is None or want is None or want.ndim != 1 or got.ndim > 1 or got.size == want.size:
        return None
    return f"{_count(got.size)} in the answer; {want.size} are asked for."


def turned_round(answer, right, tolerance):
    got, want = numbers(answer), numbers(right)
    if got is None or want is None or got.shape != want.shape:
        return None
    if want.any() and near(got, -want, tolerance):
        return "The size is right, the sign is the other one." if want.ndim == 0 else "Every sign is the other one."
    if want.ndim == 1 and want.size > 2 and near(got, want[::-1], tolerance):
        return "The right numbers, in the reverse order."
    if want.ndim == 1 and near(np.sort(got), np.sort(want), tolerance):
        return "The right numbers, in another order."
    if want.ndim == 1 and near(abs(got), abs(want), tolerance):
        return "The sizes are right; a sign is not."
    return None


def one_place(answer, right, tolerance):
    got, want = numbers(answer), numbers(right)
    if got is None or want is None or got.shape != want.shape or got.ndim != 1 or got.size < 3:
        return None
    off = np.flatnonzero(~(np.abs(got - want) <= tolerance))
    if len(off) == 1:
        return f"All but one are right: look at place {off[0]}, counted from 0."
    return None


def rescaled(answer, right, tolerance):
    got, want = numbers(answer), numbers(right)
    if got is None or want is None or got.shape != want.shape or got.size < 3 or not got.any():
        return None
    factor = float(got @ want / (want @ want)) if want.ndim == 1 else 1.0
    if near(got, factor * want, tolerance * max(1, abs(factor))):
        return f"Every number is {factor:.3g} times the one asked for."
    return None


def some_places(answer, right, tolerance):
    got, want = numbers(answer), numbers(right)
    if got is None or want is None or got.shape != want.shape or got.ndim != 1:
        return None
    off = ~(np.abs(got - want) <= tolerance)
    if off.all():
        return None
    return f"Counted from 0: {_places(~off)} right, {_places(off)} not."


def _places(chosen):
    """ "places 0 and 2 are"."""
    places = [str(n) for n in np.flatnonzero(chosen)]
    if len(places) == 1:
        return f"place {places[0]} is"
    return f"places {', '.join(places[:-1])} and {places[-1]} are"


def _count(n):
    return "One number stands" if n == 1 else f"{n} numbers stand"


GENERAL = (
    nothing,
    text,
    one_by_one,
    no_text,
    no_letter,
    a_set,
    not_called,
    boxed,
    nested,
    itself,
    several,
    too_few,
    turned_round,
    rescaled,
    one_place,
    some_places,
)
