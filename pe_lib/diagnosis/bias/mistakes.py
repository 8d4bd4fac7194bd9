"""What goes wrong with ALiBi: which slope a head gets, and how the cost grows with the distance. Each can be built."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..saying.mistake import Mistake

PAPER = "https://arxiv.org/abs/2108.12409"


@dataclass(frozen=True)
class Built(Mistake):
    """``build`` gives slopes (heads,) for a number of heads, or the cost of a distance in a text of some length."""

    build: Callable | None = field(default=None, compare=False)


def paper_slopes(heads):
    below = 1 << (heads.bit_length() - 1)
    exponents = [8 * n / below for n in range(1, below + 1)] + [4 * n / below for n in range(1, 2 * (heads - below), 2)]
    return 2.0 ** -np.array(exponents)


def _plain(heads):
    return 2.0 ** (-8 * np.arange(1, heads + 1) / heads)


def _every_next(heads):
    below = 1 << (heads.bit_length() - 1)
    return np.concatenate([paper_slopes(below), 2.0 ** (-4 * np.arange(1, heads - below + 1) / below)])


def _next_power(heads):
    above = 1 << (heads - 1).bit_length()
    return 2.0 ** (-8 * np.arange(1, heads + 1) / above)


def _from_one(heads):
    """Of the heads up to a power of two each has the slope of the one before; the others are right."""
    below = 1 << (heads.bit_length() - 1)
    return np.concatenate([2.0 ** (-8 * np.arange(below) / below), paper_slopes(heads)[below:]])


PLAIN = Built(
    "plain-slopes",
    "The plain formula for heads that are no power of two.",
    "2^(−8h/heads) is the rule for powers of two. Else the authors take the power of two below, and every other slope "
    "of the power above.",
    "slopes for 8 heads, then the 1st, 3rd, 5th … of those for 16",
    "ml-explore/mlx/issues/343",
    build=_plain,
)
FROM_ONE = Built(
    "slopes-from-one",
    "The slopes begin at 1.",
    "2^(−8(h − 1)/heads) for 2^(−8h/heads): heads are counted from 1 in the paper, and from 0 in arange.",
    "2 ** (-8 * torch.arange(1, heads + 1) / heads)",
    "paiml/aprender/issues/2143",
    build=lambda heads: 2.0 ** (-8 * np.arange(heads) / heads),
)
ONE_SLOPE = Built(
    "one-slope",
    "All heads have the same slope.",
    "Heads with different slopes look at different distances; that is the point of them.",
    "one slope for each head: 2 ** (-8 * torch.arange(1, heads + 1) / heads), shaped (heads, 1, 1)",
    PAPER,
)
HALVING = Built(
    "halving-slopes",
    "Each slope is half of the one before, whatever the heads.",
    "2^(−h) is the rule for 8 heads only: 16 heads share the same range in finer steps.",
    "2 ** (-8 * torch.arange(1, heads + 1) / heads)",
    PAPER,
    build=lambda heads: 2.0 ** -np.arange(1.0, heads + 1),
)
OTHER_SLOPES = Built(
    "other-slopes",
    "The slopes are others than the paper's.",
    "",
    "2 ** (-8 * torch.arange(1, heads + 1) / heads)",
    PAPER,
)
REORDERED = Built(
    "heads-reordered",
    "The slopes are the paper's, in another order of the heads.",
    "Nothing is lost for a model that was trained so; weights from elsewhere would be read by other heads.",
    kind="convention",
)
SLOPES = (
    PLAIN,
    FROM_ONE,
    HALVING,
    Built(**{**vars(FROM_ONE), "build": _from_one}),
    Built(**{**vars(OTHER_SLOPES), "build": _every_next}),
    Built(**{**vars(OTHER_SLOPES), "build": _next_power}),
)

SQUARED = Built(
    "squared-distance",
    "The cost grows with the square of the distance.",
    "ALiBi is linear: twice as far costs twice as much.",
    "-slope * distance",
    PAPER,
    build=lambda distance, length: distance**2,
)
ROOT = Built(
    "root-distance",
    "The cost grows with the square root of the distance.",
    "ALiBi is linear: twice as far costs twice as much.",
    "-slope * distance",
    PAPER,
    build=lambda distance, length: np.sqrt(distance),
)
LOGARITHM = Built(
    "logarithm-of-distance",
    "The cost grows with the logarithm of the distance.",
    "ALiBi is linear: twice as far costs twice as much.",
    "-slope * distance",
    PAPER,
    build=lambda distance, length: np.log1p(distance),
)
ONE_FREE = Built(
    "distance-off-by-one",
    "The distance is one too small.",
    "max(distance − 1, 0): the key before it costs nothing, and cannot be told from the query's own.",
    "distance = pos_query - pos_key",
    build=lambda distance, length: np.maximum(distance - 1, 0),
)
DIVIDED = Built(
    "divided-by-length-of-text",
    "The bias is divided by the length.",
    "It shrinks as the text grows, and with it what was learned about distances.",
    "-slope * distance, whatever the length",
)


def _rounded(bits):
    def build(distance, length):
        mantissa, exponent = np.frexp(distance.astype(float))
        return np.ldexp(np.round(mantissa * 2**bits) / 2**bits, exponent)

    return build


HALF = Built(
    "half-distance",
    "The distance is rounded to half precision.",
    "bfloat16 keeps 8 bits of a number, float16 11: after 256, or 2048, distances that are neighbours become one.",
    "compute in float32, and cast the sum",
)
HALVES = tuple(Built(**{**vars(HALF), "build": _rounded(bits)}) for bits in (8, 11))
GROWTHS = (SQUARED, ONE_FREE, ROOT, LOGARITHM, *HALVES)

SIGN = Built(
    "bias-sign",
    "The sign is wrong: far keys win.",
    "A bias of +slope · distance rewards distance.",
    "-slope * (pos_query - pos_key)",
    "meta-pytorch/attention-gym/issues/86",
)
FALLS = Built(
    "falls-with-key-position",
    "The bias falls with the key's position: far keys win.",
    "−slope · j in every row: of two keys before a query the one further away, with the smaller j, costs less. "
    "+slope · j would be right, as softmax does not see what is added to a whole row.",
    "slope * j, or -slope * (pos_query - pos_key)",
    "ofirpress/attention_with_linear_biases/issues/19",
)
SCALED = Built(
    "bias-scaled",
    "The bias is multiplied by a number.",
    "Scores are divided by √d before the bias is added; the bias is not.",
    "softmax(q @ k.T / sqrt(d) + bias)",
)
EXPONENTIAL = Built(
    "exponential-bias",
    "It is a factor, not a bias.",
    "e or 2 to the power of −slope · distance could multiply weights; ALiBi is added to scores before softmax.",
    "-slope * distance, without exp",
)
WINDOW = Built(
    "zero-beyond-window",
    "Beyond some distance keys cost nothing.",
    "The far keys are as cheap as the nearest.",
    "-slope * distance for all distances, or −inf beyond the window",
)
CLIPPED = Built(
    "clipped-distance",
    "Beyond some distance all keys cost the same.",
    "The distance is cut to a largest one: order beyond it is not seen.",
    "-slope * distance for all distances",
)
SLIDING = Built(
    "sliding-window",
    "Keys beyond a window are masked.",
    "A deliberate design: ALiBi with attention to the nearest keys only.",
    kind="convention",
)
TRANSPOSED = Built(
    "transposed-bias",
    "Queries and keys change places.",
    "The keys that a causal mask hides have a cost, and those that are seen have none.",
    "queries down, keys across: pos[:, None] - pos[None, :]",
)
NO_BIAS = Built("no-bias", "All keys cost the same.", "", "-slope * (pos_query - pos_key)")
UNLISTED = Built(
    "no-alibi", "This is not ALiBi's bias.", "None of the known mistakes gives these numbers.", "-slope * distance"
)
