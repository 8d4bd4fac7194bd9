"""What any wrong value may show. A reason speaks only of what is certain; the first that speaks is heard."""

import numpy as np

from .comparing import near, numbers
from .known import pages


def reason(answer, right, tolerance: float) -> str | None:
    """What is certainly wrong with ``answer``: of its kind, else of its numbers."""
    if says := KIND.holding(answer, right):
        return says
    got, want = numbers(answer), numbers(right)
    if got is None or want is None:
        return None
    if isinstance(right, tuple) and getattr(answer, "shape", None) == right:
        return "That is the array itself, and its shape is right: .shape gives it."
    return next(filter(None, (each(got, want, tolerance) for each in NUMBERS)), None)


def _all_text(answer, right):
    parts = answer if isinstance(answer, (list, tuple)) and answer else [answer]
    return all(isinstance(part, str) for part in parts) and not isinstance(right, str)


def _one_by_one(answer):
    return hasattr(answer, "__next__") or isinstance(answer, (range, zip, map))


def _nested(answer, right):
    deep = isinstance(answer, (list, tuple)) and any(isinstance(part, (list, tuple)) for part in answer)
    return deep and np.ndim(right) == 1 and not _boxed(numbers(answer), numbers(right), 1e-2)


def _is_no_letter(answer, right):
    return isinstance(right, str) and len(right) == 1 and isinstance(answer, str) and len(answer.strip(" ().")) != 1


KIND = pages(__file__, globals())["an answer"]


def _boxed(got, want, tolerance):
    if got is not None and want is not None and got.ndim > want.ndim and near(got.ravel(), want.ravel(), tolerance):
        return "Right, but in one pair of brackets too many; a comma at the end of a line makes them, too."
    return None


def _several(got, want, tolerance):
    if want.ndim == 0 and got.ndim and got.size != 1:
        return "One number is asked for; these are several."
    if want.ndim == 1 and got.ndim <= 1 and got.size != want.size:
        stand = "One number stands" if got.size == 1 else f"{got.size} numbers stand"
        return f"{stand} in the answer; {want.size} are asked for."
    return None


def _turned_round(got, want, tolerance):
    if got.shape != want.shape:
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


def _rescaled(got, want, tolerance):
    if got.shape != want.shape or got.ndim != 1 or got.size < 3 or not got.any():
        return None
    factor = float(got @ want / (want @ want))
    if near(got, factor * want, tolerance * max(1, abs(factor))):
        return f"Every number is {factor:.3g} times the one asked for."
    return None


def _some_places(got, want, tolerance):
    if got.shape != want.shape or got.ndim != 1:
        return None
    off = ~(np.abs(got - want) <= tolerance)
    if off.sum() == 1 and off.size > 2:
        return f"All but one are right: look at place {np.flatnonzero(off)[0]}, counted from 0."
    return None if off.all() else f"Counted from 0: {_places(~off)} right, {_places(off)} not."


def _places(chosen):
    """ "places 0 and 2 are"."""
    *places, last = (str(n) for n in np.flatnonzero(chosen))
    return f"places {', '.join(places)} and {last} are" if places else f"place {last} is"


NUMBERS = (_boxed, _several, _turned_round, _rescaled, _some_places)
