"""What every exercise has, and how it comes from the page of its lesson."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import torch

from pe_clinic import Diagnosis

from ..judges.known import NOTHING, Known


@dataclass(frozen=True)
class Exercise:
    """Its ``points``; ``judge`` takes the learner's answer; ``because`` is the sentence that rewards a right one.

    ``given`` is the code that its stub holds beside the line that raises NotImplementedError.
    """

    points: int
    judge: Callable[[object], Diagnosis]
    because: str
    given: str = ""


def exercises(pages: Mapping[str, Known], judges: Mapping[str, Callable], given: Mapping[str, str] | None = None):
    """{"02.1": Exercise}: points, reward and the wrong answers that a judge knows, if it has none, are its page's."""
    found = {}
    for name, judge in judges.items():
        page = pages[name]
        if getattr(judge, "known", None) is NOTHING:
            judge = replace(judge, known=page)
        found[name] = Exercise(page.points, judge, page.because, (given or {}).get(name, ""))
    return found


def random_tensor(seed, *shape):
    """The same numbers in every run; the caller's random state stays as it is."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))
