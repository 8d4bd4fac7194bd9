"""Notice how a result was reached: some exercises ask for a way, not only for an answer."""

import dis
from dataclasses import dataclass
from types import CodeType

from torch.overrides import TorchFunctionMode

from pe_clinic import Diagnosis, Finding
from pe_clinic.sandbox import run

from .recording import recorded
from .written import tree_of

INNER_LOOPS = {"map", "starmap", "vectorize", "frompyfunc", "fromiter", "apply_along_axis", "nditer", "ndenumerate"}


def wrong(*texts: str, **more: str) -> Diagnosis:
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


def uses(function, arguments, names, on=None) -> bool:
    """Does ``function(*arguments)`` call one of torch's functions called ``names`` (with the tensor ``on``)?"""

    def noted():
        with Noted(on) as mode:
            function(*arguments)
        return mode.names

    return bool(names & run("the function", noted))


@dataclass(frozen=True)
class Way:
    """Judge the way of a right answer. It may not call the functions of pe_lib that ``not_own`` names.

    ``small`` are the arguments of one call. ``larger`` are pairs: the name of a size, and the arguments with that size
    doubled. No loop of the answer may take more iterations for ``larger`` than for ``small``.
    """

    small: tuple
    larger: tuple[tuple[str, tuple], ...] = ()
    not_own: frozenset[str] = frozenset()
    fix: str = ""
    title: str = "The result is right, but it is pe_lib's own: {} makes it. Write it yourself."

    def __call__(self, answer) -> Diagnosis:
        few = recorded(answer, *self.small)
        many = [(name, recorded(answer, *sizes).turns) for name, sizes in self.larger]
        if taken := sorted(self.not_own & {name for name, _ in few.taken}):
            return wrong("library", self.title.format(taken[0]), fix=self.fix if not self.larger else "")
        codes = [*_codes(getattr(answer, "__code__", None))]
        inner = min(INNER_LOOPS & {name for code in codes for name in code.co_names}, default=None)
        if self.larger and inner:
            title = f"The result is right, but {inner} is a loop, too, one cell after another."
            return wrong("loop", title, fix=self.fix)
        seen = next((f"with {name} doubled, {n} turns and not {few.turns}" for name, n in many if n > few.turns), "")
        iterates = any(step.opname == "FOR_ITER" for code in codes for step in dis.get_instructions(code))
        if seen or (self.larger and iterates and tree_of(answer) is None):  # no source, so that turns are not counted
            title = "The result is right, but a loop makes it; the task is to make all of it at once."
            return wrong("loop", title, seen, fix=self.fix)
        return Diagnosis(ok=True)


def _codes(code):
    """A code object and all those inside it."""
    if isinstance(code, CodeType):
        yield code
        for part in code.co_consts:
            yield from _codes(part)
