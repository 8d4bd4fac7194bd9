"""Timesteps and grids: nothing changed is called a convention; what each form is called stands in zoo/grids.md."""

from functools import partial

import numpy as np
import pytest
from test_diagnosis_changes import CHANGES

from pe_clinic import diagnose_table
from pe_clinic.table.grid_look import BOXES, OBLONG, SQUARE
from pe_lib import sinusoidal_grid


def axis(numbers, d, halves=False, divisor=None):
    """A table of width d for ``numbers``, in turn or in halves."""
    angles = np.asarray(numbers)[:, None] * 10000.0 ** (-np.arange(d // 2) / (divisor or d / 2))
    waves = [np.sin(angles), np.cos(angles)]
    return np.concatenate(waves, axis=1) if halves else np.stack(waves, axis=2).reshape(len(angles), d)


def grid(height, width, d, halves=False):
    """(height, width, d): half of the columns for the row, half for the column."""
    tables = axis(range(height), d // 2, halves)[:, None], axis(range(width), d // 2, halves)[None]
    return np.concatenate([np.broadcast_to(table, (height, width, d // 2)) for table in tables], axis=-1)


def times(n, d, divisor):
    """Timesteps in halves, cosines first; an odd width is padded with a zero."""
    halves = np.roll(axis(range(n), d - d % 2, halves=True, divisor=divisor), d // 2, axis=1)
    return np.pad(halves, ((0, 0), (0, d % 2)))


def test_the_course_s_own_grid():
    assert diagnose_table(sinusoidal_grid).convention == "grid, row first"
    side = lambda max_len, d_model: sinusoidal_grid(max_len, max_len, d_model)  # noqa: E731
    assert diagnose_table(side).convention == "grid, row first"


def test_what_is_changed_below_is_a_convention_as_it_stands():
    for halves in (True, False):
        tables = partial(grid, halves=halves), lambda n, d, halves=halves: times(n, d, d // 2 - halves)
        assert [diagnose_table(table).verdict.id for table in tables] == ["convention"] * 2


def changed(table, change, seed):
    """``table(…, d)`` with one change of its rows, the same at every size."""

    def function(height, width, d_model):
        rows = np.array(table(height, width, d_model)).reshape(-1, d_model)
        change(rows, np.random.default_rng(seed))
        return rows

    return function


@pytest.mark.one_in(4)
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@pytest.mark.parametrize("halves", [True, False])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2, 3))])
@pytest.mark.slow
def test_random_changes_are_never_called_right_or_a_convention(change, halves, seed):
    of_grid = changed(partial(grid, halves=halves), change, seed)
    of_time = changed(lambda n, _, d: times(n, d, d // 2 - halves), change, seed)
    for function in (of_grid, lambda n, d: of_time(n, 1, d)):
        assert diagnose_table(function).verdict.id in ("wrong", "not-run")


@pytest.mark.slow
def test_one_axis_changed_in_every_cell_is_no_grid():
    """A change that keeps what an axis depends on: only its numbers tell."""
    for change in CHANGES:

        def function(height, width, d_model, change=change):
            table = axis(range(height), d_model // 2)
            change(table, np.random.default_rng(1))
            return np.concatenate(
                [np.repeat(table[:, None], width, 1), grid(height, width, d_model)[..., d_model // 2 :]], -1
            )

        diagnosis = diagnose_table(function)
        assert diagnosis.verdict.id == "wrong" and "the row" in diagnosis.findings[0].evidence, change.__name__


def test_the_sizes_tell_the_axes_apart():
    for height, width, d_model in (*SQUARE, *OBLONG):
        patches = range(height * width, height * width + 3)
        assert d_model not in (height, width, *patches) and d_model % 8 == 0
    assert all(height != width for height, width, _ in OBLONG)
    assert all(len({*size}) == 4 and size[-1] % 24 == 0 for size in BOXES)
