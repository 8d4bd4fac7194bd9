"""What came after the sinusoid (lesson 09): learned rows, RoPE, ALiBi, T5's bias, and RoPE stretched for longer texts.

Learned rows are added to the embeddings, RoPE rotates queries and keys, ALiBi and T5 add a bias to the scores.
"""

from .alibi import alibi_bias, alibi_slopes
from .learned import LearnedPositions
from .longer import interpolate, ntk_aware, yarn
from .rope import half_split_order, rope_half_split, rope_interleaved
from .t5 import T5Bias, t5_bucket

__all__ = [
    "LearnedPositions",
    "T5Bias",
    "alibi_bias",
    "alibi_slopes",
    "half_split_order",
    "interpolate",
    "ntk_aware",
    "rope_half_split",
    "rope_interleaved",
    "t5_bucket",
    "yarn",
]
