"""What came after added rows, judged on longer texts (lesson 10): learned rows, ALiBi, T5's bias, and RoPE stretched.

Learned rows are added to the embeddings, ALiBi and T5 add a bias to the scores; `interpolate`, `ntk_aware` and `yarn`
slow down the hands of RoPE, whose own module is `rope`.
"""

from .alibi import alibi_bias, alibi_slopes
from .learned import LearnedPositions
from .longer import interpolate, ntk_aware, yarn
from .t5 import T5Bias, t5_bucket

__all__ = [
    "LearnedPositions",
    "T5Bias",
    "alibi_bias",
    "alibi_slopes",
    "interpolate",
    "ntk_aware",
    "t5_bucket",
    "yarn",
]
