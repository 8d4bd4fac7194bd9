"""Which row of a table meets which token: the effect of a mistake on a right layer.

The search tries every `Pick` on a table of numbered cells; the one that explains all outputs also tells where each
cell of the layer's own table is seen.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import torch

from ..saying.catalogue import Mistake


@dataclass(frozen=True)
class Pick:
    """``of(x, table)`` is added to x; ``shows(max_len, d_model)`` are a max_len, a batch and a length that show all.

    ``transposed``: the layer holds its table so.
    """

    of: Callable
    shows: Callable = lambda max_len, d_model: (max_len, 2, max_len)
    transposed: bool = False


@dataclass(frozen=True)
class Alteration(Mistake):
    """``picks``: the ways to make it; none where x and the rows meet as they should."""

    picks: tuple[Pick, ...] = field(default=(), compare=False)


def square(max_len, d_model):
    return max_len, max_len, max_len


def narrow(max_len, d_model):
    return min(max_len, d_model), 2, min(max_len, d_model)


def wide(max_len, d_model):
    return d_model, 2, d_model


RIGHT = Pick(lambda x, pe: pe[: x.shape[1]])
WITH_ROOM = Pick(RIGHT.of, lambda max_len, d_model: (max_len + 1, 2, max_len))  # of a layer that stops at max_len


def cells(pick, shape, rows):
    """For each number of the output, which cell of a table of so many rows it has; None where ``pick`` stops."""
    x = torch.zeros(shape, dtype=torch.float64)
    table = torch.arange(rows * shape[-1], dtype=torch.float64).reshape(rows, -1)
    try:
        return (x + pick.of(x, table)).long().numpy()
    except (RuntimeError, IndexError):
        return None
