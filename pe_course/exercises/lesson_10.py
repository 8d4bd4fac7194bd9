"""Lesson 10, Longer texts."""

import numpy as np
import torch

from pe_clinic import Diagnosis
from pe_lib.formula import frequencies
from pe_lib.longer_texts import alibi_bias, alibi_slopes, yarn  # noqa: F401 (the page uses them)

from ..judges import Function, Otherwise, Value, Way, numbers, wrong
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
    below, above = matrix[:, 0], matrix[0]  # by distance, from 0
    if not np.isfinite(np.diag(matrix)).all():
        return "On the diagonal, where the distance is 0, something is divided by it; it is multiplied by the slope."
    if np.isinf(matrix).any():
        return "-inf on one side is a causal mask; ALiBi itself penalizes both sides by their distance."
    if np.allclose(matrix, matrix[0]) or np.allclose(matrix, matrix[:, :1]):
        return "It takes one position only: the distance is that between the query's position and the key's."
    if np.allclose(matrix, -slope * np.add.outer(range(length), range(length))):
        return "It adds the two positions; the distance is their difference."
    if np.allclose(matrix, -slope * np.multiply.outer(range(length), range(length))):
        return "It multiplies the two positions; the distance is their difference."
    if not np.allclose(np.diag(matrix), 0):
        there = matrix.diagonal()[np.abs(matrix.diagonal()) > 1e-8][0]
        return f"The diagonal should be 0: a token has distance 0 from itself, and here it gets {there:g}."
    if np.allclose(below, 0) or np.allclose(above, 0):
        return "One side gets nothing: distance counts on both sides, .abs() and not a cut at 0."
    if np.allclose(matrix, -matrix.T):
        return "Without the absolute value, tokens on the other side gain instead of losing."
    if not np.allclose(matrix, matrix.T):
        return "The two sides differ; the distance |m - n| is the same on both."
    return _steps(above, slope, length)


def _steps(row, slope, length):
    k, step = np.arange(length), row[1]
    if np.allclose(row, np.trunc(-slope * k)):
        return None  # decimals that were cut off have a reason of their own
    if not np.allclose(row, step * k):
        shapes = {"squares the distance": -slope * k**2, "raises the distance to a power": -(k**slope)}
        how = next((f"It {says}. " for says, made in shapes.items() if np.allclose(row, made)), "")
        return f"{how}Distance 1 gets {row[1]:.4g} and distance 2 gets {row[2]:.4g}; it should be twice as much."
    ways = {
        "The sign is wrong: far tokens have to lose.": slope,
        "It ignores the slope.": -1,
        "It divides by the slope; the penalty is slope times distance.": -1 / slope,
        "It divides by the length; only slope and distance count.": -slope / length,
        "It divides by the length less 1; only slope and distance count.": -slope / (length - 1),
        "It takes the slope's root.": -np.sqrt(slope),
        "It takes the slope twice.": -slope * slope,
    }
    known = (says for says, made in ways.items() if np.isclose(step, made))
    return next(known, f"Each step of distance changes the score by {step:.4g}; -slope, {-slope:.4g}, is asked for.")


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
