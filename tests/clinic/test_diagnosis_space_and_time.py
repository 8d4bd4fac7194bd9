"""Timesteps and grids: each convention is named, the rest is said to agree; nothing wrong is called one."""

import inspect
import json
from functools import partial

import numpy as np
import pytest
import torch
import zoo_space_and_time
from test_diagnosis_changes import CHANGES
from zoo_space_and_time import GRIDS, TIMES, WRONG_GRIDS, WRONG_TIMES, axis, grid, mae, times

from pe_clinic import diagnose_table
from pe_clinic.__main__ import main
from pe_clinic.table.grid_look import BOXES, OBLONG, SQUARE
from pe_lib import sinusoidal_grid


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("name", [*TIMES, *GRIDS])
def test_a_convention_is_named_and_the_rest_said_to_agree(name):
    convention, function = {**TIMES, **GRIDS}[name] if name != "float16" else TIMES[name]
    diagnosis = diagnose_table(function)
    assert not diagnosis.ok and diagnosis.verdict.id == "convention", diagnosis
    assert diagnosis.convention == convention
    assert "the rest agrees" in diagnosis.findings[0].evidence


def test_the_course_s_own_grid():
    assert diagnose_table(sinusoidal_grid).convention == "grid, row first"
    side = lambda max_len, d_model: sinusoidal_grid(max_len, max_len, d_model)  # noqa: E731
    assert diagnose_table(side).convention == "grid, row first"
    assert diagnose_table(GRIDS["float16"][1]).convention == "grid, row first"


@pytest.mark.slow
def test_what_is_no_mistake_is_said_beside_the_convention():
    notes = [[f.id for f in diagnose_table(function).findings if f.kind == "note"] for _, function in TIMES.values()]
    assert notes[0] == ["odd-padded"] and ["odd-width"] in notes
    assert [f.id for f in diagnose_table(GRIDS["MAE, class token"][1]).findings] == ["grid", "class-row"]
    assert "cosine first" in diagnose_table(TIMES["diffusers, flipped"][1]).findings[0].title


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("name", [*WRONG_TIMES, *WRONG_GRIDS])
def test_a_mistake_is_no_convention_and_has_its_name(name):
    ids, function = {**WRONG_TIMES, **WRONG_GRIDS}[name]
    diagnosis = diagnose_table(function)
    assert not diagnosis.ok and diagnosis.verdict.id in ("wrong", "not-run"), diagnosis
    mistakes = [finding.id for finding in diagnosis.findings if finding.kind not in ("convention", "note")]
    assert mistakes == ids if ids else mistakes


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
    of_time = changed(lambda n, _, d: times(torch.arange(n), d, True, shift=float(halves)), change, seed)
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


@pytest.mark.slow
def test_rows_of_one_small_number_each_are_no_grid():
    def slow(max_len, d_model):
        return np.repeat(np.arange(max_len)[:, None] / 1e6, d_model, axis=1)

    assert [finding.id for finding in diagnose_table(slow).findings] == ["unlisted"]


def test_the_sizes_tell_the_axes_apart():
    for height, width, d_model in (*SQUARE, *OBLONG):
        patches = range(height * width, height * width + 3)
        assert d_model not in (height, width, *patches) and d_model % 8 == 0
    assert all(height != width for height, width, _ in OBLONG)
    assert all(len({*size}) == 4 and size[-1] % 24 == 0 for size in BOXES)


FILES = {
    "timestep": ("halves", "def timestep(timesteps, dim, max_period=10000):\n    return times(timesteps, dim, True)"),
    "flux": (
        "halves, times 1000",
        "def flux(t, dim, time_factor=1000.0):\n    return times(t, dim, True, 0, time_factor)[:len(t)]",
    ),
    "SinusoidalTime": ("tensor2tensor", ""),
    "mae": ("grid, column first, halves", ""),
    "of_patches": ("grid, row first, quarters, halves", ""),
    "posemb": ("grid, column first, tensor2tensor", ""),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_the_command_line_finds_them_in_a_file(name, tmp_path, capsys):
    convention, more = FILES[name]
    path = tmp_path / "model.py"
    path.write_text(f"{inspect.getsource(zoo_space_and_time)}\n{more}\n", encoding="utf-8")
    assert main([f"{path}:{name}", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["verdict"] == "convention" and said["convention"] == convention


def test_a_class_token_s_row_must_be_zero():
    def function(n, d):
        table = mae(d, n, cls_token=True)
        table[0, 0] = 0.1
        return table

    assert diagnose_table(function).verdict.id == "wrong"


def test_a_change_of_a_thousandth_is_seen_among_angles_times_1000():
    def function(n, d):
        table = times(torch.arange(n), d, cosine_first=True, factor=1000.0).double()
        table[4, 0] += 1e-3
        return table

    assert diagnose_table(function).verdict.id == "wrong"
