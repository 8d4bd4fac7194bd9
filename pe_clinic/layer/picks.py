"""Which row of a table meets which token: the effect of a mistake on a right layer.

The search tries every `Pick` on a table of numbered cells; the one that explains all outputs also tells where each
cell of the layer's own table is seen.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Pick:
    """``of(x, table)`` is added to x; ``shows(max_len, d_model)`` are a max_len, a batch and a length that show all.

    ``transposed``: the layer holds its table so.
    """

    of: Callable
    shows: Callable = lambda max_len, d_model: (max_len, 2, max_len)
    transposed: bool = False


def square(max_len, d_model):
    return max_len, max_len, max_len


def narrow(max_len, d_model):
    return min(max_len, d_model), 2, min(max_len, d_model)


def wide(max_len, d_model):
    return d_model, 2, d_model


RIGHT = Pick(lambda x, pe: pe[: x.shape[1]])
WITH_ROOM = Pick(RIGHT.of, lambda max_len, d_model: (max_len + 1, 2, max_len))  # of a layer that stops at max_len
PICKS = {  # by the id of the mistake, the ways to make it
    "batch-axis": (
        Pick(lambda x, pe: pe[: x.shape[0], None], lambda max_len, d_model: (max_len, max_len, 2)),
        Pick(lambda x, pe: pe[: x.shape[1], None], square),
        Pick(lambda x, pe: pe[:, None], lambda max_len, d_model: (max_len, max_len, 2)),
    ),
    "slice-by-batch": (Pick(lambda x, pe: pe[: x.shape[0]], square),),
    "no-slice": (Pick(lambda x, pe: pe), Pick(lambda x, pe: pe.expand(x.shape))),  # x += pe lets x not grow
    "one-row-more": tuple(Pick(lambda x, pe, n=n: pe[: x.shape[1] + n]) for n in (1, -1)),
    "slice-by-width": (Pick(lambda x, pe: pe[: x.shape[2]], narrow),),
    "slice-of-columns": (
        Pick(lambda x, pe: pe[:, : x.shape[1]], wide),
        Pick(lambda x, pe: pe.T[:, : x.shape[1]], wide, transposed=True),
    ),
    "rows-from-the-end": (Pick(lambda x, pe: pe[len(pe) - x.shape[1] :]), Pick(lambda x, pe: pe[: x.shape[1]].flip(0))),
    "missing-colon": tuple(
        Pick(lambda x, pe, n=n, less=less: pe[x.shape[n] - less]) for n in (1, 0) for less in (0, 1)
    ),
}


def cells(pick, shape, rows):
    """For each number of the output, which cell of a table of so many rows it has; None where ``pick`` stops."""
    x = torch.zeros(shape, dtype=torch.float64)
    table = torch.arange(rows * shape[-1], dtype=torch.float64).reshape(rows, -1)
    try:
        return (x + pick.of(x, table)).long().numpy()
    except (RuntimeError, IndexError):
        return None
