"""Whatever a file does, the command prints one JSON document, and its exit status is that of the verdict."""

import contextlib
import functools
import io
import json
import os

import pytest
from hostile_files import ENDS, LOOPS, files

import pe_clinic.model.diagnose
import pe_clinic.rotation.diagnose  # noqa: F401 - loaded once, before the forks
from pe_clinic.__main__ import main
from pe_clinic.calling import loading
from pe_clinic.sandbox import guard, limit
from pe_clinic.sandbox.apart import apart

FILES = dict(files())
STATUS = {"right": 0, "table-right": 0, "convention": 0, "wrong": 1, "unexpected": 1, "not-run": 2}
ONLY_APART = [f"{what}, in the call" for what in LOOPS if what.startswith(("one long", "a loop without"))]  # no alarm
STOPPED = [f"{what}, in the call" for what in (*ENDS, *LOOPS)]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="the child is a fork")]


@pytest.fixture(autouse=True)
def short_limits(monkeypatch):
    monkeypatch.setattr(guard, "TIME_LIMIT", 0.5)
    monkeypatch.setattr(loading, "SECONDS", 0.5)
    monkeypatch.setattr(limit, "PATIENCE", 1.0)


def ask(path, seconds=5):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        status = main([f"{path}:table", "--json"], apart=functools.partial(apart, seconds=seconds))
    return status, json.loads(out.getvalue())


@pytest.mark.one_in(10)
@pytest.mark.parametrize("what", FILES)
def test_there_is_one_document_and_the_status_of_its_verdict(tmp_path, what, capfd):
    path = tmp_path / "model.py"
    path.write_text(FILES[what])
    status, said = ask(path, 1 if what in ONLY_APART else 5)
    assert status == STATUS[said["verdict"]], said
    assert said["line"] and "Traceback" not in json.dumps(said)
    assert said["verdict"] == "not-run" or what not in STOPPED
    assert capfd.readouterr() == ("", "")


def test_there_are_two_hundred_of_them():
    assert len(FILES) >= 200
