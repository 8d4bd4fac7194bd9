"""Run code that may do anything, for so long: it becomes a value or a finding."""

import re
import traceback
from dataclasses import dataclass

from .limit import OutOfTime, limited
from .mistakes import found
from .origin import of_a_library
from .state import preserved
from .traces import Traces

TIME_LIMIT = 30.0  # seconds of the processor for one call
ATTEMPTED = """required "forward"|not implemented for '"""


class Failed(Exception):
    """The code under test did not give a value to look at; ``finding`` says why."""

    def __init__(self, finding):
        super().__init__(finding.title)
        self.finding = finding


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
