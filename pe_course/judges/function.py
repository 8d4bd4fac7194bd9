"""Judge a function: call it on examples, and say what its results show."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from pe_clinic import Diagnosis, Finding
from pe_clinic.sandbox import Failed, watch

from .as_if import other_argument
from .comparing import changed, copied, gives, numbers, same
from .known import NOTHING, Known, explained
from .reasons import FIRST, GENERAL, LAST
from .returned import depends_on_chance, never_calls, returns_nothing, unused_argument
from .showing import difference, shown, shown_call
from .written import remark, remarked

CHANGED = Finding(
    "in-place",
    "The result is right, but the function changes what it was given.",
    fix="make a new tensor: x + …, and not x += …",
)


@dataclass(frozen=True)
class Tried:
    """What a learner's function gave: the ``results`` of calling ``answer`` on ``examples``, and those ``expected``."""

    answer: Callable
    examples: tuple[tuple, ...]
    results: tuple
    expected: tuple
    printed: bool = False  # did it write to the screen?
    changed: bool = False  # did it write into what it was given?

    @property
    def off(self):
        """The number of the first example whose result differs."""
        pairs = zip(self.results, self.expected, strict=True)
        return next(n for n, (got, want) in enumerate(pairs) if not same(got, want))

    @property
    def evidence(self):
        n = self.off
        call = shown_call(self.answer, self.examples[n])
        return f"{call} {difference(self.results[n], self.expected[n])}"

    def arrays(self):
        """(result, expected) as arrays for each example; None when a result holds no numbers."""
        pairs = [(numbers(got), numbers(want)) for got, want in zip(self.results, self.expected, strict=True)]
        return None if any(got is None or want is None for got, want in pairs) else pairs


@dataclass(frozen=True)
class Function:
    """Judge a function against ``right``, called on each of ``examples``. What is wrong is told by the first that fits:

    ``known``       wrong functions, named when they give the learner's results throughout, and errors of a call
    ``reasons``     functions of what was `Tried` that return a sentence or a `Finding` where certain, else None
    ``also``        one more judge, asked when all results are right
    ``first``       reasons that are asked before the mistakes
    ``readings``    reasons that read back from the numbers what was computed, asked after the general ones
    ``easier``      examples at which fewer slips raise: there the mistakes are looked for when an example does

    What any exercise may meet is in `known.md` and `reasons`.
    """

    right: Callable
    examples: Sequence[tuple]
    known: Known = NOTHING
    reasons: Sequence[Callable[[Tried], object]] = ()
    also: Callable[[object], Diagnosis] | None = None
    first: Sequence[Callable[[Tried], object]] = ()
    readings: Sequence[Callable[[Tried], object]] = ()
    easier: Sequence[tuple] = ()

    def __call__(self, answer):
        if not callable(answer):
            title, fix = "A function is wanted here.", "give its name alone, without round brackets or quotes"
            return Diagnosis(ok=False, findings=(Finding("no-function", title, shown(answer), fix=fix),))
        try:
            tried = self._try(answer, self.examples)
        except Failed as failed:
            finding = self._slip_elsewhere(answer, failed.finding) or explained(failed.finding, self.known.errors)
            return remarked(Diagnosis(ok=False, findings=(finding,)), answer)
        if all(map(same, tried.results, tried.expected)):
            if tried.changed:
                return Diagnosis(ok=False, findings=(CHANGED,))
            return self.also(answer) if self.also else Diagnosis(ok=True)
        return remarked(Diagnosis(ok=False, findings=(self._why(tried),)), answer)

    def _reasons(self):
        number, array = other_argument(self.right), other_argument(self.right, of=(np.ndarray, torch.Tensor))
        return (FIRST, *self.reasons, unused_argument, number, *GENERAL, array, *self.readings, *LAST)

    def _slip_elsewhere(self, answer, finding):
        """The known mistake behind an answer that raises, where it shows at the easier examples."""
        try:
            tried = self._try(answer, self.easier) if self.easier else None
        except Failed:
            return None
        says = tried and self._known(tried)
        return Finding("known", says, finding.evidence) if says else None

    def _known(self, tried):
        """What is said of the first known mistake that gives the same results; None where none does."""
        known = (says for mistake, says in self.known.mistakes if gives(mistake, tried.examples, tried.results))
        return next(known, None)

    def _try(self, answer, examples):
        copies = [list(map(copied, example)) for example in examples]
        calls = [shown_call(answer, example) for example in examples]
        ran = [watch(call, answer, *own) for call, own in zip(calls, copies, strict=True)]
        return Tried(
            answer,
            tuple(examples),
            tuple(each.value for each in ran),
            tuple(self.right(*example) for example in examples),
            any(each.traces.printed for each in ran),
            any(map(changed, examples, copies)),
        )

    @np.errstate(all="ignore")  # a warning would stand between the answer and its reply
    def _why(self, tried):
        if finding := returns_nothing(tried):
            return finding
        if says := depends_on_chance(tried):
            return Finding("chance", says, tried.evidence)
        if says := never_calls(tried):  # before the mistakes: its results are all the same, as those of others are
            return Finding("never-calls", says, tried.evidence)
        if found := _heard(self.first, tried):
            return found
        if says := self._known(tried):
            return Finding("known", says, tried.evidence)
        if found := _heard(self._reasons(), tried):
            return found
        return Finding("other", remark(tried.answer) or "The results differ.", tried.evidence)


def _heard(reasons, tried):
    """The `Finding` of the first reason that speaks."""
    found = next(filter(None, (reason(tried) for reason in reasons)), None)
    return found if found is None or isinstance(found, Finding) else Finding("reason", found, tried.evidence)
