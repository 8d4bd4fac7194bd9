"""`make notebooks`: the same bytes every time, and nothing stored of a lesson that fails."""

import json
import sys
from unittest.mock import Mock

import nbformat
import pytest
import run_notebooks


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    """A lesson as an editor may leave it, with a timing and an explorer, in a course of its own."""
    monkeypatch.setattr(run_notebooks, "COURSE", tmp_path)
    cells = [
        nbformat.v4.new_markdown_cell("# 00 · Small", id="title"),
        nbformat.v4.new_code_cell("for i in range(3):\n    print(i, flush=True)", id="print"),
        nbformat.v4.new_code_cell("import time\ntime.perf_counter()", id="timing"),
        nbformat.v4.new_code_cell("object()", id="sliders"),
    ]
    cells[1].metadata = nbformat.from_dict({"scrolled": True, "tags": ["predict"], "jupyter": {"outputs_hidden": True}})
    cells[2].metadata.tags = ["your-machine", "nbval-ignore-output"]
    cells[3].metadata.tags = ["explorer", "nbval-ignore-output"]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"language_info": {"name": "python", "version": "2.7"}})
    path = tmp_path / "00_small.ipynb"
    nbformat.write(notebook, path)
    return path


def test_only_what_is_the_same_on_every_machine_is_stored(lesson):
    assert run_notebooks.main([]) == 0
    stored = nbformat.read(lesson, as_version=4)
    title, printed, timing, sliders = stored.cells
    assert stored.metadata == run_notebooks.METADATA
    assert printed.outputs[0] == run_notebooks.NOTHING_YET
    assert [output.text for output in printed.outputs[1:]] == ["0\n1\n2\n"]
    assert printed.metadata == {"tags": ["predict"], "jupyter": {"outputs_hidden": True}}
    assert (timing.execution_count, timing.outputs) == (2, [])
    assert (sliders.execution_count, sliders.outputs) == (3, [])
    assert title.metadata == {}

    first = lesson.read_bytes()
    assert run_notebooks.main(["00_small"]) == 0
    assert lesson.read_bytes() == first


@pytest.fixture
def not_stored(lesson, capsys):
    """`make notebooks` says why in one line, and the lesson stays as it was."""

    def assert_not_stored(why):
        before = lesson.read_bytes()
        assert run_notebooks.main([]) == 1
        told = capsys.readouterr().out
        assert f"00_small: running … not stored: {why}" in told and told.count("\n") == 1
        assert lesson.read_bytes() == before

    return assert_not_stored


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"cells": 1}', "<<<<<<< HEAD\n{", '{"nbformat": 9}', None])
def test_file_that_is_no_notebook_or_fails_is_told_in_one_line_and_not_stored(lesson, not_stored, content):
    if content is None:
        notebook = nbformat.read(lesson, as_version=4)
        notebook.cells[1].source = "raise ValueError('first line\\nsecond line')"
        nbformat.write(notebook, lesson)
    else:
        lesson.write_text(content)
    not_stored("cell print: ValueError: first line\n" if content is None else "no notebook: ")


@pytest.mark.parametrize("command", [[sys.executable, "-c", "raise SystemExit(1)"], ["no-such-program"]])
def test_kernel_that_does_not_start_is_told_in_one_line(not_stored, tmp_path, monkeypatch, command):
    kernel = tmp_path / "kernels" / "python3" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    kernel.write_text(json.dumps({"argv": command, "display_name": "broken", "language": "python"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    not_stored("the kernel does not start: ")


def test_full_disk_leaves_the_lesson_as_it_was(lesson, not_stored, monkeypatch, capsys):
    monkeypatch.setattr(type(lesson), "write_bytes", Mock(side_effect=OSError("no space left on device")))
    not_stored("no space left")
    assert run_notebooks.main(["07_lost"]) == 1
    assert "07_lost" in capsys.readouterr().out, "a lesson that does not exist is named"
