"""Run code that may do anything, and turn what it does into a value or a finding."""

import re
import traceback
from dataclasses import dataclass

from .limit import OutOfTime, limited
from .result import Finding
from .state import Traces, preserved

TIME_LIMIT = 10.0  # seconds for one call


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
    return watch(call, function, *arguments).value


def watch(call, function, *arguments, seed=0, seconds=None):
    """As `run`, with what the call left behind. Random numbers start from ``seed``; the caller's are put back."""
    seconds = TIME_LIMIT if seconds is None else seconds
    with preserved(seed) as traces:
        try:
            value = limited(lambda: function(*arguments), seconds)
        except KeyboardInterrupt:
            raise
        except OutOfTime:
            raise Failed(_too_slow(call, seconds)) from None
        except BaseException as error:
            # torch raises the same for a module whose forward is missing or misspelt: that was an attempt.
            if isinstance(error, NotImplementedError) and 'required "forward"' not in str(error):
                raise
            raise Failed(raises(call, error)) from None
    return Ran(value, traces)


def _too_slow(call, seconds):
    return Finding(
        "too-slow",
        "It does not come to an end.",
        f"{call} had not finished after {seconds:g} seconds and was stopped",
        "A while loop whose condition never becomes false, or a variable that is not counted up.",
        "print the loop variable in each turn",
    )


def raises(call, error):
    """The `Finding` for ``call`` that ended with ``error``."""
    return Finding("raises", "The code stops with an error.", f"{call} raised {describe(error)}")


def describe(error):
    """The error in one line that is the same on every run: its type, its message, and the learner's line."""
    try:
        message = str(error)
    except Exception:
        message = ""
    message = re.sub(r"0x[0-9a-fA-F]{4,}", "0x…", " ".join(message.split()))
    message = message if len(message) <= 200 else message[:199] + "…"
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if not _is_library(frame.filename)]
    where = f" (line {own[-1].lineno} of {own[-1].name})" if own else ""
    return f"{type(error).__name__}{': ' if message else ''}{message}{where}"


def _is_library(filename):
    name = filename.replace("\\", "/")
    return "site-packages" in name or "/pe_lib/" in name or "/lib/python" in name or name.startswith("<frozen")
