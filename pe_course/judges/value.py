"""Judge a value; and a reason for the answers that no reply knows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pe_clinic import Diagnosis, Finding
from pe_clinic.sandbox import Failed, run, written_by_hand

from .comparing import TOLERANCE, same
from .known import NOTHING, Known
from .showing import shown
from .value_reasons import reason


@dataclass(frozen=True)
class Value:
    """``known`` are wrong values. ``reasons`` are functions of the answer that return what is wrong with it where they
    are certain, and None elsewhere; they are asked for what no reply knows."""

    right: object
    known: Known = NOTHING
    tolerance: float = TOLERANCE
    reasons: Sequence[Callable[[object], str | None]] = ()

    @np.errstate(all="ignore")  # a warning would stand between the answer and its reply
    def __call__(self, answer):
        if same(answer, self.right, self.tolerance):
            return Diagnosis(ok=True)
        if type(answer) in (bool, np.bool_):  # which is equal to 1 or 0
            return self._wrong(f"True or False is no answer here; {_asked(self.right)} asked for.", answer)
        try:
            title = self._why(answer) if written_by_hand(answer) else run("looking at the answer", self._why, answer)
        except (Failed, NotImplementedError):  # an object that raises when it is looked at
            title = None
        return self._wrong(title or "That is another value. Hint 1 below the check says where to begin.", answer)

    def _why(self, answer):
        known = (says for wrong, says in self.known.mistakes if same(answer, wrong, self.tolerance))
        reasons = (own(answer) for own in self.reasons)
        return next(known, None) or next(filter(None, reasons), None) or reason(answer, self.right, self.tolerance)

    def _wrong(self, title, answer):
        return Diagnosis(ok=False, findings=(Finding("value", title, f"you answered {shown(answer)}"),))


@dataclass(frozen=True)
class Otherwise:
    """It ``says`` so of every answer of these ``kinds``; with ``size`` only of those as long as that."""

    says: str
    kinds: tuple[type, ...] = (str,)
    size: int | None = None

    def __call__(self, answer):
        fits = isinstance(answer, self.kinds) and (self.size is None or len(answer) == self.size)
        return self.says if fits else None


def _asked(right):
    if isinstance(right, str):
        return "text in quotes is"
    return "one number is" if np.ndim(right) == 0 else f"{len(right)} numbers are"
