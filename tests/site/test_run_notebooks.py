"""`make notebooks`: the same bytes every time, nothing stored of a lesson that fails. `make soak`: many rounds of them.

Soak counts the rounds that failed, and its busy processes end with it.
"""

import json
import signal
import subprocess
import sys
from functools import partial
from unittest.mock import Mock

import nbformat
import psutil
import pytest
import run_notebooks
import soak
from course import ROOT


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


@pytest.fixture
def test_file(tmp_path):
    return tmp_path / "test_it.py"


def test_rounds_are_run_and_counted(test_file, capfd, monkeypatch):
    test_file.write_text("def test_it():\n    with open(__file__ + '.ran', 'x'):\n        pass\n")
    assert soak.main(["--rounds", "2", "--busy", "0", "--at-once", "1", str(test_file)]) == 1
    said = capfd.readouterr().out
    assert said.count("1 passed") == 1 and "FileExistsError" in said
    assert said.endswith("2 rounds beside 0 busy processes, 1 failed.\n")
    monkeypatch.setattr(soak, "passes", lambda lessons, at_once: True)
    assert soak.main(["--rounds", "2", "--busy", "1"]) == 0
    assert capfd.readouterr().out.endswith("2 rounds beside 1 busy processes, 0 failed.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_busy_processes_end_however_it_is_stopped(test_file, how):
    test_file.write_text("import time\ndef test_it():\n    print('waiting')\n    time.sleep(60)\n")
    command = [sys.executable, str(ROOT / "tools" / "soak.py"), "--busy", "2", str(test_file)]
    # A shell starts what runs in the background with Ctrl-C ignored, and all that it starts inherits this.
    not_ignored = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=not_ignored)
    seen = set()
    while len(seen) < 3:  # two busy ones, and pytest
        seen |= set(psutil.Process(running.pid).children())
    busy = [process for process in seen if soak.BUSY in process.cmdline()]
    try:
        assert len(busy) == 2
        running.send_signal(how)
        assert psutil.wait_procs(busy, timeout=60)[1] == []
    finally:
        for process in (running, *(process for process in seen if process.is_running())):
            process.kill()
        running.communicate()
