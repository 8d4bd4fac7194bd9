"""How the cost grows with the distance, and what else goes wrong with ALiBi."""

from dataclasses import replace

import numpy as np

from ..law import half
from .built import PAPER, Built

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


HALF = Built(
    "half-distance",
    "The distance is rounded to half precision.",
    "bfloat16 keeps 8 bits of a number, float16 11: after 256, or 2048, distances that are neighbours become one.",
    "compute in float32, and cast the sum",
)
HALVES = tuple(
    replace(HALF, build=lambda distance, length, dtype=dtype: dtype.rounded(distance)) for dtype in half.HALVES
)
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
HALF_BIAS = Built(
    "half-bias",
    "It is right for half precision.",
    "A bias in half precision keeps 8 or 11 bits: far keys that are neighbours may get one and the same cost.",
    kind="note",
)
HALF_SLOPES = Built(
    "half-slopes",
    "The slopes are rounded to half precision, as in Falcon.",
    "Each is off by up to a 500th of itself: right for weights that were trained so.",
    kind="note",
)
