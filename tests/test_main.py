"""The command line: anyone's own file."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pe_lib.__main__ import main

FILE = '''
import math
import torch
from torch import nn

print("loading")
SIZE = 3

def table(seq_len, embed_dim):
    pe = torch.zeros(seq_len, embed_dim)
    for pos in range(seq_len):
        for j in range(embed_dim):
            angle = pos / 10000 ** (2 * (j // 2) / embed_dim)
            pe[pos, j] = math.cos(angle) if j % 2 else math.sin(angle)
    return pe

def doubled(seq_len, embed_dim):
    j = torch.arange(embed_dim)
    angle = torch.arange(seq_len)[:, None] / 10000 ** (2 * j / embed_dim)
    return torch.where(j % 2 == 0, angle.sin(), angle.cos())

class Layer(nn.Module):
    """The order of the parameters is unusual."""
    def __init__(self, dropout, seq_len, emb_size):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("pe", table(seq_len, emb_size)[None])
    def forward(self, x):
        return self.dropout(x + self.pe[:, : x.shape[1]])

class SequenceFirst(Layer):
    def forward(self, x):
        return self.dropout(x + self.pe[0, : x.shape[0], None])

class Odd(nn.Module):
    def __init__(self, colour, d, n):
        super().__init__()
        self.register_buffer("pe", table(n, d)[None])
    def forward(self, x):
        return x + self.pe[:, : x.shape[1]]

class Table(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.pe = table(max_len, d_model)
    def forward(self):
        return self.pe

class Group:
    table = staticmethod(table)

def make(dim, length):
    return Layer(0.1, length, dim)

def broken(max_len, d_model):
    return missing_name

def stub(max_len, d_model):
    raise NotImplementedError
'''


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "model.py"
    path.write_text(FILE)
    return str(path)


@pytest.mark.parametrize(
    "name, options, status, said",
    [
        ("table", [], 0, "looked at as a table\nRight."),
        ("doubled", [], 1, "column is taken for the pair"),
        ("Layer", [], 0, "looked at as a layer\nRight."),
        ("SequenceFirst", [], 1, "--sequence-first"),
        ("SequenceFirst", ["--sequence-first"], 0, "Right."),
        ("Odd", [], 2, "it needs colour, d, n"),
        ("Odd", ["--make", "Odd('red', d_model, max_len)"], 0, "looked at as a layer\nRight."),
        ("", ["--make", "Odd('red', d_model, max_len)"], 0, "Right."),
        ("", ["--make", "table(max_len, d_model) * 2"], 1, "every cell is 2 times"),
        ("Table", [], 0, "looked at as a table\nRight."),
        ("Group.table", [], 0, "Right."),
        ("make", [], 0, "looked at as a layer\nRight."),
        ("", [], 2, "it has table, doubled, Layer"),
        ("missing", [], 2, "has no missing"),
        ("SIZE", [], 2, "is a int"),
        ("Group", [], 2, "no torch.nn.Module"),
        ("broken", [], 2, "NameError"),
        ("stub", [], 2, "not written yet"),
        ("table", ["--make", "table("], 2, "no expression"),
        ("table", ["--make", "nothing"], 2, "NameError"),
    ],
)
def test_diagnose(file, capsys, name, options, status, said):
    assert main(["diagnose", f"{file}:{name}" if name else file, *options]) == status
    out, err = capsys.readouterr()
    assert said in (err if status == 2 and not out else out).replace(";\nthe file has", "; it has").replace(
        "the file has", "it has"
    )
    assert "loading" not in out + err
    assert "Traceback" not in out + err


def test_json(file, capsys):
    assert main(["diagnose", f"{file}:doubled", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["ok"], said["kind"], said["convention"]) == (False, "table", None)
    assert [finding["id"] for finding in said["findings"]] == ["doubled-column"]
    assert main(["diagnose", f"{file}:table", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True
    assert main(["diagnose", f"{file}:missing", "--json"]) == 2
    assert "has no missing" in json.loads(capsys.readouterr().out)["error"]


@pytest.mark.parametrize(
    "content, said",
    [("import nothing_of_this_name", "ModuleNotFoundError"), ("def f(:", "SyntaxError"), ("exit(7)", "SystemExit")],
)
def test_a_file_that_cannot_be_loaded(tmp_path, capsys, content, said):
    path = tmp_path / "broken.py"
    path.write_text(content)
    assert main(["diagnose", f"{path}:f"]) == 2
    assert said in capsys.readouterr().err
    assert main(["diagnose", f"{tmp_path}/none.py:f"]) == 2
    assert "there is no file" in capsys.readouterr().err


def test_a_file_in_a_package_keeps_its_relative_imports(capsys):
    here = Path(__file__).parents[1] / "pe_lib"
    assert main(["diagnose", f"{here}/loop.py:sinusoidal_loop"]) == 0
    assert main(["diagnose", f"{here}/layer.py:PositionalEncoding"]) == 0


def test_help_shows_an_example_of_each(capsys):
    with pytest.raises(SystemExit) as left:
        main(["diagnose", "--help"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    for word in ('--make "PositionalEncoding(d_model, 0.1, max_len)"', "--sequence-first", "--json", "exit status"):
        assert word in said


def test_as_a_program(file):
    command = [sys.executable, "-m", "pe_lib", "diagnose", f"{file}:doubled"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[1], check=False)
    assert done.returncode == 1
    assert done.stdout.startswith(f"{file}:doubled, looked at as a table\nNot right yet.")
    assert done.stderr == ""
