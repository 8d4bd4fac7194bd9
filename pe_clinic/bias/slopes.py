"""Which slope a head gets: the paper's, and the rules that are mistaken for it; the likeliest first."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..law.half import HALVES

HALF_SLOPES = "half-slopes"


def paper_slopes(heads):
    below = 1 << (heads.bit_length() - 1)
    exponents = [8 * n / below for n in range(1, below + 1)] + [4 * n / below for n in range(1, 2 * (heads - below), 2)]
    return 2.0 ** -np.array(exponents)


def _from_one(heads):
    """Of the heads up to a power of two each has the slope of the one before; the others are right."""
    below = 1 << (heads.bit_length() - 1)
    return np.concatenate([2.0 ** (-8 * np.arange(below) / below), paper_slopes(heads)[below:]])


@dataclass(frozen=True)
class Rule:
    """Slopes for a number of heads, what a bias with them is called where it is right, and the id of what is said."""

    build: Callable
    convention: str = ""
    id: str = ""
    rounded_to: str = ""


PAPERS = (
    Rule(paper_slopes, "slopes by the authors' code"),
    Rule(lambda heads: 2.0 ** (-8 * np.arange(1, heads + 1) / heads), "slopes by the paper's text", "plain-slopes"),
)
ROUNDED = tuple(
    Rule(lambda heads, r=rule, half=half: half.rounded(r.build(heads)), rule.convention, HALF_SLOPES, half.name)
    for rule in PAPERS
    for half in HALVES
)
RIGHT = (*PAPERS, *ROUNDED)
RULES = (
    *RIGHT,
    Rule(lambda heads: 2.0 ** (-8 * np.arange(heads) / heads), id="slopes-from-one"),
    Rule(lambda heads: 2.0 ** -np.arange(1.0, heads + 1), id="halving-slopes"),
    Rule(_from_one, id="slopes-from-one"),
)
