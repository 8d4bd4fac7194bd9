"""What every exercise has."""

from collections.abc import Callable
from dataclasses import dataclass

from ..diagnosis import Diagnosis


@dataclass(frozen=True)
class Exercise:
    """``judge`` takes the learner's answer; ``because`` is the sentence that rewards a right one."""

    points: int
    judge: Callable[[object], Diagnosis]
    because: str
