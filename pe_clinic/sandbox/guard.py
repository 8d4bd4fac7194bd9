"""Run code that may do anything, for so long: it becomes a value or a finding. An alarm stops what does not end.

What counts is the processor's time that it uses: a busy machine, a download or a slow import are waited for.
"""

import re
import signal
import threading
import time
import traceback
from dataclasses import dataclass
from functools import partial

from .mistakes import found
from .origin import of_a_library
from .other_thread import STEP, by_thread
from .state import preserved
from .traces import Traces

TIME_LIMIT = 30.0  # seconds of the processor for one call
PATIENCE = 90.0  # seconds of the clock, for what waits without computing
REFIRE = 1e-4  # seconds, once the time is up: a loop with `except:` swallows most alarms, and one has to come outside
ATTEMPTED = """required "forward"|not implemented for '"""


class Failed(Exception):
    """The code under test did not give a value to look at; ``finding`` says why."""

    def __init__(self, finding):
        super().__init__(finding.title)
        self.finding = finding


class OutOfTime(BaseException):
    """Not an Exception, so that the ``except Exception`` of the code under test does not swallow it."""


@dataclass(frozen=True)
class Ran:
    value: object
    traces: Traces


def run(call, function, *arguments):
    """``function(*arguments)``; an error becomes a `Failed` that quotes ``call``; NotImplementedError passes."""
    return watch(call, function, *arguments, traced=False).value


def watch(call, function, *arguments, seed=0, seconds=None, traced=True):
    """As `run`, with what the call left behind. Random numbers start from ``seed``; the caller's are put back."""
    with preserved(seed, traced) as left:
        value = guarded(call, function, *arguments, seconds=seconds)
    return Ran(value, *left)


def guarded(call, function, *arguments, seconds=None):
    """As `run`, in a world that somebody else preserves."""
    try:
        return limited(lambda: function(*arguments), seconds or TIME_LIMIT)
    except (KeyboardInterrupt, Failed):
        raise
    except OutOfTime as end:
        raise Failed(found("too-slow", f"{call} had not finished after {end} and was stopped")) from None
    except BaseException as error:
        # torch raises the same for a module whose forward is missing or misspelt, and for a dtype: that was an attempt.
        if isinstance(error, NotImplementedError) and not re.search(ATTEMPTED, message(error)):
            raise
        raise Failed(raises(call, error)) from None


def first_look(function, *arguments, seconds=None):
    """``function(*arguments)``, None where it stops, without words; in a world that somebody else preserves."""
    try:
        return limited(lambda: function(*arguments), seconds or TIME_LIMIT)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return None


def attempt(function, *arguments, **named):
    """What a function gives that guards what it runs; None where that stops, or gave no numbers."""
    try:
        return function(*arguments, **named)
    except (Failed, NotImplementedError, TypeError, ValueError):
        return None


def raises(call, error):
    """The `Finding` for ``call`` that ended with ``error``."""
    return found("raises", f"{call} raised {describe(error)}")


def describe(error):
    """The error in one line that is the same on every run: its type, its message, and the learner's line."""
    text = re.sub(r"0x[0-9a-fA-F]{4,}", "0x…", " ".join(message(error).split()))
    text = text if len(text) <= 200 else text[:199] + "…"
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if not of_a_library(frame.filename)]
    where = f" (line {own[-1].lineno} of {own[-1].name})" if own else ""
    return f"{type(error).__name__}{': ' if text else ''}{text}{where}"


def message(error):
    """``str(error)`` as plain text; empty when that raises too, or never ends."""
    with preserved(0):
        return first_look(lambda: "".join(str(str(error))), seconds=1.0) or ""


def limited(work, seconds):
    """``work()``, or `OutOfTime` after ``seconds`` of computing or `PATIENCE` altogether."""
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
        return _by_alarm(work, seconds)
    return by_thread(work, partial(watched, seconds), OutOfTime)


def watched(seconds, processor=time.thread_time):
    """A function: after what the time is up, in words, and "" before."""
    computed, started, patience = processor(), time.monotonic(), max(seconds, PATIENCE)

    def time_up():
        if processor() - computed > seconds:
            return f"{seconds:g} seconds of computing"
        return f"{patience:g} seconds" if time.monotonic() - started > patience else ""

    return time_up


def _by_alarm(work, seconds):
    running, stopped, time_up = True, False, watched(seconds)

    def ring(signum, frame):
        nonlocal stopped
        if running and (stopped or time_up()):
            stopped = True
            signal.setitimer(signal.ITIMER_REAL, REFIRE, REFIRE)
            raise OutOfTime

    started = time.monotonic()
    old_handler = signal.signal(signal.SIGALRM, ring)
    step = min(STEP, seconds / 2)
    old_seconds, old_interval = signal.setitimer(signal.ITIMER_REAL, step, step)
    try:
        try:
            value = work()
        finally:
            running = False
        if stopped:  # the code under test has swallowed it, and given something all the same
            raise OutOfTime
        return value
    except OutOfTime:
        raise OutOfTime(time_up()) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old_handler)
        if old_seconds:  # the caller had an alarm of its own
            left = old_seconds - (time.monotonic() - started)
            signal.setitimer(signal.ITIMER_REAL, max(left, 0.001), old_interval)
