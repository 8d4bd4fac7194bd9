"""Every mistake with ALiBi but those of the slopes: its words, and for growth the numbers that it gives.

cost = −factor · slope(head) · growth(distance), and the window, the exponent and the axes act on that.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from ..law.half import HALVES
from ..saying.mistake import Mistake

PAPER = "https://arxiv.org/abs/2108.12409"
BY_DISTANCE = "-slope * distance"
DISTANCE = "-slope * (pos_query - pos_key)"


@dataclass(frozen=True)
class Alteration(Mistake):
    """``build`` gives slopes (heads,) for a number of heads, or the growth of a distance."""

    build: Callable | None = field(default=None, compare=False)


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
    "root-distance", "The cost grows with the square root of the distance.", LINEAR, BY_DISTANCE, PAPER, build=np.sqrt
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
    "It is 0 for all past keys, or computed and never added: attention does not know their order.",
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
