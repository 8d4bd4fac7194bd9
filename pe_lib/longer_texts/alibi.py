"""ALiBi: no position in the vectors, but a penalty on the score that grows with the distance.

Source: Press et al., "Train Short, Test Long" (2022), section 3, https://arxiv.org/abs/2108.12409
"""

import torch

from ..arguments import check_size


def alibi_slopes(heads: int) -> torch.Tensor:
    """The slope of each head: float64 tensor (heads,), such as 1/2, 1/4, … 1/256 for 8 heads.

    Where ``heads`` is no power of two: the slopes of the power below, then every other slope of the power above, as
    in the authors' code. Raises TypeError or ValueError for ``heads`` that is no whole number of at least 1.
    >>> alibi_slopes(4)
    tensor([0.2500, 0.0625, 0.0156, 0.0039], dtype=torch.float64)
    """
    below = 1 << (check_size("heads", heads).bit_length() - 1)  # the largest power of two that is not above heads
    exponents = [8 * n / below for n in range(1, below + 1)]
    exponents += [8 * n / (2 * below) for n in range(1, 2 * (heads - below), 2)]
    return 2 ** -torch.tensor(exponents, dtype=torch.float64)


def alibi_bias(heads: int, length: int) -> torch.Tensor:
    """−slope × distance, to be added to the scores: float32 tensor (heads, length, length), queries down, keys across.

    It tells how far a key is, and not on which side: without a causal mask, left and right look the same.
    Errors as `alibi_slopes`, and the same for ``length``.
    >>> alibi_bias(8, 3)[0, 2]
    tensor([-1.0000, -0.5000, -0.0000])
    """
    pos = torch.arange(check_size("length", length))
    distance = (pos - pos[:, None]).abs()
    return (-alibi_slopes(heads)[:, None, None] * distance).float()
