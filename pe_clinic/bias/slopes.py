"""Which slope a head gets: the paper's, and the rules that are mistaken for it; the likeliest first."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..law.half import HALVES
from .catalogue import PAPER, Alteration

FORMULA = "2 ** (-8 * torch.arange(1, heads + 1) / heads)"


def paper_slopes(heads):
    below = 1 << (heads.bit_length() - 1)
    exponents = [8 * n / below for n in range(1, below + 1)] + [4 * n / below for n in range(1, 2 * (heads - below), 2)]
    return 2.0 ** -np.array(exponents)


def _from_one(heads):
    """Of the heads up to a power of two each has the slope of the one before; the others are right."""
    below = 1 << (heads.bit_length() - 1)
    return np.concatenate([2.0 ** (-8 * np.arange(below) / below), paper_slopes(heads)[below:]])


PLAIN = Alteration(
    "plain-slopes",
    "The slopes are those of the paper's text: 2^(−8h/heads) for every number of heads.",
    "The authors' code has the same slopes for powers of two. Else it takes those of the power of two below, and every "
    "other slope of the power above. Both are right; weights fit the slopes that they were trained with.",
    case="ofirpress/attention_with_linear_biases/blob/3b7c2eca8397d27be08c6dffad9b60855507f9b7/fairseq/models/transformer.py",
    kind="note",
    build=lambda heads: 2.0 ** (-8 * np.arange(1, heads + 1) / heads),
)
FROM_ONE = Alteration(
    "slopes-from-one",
    "The slopes begin at 1.",
    "2^(−8(h − 1)/heads) for 2^(−8h/heads): heads are counted from 1 in the paper, and from 0 in arange.",
    FORMULA,
    "paiml/aprender/issues/2143",
    build=lambda heads: 2.0 ** (-8 * np.arange(heads) / heads),
)
ONE_SLOPE = Alteration(
    "one-slope",
    "All heads have the same slope.",
    "Heads with different slopes look at different distances; that is the point of them.",
    f"one slope for each head: {FORMULA}, shaped (heads, 1, 1)",
    PAPER,
)
HALVING = Alteration(
    "halving-slopes",
    "Each slope is half of the one before, whatever the heads.",
    "2^(−h) is the rule for 8 heads only: 16 heads share the same range in finer steps.",
    FORMULA,
    PAPER,
    build=lambda heads: 2.0 ** -np.arange(1.0, heads + 1),
)
OTHER_SLOPES = Alteration("other-slopes", "The slopes are others than the paper's.", "", FORMULA, PAPER)
OF_TWO = {  # the words of OTHER_SLOPES that are right for powers of two
    "title": "The slopes are the paper's for powers of two, and others for other numbers of heads.",
    "explanation": "The authors take those of the power of two below, then each second one of twice as many heads.",
    "fix": "slopes(2 * n)[0::2][: heads - n] behind slopes(n), n the power of two below; or 2 ** (-8 * h / heads)",
}
REORDERED = Alteration(
    "heads-reordered",
    "The slopes are the paper's, in another order of the heads.",
    "Nothing is lost for a model that was trained so; weights from elsewhere would be read by other heads.",
    kind="convention",
)
HALF_SLOPES = Alteration(
    "half-slopes",
    "The slopes are rounded to half precision, as in Falcon.",
    "Each is off by up to a 500th of itself: right for weights that were trained so.",
    kind="note",
)
SLOPES = (
    PLAIN,
    FROM_ONE,
    HALVING,
    replace(FROM_ONE, build=_from_one),
)


@dataclass(frozen=True)
class Rule:
    """Slopes for a number of heads, what a bias with them is called where it is right, and what else is said."""

    build: Callable
    convention: str = ""
    entry: Alteration | None = None
    rounded_to: str = ""


PAPERS = Rule(paper_slopes, "slopes by the authors' code"), Rule(PLAIN.build, "slopes by the paper's text", PLAIN)
ROUNDED = tuple(
    Rule(lambda heads, r=rule, half=half: half.rounded(r.build(heads)), rule.convention, HALF_SLOPES, half.name)
    for rule in PAPERS
    for half in HALVES
)
RIGHT = (*PAPERS, *ROUNDED)
RULES = (*RIGHT, *(Rule(entry.build, entry=entry) for entry in SLOPES if entry is not PLAIN))
