"""A transformer small enough to read (`model`), what it is asked to do, and how it learns (`training`).

Lessons 07 and 10 measure with it what an encoding is good for, lesson 10 on longer texts (`lengths`);
lesson 11 also fits small networks to numbers (`training.fit`).
"""

from .lengths import length_toy, right_at, right_by_place, rotating
from .model import Attention, Toy
from .training import accuracy, fit, most_common, previous, reverse, train
