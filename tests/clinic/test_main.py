"""The command line: anyone's own file."""

import io
import json
import os
import random
import shlex
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import torch
from files import ASKED, FILES

from pe_clinic.__main__ import main


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "model.py"
    path.write_text(FILES["model"])
    return str(path)


SLOW = {case: pytest.mark.slow if case.name.startswith(("model", "whole")) else () for case in ASKED}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", [pytest.param(case, marks=marks, id=case.name) for case, marks in SLOW.items()])
def test_diagnose(tmp_path, capsys, case):
    path, (name, *options) = tmp_path / "model.py", shlex.split(case.target or "''")
    path.write_text(case.source)
    name, options = ("", [name, *options]) if name.startswith("--") else (name, options)
    assert main([f"{path}:{name}".rstrip(":"), *options]) == int(case.expected)
    out, err = capsys.readouterr()
    assert all(words in " ".join((err if case.expected == "2" else out).split()) for words in case.says)
    assert "said while" not in out + err
    assert "Traceback" not in out + err


def paste(said):
    """The arguments of the line to paste."""
    line = next(line for line in said.splitlines() if "paste: " in line)
    return shlex.split(line.partition("python -m pe_clinic ")[2])


@pytest.mark.slow
def test_a_line_to_paste_works(file, capsys):
    assert main([f"{file}:Odd"]) == 2
    line = paste(capsys.readouterr().err)
    assert line[-1] == "Odd(colour=None, d=d_model, n=max_len)"
    assert main(line) == 0
    assert capsys.readouterr().out.startswith(f"{file}: Odd(colour=None, d=8, n=8), looked at as a layer\nRight.")


def notebook(path, *cells):
    written = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbformat.write(written, path)
    return str(path)


def test_a_notebook_is_run_up_to_the_definition(tmp_path, capsys):
    path = notebook(
        tmp_path / "lesson.ipynb",
        "%matplotlib inline\n!pip install nothing\nimport numpy as np\nfiles = !ls\nnp.sin?",
        "%%bash\necho hello",
        "remainder = (7\n    % 4)\nassert remainder == 3",
        "%%time\nBASE = 10000",
        "def table(n, d):\n    return None",
        "def table(max_len, d_model):\n    j = np.arange(d_model)\n"
        "    angle = np.arange(max_len)[:, None] / BASE ** (2 * (j // 2) / d_model)\n"
        "    return np.where(j % 2, np.cos(angle), np.sin(angle))",
        "raise SystemExit('this cell comes after the definition')",
    )
    assert main([f"{path}:table"]) == 0
    assert "table(max_len=5, d_model=8), looked at as a table\nRight." in capsys.readouterr().out
    assert main([path, "--make", "table(max_len, d_model) * 2"]) == 1
    assert "every cell is 2 times" in capsys.readouterr().out


def test_a_notebook_whose_cell_fails_says_which(tmp_path, capsys):
    path = notebook(tmp_path / "lesson.ipynb", "1 / 0", "import math\ndef table(n, d):\n    return [[BASE] * d] * n")
    assert main([f"{path}:table"]) == 2
    said = capsys.readouterr().err
    assert "NameError" in said and "code cell 1 of lesson.ipynb raised ZeroDivisionError" in said
    for content in ("{", "{}", "[]", "7", '{"nbformat": 4, "cells": 3}'):
        (tmp_path / "broken.ipynb").write_text(content)
        assert main([f"{tmp_path}/broken.ipynb:table"]) == 2
        assert "broken.ipynb cannot be read" in capsys.readouterr().err


def test_what_the_file_does_stays_there(tmp_path, capsys):
    path = tmp_path / "model.py"
    path.write_text(
        "import os, sys, random, json\nimport numpy as np\nimport torch\n"
        "os.environ['LEFT'] = 'behind'\nsys.path.append('nowhere')\nsys.modules['json'] = None\nos.chdir('/')\n"
        "torch.set_default_dtype(torch.float64)\nrandom.seed(1)\nsys.stdout = None\n"
        "class Text:\n    def __str__(self):\n        raise SystemExit\n    __repr__ = __str__\n"
        "class Bad(Exception):\n    def __str__(self):\n        raise KeyboardInterrupt\n"
        "def table(max_len, d_model):\n    print('x')\n    raise ValueError(Text())\n"
    )
    state = random.getstate()
    before = dict(os.environ), list(sys.path), os.getcwd(), torch.get_default_dtype(), sys.modules["json"]
    assert main([f"{path}:table"]) == 2
    assert (dict(os.environ), list(sys.path), os.getcwd(), torch.get_default_dtype(), sys.modules["json"]) == before
    assert random.getstate() == state
    out, err = capsys.readouterr()
    assert out == "" and "table(max_len=5, d_model=8) raised ValueError" in err


