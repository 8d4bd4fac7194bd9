"""A mistake with ALiBi that can be built, and so compared with what was seen."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ..saying.mistake import Mistake

PAPER = "https://arxiv.org/abs/2108.12409"


@dataclass(frozen=True)
class Built(Mistake):
    """``build`` gives slopes (heads,) for a number of heads, or the cost of a distance in a text of some length."""

    build: Callable | None = field(default=None, compare=False)
