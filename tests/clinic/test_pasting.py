"""After "Could not run" stands a command that runs, or the line of the code that stops it: neighbours of the bank's."""

from pathlib import Path

import pytest
from bank.fresh import read
from test_fresh_bank import pasted, said_to

from pe_clinic.sandbox import guard

NEIGHBOURS = [*read(Path(__file__).with_name("pasted.md").read_text(encoding="utf-8"))]


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("case", NEIGHBOURS, ids=lambda case: case.name)
def test_a_command_is_shown_for_what_nobody_could_call(tmp_path, case):
    path = tmp_path / "model.py"
    path.write_text(case.source)
    asked = [str(path), "--make", "table("] if case.target == "--make" else [f"{path}:{case.target}".rstrip(":")]
    said = said_to(*asked)
    reply = pasted(said) if said["verdict"] == "not-run" else said
    assert reply and reply["verdict"] in ("right", "table-right", "convention"), said
    assert case.expected in ("any", said["verdict"])


@pytest.mark.slow
def test_a_rotation_that_stops_whatever_it_is_given_quotes_its_line(tmp_path):
    path = tmp_path / "model.py"
    path.write_text("import torch\n\n\ndef apply_rope(x, cos, sin, colour):\n    return x * cos + missing\n")
    said = said_to(f"{path}:apply_rope")
    assert said["verdict"] == "not-run" and not said["findings"][0]["paste"]
    assert "NameError: name 'missing' is not defined (line 5 of apply_rope)" in said["line"]
    assert said["findings"][0]["place"] == f"{path}:5: return x * cos + missing"


def test_a_loop_without_an_end_is_not_asked_in_other_words(tmp_path, monkeypatch):
    monkeypatch.setattr(guard, "TIME_LIMIT", 0.1)
    path, calls = tmp_path / "model.py", tmp_path / "calls"
    call = f"open({str(calls)!r}, 'a').write('x')"
    path.write_text(f"def table(max_len, d_model):\n    {call}\n    while True:\n        pass\n")
    assert "had not finished after 0.1 seconds" in said_to(f"{path}:table")["line"]
    assert calls.read_text() in ("x", "xx")
