"""What people have is called at the first try, and what cannot be called says how it can be."""

import builtins
import json
import os
import sys
import time

import numpy as np
import psutil
import pytest
import torch
from files import FILES
from test_forms import FORMS

from pe_clinic import diagnose, diagnose_alibi, diagnose_layer, diagnose_rope, diagnose_table, recognise
from pe_clinic.__main__ import main
from pe_clinic.sandbox.apart import Ended, apart
from pe_clinic.sandbox.state import SETTINGS, of_torch, preserved
from pe_lib import PositionalEncoding, rope_half_split, sinusoidal_vectorized


def ask(tmp_path, capsys, source, name, *options):
    path = tmp_path / "model.py"
    path.write_text(source)
    status = main([f"{path}:{name}" if name else str(path), *options, "--json"])
    said = json.loads(capsys.readouterr().out)
    return status, said


EXPECTED = [
    (lambda: diagnose_rope(rope_half_split, 64, "half-split"), "right"),
    (lambda: diagnose_rope(rope_half_split, 64, ""), "right"),
    (lambda: diagnose_rope(rope_half_split, 64, "reversed"), "unexpected"),
    (lambda: diagnose_table(sinusoidal_vectorized, expect="halves"), "unexpected"),
    (lambda: diagnose_table(sinusoidal_vectorized, "paper"), "right"),
    (lambda: diagnose_layer(PositionalEncoding, expect="halves"), "unexpected"),
    (lambda: diagnose_alibi(lambda heads, length: None, expect="row-shifted"), "wrong"),
    (lambda: diagnose(sinusoidal_vectorized, expect="the paper's own"), "right"),
]


@pytest.mark.slow
@pytest.mark.parametrize("n", range(len(EXPECTED)))
def test_what_was_expected_decides(n):
    ask_it, verdict = EXPECTED[n]
    diagnosis = ask_it()
    assert diagnosis.verdict.id == verdict and diagnosis.ok == (verdict == "right")
    assert diagnosis.verdict.status == (verdict != "right")
    assert diagnosis.verdict.line.startswith("Not what was expected") == (verdict == "unexpected")


def test_expect_on_the_command_line(tmp_path, capsys):
    (case,) = (case for case in FORMS if case.says == ("base 500000",))
    source = case.source
    assert ask(tmp_path, capsys, source, "apply_rope")[0] == 0
    assert ask(tmp_path, capsys, source, "apply_rope", "--expect", "base 500,000")[1]["ok"] is True
    status, said = ask(tmp_path, capsys, source, "apply_rope", "--expect", "base 1000000")
    assert (status, said["verdict"]) == (1, "unexpected")


def test_what_a_python_object_is():
    assert recognise(PositionalEncoding)[0] == recognise(lambda d_model, max_len: PositionalEncoding(d_model))[0]
    assert [recognise(thing)[0] for thing in (PositionalEncoding, sinusoidal_vectorized)] == ["layer", "table"]
    assert recognise(rope_half_split)[0] == "rope"
    assert diagnose(PositionalEncoding).ok and diagnose(sinusoidal_vectorized).ok


def test_work_that_ends_without_a_report_is_noticed():
    with pytest.raises(Ended, match="status 7"):
        apart(lambda: os._exit(7))
    assert apart(lambda: {"pid": 3}) == {"pid": 3}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere a child is not told that its parent ended")
def test_a_caller_that_is_killed_leaves_no_work_behind(tmp_path):
    begun = tmp_path / "begun"
    work = f"lambda: (os.mkdir({str(begun)!r}), time.sleep(600))"
    caller = psutil.Popen([sys.executable, "-c", f"import os, time, pe_clinic.sandbox.apart as s; s.apart({work})"])
    while not begun.exists():
        time.sleep(0.01)
    children = caller.children()
    caller.kill()
    assert caller.wait() and children and not psutil.wait_procs(children, timeout=60)[1]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere nobody says how much a process has")
def test_work_gets_half_of_the_memory_and_the_caller_keeps_all():
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    share = apart(lambda: resource.getrlimit(resource.RLIMIT_AS)[0])
    assert abs(share - psutil.Process().memory_info().vms - psutil.virtual_memory().total // 2) < 2**28
    assert resource.getrlimit(resource.RLIMIT_AS) == before


# From what `preserved` restores to (a change of it, how to read it).
CHANGED = {
    "torch's default dtype": (lambda: torch.set_default_dtype(torch.float64), torch.get_default_dtype),
    "torch's default device": (lambda: torch.set_default_device("meta"), torch.get_default_device),
    "torch's gradient mode": (lambda: torch.set_grad_enabled(False), torch.is_grad_enabled),
    "torch's number of threads": (lambda: torch.set_num_threads(torch.get_num_threads() + 1), torch.get_num_threads),
    "torch's deterministic algorithms": (
        lambda: torch.use_deterministic_algorithms(True),
        torch.are_deterministic_algorithms_enabled,
    ),
    "torch's anomaly detection": (lambda: torch.autograd.set_detect_anomaly(True), torch.is_anomaly_enabled),
    "torch's precision of matrix products": (
        lambda: torch.set_float32_matmul_precision("high"),
        torch.get_float32_matmul_precision,
    ),
    "torch's print options": (lambda: torch.set_printoptions(precision=2), lambda: str(torch.tensor(1 / 3))),
    "torch's autocast": (
        lambda: torch.set_autocast_enabled("cpu", True),
        lambda: torch.is_autocast_enabled("cpu"),
    ),
    "NumPy's error handling": (lambda: np.seterr(all="raise"), np.geterr),
    "NumPy's print options": (lambda: np.set_printoptions(precision=1), lambda: str(np.array([1 / 3]))),
    "the working folder": (lambda: os.chdir(os.sep), os.getcwd),
    "the recursion limit": (lambda: sys.setrecursionlimit(12345), sys.getrecursionlimit),
    "os.environ": (os.environ.clear, lambda: dict(os.environ)),
    "sys.path": (lambda: sys.path.append("nowhere"), lambda: list(sys.path)),
    "sys.argv": (lambda: sys.argv.append("more"), lambda: list(sys.argv)),
    "sys.modules": (lambda: sys.modules.update(json=None), lambda: sys.modules["json"]),
    "Python's own functions": (lambda: setattr(builtins, "sorted", None), lambda: sorted),
}


@pytest.mark.parametrize("what", CHANGED)
def test_what_the_sandbox_promises_to_restore_is_restored(what):
    change, read = CHANGED[what]
    before = read()
    with preserved(0) as left:
        change()
        assert read() != before
    assert read() == before and what in left[0].changed


def test_every_setting_that_is_restored_is_tried():
    told = {name for name, *_ in (*SETTINGS, *of_torch(torch))} | {"sys.modules"}
    assert told - {*CHANGED} == {"flush_denormal"}  # not every processor has it


@pytest.mark.slow
def test_the_line_of_the_user_s_file_is_named_where_there_is_one(tmp_path, capsys):
    _, said = ask(tmp_path, capsys, FILES["lines"], "")
    places = {finding["id"]: finding["place"].split(":", 2)[1:] for finding in said["findings"]}
    assert places["no-slice"] == ["12", " return x + self.pe[:x.size(0)]"]
    assert places["wrong-base"][0] == "8" and places["unregistered"][0] == "10"
    _, said = ask(tmp_path, capsys, FILES["lines"].replace("return x +", "y = self.pe\n        return x +"), "")
    assert not any(finding["place"] for finding in said["findings"] if finding["id"] == "no-slice")
