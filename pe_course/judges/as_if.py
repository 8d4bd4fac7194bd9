"""Results that would be right for other arguments, or before another step: computed, and said only if all agree."""

import itertools

import numpy as np

from .comparing import copied, distinct, near, numbers
from .known import pages
from .returned import parameters

PAGE = pages(__file__, globals())


def other_argument(right, of=(int, float)):
    """The reason that finds what was taken in the place of an argument of ``right``, of the kinds ``of``."""

    def reason(tried):
        arrays = tried.arrays()
        if not arrays or distinct(got for got, _ in arrays) < 3:  # so few agree by chance
            return None
        names = parameters(tried.answer) if len(parameters(tried.answer)) == len(tried.examples[0]) else []
        places = [n for n, part in enumerate(tried.examples[0]) if isinstance(part, of) and not isinstance(part, bool)]
        for place in places:
            name = names[place] if names else f"argument {place + 1}"
            for change, says in PAGE["an argument"].mistakes:
                if _right_with(right, tried, lambda example, n=place, c=change: _with(example, {n: c(example[n])})):
                    return f"It gives what is right for {says.format(name)} in the place of {name}."
        for a, b in itertools.combinations(places, 2):
            if _right_with(right, tried, lambda example, a=a, b=b: _with(example, {a: example[b], b: example[a]})):
                return f"{names[a]} and {names[b]} have changed places." if names else None
        return None

    return reason


def one_step_on(_, arrays):
    """What a function makes of the right numbers."""
    if distinct(got for got, _ in arrays) < 3:
        return None
    for step, says in PAGE["right numbers"].mistakes:
        with np.errstate(all="ignore"):
            fits = all((want.ndim or "over" not in says) and near(got, step(want)) for got, want in arrays)
        if fits:
            return f"These are {says} of the right numbers."
    return None


def _right_with(right, tried, change):
    for result, example in zip(tried.results, tried.examples, strict=True):
        try:
            with np.errstate(all="ignore"):
                want = numbers(right(*map(copied, change(example))))
        except Exception:  # an argument that does not exist, such as half a token
            return False
        if want is None or not near(numbers(result), want):
            return False
    return True


def _with(example, others):
    """The arguments of a call, with ``others`` in the places that it names."""
    return [others.get(n, part) for n, part in enumerate(example)]


def softmax(a, axis):
    weights = np.exp(a - a.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)