@pytest.mark.parametrize("name, status", [("table", 0), ("doubled", 1)])
def test_a_numpy_file_does_not_wait_for_torch(tmp_path, name, status):
    path = tmp_path / "model.py"
    path.write_text(FILES["numpy"])
    program = (
        "import sys; from pe_clinic.__main__ import main; status = main(sys.argv[1:]); "
        "sys.exit(status if not {'torch', 'matplotlib'} & set(sys.modules) else 9)"
    )
    command = [sys.executable, "-c", program, f"{path}:{name}"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == status, done.stdout + done.stderr


@pytest.mark.parametrize(
    "name, content",
    [
        ("model.v2.py", FILES["numpy"].encode()),
        ("model.py", b"\xef\xbb\xbf" + FILES["numpy"].encode()),
        ("model.py", b"# coding: latin-1\n# Stra\xdfe\n" + FILES["numpy"].encode()),
    ],
    ids=["a full stop in its name", "a byte order mark", "an encoding of its own"],
)
def test_a_file_is_read_as_python_reads_it(tmp_path, capsys, name, content):
    (tmp_path / name).write_bytes(content)
    assert main([f"{tmp_path / name}:table"]) == 0
    said = capsys.readouterr().out
    assert "Right." in said and "taken alone" not in said


def test_json(file, capsys):
    assert main([f"{file}:doubled", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["ok"], said["kind"], said["convention"]) == (False, "table", None)
    assert [finding["id"] for finding in said["findings"]] == ["doubled-column"]
    assert main([f"{file}:table", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True
    assert main([f"{file}:missing", "--json"]) == 2
    assert "has no missing" in json.loads(capsys.readouterr().out)["error"]


@pytest.mark.parametrize(
    "content, said",
    [
        ("from nothing_of_this_name import f", "ModuleNotFoundError"),
        ("def f(:", "SyntaxError"),
        ("exit(7)\nf = g", "SystemExit"),
    ],
)
def test_a_file_that_cannot_be_loaded(tmp_path, capsys, content, said):
    path = tmp_path / "broken.py"
    path.write_text(content)
    assert main([f"{path}:f"]) == 2
    assert said in capsys.readouterr().err
    assert main([f"{tmp_path}/none.py:f"]) == 2
    assert "there is no file" in capsys.readouterr().err


def test_a_file_in_a_package_keeps_its_relative_imports(capsys):
    here = Path(__file__).parents[2] / "pe_lib"
    assert main([f"{here}/loop.py:sinusoidal_loop"]) == 0
    assert main([f"{here}/layer.py:PositionalEncoding"]) == 0


@pytest.mark.parametrize("wrong", [["--json"], ["x.py", "--kind", "cube", "--json"], ["x.py", "--jso", "--json", "y"]])
def test_json_is_one_document_even_where_the_command_is_misused(capsys, wrong):
    assert main(wrong) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["verdict"] == "not-run" and err == ""


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("no_color, coloured", [(None, True), ("", True), ("1", False)])
def test_colour_is_for_terminals_alone(file, monkeypatch, no_color, coloured):
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    for screen in (Terminal(), io.StringIO()):
        monkeypatch.setattr(sys, "stdout", screen)
        main([f"{file}:table"])
        assert ("\033[" in screen.getvalue()) == (coloured and screen.isatty())


@pytest.mark.slow
@pytest.mark.parametrize("screen", [">&-", "2>&- >&-", "| true"])
def test_a_closed_screen_does_not_change_the_status(tmp_path, screen):
    (tmp_path / "model.py").write_text(FILES["numpy"])
    command = f"set -o pipefail; {shlex.quote(sys.executable)} -m pe_clinic {tmp_path}/model.py:doubled {screen}"
    run = {"cwd": Path(__file__).parents[2], "check": False, "capture_output": True}
    done = subprocess.run(["bash", "-c", command], **run)
    assert done.returncode == 1 and not done.stderr


def test_help_shows_an_example_of_each(capsys):
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    for word in (
        '--make "PositionalEncoding(d_model, 0.1, max_len)"',
        "--sequence-first",
        "--json",
        "exit status",
        "The file is run",
        "--kind model",
        "--kind positions",
    ):
        assert word in said


@pytest.mark.slow
def test_as_a_program(file):
    command = [sys.executable, "-m", "pe_clinic", f"{file}:doubled"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == 1
    assert done.stdout.startswith(
        f"{file}:doubled: doubled(seq_len=5, embed_dim=8), looked at as a table\nNot right yet."
    )
    assert done.stderr == ""
