"""Notice how a result was reached: some exercises ask for a way, not only for an answer."""

import os
import sys
from dataclasses import dataclass

from torch.overrides import TorchFunctionMode

from pe_clinic import Diagnosis, Finding
from pe_clinic.sandbox import Failed, of_a_library, of_the_course, run

JUDGES = os.path.dirname(__file__)
INNER_LOOPS = {"map", "starmap", "vectorize", "frompyfunc", "fromiter", "apply_along_axis", "nditer", "ndenumerate"}


def wrong(*texts, **more):
    """The diagnosis with this one `Finding`."""
    return Diagnosis(ok=False, findings=(Finding(*texts, **more),))


class Noted(TorchFunctionMode):
    """While it is active, the names of torch's functions are noted; with ``on``, those that get this very tensor."""

    def __init__(self, on=None):
        super().__init__()
        self.on, self.names = on, set()

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if self.on is None or any(argument is self.on for argument in (*args, *kwargs.values())):
            self.names.add(function.__name__)
        return function(*args, **kwargs)


def uses(function, arguments, names, on=None):
    """Does ``function(*arguments)`` call one of torch's functions called ``names`` (with the tensor ``on``)?"""

    def noted():
        with Noted(on) as mode:
            function(*arguments)
        return mode.names

    return bool(names & run("the function", noted))


@dataclass(frozen=True)
class Steps:
    """What a call did outside libraries: lines of Python run, pe_lib's functions called, names that hide a loop."""

    lines: int
    own: frozenset[str]
    inner: frozenset[str]


def steps(function, *arguments):
    """The `Steps` of ``function(*arguments)``; `Failed` when it raises."""
    return run("the function", _traced, function, arguments)


def _traced(function, arguments):
    lines, own, inner = 0, set(), set()

    def trace(frame, event, _):
        nonlocal lines
        name = frame.f_code.co_filename
        ours = of_the_course(name)
        if (of_a_library(name) and not ours) or (ours and os.path.dirname(name) == JUDGES):
            return None
        lines += 1
        if event == "call":
            own.update({frame.f_code.co_name} if ours else ())
            inner.update(INNER_LOOPS & set(frame.f_code.co_names))
        return trace

    old = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*arguments)
    finally:
        sys.settrace(old)
    return Steps(lines, frozenset(own), frozenset(inner))


@dataclass(frozen=True)
class Way:
    """Judge the way of a right answer: ``not_own`` are names of pe_lib's functions that are not to be called;
    ``sizes`` are arguments of a small call, and by the name of what grows, those of larger ones: a function without a
    loop runs as many lines for them as for the small one."""

    small: tuple
    larger: tuple[tuple[str, tuple], ...] = ()
    not_own: frozenset[str] = frozenset()
    fix: str = ""

    def __call__(self, answer):
        try:
            few = steps(answer, *self.small)
            many = [(name, steps(answer, *sizes)) for name, sizes in self.larger]
        except Failed as failed:
            return Diagnosis(ok=False, findings=(failed.finding,))
        if taken := sorted(self.not_own & few.own):
            title = f"The result is right, but it is pe_lib's own: {taken[0]} makes it. Write it yourself."
            return wrong("library", title)
        if self.larger and few.inner:
            title = f"The result is right, but {sorted(few.inner)[0]} is a loop, too, one cell after another."
            return wrong("loop", title, fix=self.fix)
        for name, more in many:
            if more.lines > few.lines:
                title = "The result is right, but a loop makes it; the task is to make all of it at once."
                seen = f"with {name} doubled, {more.lines} lines of Python run in place of {few.lines}"
                return wrong("loop", title, seen, fix=self.fix)
        return Diagnosis(ok=True)
