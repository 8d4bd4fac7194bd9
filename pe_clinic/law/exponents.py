"""The exponent of the base in each column: the paper's 2k/d, and what mistakes make of it.

pos is a position, j a column, k = j // 2 its pair, d the width, T the number of rows.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ..saying.mistake import Mistake
from .formula import LN

DOUBLED_COLUMN = Mistake(
    "doubled-column",
    "The exponent is doubled: the column is taken for the pair.",
    "In 10000^(2i/d) the letter i counts pairs. A loop over columns has done the doubling already, and gives "
    "an odd column a frequency of its own.",
    "the exponent of column j is 2 * (j // 2) / d_model: the same for columns 2k and 2k + 1",
    "SamLynnEvans/Transformer/issues/25",
)
DOUBLED_PAIR = Mistake(
    "doubled-pair",
    "The exponent is doubled: 4k/d where the paper has 2k/d.",
    "An index that steps 0, 2, 4, … is 2k already, and is multiplied by 2 once more. "
    "The base squared, 1e8 for 10000, gives the same table.",
    "with arange(0, d_model, 2), divide by d_model and leave out the other 2",
    "msalhab96/Conformer/blob/130062bf10c9ba29a11c287f0d3f239aeb365276/model.py",
)
OWN_ODD = Mistake(
    "own-odd-exponent",
    "Odd columns have an exponent of their own.",
    "The exponent was computed for every column, j/d. A sine and its cosine share the exponent 2k/d; "
    "without that, a shift is no rotation.",
    "use the exponent of column j - 1 for an odd column j: 2 * (j // 2) / d_model",
    "maxjcohen/transformer/issues/62",
)
NONE = Mistake(
    "no-exponent",
    "An integer division takes the exponent away.",
    "// or an integer dtype makes 2k/d zero for every pair, so that all of them turn at the same speed.",
    "divide with /, in floating point",
    "codertimo/BERT-pytorch/issues/18",
)
TRUNCATED = Mistake(
    "truncated-exponent",
    "A // makes the slope of the exponent a whole number.",
    "a / b // c divides a by b first and then rounds down, so that "
    "ln(10000) / d_model / 2 becomes -1 or 0 at most widths.",
    "divide with /: exp(2k * (-ln(10000) / d_model))",
    "zju3dv/LoFTR/issues/41",
)
BRACKETS = Mistake(
    "exponent-brackets",
    "The brackets are wrong: the width divides the power, and not the exponent.",
    "base ** 2k / d is (base ** 2k) / d. From pair 1 on nearly nothing turns.",
    "put the division into brackets: base ** (2 * k / d)",
)
OTHER = Mistake(
    "other-exponent",
    "The exponent is not 2k/d.",
    "Another size stands in the divisor, or the pairs are counted from 1.",
    "the exponent of pair k is 2 * k / d_model, k = 0, 1, 2, …",
)


@dataclass(frozen=True)
class Exponent:
    """``formula(j, d, T)`` for an array of columns j. A ``rare`` one is tried only when no other fits."""

    name: str
    formula: Callable
    mistake: Mistake | None = None
    rare: bool = False
    any_base: bool = False  # is it tried with every base, or with the paper's only?
    truncated: bool = False  # by a // in place of a /
    tensor2tensor: bool = False  # k is divided by (pairs - 1), so that the last pair turns at exactly 1 / base
    times: Callable | None = None  # what all rates are multiplied by at width d


def _pair(j):
    return j - j % 2  # 2k for both columns of pair k


def _pairs_less_one(d):
    return max(2 * (d // 2) - 2, 1)


PAPER = Exponent("2k/d_model", lambda j, d, T: _pair(j) / d, any_base=True)
TENSOR2TENSOR = Exponent(
    "k/(pairs - 1)", lambda j, d, T: _pair(j) / _pairs_less_one(d), any_base=True, tensor2tensor=True
)
EXPONENTS = (
    PAPER,
    Exponent("2j/d_model", lambda j, d, T: 2 * j / d, DOUBLED_COLUMN, any_base=True),
    Exponent("4k/d_model", lambda j, d, T: 2 * _pair(j) / d, DOUBLED_PAIR),
    Exponent("j/d_model", lambda j, d, T: j / d, OWN_ODD, any_base=True),
    Exponent("0", lambda j, d, T: 0 * j, NONE),
    TENSOR2TENSOR,
    Exponent("2k/(pairs - 1)", lambda j, d, T: 2 * _pair(j) / _pairs_less_one(d), DOUBLED_PAIR, tensor2tensor=True),
    # Not in the list of common mistakes, but seen: another divisor, pairs counted from elsewhere, wrong brackets.
    Exponent("2k/(d_model - 1)", lambda j, d, T: _pair(j) / (d - 1), OTHER, rare=True),
    Exponent("2k/(d_model + 1)", lambda j, d, T: _pair(j) / (d + 1), OTHER, rare=True),
    Exponent("2k/max_len", lambda j, d, T: _pair(j) / T, OTHER, rare=True),
    Exponent("2k/512, whatever d_model is", lambda j, d, T: _pair(j) / 512, OTHER, rare=True),
    Exponent("2(k + 1)/d_model", lambda j, d, T: (_pair(j) + 2) / d, OTHER, rare=True),
    Exponent("2(k - 1)/d_model", lambda j, d, T: (_pair(j) - 2) / d, OTHER, rare=True),
    Exponent("2k, and the result times d_model", lambda j, d, T: _pair(j), BRACKETS, rare=True, times=lambda d: d),
    # // in place of /: the slope ln(10000)/d becomes a whole number, which at common widths is 0 or 1.
    # (ln(10000) // d_model is 0 from d_model 10 on: there no exponent is left at all.)
    Exponent("ln(10000) // d_model", lambda j, d, T: _pair(j) * (LN // d) / LN, NONE, rare=True, truncated=True),
    Exponent(
        "-ln(10000) // d_model", lambda j, d, T: _pair(j) * -(-LN // d) / LN, TRUNCATED, rare=True, truncated=True
    ),
    Exponent(
        "-ln(10000) / d_model // 2",
        lambda j, d, T: _pair(j) * -(-LN / d // 2) / LN,
        TRUNCATED,
        rare=True,
        truncated=True,
    ),
    Exponent(
        "-ln(10000) / (d_model / 2) // 2",
        lambda j, d, T: _pair(j) / 2 * -(-LN / d // 2) / LN,
        TRUNCATED,
        rare=True,
        truncated=True,
    ),
)
