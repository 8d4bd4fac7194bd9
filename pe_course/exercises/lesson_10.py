"""Lesson 10, Longer texts."""

import numpy as np
import torch

from pe_clinic import Diagnosis
from pe_lib.formula import frequencies
from pe_lib.longer_texts import alibi_bias, alibi_slopes, yarn  # noqa: F401 (the page uses them)

from ..judges import Function, Otherwise, Value, Way, numbers, pages, wrong
from ..judges.showing import shown


def _penalty(length, slope):
    pos = torch.arange(length)
    return -slope * (pos - pos[:, None]).abs()


SCALE, HEAD_DIM, TRAINED_LEN = 4.0, 8, 16  # of the toy, for 10.3


def _limits(answer):
    """Judge ``slow`` and ``fast`` of YaRN by what they make of the toy's pairs: the first kept, the others slowed."""
    limits = numbers(answer)
    if limits is None or limits.shape != (2,):
        return wrong("value", "Two numbers are asked for: slow, fast.", f"you answered {shown(answer)}")
    slow, fast = limits.tolist()
    usual = frequencies(HEAD_DIM)
    circles = TRAINED_LEN * usual / (2 * np.pi)
    try:
        slower = usual / yarn(usual, SCALE, TRAINED_LEN, slow, fast)
    except (TypeError, ValueError) as error:
        return wrong("value", "YaRN does not take these numbers.", str(error), fix="slow below fast, both numbers")
    seen = f"with slow = {slow:g} and fast = {fast:g} the pairs are {_spelled(slower)} times slower"
    if slower[0] > 1.1:
        completed = f"it completes {circles[0]:.2f} circles in {TRAINED_LEN} positions"
        title = f"The first pair is slowed down: {completed}."
        return wrong("value", title, seen, fix="fast has to be at most the circles of the first pair")
    if slower[1] < 0.9 * SCALE:
        title = f"The second pair keeps part of its pace: it completes {circles[1]:.2f} circles."
        return wrong("value", title, seen, fix="slow has to be at least the circles of the second pair")
    return Diagnosis(ok=True)


def _spelled(numbers):
    return ", ".join(f"{number:.3g}" for number in numbers)


def _departs(tried):
    """How the penalty of the first example departs from -slope · |m - n|."""
    matrix = numbers(tried.results[0])
    length, slope = tried.examples[0]
    if matrix is None or matrix.shape != (length, length):
        return None
    if says := PAGE["a penalty"].holding(matrix, slope, length):
        return says.format(next((number for number in matrix.diagonal() if abs(number) > 1e-8), 0))
    return _steps(matrix[0], slope, length)


def _steps(row, slope, length):
    k, step = np.arange(length), row[1]
    if np.allclose(row, np.trunc(-slope * k)):
        return None  # decimals that were cut off have a reason of their own
    if not np.allclose(row, step * k):
        shapes = {"squares the distance": -slope * k**2, "raises the distance to a power": -(k**slope)}
        how = next((f"It {says}. " for says, made in shapes.items() if np.allclose(row, made)), "")
        return f"{how}Distance 1 gets {row[1]:.4g} and distance 2 gets {row[2]:.4g}; it should be twice as much."
    known = PAGE["a step"].holding(step, slope, length)
    return known or f"Each step of distance changes the score by {step:.4g}; -slope, {-slope:.4g}, is asked for."


PAGE = pages(__file__, globals())
JUDGES = {
    "10.1": Function(
        _penalty,
        [(4, 0.5), (3, 0.25), (5, 2.0), (300, 0.3)],  # the last shows half precision
        reasons=[_departs],
        also=Way(
            small=(4, 0.5),
            larger=[("length", (8, 0.5))],
            not_own=frozenset({"alibi_bias"}),
            fix="subtract a row of positions from a column of positions",
        ),
    ),
    "10.2": Value("d", reasons=[Otherwise("There are four choices: a, b, c, d.", size=1)]),
    "10.3": _limits,
}
