"""Does a call give a row for each place of a grid?"""

import math

import numpy as np

from ..sandbox.guard import attempt
from .picking import shape_of


def takes_a_grid(file, call):
    """Does it give a row for each patch of a square picture or a cube, or for each place of a grid?"""
    for sides in (25, (5, 7), (5, 7, 6), 5):
        shape = attempt(lambda sides=sides: shape_of(file.tried(call, max_len=sides, d_model=48))) or ()
        if math.prod(shape) == (np.prod(sides) if sides != 5 else 125) * 48:
            return True
    return False
