"""One step of attention: what a token's query finds, and what comes out."""

import numpy as np
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from .picture import BLUE, GREY, ORANGE, VERMILION, Picture, panels

WIDEST = 9.0  # of an arrow, in points: a weight of 1


def attention(title, tokens, weights, row):
    """Where the token in ``row`` looks: an arrow from each token to its output, as wide as its weight.

    ``tokens`` are the words, ``weights`` (tokens, tokens) rows of weights that sum to 1. ValueError for other shapes.
    """
    weights = np.asarray(weights, dtype=float)
    if weights.shape != (len(tokens), len(tokens)):
        raise ValueError(f"weights must have the shape {(len(tokens),) * 2}, one row a token, but got {weights.shape}")
    figure, (axis,) = panels(title, 1, width=2.4 * len(tokens) + 1.4, height=3.6)
    axis.set(xlim=(-1.0, len(tokens) - 0.3), ylim=(-0.55, 2.5))
    axis.set_axis_off()
    for n, (token, weight) in enumerate(zip(tokens, weights[row], strict=True)):
        _box(axis, n, 0, f"{token}\nkey, value", ORANGE if n == row else BLUE)
        _arrow(axis, (n, 0.32), (row, 1.68), weight)
        axis.text(n + 0.12 * (1 if n >= row else -1), 0.62, f"{weight:.2f}", ha="center", size=11)
    _box(axis, row, 2, f"output of {tokens[row]}", ORANGE)
    axis.text(-0.98, 2, "weighted\naverage\nof values", va="center", size=10)
    axis.text(-0.98, 1.0, f"query of {tokens[row]}\n· each key\n→ softmax\n= weights", va="center", size=10)
    said = ", ".join(f"{weight:.2f} of {token}" for token, weight in zip(tokens, weights[row], strict=True))
    return Picture(figure, title, f"Arrows from every token to the output of {tokens[row]}: {said}")


def _box(axis, x, y, text, colour):
    style = dict(boxstyle="round,pad=0.02,rounding_size=0.06", facecolor=colour, alpha=0.3, edgecolor=colour)
    axis.add_patch(FancyBboxPatch((x - 0.38, y - 0.26), 0.76, 0.52, **style))
    axis.text(x, y, text, ha="center", va="center", size=10)


def _arrow(axis, start, end, weight):
    colour = VERMILION if weight >= 0.01 else GREY
    dashed = "solid" if weight >= 0.01 else (0, (2, 3))
    style = dict(
        arrowstyle="-|>", mutation_scale=12, linewidth=0.4 + WIDEST * weight, color=colour, linestyle=dashed, alpha=0.75
    )
    axis.add_patch(FancyArrowPatch(start, end, **style))
