"""Look at a function that may give a table for two axes: ask it for grids, and find the two axes in what came."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..calling.calling import axes_of, in_order
from ..sandbox.guard import Failed, watch
from ..sandbox.mistakes import found
from ..sandbox.values import to_array
from .look import LONG_SECONDS, NoTable, Table, attempt

SQUARE = ((5, 5, 16), (6, 6, 24), (40, 40, 8))  # (height, width, d_model): no two numbers of rows or columns alike
OBLONG = ((5, 7, 16), (6, 4, 32), (40, 30, 8))  # the last one shows far positions
CLASS_ROWS = 2  # a class token, and one for distillation


@dataclass(frozen=True)
class Grid:
    """``values`` (height, width, d_model) as they were read, and the rows of zeros that came before them."""

    call: str
    values: np.ndarray
    rounding: float
    before: int = 0
    turned: bool = False  # width came first
    asked_for_rows: bool = False  # as many as there are patches, so that numbers in one line are no mistake

    @property
    def in_one_line(self):
        """Is it the paper's table for the patches, numbered as they are read?"""
        rows = self.values.reshape(-1, self.values.shape[-1])
        return not self.asked_for_rows and Table(self.call, *rows.shape, rows, self.rounding).agrees


def grids_of(function):
    """For each way to ask, the grids of all sizes (a tuple for each size: the ways to read it); none when none fits.

    `Failed` when two calls differ, or when the parameters are those of a grid and nothing of its shape comes.
    """
    for ask, sizes in _ways(function):
        try:
            short = tuple(ask(*size)[0] for size in sizes[:2])
            again = ask(*sizes[0])[0]
            far = attempt(ask, *sizes[2], seconds=LONG_SECONDS)
            if isinstance(far, NoTable) and not (far.stopped or far.excused):
                raise Failed(far.finding)
        except (Failed, NotImplementedError):
            if axes_of(function):
                raise
            continue
        if not np.array_equal(short[0][0].values, again[0].values):
            raise Failed(found("not-repeatable", f"two calls of {again[0].call} differ"))
        yield short, () if isinstance(far, NoTable) else far


def _ways(function):
    """Functions of (height, width, d_model), with the sizes to ask them for."""
    if names := axes_of(function):
        yield _asker(lambda *size: function(**dict(zip(names, size, strict=True))), "{}, {}, d_model={}"), OBLONG
        return
    call = in_order(function, ("max_len", "d_model"))
    yield _asker(lambda height, width, d_model: call(height, d_model), "max_len={0}, d_model={2}"), SQUARE
    of_rows = lambda height, width, d_model: call(height * width, d_model)  # noqa: E731
    yield _asker(of_rows, "max_len={0}·{1}, d_model={2}", asked_for_rows=True), SQUARE
    yield _asker(lambda height, width, d_model: call((height, width), d_model), "({}, {}), d_model={}"), OBLONG


def _asker(call: Callable, shown, **known):
    def ask(height, width, d_model, **how):
        quoted = f"function({shown.format(height, width, d_model)})"
        ran = watch(quoted, call, height, width, d_model, **how)
        array, rounding = to_array(quoted, ran.value)
        readings = _readings(np.squeeze(array), height, width, d_model)
        if not readings:
            expected = f"({height}, {width}, {d_model}) or ({height * width}, {d_model})"
            raise Failed(found("shape", f"{quoted} gave the shape {array.shape}, expected {expected}"))
        grids = (Grid(quoted, values, rounding, before, turned, **known) for values, before, turned in readings)
        return tuple(grids), ran.traces

    return ask


def _readings(array, height, width, d_model):
    """(values (height, width, d_model), zero rows before them, whether width came first) for each way to read it."""
    if array.ndim in (2, 3) and array.shape[0] == d_model:
        array = np.moveaxis(array, 0, -1)  # the channels of a picture stand first
    if array.shape == (height, width, d_model):
        return [(array, 0, False)]
    if array.shape == (width, height, d_model):
        return [(array.swapaxes(0, 1), 0, True)]
    before = len(array) - height * width if array.ndim == 2 and array.shape[1] == d_model else -1
    if not 0 <= before <= CLASS_ROWS or array[:before].any():
        return []
    rows = array[before:]
    readings = [(rows.reshape(height, width, d_model), before, False)]
    if height != width:
        readings.append((rows.reshape(width, height, d_model).swapaxes(0, 1), before, True))
    return readings
