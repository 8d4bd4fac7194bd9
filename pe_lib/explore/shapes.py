"""Lesson 06: which rows of the table an expression adds, or why it fails."""

import numpy as np
import torch
from matplotlib.patches import Rectangle

from ..arguments import check_size
from ..plots.picture import BLUE, VERMILION, Picture
from ..plots.shapes import draw_line_up, line_up
from .sliders import explorer, figure, ipywidgets

# What is added to x. ``pe`` is (1, max_len, d_model) and ``pe_first``, for sequence-first code, (max_len, 1, d_model).
ADDED = {
    "pe[:, :x.shape[1]]": lambda x, pe: pe[:, : x.shape[1]],
    "pe": lambda x, pe: pe,
    "pe[:x.shape[0]]": lambda x, pe: pe[: x.shape[0]],
    "pe[:, x.shape[1]]": lambda x, pe: pe[:, x.shape[1]],
    "pe_first[:x.shape[0]]": lambda x, pe: pe.transpose(0, 1)[: x.shape[0]],
    "pe_first[:x.shape[1]]": lambda x, pe: pe.transpose(0, 1)[: x.shape[1]],
}
D_MODEL = 4


def axes():
    """Sliders for batch, length and max_len, and a choice of expressions."""
    widgets = ipywidgets()
    return explorer(
        axes_picture,
        batch=widgets.IntSlider(2, 1, 6, description="batch"),
        length=widgets.IntSlider(5, 1, 10, description="length"),
        max_len=widgets.IntSlider(8, 1, 10, description="max_len"),
        added=widgets.Dropdown(options=list(ADDED), description="x +"),
    )


def outcome(batch, length, max_len, added):
    """Run the sum: ("right", "error" or "silently wrong", a sentence, shape added, row of the table for each token).

    The rows are an array (batch, length), or None where there is no sum of x's shape. The shape added is None where
    the slice itself fails. Here the table's row r holds r in every column, and x is zero, so that the sum tells.
    """
    rows = torch.arange(max_len).float()[None, :, None].expand(1, max_len, D_MODEL)
    x, shape = torch.zeros(batch, length, D_MODEL), None
    try:
        part = ADDED[added](x, rows)
        shape = tuple(part.shape)
        total = x + part
    except (RuntimeError, IndexError) as error:
        return "error", f"{type(error).__name__}: {error}", shape, None
    if total.shape != x.shape:
        return "silently wrong", f"the sum has grown to {tuple(total.shape)}", shape, None
    told = total[:, :, 0].long().numpy()  # (batch, length)
    if (told == np.arange(length)).all():
        return "right", "every token gets the row of its position", shape, told
    if (told == told[0, 0]).all():
        return "silently wrong", f"every token gets row {told[0, 0]}", shape, told
    return "silently wrong", "every token of a sample gets the same row", shape, told


def axes_picture(batch=2, length=5, max_len=8, added="pe[:, :x.shape[1]]"):
    """The shapes of x and of what is added, lined up from the right, and the row of the table that each token gets."""
    for name, value in {"batch": batch, "length": length, "max_len": max_len}.items():
        check_size(name, value)
    if added not in ADDED:
        raise ValueError(f"added must be one of {', '.join(ADDED)}, but got {added!r}")
    verdict, sentence, shape, told = outcome(batch, length, max_len, added)
    title = f"x + {added}: {verdict}"
    drawn, axes = figure(title, 8.4, 3.0, shapes=(0.01, 0.14, 0.55, 0.72), rows=(0.6, 0.14, 0.38, 0.72))

    axes["shapes"].set(xlim=(-4.2, 3), ylim=(3.1, -0.1))
    axes["shapes"].set_axis_off()
    if shape is not None:
        draw_line_up(axes["shapes"], ("x", added, "result"), line_up((batch, length, D_MODEL), shape))
    axes["rows"].set(xlim=(0, max(length, 5)), ylim=(max(batch, 3), -0.7))
    axes["rows"].set_axis_off()
    if told is not None:
        axes["rows"].text(0, -0.25, "the row of the table that each token gets", size=9)
        for (sample, token), row in np.ndenumerate(told):
            colour = BLUE if row == token else VERMILION
            axes["rows"].add_patch(Rectangle((token + 0.05, sample + 0.06), 0.9, 0.88, facecolor=colour, alpha=0.4))
            axes["rows"].text(token + 0.5, sample + 0.5, str(row), ha="center", va="center", size=10)
    drawn.text(0.5, 0.04, sentence, ha="center", size=10)
    content = f"x has the shape {(batch, length, D_MODEL)}, {added} has {shape or 'none, the slice fails'}: {sentence}"
    return Picture(drawn, title, content)
