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
from torch import nn
from zoo_layers import Buffer, Named

from pe_clinic import diagnose_layer, diagnose_table
from pe_clinic.sandbox import guard, other_thread
from pe_clinic.sandbox.guard import OutOfTime, limited
from pe_clinic.sandbox.state import preserved
from pe_course import check
from pe_course.judges.showing import name_of
from pe_lib import sinusoidal_loop, sinusoidal_vectorized


def rows(max_len, d_model):
    return sinusoidal_vectorized(max_len, d_model)


def yields(max_len, d_model):
    yield from rows(max_len, d_model)


async def awaits(max_len, d_model):
    return rows(max_len, d_model)


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class Stubborn:
    def __array__(self, *args, **kwargs):
        raise RuntimeError("no array")


def raiser(error):
    def function(max_len, d_model):
        raise error

    return function


def recursive(max_len, d_model):
    return recursive(max_len, d_model)


def with_nan(max_len, d_model):
    with np.errstate(all="ignore"):
        return rows(max_len, d_model) / np.where(np.arange(d_model) == 2, 0, 1)


MISBEHAVING = {
    "raises": (raiser(ValueError("bad size")), "raises", "ValueError: bad size"),
    "raises without words": (raiser(Mute()), "raises", "Mute"),
    "leaves the interpreter": (lambda T, d: sys.exit(3), "raises", "SystemExit: 3"),
    "asks for input": (lambda T, d: input("size? "), "raises", ""),
    "calls itself for ever": (recursive, "raises", "RecursionError"),
    "returns nothing": (lambda T, d: None, "none", "gave None"),
    "returns text": (lambda T, d: "table", "no-table", "gave str"),
    "returns a dict": (lambda T, d: {"pe": rows(T, d)}, "no-table", "gave dict"),
    "returns a number": (lambda T, d: 1.0, "no-table", "gave float"),
    "returns a module": (lambda T, d: nn.Identity(), "no-table", "call the module"),
    "returns lists of text": (lambda T, d: [["a"] * d] * T, "no-table", ""),
    "returns numbers as text": (lambda T, d: rows(T, d).astype(str), "no-table", "does not hold numbers only"),
    "returns lists of numbers as text": (lambda T, d: [[f"{c}" for c in row] for row in rows(T, d)], "no-table", ""),
    "returns objects, one of them text": (lambda T, d: [[*map(float, r[1:]), "0"] for r in rows(T, d)], "no-table", ""),
    "returns None in its cells": (lambda T, d: [[None] * d] * T, "no-table", ""),
    "returns dates": (lambda T, d: np.full((T, d), "2020-01-01", "datetime64[D]"), "no-table", ""),
    "returns masked cells": (lambda T, d: np.ma.masked_array(rows(T, d), np.eye(T, d)), "no-table", ""),
    "returns what cannot be read": (lambda T, d: Stubborn(), "raises", "no array"),
    "is a generator": (yields, "generator", "generator"),
    "is a coroutine": (awaits, "generator", "coroutine"),
    "has ragged rows": (lambda T, d: [[0.0] * (d - pos % 2) for pos in range(T)], "ragged", ""),
    "has ragged arrays": (lambda T, d: [np.zeros(d - pos % 2) for pos in range(T)], "ragged", ""),
    "has NaN": (with_nan, "not-finite", "cells of 40"),
    "has infinities": (lambda T, d: rows(T, d) * 1e308 * 1e308 * 10, "not-finite", "infinite"),
    "has too few rows": (lambda T, d: rows(T - 1, d), "shape", "(4, 8), expected (5, 8); 4 rows for 5 positions"),
    "has too many axes": (lambda T, d: rows(T, d)[:, None, None], "shape", "(5, 1, 1, 8)"),
    "is flat": (lambda T, d: rows(T, d).ravel(), "shape", "the number of cells is right"),
    "is empty": (lambda T, d: [], "shape", "(0,)"),
    "is complex": (lambda T, d: np.exp(1j * rows(T, d)), "complex", "complex"),
    "is a complex tensor": (lambda T, d: torch.as_tensor(rows(T, d)).cfloat(), "complex", "complex"),
    "holds whole numbers": (lambda T, d: rows(T, d).astype(int), "integers", "int64"),
    "holds booleans": (lambda T, d: rows(T, d) > 0, "integers", "bool"),
    "stays on meta": (lambda T, d: torch.zeros(T, d, device="meta"), "no-table", "meta"),
    "is random": (lambda T, d: torch.randn(T, d), "not-repeatable", "two calls"),
    "takes its sizes the other way round": (lambda a, b: rows(b, a), "argument-order", "max_len = 8 and d_model = 5"),
    "wants more": (lambda max_len, d_model, colour: rows(max_len, d_model), "arguments", "colour"),
    "wants less": (lambda max_len: rows(max_len, 8), "shape", "(7, 8), expected (7, 6)"),
    "is a table": (rows(5, 8), "no-function", "ndarray"),
    "is nothing": (None, "no-function", "NoneType"),
    "is right at first": (lambda T, d: rows(T, d)[np.arange(T) % 128], "long-positions", "row 128 is the first"),
    "stops at long tables": (lambda T, d: rows(T, d) if T < 100 else 1 / 0, "long-positions", "ZeroDivisionError"),
}


