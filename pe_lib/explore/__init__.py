"""Explorers: sliders that redraw a picture as you move them (lessons 02, 06 and 08). Nobody needs them to follow.

Each has a function that draws its picture without sliders: `table_picture`, `axes_picture`, `offsets_picture`.
"""

from .distance import offsets, offsets_picture
from .shapes import axes, axes_picture
from .waves import table, table_picture

__all__ = ["axes", "axes_picture", "offsets", "offsets_picture", "table", "table_picture"]
