"""Lesson 08: two positions, and what depends on nothing but the offset between them."""

import numpy as np

from ..formula import frequencies
from ..plots.picture import BLUE, GREY, VERMILION, Picture
from ..vectorized import sinusoidal_vectorized
from .sliders import check_position, clocks, explorer, figure, hands, ipywidgets

POSITIONS, D_MODEL = 60, 16


def offsets():
    """Sliders for a position, and for the offset to a second one."""
    widgets = ipywidgets()
    return explorer(
        offsets_picture,
        first=widgets.IntSlider(3, 0, POSITIONS - 1, description="position"),
        offset=widgets.IntSlider(5, 0, POSITIONS - 1, description="offset"),
    )


def offsets_picture(first=3, offset=5):
    """Hands of position ``first`` (thin) and ``first + offset`` (thick), the arcs between, and their dot product."""
    first, offset = check_position("first", first, POSITIONS), check_position("offset", offset, POSITIONS)
    second = first + offset
    rows = sinusoidal_vectorized(2 * POSITIONS, D_MODEL)
    product = rows[first] @ rows[second]
    title = f"Positions {first} (thin) and {second} (thick), offset {offset}: dot product {product:.2f}"
    drawn, axes = figure(title, 8.4, 4.2, hands=(0.02, 0.62, 0.96, 0.3), products=(0.08, 0.13, 0.9, 0.44))

    clocks(axes["hands"], D_MODEL // 2)
    hands(axes["hands"], rows[first], color=BLUE, linewidth=1.6)
    hands(axes["hands"], rows[second], color=VERMILION, linewidth=2.4)
    for k, turn in enumerate(frequencies(D_MODEL)):
        # Clockwise from the first hand, `offset` steps of this pair: it ends where the second hand stands.
        angle = turn * (first + np.linspace(0, offset, 60))
        axes["hands"].plot(2.5 * k + 0.55 * np.sin(angle), 0.55 * np.cos(angle), color=GREY, linewidth=1)

    axes["products"].plot(rows[:POSITIONS] @ rows[0], color=BLUE, linewidth=1.6)
    axes["products"].plot([offset], [product], "o", color=VERMILION, markersize=8)
    axes["products"].set(xlabel="offset", ylabel="dot product", xlim=(-1, POSITIONS))
    axes["products"].grid(alpha=0.3)
    content = (
        f"{D_MODEL // 2} clocks, each with the hands of both positions and the arc between them; below them the dot "
        f"product against the offset, with a mark at offset {offset}"
    )
    return Picture(drawn, title, content)
