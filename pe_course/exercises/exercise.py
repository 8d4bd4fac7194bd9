"""What every exercise has, and how it comes from the module and the page of its lesson."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch

from pe_clinic import Diagnosis

from ..judges.known import NOTHING, pages


@dataclass(frozen=True)
class Exercise:
    """Its ``points``; ``judge`` takes the learner's answer; ``because`` is the sentence that rewards a right one.

    ``given`` is the code that its stub holds beside the line that raises NotImplementedError.
    """

    points: int
    judge: Callable[[object], Diagnosis]
    because: str
    given: str = ""


def exercises(lesson):
    """{"02.1": Exercise} for each of ``JUDGES`` of a lesson's module; what a stub holds is in its ``GIVEN``, if any.

    Points, reward and the wrong answers that a judge knows, if it has none, are its page's.
    """
    found, sections, given = {}, pages(lesson.__file__, vars(lesson)), getattr(lesson, "GIVEN", {})
    for name, judge in lesson.JUDGES.items():
        page = sections[name]
        if getattr(judge, "known", None) is NOTHING:
            judge = replace(judge, known=page)
        found[name] = Exercise(page.points, judge, page.because, given.get(name, ""))
    return found


def random_tensor(seed, *shape):
    """The same numbers in every run; the caller's random state stays as it is."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))
