"""Tables for any positions, out of what code gives for positions, for a length, or once and for all."""

from collections.abc import Callable
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Maker:
    """``at(positions, x)`` gives what the maker gives for these positions: a tensor, or a tuple of tensors."""

    name: str
    at: Callable
    source: object = None  # whose numbers it holds

    def up_to(self, last, x):
        """The whole tables, from position 0 to ``last`` at least."""
        return self.at(torch.arange(_room(last)), x)


def _room(last):
    return max(64, 1 << int(last + 1).bit_length())


def by_length(make):
    """The rows of what ``make(length, x)`` gives for as many positions as are needed; the last few are kept."""
    kept = {}

    def at(positions, x):
        length = _room(positions.max())
        if (length, x.dtype) not in kept:
            kept[length, x.dtype] = make(length, x)
        return rows(kept[length, x.dtype], positions, length)

    return at


def as_tuple(value):
    value = value.values() if isinstance(value, dict) else value if isinstance(value, (tuple, list)) else (value,)
    return tuple(value)


def like(value, parts):
    """``parts`` in what held them before: a tuple, a list, a dictionary, or nothing."""
    if isinstance(value, dict):
        return dict(zip(value, parts, strict=True))
    return tuple(parts) if isinstance(value, tuple) else parts if isinstance(value, list) else parts[0]


def rows(value, positions, length=None):
    """The rows of the given positions, along the first axis of ``length`` of them, or the longest of the first axes."""
    found = []
    for table in as_tuple(value):
        if table.ndim == 1:
            return value  # one frequency for each pair
        axis = max(range(table.ndim - 1), key=lambda n: (table.shape[n] == length, table.shape[n]))
        if int(positions.max()) >= table.shape[axis]:
            raise IndexError(f"The tables were made for {table.shape[axis]} positions.")
        found.append(table.index_select(axis, positions))
    return like(value, found)
