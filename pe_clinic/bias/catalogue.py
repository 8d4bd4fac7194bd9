"""Every mistake with ALiBi: its words, and for slopes and growth the numbers that it gives; the likeliest first.

cost = −factor · slope(head) · growth(distance), and the window, the exponent and the axes act on that.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from ..law.half import HALVES
from ..saying.mistake import Mistake

PAPER = "https://arxiv.org/abs/2108.12409"
FORMULA, BY_DISTANCE = "2 ** (-8 * torch.arange(1, heads + 1) / heads)", "-slope * distance"
DISTANCE = "-slope * (pos_query - pos_key)"


@dataclass(frozen=True)
class Alteration(Mistake):
    """``build`` gives slopes (heads,) for a number of heads, or the growth of a distance."""

    build: Callable | None = field(default=None, compare=False)


def paper_slopes(heads):
    below = 1 << (heads.bit_length() - 1)
    exponents = [8 * n / below for n in range(1, below + 1)] + [4 * n / below for n in range(1, 2 * (heads - below), 2)]
    return 2.0 ** -np.array(exponents)


def _every_next(heads):
    below = 1 << (heads.bit_length() - 1)
    return np.concatenate([paper_slopes(below), 2.0 ** (-4 * np.arange(1, heads - below + 1) / below)])


def _next_power(heads):
    return 2.0 ** (-8 * np.arange(1, heads + 1) / (1 << (heads - 1).bit_length()))


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
    replace(OTHER_SLOPES, build=_every_next),
    replace(OTHER_SLOPES, build=_next_power),
)

LINEAR = "ALiBi is linear: twice as far costs twice as much."
SQUARED = Alteration(
    "squared-distance",
    "The cost grows with the square of the distance.",
    LINEAR,
    BY_DISTANCE,
    PAPER,
    build=lambda d: d**2,
)
ONE_FREE = Alteration(
    "distance-off-by-one",
    "The distance is one too small.",
    "max(distance − 1, 0): the key before it costs nothing, and cannot be told from the query's own.",
    "distance = pos_query - pos_key",
    build=lambda d: np.maximum(d - 1, 0),
)
ROOT = Alteration(
    "root-distance",
    "The cost grows with the square root of the distance.",
    LINEAR,
    BY_DISTANCE,
    PAPER,
    build=np.sqrt,
)
LOGARITHM = Alteration(
    "logarithm-of-distance",
    "The cost grows with the logarithm of the distance.",
    LINEAR,
    BY_DISTANCE,
    PAPER,
    build=np.log1p,
)
HALF = Alteration(
    "half-distance",
    "The distance is rounded to half precision.",
    "bfloat16 keeps 8 bits of a number, float16 11: after 256, or 2048, distances that are neighbours become one.",
    "compute in float32, and cast the sum",
)
GROWTHS = (SQUARED, ONE_FREE, ROOT, LOGARITHM, *(replace(HALF, build=half.rounded) for half in HALVES))

SIGN = Alteration(
    "bias-sign",
    "The sign is wrong: far keys win.",
    "A bias of +slope · distance rewards distance.",
    DISTANCE,
    "meta-pytorch/attention-gym/issues/86",
)
FALLS = Alteration(
    "falls-with-key-position",
    "The bias falls with the key's position: far keys win.",
    "−slope · j in every row: of two keys before a query the one further away, with the smaller j, costs less. "
    "+slope · j would be right, as softmax does not see what is added to a whole row.",
    f"slope * j, or {DISTANCE}",
)
SCALED = Alteration(
    "bias-scaled",
    "The bias is multiplied by a number.",
    "Scores are divided by √d before the bias is added; the bias is not.",
    "softmax(q @ k.T / sqrt(d) + bias)",
)
DIVIDED = Alteration(
    "divided-by-length-of-text",
    "The bias is divided by the length.",
    "It shrinks as the text grows, and with it what was learned about distances.",
    "-slope * distance, whatever the length",
)
EXPONENTIAL = Alteration(
    "exponential-bias",
    "It is a factor, not a bias.",
    "e or 2 to the power of −slope · distance could multiply weights; ALiBi is added to scores before softmax.",
    "-slope * distance, without exp",
)
WINDOW = Alteration(
    "zero-beyond-window",
    "Beyond some distance keys cost nothing.",
    "The far keys are as cheap as the nearest.",
    "-slope * distance for all distances, or −inf beyond the window",
)
CLIPPED = Alteration(
    "clipped-distance",
    "Beyond some distance all keys cost the same.",
    "The distance is cut to a largest one: order beyond it is not seen.",
    "-slope * distance for all distances",
)
SLIDING = Alteration(
    "sliding-window",
    "Keys beyond a window are masked.",
    "A deliberate design: ALiBi with attention to the nearest keys only.",
    kind="convention",
)
TRANSPOSED = Alteration(
    "transposed-bias",
    "Queries and keys change places.",
    "The keys that a causal mask hides have a cost, and those that are seen have none.",
    "queries down, keys across: pos[:, None] - pos[None, :]",
)
NO_BIAS = Alteration(
    "no-bias",
    "All keys cost the same.",
    "The bias is 0, or it is computed and never added: every score stays as it was.",
    DISTANCE,
)
HALF_BIAS = Alteration(
    "half-bias",
    "It is right for half precision.",
    "A bias in half precision keeps 8 or 11 bits: far keys that are neighbours may get one and the same cost.",
    kind="note",
)
UNLISTED = Alteration(
    "no-alibi", "This is not ALiBi's bias.", "None of the known mistakes gives these numbers.", BY_DISTANCE
)
