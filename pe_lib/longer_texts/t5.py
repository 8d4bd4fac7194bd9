"""T5's relative bias: a trained number for each head and each bucket of offsets, added to the score.

Source: Raffel et al. (2020), section 2.1, https://arxiv.org/abs/1910.10683; the buckets follow the authors' code.
"""

import math

import torch
from torch import nn

from ..arguments import check_bool, check_size


def t5_bucket(offset: torch.Tensor, buckets: int = 32, max_distance: int = 128, causal: bool = False) -> torch.Tensor:
    """The bucket of every offset, position of the key − position of the query: int64 tensor of the shape of ``offset``.

    Half of the buckets hold one distance each, 0, 1, 2, …; those of the other half grow like a geometric series, and
    the last one holds ``max_distance`` and all beyond. If not causal, the upper half is for keys on the right; if
    causal, those share the bucket of distance 0, and the mask hides them.
    Raises TypeError or ValueError for an ``offset`` that holds no integers, or sizes that give no such buckets.
    >>> t5_bucket(torch.tensor([-200, -9, -1, 0, 1, 9, 200]))
    tensor([15,  8,  1,  0, 17, 24, 31])
    """
    if not isinstance(offset, torch.Tensor) or offset.dtype not in (torch.int64, torch.int32):
        got = offset.dtype if isinstance(offset, torch.Tensor) else type(offset).__name__
        raise TypeError(f"offset must be a tensor of int64 or int32, such as torch.arange(-8, 9), but got {got}")
    exact, per_side = _sizes(buckets, max_distance, causal)
    offset = offset.long().clamp(min=-(2**63) + 1)  # the least integer has no opposite
    distance = (-offset).clamp(min=0) if causal else offset.abs()
    growth = (distance.clamp(min=exact).double() / exact).log() / math.log(max_distance / exact)  # 0 at exact
    # A logarithm may come out a hair too small where a bucket begins; 1e-9 lifts it back, and no offset before that
    # begin, unless it lies beyond 10⁷.
    far = exact + (growth * (per_side - exact) + 1e-9).long()
    bucket = torch.where(distance < exact, distance, far.clamp(max=per_side - 1))
    return bucket if causal else bucket + per_side * (offset > 0)


def _sizes(buckets, max_distance, causal):
    """How many buckets hold a single distance, and how many there are for each side."""
    sides = 1 if check_bool("causal", causal) else 2
    if check_size("buckets", buckets) % (2 * sides):
        raise ValueError(f"buckets must be a multiple of {2 * sides}, such as 32, but got {buckets}")
    per_side = buckets // sides
    if check_size("max_distance", max_distance) <= per_side // 2:
        least = per_side // 2 + 1
        raise ValueError(f"max_distance must be at least {least} for {buckets} buckets, but got {max_distance}")
    return per_side // 2, per_side


class T5Bias(nn.Module):
    """The bias itself: ``T5Bias(heads)(length)`` is a tensor (heads, length, length), queries down, keys across.

    T5 shares one between all its layers. Arguments and errors as `t5_bucket`, and ``heads`` at least 1.
    >>> T5Bias(heads=2)(3).shape
    torch.Size([2, 3, 3])
    """

    def __init__(self, heads: int, buckets: int = 32, max_distance: int = 128, causal: bool = False) -> None:
        super().__init__()
        _sizes(buckets, max_distance, causal)  # refuse now, not at the first use
        self.settings = {"buckets": buckets, "max_distance": max_distance, "causal": causal}
        self.table = nn.Parameter(torch.zeros(buckets, check_size("heads", heads)))

    def forward(self, length: int) -> torch.Tensor:
        pos = torch.arange(check_size("length", length), device=self.table.device)
        return self.table[t5_bucket(pos - pos[:, None], **self.settings)].permute(2, 0, 1)
