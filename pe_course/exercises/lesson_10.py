"""Lesson 10, Longer texts."""

from dataclasses import dataclass

import numpy as np
import torch

from pe_clinic import Diagnosis
from pe_lib.formula import frequencies
from pe_lib.longer_texts import alibi_bias, alibi_slopes, yarn  # noqa: F401 (the page uses them)

from ..judges import Function, Otherwise, Value, Way, wrong
from ..judges.comparing import numbers
from ..judges.known import pages
from ..judges.showing import shown
from .exercise import Exercise
from .offsets import penalty


def _penalty(length, slope):
    pos = torch.arange(length)
    return -slope * (pos - pos[:, None]).abs()


@dataclass(frozen=True)
class Limits:
    """Judge ``slow`` and ``fast`` of YaRN by what they make of the toy's pairs: the first kept, the others slowed."""

    scale: float = 4.0
    head_dim: int = 8
    trained_len: int = 16

    def __call__(self, answer):
        limits = numbers(answer)
        if limits is None or limits.shape != (2,):
            return wrong("value", "Two numbers are asked for: slow, fast.", f"you answered {shown(answer)}")
        answer = limits.tolist()
        usual = frequencies(self.head_dim)
        circles = self.trained_len * usual / (2 * np.pi)
        try:
            slower = usual / yarn(usual, self.scale, self.trained_len, *answer)
        except (TypeError, ValueError) as error:
            return wrong("value", "YaRN does not take these numbers.", str(error), fix="slow below fast, both numbers")
        slow, fast = answer
        seen = f"with slow = {slow:g} and fast = {fast:g} the pairs are {_spelled(slower)} times slower"
        if slower[0] > 1.1:
            completed = f"it completes {circles[0]:.2f} circles in {self.trained_len} positions"
            title = f"The first pair is slowed down: {completed}."
            return wrong("value", title, seen, fix="fast has to be at most the circles of the first pair")
        if slower[1] < 0.9 * self.scale:
            title = f"The second pair keeps part of its pace: it completes {circles[1]:.2f} circles."
            return wrong("value", title, seen, fix="slow has to be at least the circles of the second pair")
        return Diagnosis(ok=True)


def _spelled(numbers):
    return ", ".join(f"{number:.3g}" for number in numbers)


KNOWN = pages(__file__, globals())
EXERCISES = {
    "10.1": Exercise(
        2,
        Function(
            _penalty,
            [(4, 0.5), (3, 0.25), (5, 2.0), (300, 0.3)],  # the last shows half precision
            KNOWN["10.1"],
            reasons=[penalty],
            also=Way(
                small=(4, 0.5),
                larger=[("length", (8, 0.5))],
                not_own=frozenset({"alibi_bias"}),
                fix="subtract a row of positions from a column of positions",
            ),
        ),
        "Four numbers of slope for four heads, and no table at all.",
    ),
    "10.2": Exercise(
        1,
        Value("d", KNOWN["10.2"], reasons=[Otherwise("There are four choices: a, b, c, d.", size=1)]),
        "The distance |m − n| has no sign. With a causal mask only one side is left, and it works.",
    ),
    "10.3": Exercise(2, Limits(), "The limits are a choice for one model: they count turns within its trained length."),
}
