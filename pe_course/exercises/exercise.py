"""What every exercise has."""

from collections.abc import Callable
from dataclasses import dataclass

import torch

from pe_clinic import Diagnosis


@dataclass(frozen=True)
class Exercise:
    """Its ``points``; ``judge`` takes the learner's answer; ``because`` is the sentence that rewards a right one.

    ``given`` is the code that its stub holds beside the line that raises NotImplementedError.
    """

    points: int
    judge: Callable[[object], Diagnosis]
    because: str
    given: str = ""


def random_tensor(seed, *shape):
    """The same numbers in every run; the caller's random state stays as it is."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))
