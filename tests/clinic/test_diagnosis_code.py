"""Code under test may do anything. It gets a finding, never a traceback from inside pe_lib, and leaves no trace."""

import functools
import json
import os
import random
import signal
import sys
import threading
import time

import numpy as np
import pytest
import torch
from test_calls import CHANGED
from torch import nn
from zoo_layers import Buffer

from pe_clinic import diagnose_alibi, diagnose_layer, diagnose_rope, diagnose_table
from pe_clinic.sandbox import guard, limit
from pe_clinic.sandbox.limit import OutOfTime, limited
from pe_clinic.sandbox.state import preserved
from pe_course import check
from pe_course.judges.showing import name_of
from pe_lib import PositionalEncoding, sinusoidal_loop, sinusoidal_vectorized


def rows(max_len, d_model):
    return sinusoidal_vectorized(max_len, d_model)


def raiser(error):
    def function(max_len, d_model):
        raise error

    return function


def prints(max_len, d_model):
    print("rows:", max_len)
    return rows(max_len, d_model)


def seeds(max_len, d_model):
    random.seed(1)
    np.random.seed(2)
    torch.manual_seed(3)
    return rows(max_len, d_model)


def changes(max_len, d_model):
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    torch.set_default_device("meta")
    np.seterr(all="raise")
    np.set_printoptions(precision=1)
    sys.setrecursionlimit(sys.getrecursionlimit() + 10)
    os.chdir(os.sep)
    return rows(max_len, d_model)


@pytest.mark.parametrize(
    "function, id, evidence",
    [
        (prints, "prints", "screen"),
        (seeds, "sets-seed", "Python's random, NumPy's random, torch's random"),
        (changes, "changes-state", "torch's default dtype"),
    ],
)
def test_side_effects_are_noted_and_do_not_make_a_table_wrong(function, id, evidence, capfd):
    diagnosis = diagnose_table(function)
    assert diagnosis.ok
    assert [finding.id for finding in diagnosis.findings] == [id]
    assert evidence in diagnosis.findings[0].evidence
    assert capfd.readouterr() == ("", "")


def settings():
    return (
        *(read() for _, read in CHANGED.values()),
        random.getstate(), np.random.get_state()[1].tobytes(), torch.get_rng_state().tolist(),
        signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL), sys.stdout, sys.stdin, sys.argv,
    )  # fmt: skip