@pytest.mark.parametrize("name", MISBEHAVING)
def test_misbehaving_function(name):
    function, id, evidence = MISBEHAVING[name]
    diagnosis = diagnose_table(function)
    assert not diagnosis.ok
    assert diagnosis.findings[0].id == id
    assert evidence in diagnosis.findings[0].evidence
    assert str(diagnosis) and diagnosis._repr_html_()


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
        torch.get_default_dtype(), torch.get_default_device(), torch.is_grad_enabled(), np.geterr(),
        np.get_printoptions(), sys.getrecursionlimit(), os.getcwd(),
        random.getstate(), np.random.get_state()[1].tobytes(), torch.get_rng_state().tolist(),
        signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL), sys.stdout, sys.stdin, sys.argv,
    )  # fmt: skip


@pytest.mark.parametrize("function", [changes, seeds, raiser(ValueError()), lambda T, d: torch.randn(T, d), rows])
def test_the_caller_s_world_is_as_before(function):
    before = settings()
    diagnose_table(function)
    diagnose_layer(lambda d_model, max_len: Buffer(d_model, max_len, table=lambda T, d: np.asarray(function(T, d))))
    assert settings() == before


@pytest.mark.slow
def test_the_caller_may_have_settings_of_its_own():
    right = lambda d, n: Named(d, n)  # noqa: E731
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
    def stub(max_len, d_model):
        raise NotImplementedError

    class Stub(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()

        def forward(self, x):
            raise NotImplementedError

    for call in (lambda: diagnose_table(stub), lambda: diagnose_layer(stub), lambda: diagnose_layer(Stub)):
        before = settings()
        with pytest.raises(NotImplementedError):
            call()
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
    monkeypatch.setattr(guard, "PATIENCE", 0.5)


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
    return other_thread.by_thread(work, functools.partial(guard.watched, seconds), OutOfTime)


def test_in_another_thread_work_gives_its_value_and_its_clock_is_read_before_it_ends(monkeypatch):
    """A thread that has ended has no clock: to ask for it is a crash on some systems."""
    alive, clock_of = [], other_thread._processor_time_of

    def late(thread):
        thread.join(0.05)
        alive.append(thread.is_alive())
        return clock_of(thread)

    monkeypatch.setattr(other_thread, "_processor_time_of", late)
    assert in_a_thread(lambda: 7, 60) == 7
    assert alive == [True]


def test_in_another_thread_the_limit_that_was_reached_is_named(monkeypatch):
    clock_of = other_thread._processor_time_of

    def gone_with_it(thread):
        clock = clock_of(thread)
        return lambda: clock() if thread.is_alive() else 0.0

    monkeypatch.setattr(other_thread, "_processor_time_of", gone_with_it)
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
    class Loop(Named):
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
        monkeypatch.setattr(guard, "PATIENCE", 0.05)
        with pytest.raises(OutOfTime):
            limited(lambda: time.sleep(2), 0.05)
        assert rung.wait(60)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_keyboard_interrupt_is_the_user_s():
    with pytest.raises(KeyboardInterrupt):
        diagnose_table(raiser(KeyboardInterrupt()))


class WantsMore(Named):
    def __init__(self, colour, d_model, max_len):
        super().__init__(d_model, max_len)


class NoForward(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()

    def foward(self, x):
        return x


LAYERS = {
    "wants more": (WantsMore, "arguments", "colour"),
    "is made already": (Named(8, 8), "no-function", "finished layer"),
    "is no layer": (lambda d, n: rows(n, d), "no-module", "ndarray"),
    "is nothing": (3, "no-function", "int"),
    "has no forward": (NoForward, "no-forward", "foward"),
    "was never set up": (type("L", (Named,), {"__init__": lambda self, d, n: None}), "no-super", "L has no place"),
    "cannot be made": (lambda d, n: Named(d, "many"), "raises", "TypeError"),
    "returns nothing": (lambda d, n: type("L", (Named,), {"forward": lambda self, x: None})(d, n), "none", "gave None"),
    "returns text": (lambda d, n: type("L", (Named,), {"forward": lambda self, x: "x"})(d, n), "no-table", "gave str"),
    "returns NaN": (lambda d, n: type("L", (Named,), {"forward": lambda self, x: x / 0})(d, n), "not-finite", "NaN"),
    "raises": (
        lambda d, n: type("L", (Named,), {"forward": lambda self, x: 1 / 0})(d, n),
        "raises",
        "ZeroDivisionError",
    ),
    "flattens": (
        lambda d, n: type("L", (Named,), {"forward": lambda self, x: x.flatten()})(d, n),
        "other-shape",
        "(48,)",
    ),
    "stops at length 1": (
        lambda d, n: type(
            "L", (Named,), {"forward": lambda self, x: Named.forward(self, x) + 1 / (x.shape[1] - 1) * 0}
        )(d, n),
        "some-shapes",
        "ZeroDivisionError",
    ),
    "is random": (
        lambda d, n: type("L", (Buffer,), {"forward": lambda self, x: x + self.rows(x)})(
            d, n, table=lambda T, d: torch.randn(T, d)
        ),
        "not-repeatable",
        "two calls",
    ),
}


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("name", LAYERS)
def test_misbehaving_layer(name):
    make, id, evidence = LAYERS[name]
    diagnosis = diagnose_layer(make)
    assert not diagnosis.ok
    assert diagnosis.findings[0].id == id
    assert evidence in diagnosis.findings[0].evidence
    assert str(diagnosis) and diagnosis._repr_html_()


def test_side_effects_of_a_layer_are_noted():
    class Loud(Named):
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
