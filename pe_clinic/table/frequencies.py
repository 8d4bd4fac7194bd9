"""What the frequencies of a hypothesis are, in words and beside the paper's."""

import math

import numpy as np

from ..law.exponents import BRACKETS, LN, NONE, OTHER, PAPER
from ..law.formula import PAPER_BASE
from ..saying.words import show
from .hypothesis import Hypothesis


def of_exponent(match, tables):
    """The evidence for the mistake of an exponent, as that mistake shows itself."""
    h, d = match.hypothesis, tables[0].d_model
    mine = h.column_frequencies(d, tables[0].max_len)
    if h.exponent.truncated:
        slope = float(h.exponent.formula(np.array([2]), d, 1)[0]) * LN / 2
        return (
            f"at d_model = {d} pair k turns exp(-{2 * slope:.0f}k) radians per position, "
            f"as {h.exponent.name} makes it; ln(10000) / d_model is wanted"
        )
    if h.exponent.mistake is NONE:
        return f"all {d // 2} pairs turn {show(mine[0])} radians per position; from pair to pair they should fall"
    if h.exponent.mistake in (OTHER, BRACKETS):
        return f"the frequencies fit the exponent {h.exponent.name}: {frequencies(match, tables)}"
    return frequencies(match, tables)


def frequencies(match, tables):
    """The first columns whose frequency is not the paper's."""
    h, d, T = match.hypothesis, tables[0].d_model, tables[0].max_len
    mine, paper = h.column_frequencies(d, T), Hypothesis().column_frequencies(d, T)
    wrong = [j for j in range(d) if not math.isclose(mine[j], paper[j], rel_tol=1e-6)]
    shown = sorted([j for j in wrong if j % 2 == 0][:1] + [j for j in wrong if j % 2][:1])
    if len(shown) == 2 and mine[shown[0]] == mine[shown[1]]:
        shown = shown[:1]
    turns = ", ".join(f"column {h.layout.place(j, d)} turns {show(mine[j])}" for j in shown)
    rights = " and ".join(dict.fromkeys(show(paper[j]) for j in shown))
    return f"at d_model = {d}, {turns} radians per position; the paper says {rights}"


def other_cause(h):
    """Another mistake that gives this very table: both are named, because nothing can tell them apart."""
    if h.exponent is not PAPER:
        return ""
    for base, cause in ((1e2, "base 10000 and the exponent k/d"), (1e6, "base 1000 and the exponent 4k/d")):
        if math.isclose(h.base, base, rel_tol=1e-4):
            return f". Or {cause}, which give the same table"
    return ""


def base_in_words(base):
    whole = math.isclose(base, round(base), rel_tol=1e-4) and 10 <= base < PAPER_BASE**2
    return f"{base:.0f}" if whole else f"{base:.3g}"
