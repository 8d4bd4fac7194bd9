"""Which axis turns each pair of columns, for rotary encodings of several axes."""

import numpy as np

from .cells import CELL_COLOURS, draw
from .picture import Picture, panels


def pairs(title, named, axes):
    """A row of boxes for each entry of ``named``, one box a pair of columns, coloured by the axis that turns it.

    ``named`` maps a caption to the axis of every pair, numbers that count ``axes``, such as ["time", "row", "column"].
    The first letter of the axis stands in each box: it carries the meaning, the colour only helps.
    """
    rows = {caption: np.asarray(axis_of_pair) for caption, axis_of_pair in named.items()}
    count = max(map(len, rows.values()))
    figure, (axis,) = panels(title, 1, width=9.0, height=0.9 + 0.5 * len(rows))
    axis.set(xlim=(0, count), ylim=(len(rows), 0), xlabel="pair k")
    for r, axis_of_pair in enumerate(rows.values()):
        for k, which in enumerate(axis_of_pair):
            draw(axis, k, r, axes[which][0], CELL_COLOURS[which], size=7)
    axis.set_yticks([r + 0.5 for r in range(len(rows))], list(rows), size=9)
    axis.set_xticks([k + 0.5 for k in range(0, count, 8)], range(0, count, 8), size=8)
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    spelled = "; ".join(f"{caption}: {_spell(axis_of_pair, axes)}" for caption, axis_of_pair in rows.items())
    return Picture(figure, title, f"One box for each pair of columns. {spelled}")


def _spell(axis_of_pair, axes):
    """How many pairs each axis has, and between which two they lie."""
    found = {name: np.flatnonzero(axis_of_pair == n) for n, name in enumerate(axes)}
    return ", ".join(f"{name} {len(k)} pairs from {k[0]} to {k[-1]}" for name, k in found.items() if len(k))
