"""Look at a function that may give a table for several axes: ask it for grids, and find the axes in what came."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from ..calling.calling import axes_of, in_order
from ..sandbox.guard import Failed, watch
from ..sandbox.values import to_array
from .look import LONG_SECONDS, NoTable, Table, attempt
from .words import found

SQUARE = ((5, 5, 16), (6, 6, 24), (40, 40, 8))  # (height, width, d_model): no two numbers of rows or columns alike
OBLONG = ((5, 7, 16), (6, 4, 32), (40, 30, 8))  # the last one shows far positions
BOXES = ((5, 7, 6, 48), (6, 4, 9, 96), (40, 12, 20, 48))  # (frames, height, width, d_model)
CUBES = ((5, 5, 5, 48), (6, 6, 6, 96), (20, 20, 20, 48))  # of one side
EVEN = {2: (6, 6, 24), 3: (6, 6, 6, 48)}  # where no exchange of axes is seen
CLASS_ROWS = 2  # a class token, and one for distillation


@dataclass(frozen=True)
class Grid:
    """``values`` (height, width, d_model), or (frames, height, width, d_model), and the rows of zeros before them."""

    call: str
    values: np.ndarray
    rounding: float
    before: int = 0
    order: tuple[int, ...] = (0, 1)  # in which the axes came
    asked_for_rows: bool = False  # as many as there are patches, so that numbers in one line are no mistake

    @property
    def turned(self):
        return self.order != tuple(sorted(self.order))

    @property
    def in_one_line(self):
        """Is it the paper's table for the patches, numbered as they are read?"""
        rows = self.values.reshape(-1, self.values.shape[-1])
        return not self.asked_for_rows and Table(self.call, *rows.shape, rows, self.rounding).agrees


@dataclass(frozen=True)
class Asked:
    """For each size the ways to read the grid that came: of two small sizes, of a far one, of one with even sides."""

    short: tuple
    far: tuple = ()
    even: tuple = ()


def grids_of(function):
    """What is `Asked` in each way that ``function`` can be called; none when none fits.

    `Failed` when two calls differ, or when it takes several sizes and nothing of their shape comes.
    """
    for ask, sizes in _ways(function):
        even = EVEN[len(sizes[0]) - 1] if sizes not in (SQUARE, CUBES) else None
        try:
            short = tuple(ask(*size)[0] for size in sizes[:2])
            again = ask(*sizes[0])[0]
            far = attempt(ask, *sizes[2], seconds=LONG_SECONDS)
            if isinstance(far, NoTable) and not (far.stopped or far.excused):
                raise Failed(far.finding)
        except (Failed, NotImplementedError):
            if axes_of(function) or (even and not isinstance(attempt(ask, *even), NoTable)):
                raise
            continue
        if not np.array_equal(short[0][0].values, again[0].values):
            raise Failed(found("not-repeatable", f"two calls of {again[0].call} differ"))
        even = attempt(ask, *even) if even else ()
        yield Asked(short, *(() if isinstance(grids, NoTable) else grids for grids in (far, even)))


def _ways(function):
    """Functions of (height, width, d_model), or with frames before these, and the sizes to ask them for."""
    if names := axes_of(function):
        by_name = lambda *size: function(**dict(zip(names, size, strict=True)))  # noqa: E731
        yield _asker(by_name), OBLONG if len(names) == 3 else BOXES
        return
    call = in_order(function, ("max_len", "d_model"))
    for sizes in (OBLONG, BOXES):
        yield _asker(lambda *size: call(size[:-1], size[-1]), "({}), d_model={}"), sizes
    yield _asker(lambda height, width, d_model: call(height, d_model), "max_len={2}, d_model={1}"), SQUARE
    yield _asker(lambda *size: call(size[0], size[-1]), "max_len={2}, d_model={1}"), CUBES
    of_rows = lambda height, width, d_model: call(height * width, d_model)  # noqa: E731
    yield _asker(of_rows, "max_len={2}·{3}, d_model={1}", asked_for_rows=True), SQUARE


def _asker(call: Callable, shown="{}, d_model={}", **known):
    def ask(*size, **how):
        *sides, d_model = size
        quoted = f"function({shown.format(', '.join(map(str, sides)), d_model, *sides)})"
        ran = watch(quoted, call, *size, **how)
        array, rounding = to_array(quoted, ran.value)
        readings = _readings(np.squeeze(array), tuple(sides), d_model)
        if not readings:
            expected = f"({', '.join(map(str, size))}) or ({math.prod(sides)}, {d_model})"
            raise Failed(found("shape", f"{quoted} gave the shape {array.shape}, expected {expected}"))
        grids = (Grid(quoted, values, rounding, before, order, **known) for values, before, order in readings)
        return tuple(grids), ran.traces

    return ask


def _readings(array, sides, d_model):
    """(values, zero rows before them, the order in which their axes came) for each way to read the array."""
    if array.ndim > 1 and array.shape[0] == d_model != array.shape[-1]:
        array = np.moveaxis(array, 0, -1)  # the channels of a picture stand first
    if array.ndim < 2 or array.shape[-1] != d_model:
        return []
    whole = array.ndim == len(sides) + 1
    rows = array if whole else array.reshape(-1, d_model)
    before = 0 if whole else len(rows) - math.prod(sides)
    if not 0 <= before <= (CLASS_ROWS if array.ndim == 2 else 0) or rows[:before].any():
        return []
    orders = {}
    for order in permutations(range(len(sides))):
        shape = tuple(sides[axis] for axis in order)
        if not whole or shape == array.shape[:-1]:
            orders.setdefault(shape, order)
    return [
        (np.moveaxis(rows[before:].reshape(*shape, d_model), range(len(sides)), order), before, order)
        for shape, order in orders.items()
    ]
