"""Laws of the pairs that are mistakes: each with its words."""

from ..saying.mistake import Mistake

EXPONENT_HALVED = Mistake(
    "exponent-halved",
    "The exponent is halved, or the base is 100.",
    "base^(−k/d) for base^(−2k/d): both give the frequencies of base 100, and cannot be told apart here.",
    "base ** (-torch.arange(0, d, 2) / d): the 2 is in the step of arange",
    "rasbt/LLMs-from-scratch/issues/410",
)
EXPONENT_DOUBLED = Mistake(
    "exponent-doubled",
    "The exponent is doubled, or the base is squared.",
    "base^(−4k/d) for base^(−2k/d): the 2 is in the step of arange(0, d, 2) already, and a second was written.",
    "base ** (-torch.arange(0, d, 2) / d)",
)
SMALL_BASE = Mistake(
    "small-base",
    "The base is smaller than 10000.",
    "The slowest pair comes round too soon: positions far apart look alike. Often a zero was lost.",
    "base = 10000.0",
    "vllm-project/vllm-ascend/issues/5201",
)
WRONG_DIVISOR = Mistake(
    "wrong-divisor",
    "The exponent is divided by another width than head_dim.",
    "Each head has a rotation of its own: d is the head's width, not the model's.",
    "divide by head_dim: base ** (-torch.arange(0, head_dim, 2) / head_dim)",
)
PARTIAL_OVER_D = Mistake(
    "partial-over-head-dim",
    "Partial rotation, with the frequencies of the whole head.",
    "Pair k of r turned columns turns by base^(−2k/r): with head_dim in place of r the slow pairs are missing. "
    "Proportional rotary (Gemma 4) has these frequencies on purpose, and turns column k with k + d/2.",
    "divide by the number of turned columns, or pair the columns as proportional rotary does",
    "apple/coreai-models/issues/66",
)
INVERTED = Mistake(
    "not-inverted",
    "The frequencies are not inverted.",
    "base^(+2k/d) for base^(−2k/d): neighbouring positions are thousands of radians apart.",
    "1.0 / base ** (torch.arange(0, d, 2) / d)",
)
TWICE = Mistake(
    "turned-twice",
    "It is turned twice, or the positions are doubled.",
    "Both give the angle 2 · pos · frequency, and cannot be told apart from outside.",
    "turn once: look for a second call (in the projection and in attention), and for positions counted by twos",
    "NeuraLegion/shainet/issues/110",
)
MULTIPLIED = Mistake(
    "multiplied-by-factor",
    "Positions are multiplied by the factor, where they should be divided.",
    "To read a text f times as long, position interpolation computes pos / f. pos · f stretches the wrong way.",
    "positions / factor",
)
TURNS = Mistake(
    "turned-by-constant",
    "Every angle is multiplied by a constant.",
    "Angles are radians: neither degrees nor turns.",
    "angle = pos * base ** (-2k / d), and nothing else",
)
FROM_MINUS_ONE = Mistake(
    "pairs-from-minus-one",
    "The pairs are counted from −1.",
    "base^(−2(k − 1)/d) for base^(−2k/d), as the paper's formula with its k = 1, 2, … is written for a k that begins "
    "at 0: the fastest pair should turn one radian a step.",
    "base ** (-2 * k / d) for k = 0, 1, 2, …",
)
FROM_ONE = Mistake(
    "pairs-from-one",
    "The pairs are counted from 1.",
    "base^(−2(k + 1)/d) for base^(−2k/d): the fastest pair should turn one radian a step.",
    "torch.arange(0, d, 2) begins at 0",
)
