"""What the frequencies of a hypothesis are, in words and beside the paper's."""

import math

from ..law.formula import PAPER
from ..saying.words import show
from .hypothesis import Hypothesis


def of_exponent(match, tables):
    """The evidence for the mistake of an exponent."""
    exponent = match.hypothesis.law.exponent
    fit = f"the frequencies fit the exponent {exponent.name}: " if exponent.rare else ""
    return fit + frequencies(match, tables)


def frequencies(match, tables):
    """The first columns whose frequency is not the paper's, at the first width at which there are any."""
    h = match.hypothesis
    for table in tables:
        T, d = table.max_len, table.d_model
        mine, paper = h.rates(T, d), Hypothesis().rates(T, d)
        if wrong := [j for j in range(d) if not math.isclose(mine[j], paper[j], rel_tol=1e-6)]:
            break
    shown = sorted([j for j in wrong if j % 2 == 0][:1] + [j for j in wrong if j % 2][:1])
    if len(shown) == 2 and mine[shown[0]] == mine[shown[1]]:
        shown = shown[:1]
    turns = ", ".join(f"column {h.layout.places(d)[j]} turns {show(mine[j])}" for j in shown)
    rights = " and ".join(dict.fromkeys(show(paper[j]) for j in shown))
    pair = " for that pair" if h.layout.halves else ""
    return f"at d_model = {d}, {turns} radians per position; the paper says {rights}{pair}"


def is_base_100(law):
    """Base 100 is the root of 10000, and so what is left when the 2 of the exponent is forgotten: both are said."""
    return law.exponent is PAPER and math.isclose(law.base, 100, rel_tol=1e-4)


def other_cause(law):
    """Another mistake that gives this very table: both are named, because nothing can tell them apart."""
    if is_base_100(law):
        return ". Or base 10000 and the exponent k/d, which give the same table"
    if law.exponent is PAPER and math.isclose(law.base, 1e6, rel_tol=1e-4):
        return ". Or base 1000 and the exponent 4k/d, which give the same table"
    if law.exponent is PAPER and math.isclose(law.base, 10, rel_tol=1e-4):
        return ". Or base 10000 and the exponent k/(2d), as of k / d / 2, which give the same table"
    return ""
