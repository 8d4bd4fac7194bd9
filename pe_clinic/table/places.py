"""Which position does each row hold? The paper counts from 0."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..saying.mistake import Mistake
from ..saying.words import row, show

STARTS_AT_ONE = Mistake(
    "starts-at-one",
    "The positions begin at 1.",
    "arange(1, max_len + 1), or a cumulative sum of ones, as in the code of DETR.",
    "the first position is 0: arange(max_len)",
    "facebookresearch/detr/blob/main/models/position_encoding.py",
)
OFFSET = Mistake(
    "position-offset",
    "The positions begin elsewhere.",
    "Some libraries leave the first positions to padding.",
    "the first position is 0: arange(max_len)",
)


@dataclass(frozen=True)
class Place:
    """``positions(T)``: the positions of T rows, one apart. A ``rare`` one is tried only when no other fits."""

    name: str
    positions: Callable
    mistake: Mistake | None = None
    rare: bool = False

    def seen(self, match, tables):
        """What shows it, from a `Match`: the first row that holds an angle."""
        first = 1 if match.hypothesis.zero_row else 0
        position = show(self.positions(tables[0].max_len)[first])
        return f"row {first} holds the angles of position {position}: {row(tables[0].values[first])}"


def _from(start):
    return lambda T: np.arange(T) + start


FROM_ZERO = Place("from 0", _from(0))
FROM_ONE = Place("from 1", _from(1), STARTS_AT_ONE)
PLACES = (FROM_ZERO, FROM_ONE, *(Place(f"from {start}", _from(start), OFFSET, True) for start in (2, -1, 0.5)))
