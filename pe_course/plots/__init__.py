"""Pictures for the lessons. Each function draws one kind and returns a `Picture`, which carries its own description."""

from . import quiet  # before any other import of matplotlib
from .attention import attention
from .cells import cells, rows_met, scoreboard
from .curves import clock_hands, curves
from .grids import heatmaps, matrices, token_sum
from .pairs import pairs
from .picture import Picture
from .rotations import cache, lanes, turning
from .shapes import aligned, line_up
from .tensors import tensors

__all__ = [
    "Picture",
    "aligned",
    "attention",
    "cache",
    "cells",
    "clock_hands",
    "curves",
    "heatmaps",
    "lanes",
    "line_up",
    "matrices",
    "pairs",
    "rows_met",
    "scoreboard",
    "tensors",
    "token_sum",
    "turning",
]
