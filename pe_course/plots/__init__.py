"""Pictures for the lessons. Each function draws one kind and returns a `Picture`, which carries its own description."""

from . import quiet  # before any other import of matplotlib
from .attention import attention, cache, lanes, turning
from .cells import cells, pairs, rows_met, scoreboard
from .curves import clock_hands, curves
from .grids import heatmaps, matrices, token_sum
from .picture import Picture
from .shapes import aligned, line_up, tensors
