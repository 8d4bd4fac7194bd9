"""Lesson 06, Broadcasting."""

import torch

from ..judges import Value, pages
from .adding import Adding
from .exercise import exercises
from .own_layer import blank_page, own_layer

JUDGES = {
    "06.1": Value((32, 100, 512)),
    "06.2": Adding(),
    "06.3": own_layer,
    "06.4": blank_page,
}
EXERCISES = exercises(pages(__file__, {"torch": torch}), JUDGES)
