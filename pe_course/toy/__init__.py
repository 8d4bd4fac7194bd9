"""A transformer small enough to read (`model`), what it is asked to do (`tasks`), and how it learns (`training`).

Lessons 07 and 10 measure with it what an encoding is good for, lesson 10 on longer texts (`lengths`);
lesson 11 also fits small networks to numbers (`signals`).
"""

from .lengths import length_toy, right_at, right_by_place, rotating
from .model import Attention, Toy
from .signals import fit
from .tasks import most_common, previous, reverse
from .training import accuracy, train

__all__ = [
    "Attention",
    "Toy",
    "accuracy",
    "fit",
    "length_toy",
    "most_common",
    "previous",
    "reverse",
    "right_at",
    "right_by_place",
    "rotating",
    "train",
]
