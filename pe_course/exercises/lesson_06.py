"""Lesson 06, Broadcasting."""

import torch

from ..judges import Value
from ..judges.known import pages
from .adding import Adding
from .exercise import Exercise
from .own_layer import blank_page, own_layer

KNOWN = pages(__file__, {"torch": torch})
EXERCISES = {
    "06.1": Exercise(
        1,
        Value((32, 100, 512), KNOWN["06.1"]),
        "One token went in, a hundred came out, and nothing complained.",
    ),
    "06.2": Exercise(
        2,
        Adding(KNOWN["06.2"]),
        "Right at every length up to max_len, length 1 and batch = length included.",
    ),
    "06.3": Exercise(4, own_layer, "A layer of your own, right at every length up to max_len, in training and in use."),
    "06.4": Exercise(4, blank_page, "The whole layer, from memory: you need nobody's code for it."),
}
