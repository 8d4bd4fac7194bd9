"""Tables for any positions, out of what code gives for positions, for a length, or once and for all."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import torch

from ..sandbox.guard import first_look

TWICE = r"(cos|sin)\w*\.(repeat_interleave\(2|(repeat|tile)\(.*\b2\))|\bcat\w*\(\W*(\w*(cos|sin)\w*),\s*\4\b"
WIDENS = r"(?i)(cat\w*|stack|repeat\w*|tile)\([^\n]*(cos|sin|freq|emb|ang)|(cos|sin|freqs?|emb)\w*\.(repeat|tile)"
BOTH = "cos.repeat_interleave(2", "cos.repeat(1, 2)"  # as neighbours, or as halves


@dataclass(frozen=True)
class Maker:
    """``at(positions, x)`` gives what the maker gives for these positions: a tensor, or a tuple of tensors."""

    name: str
    at: Callable
    source: object = None  # whose numbers it holds
    own: bool = False  # are these the tables as the file's own code gives them?
    way: Callable | None = None  # `at` of its own code, before another order of cosines and sines
    lengths: bool = False  # do they also make vectors longer, or shorter?

    def up_to(self, last, x):
        """The whole tables, from position 0 to ``last`` at least."""
        return self.at(torch.arange(room(last)), x)


def widened(maker, source):
    """The `Maker` of tables twice as wide, as lines of ``source`` repeat cosines and sines; None where none does."""
    told = re.search(TWICE, source)
    wide = (lambda t: t.repeat_interleave(2, -1)) if "leave" in f"{told}" else (lambda t: torch.cat((t, t), -1))
    at = lambda p, x: tuple(map(wide, as_tuple(maker.at(p, x))))  # noqa: E731
    return told and replace(maker, name=f"{maker.name}, widened", at=at)


def twice_as_wide(found, width, source):
    """The ``found`` ways whose cosines and sines the file makes half as wide as x and does not join: widened."""
    own = [] if re.search(WIDENS, source) else [way for way in found if way.maker and way.maker.own]
    given = torch.arange(5), torch.zeros(1, 1, 5, width)
    made = [(way, first_look(lambda at=way.maker.way: as_tuple(at(*given)))) for way in own]
    half = [way for way, value in made if value and value[0].shape[-1] == width // 2 and are_waves(value)]
    return [replace(way, maker=widened(way.maker, lines), bent=way) for way in half for lines in BOTH]


def room(last):
    """At first an odd length, which no width is: tables made the wrong way round shall not fit."""
    return max(67, 1 << int(last + 1).bit_length())


def by_length(make, least=0):
    """The rows of what ``make(length, x)`` gives for as many positions as are needed; the last table is kept.

    ``least``: what is scaled is meant for more positions than it was made for.
    """
    kept, counted = {}, []

    def at(positions, x):
        length = max(room(positions.max()), least)
        asked = length, x.dtype, len(x)  # tables may have a row of x's batch each
        if asked not in kept:
            kept.clear()  # a long table may change what later, short ones are
            kept[asked] = make(length, x)
            counted.append(_has_rows(kept[asked], length))
        return rows(kept[asked], positions, length)

    def shorter(length, x):
        """What a length gives that is asked for last, where it has the rows of a longer one; else None."""
        if counted[:1] == [True] and not _has_rows(made := make(length, x), length):
            return made

    at.shorter, at.make = shorter, make
    return at


def _has_rows(value, count):
    """Has each table an axis of ``count`` entries? Pairs may stand on more than the last axis."""
    return all(count in (part.shape[:-1] or part.shape) for part in as_tuple(value))


def once(make):
    """``make(positions)``, whatever x is; a copy of the last tables where the same positions come again."""
    kept = [None, None]

    def at(positions, x):
        if kept[0] is None or not torch.equal(kept[0], positions):
            kept[:] = positions.clone(), make(positions)
        return like(kept[1], [part.clone() for part in as_tuple(kept[1])])

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
    for table in map(torch.as_tensor, as_tuple(value)):
        if table.ndim == 1:
            return value  # one frequency for each pair
        axis = max(range(table.ndim - 1), key=lambda n: (table.shape[n] == length, table.shape[n]))
        if int(positions.max()) >= table.shape[axis]:
            raise IndexError(f"The tables were made for {table.shape[axis]} positions.")
        found.append(table.index_select(axis, positions))
    return like(value, found)


def row_of(value, pairs, beside):
    """The frequencies for each pair that a maker gives, alone or ``beside`` its tables; None where there are none."""
    tensors = [part for part in value if torch.is_tensor(part)]
    row = next((part for part in tensors if part.shape == (pairs,) and part.is_floating_point()), None)
    return row if beside or len(tensors) == 1 else None


def are_tables(value):
    """For 5 positions: one tensor, complex, of angles or of both waves, or two real ones; not of zeros alone."""
    if len(value) not in (1, 2) or not all(map(torch.is_tensor, value)) or not any(part.any() for part in value):
        return False
    real = all(part.is_floating_point() for part in value)
    return 5 in value[0].shape[:-1] and value[0].shape == value[-1].shape and (real or len(value) == 1)


def are_scaled(value):
    """Of `are_tables`, angles, and what xPos multiplies by?"""
    return len(value) == 2 and bool(value[0].abs().max() > 2 and (value[1] > 0).all())


def are_waves(made):
    """Two tensors, the cosines and the sines of one angle?"""
    return len(made) == 2 and bool((made[0] ** 2 + made[1] ** 2 - 1).abs().max() < 1e-3)