@pytest.mark.parametrize("function", [changes, seeds, raiser(ValueError()), lambda T, d: torch.randn(T, d), rows])
def test_the_caller_s_world_is_as_before(function):
    class Filled(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()
            self.pe = torch.from_numpy(np.array(function(max_len, d_model), dtype=np.float32))

        def forward(self, x):
            return x + self.pe[: x.shape[1]]

    before = settings()
    diagnose_table(function)
    diagnose_layer(Filled)
    assert settings() == before


@pytest.mark.slow
def test_the_caller_may_have_settings_of_its_own():
    right = lambda d, n: Buffer(d, n)  # noqa: E731
    with torch.no_grad():
        assert diagnose_layer(right).ok
    with torch.inference_mode():
        assert diagnose_table(rows).ok
    try:
        torch.set_default_dtype(torch.float64)
        assert diagnose_layer(right).ok
        assert diagnose_table(rows).ok
    finally:
        torch.set_default_dtype(torch.float32)
    with np.errstate(all="raise"):
        assert diagnose_table(rows).ok
        assert not diagnose_table(lambda T, d: rows(T, d) * 1e300).ok


@pytest.mark.parametrize("folder", ["/home/me/pe_lib/answers", "/home/me/lib/python/course", "C:\\me\\pe_lib\\judges"])
def test_a_learner_s_line_is_named_whatever_their_folder_is_called(folder):
    names = {}
    exec(compile("def table(n, d):\n    return [0][n]", f"{folder}/mine.py", "exec"), names)
    with pytest.raises(guard.Failed) as failed:
        guard.run("table(3, 4)", names["table"], 3, 4)
    assert failed.value.finding.evidence.endswith("list index out of range (line 2 of table)")


def test_lines_of_libraries_are_not_the_learner_s():
    for error in (lambda: sinusoidal_vectorized(0, 4), lambda: json.loads("{"), lambda: torch.zeros(2) @ torch.ones(3)):
        with pytest.raises(guard.Failed) as failed:
            guard.run("call()", error)
        assert failed.value.finding.evidence.endswith("of <lambda>)")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows removes no folder in use")
def test_a_working_folder_that_is_gone_stops_nothing(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert diagnose_table(sinusoidal_vectorized).ok
    with preserved(0) as left:
        os.chdir(tmp_path)
    assert left[0].changed == ("the working folder",)


def test_not_implemented_is_not_attempted():
    class Stub(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()

        def forward(self, x):
            raise NotImplementedError

    def stub(max_len, d_model):
        raise NotImplementedError

    rope, alibi = (lambda x, positions: stub(x, positions)), (lambda heads, length: stub(heads, length))
    asked = ((diagnose_table, stub), (diagnose_layer, stub), (diagnose_layer, Stub), (diagnose_rope, rope))
    for diagnose, code in (*asked, (diagnose_alibi, alibi)):
        before = settings()
        with pytest.raises(NotImplementedError):
            diagnose(code)
        assert settings() == before
    assert check("03.1", stub).status == check("06.3", Stub).status == "open"


def test_a_refusal_of_odd_widths_is_no_stub():
    def even(max_len, d_model):
        if d_model % 2:
            raise NotImplementedError("even widths only")
        return rows(max_len, d_model)

    assert [finding.id for finding in diagnose_table(even).usage] == ["odd-crash"]


def for_ever(max_len, d_model):
    while True:
        pass


def for_ever_and_stubborn(max_len, d_model):
    while True:
        try:  # noqa: SIM105
            time.sleep(0.01)
        except Exception:
            pass


def for_ever_swallowing_everything(max_len, d_model):
    while True:
        try:
            sum(range(100))
        except:  # noqa: E722
            continue


def stopped_and_silent(max_len, d_model):
    try:
        for_ever(max_len, d_model)
    except BaseException:
        return rows(max_len, d_model)


@pytest.fixture
def short_limits(monkeypatch):
    """0.2 seconds of computing; on a busy machine they take longer."""
    monkeypatch.setattr(guard, "TIME_LIMIT", 0.2)


@pytest.fixture
def no_patience(short_limits, monkeypatch):
    """Half a second altogether."""
    monkeypatch.setattr(limit, "PATIENCE", 0.5)


def stopped(function):
    before = settings()
    diagnosis = diagnose_table(function)
    assert diagnosis.verdict.id == "not-run"
    assert settings() == before
    assert diagnosis.findings[0].id == "too-slow"
    return diagnosis.findings[0].evidence


@pytest.mark.parametrize("function", [for_ever, for_ever_swallowing_everything, stopped_and_silent])
def test_a_loop_without_end_is_stopped(function, short_limits):
    assert "after 0.2 seconds of computing and" in stopped(function)


def test_a_loop_that_only_waits_is_stopped(no_patience):
    assert "after 0.5 seconds and" in stopped(for_ever_and_stubborn)


@pytest.mark.slow
def test_a_loop_without_end_is_stopped_in_another_thread_too(no_patience):
    found, before = [], {*threading.enumerate()}
    for function in (for_ever, for_ever_and_stubborn, for_ever_swallowing_everything):
        worker = threading.Thread(target=lambda f=function: found.append(diagnose_table(f)))
        worker.start()
        worker.join()
    assert [[finding.id for finding in diagnosis.findings] for diagnosis in found] == [["too-slow"]] * 3
    for left in {*threading.enumerate()} - before:
        left.join(60)
        assert not left.is_alive(), "what was stopped goes on"


def in_a_thread(work, seconds):
    return limit.by_thread(work, functools.partial(limit.watched, seconds), OutOfTime)


def test_in_another_thread_work_gives_its_value_and_its_clock_is_read_before_it_ends(monkeypatch):
    """A thread that has ended has no clock: to ask for it is a crash on some systems."""
    alive, clock_of = [], limit._processor_time_of

    def late(thread):
        thread.join(0.05)
        alive.append(thread.is_alive())
        return clock_of(thread)

    monkeypatch.setattr(limit, "_processor_time_of", late)
    assert in_a_thread(lambda: 7, 60) == 7
    assert alive == [True]


def test_in_another_thread_the_limit_that_was_reached_is_named(monkeypatch):
    clock_of = limit._processor_time_of

    def gone_with_it(thread):
        clock = clock_of(thread)
        return lambda: clock() if thread.is_alive() else 0.0

    monkeypatch.setattr(limit, "_processor_time_of", gone_with_it)
    with pytest.raises(OutOfTime, match=r"0\.1 seconds of computing"):
        in_a_thread(lambda: for_ever(3, 4), 0.1)


def test_code_that_waits_is_waited_for(monkeypatch):
    monkeypatch.setattr(guard, "TIME_LIMIT", 0.1)
    waited = []

    def slow_at_first(max_len, d_model):
        if not waited:
            time.sleep(0.4)  # four times the limit, without computing
            waited.append(True)
        return rows(max_len, d_model)

    assert diagnose_table(slow_at_first).ok


def test_a_forward_without_end_is_stopped(short_limits):
    class Loop(Buffer):
        def forward(self, x):
            while True:
                x = x + 0

    assert [finding.id for finding in diagnose_layer(Loop).findings] == ["too-slow"]


def test_the_caller_s_own_alarm_still_rings(monkeypatch):
    rung = threading.Event()
    old = signal.signal(signal.SIGALRM, lambda signum, frame: rung.set())
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        assert limited(lambda: 1, 5) == 1
        monkeypatch.setattr(limit, "PATIENCE", 0.05)
        with pytest.raises(OutOfTime):
            limited(lambda: time.sleep(2), 0.05)
        assert rung.wait(60)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_keyboard_interrupt_is_the_user_s():
    with pytest.raises(KeyboardInterrupt):
        diagnose_table(raiser(KeyboardInterrupt()))


def test_side_effects_of_a_layer_are_noted():
    class Loud(PositionalEncoding):
        def __init__(self, d_model, max_len):
            super().__init__(d_model, max_len)
            torch.manual_seed(0)

        def forward(self, x):
            print(x)
            return super().forward(x)

    diagnosis = diagnose_layer(Loud)
    assert diagnosis.ok
    assert {finding.id for finding in diagnosis.findings} == {"sets-seed", "prints"}


class Secretive:
    """A callable object, of which one attribute cannot be read."""

    def __init__(self, hidden):
        self.hidden = hidden

    def __getattribute__(self, name):
        if name == object.__getattribute__(self, "hidden"):
            raise RuntimeError("not for you")
        return object.__getattribute__(self, name)

    def __call__(self, max_len, d_model):
        return sinusoidal_loop(max_len, d_model)


@pytest.mark.parametrize("hidden", ["__code__", "__signature__", "__name__", "__wrapped__", "__class__"])
def test_an_object_that_raises_when_it_is_looked_at_is_judged_by_what_it_gives(hidden):
    assert diagnose_table(Secretive(hidden)).ok
    assert name_of(Secretive(hidden)) == "your function"
