"""Attention in pictures: what a query finds, a query and a key that turn, where RoPE stands, what a cache holds."""

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
    box = dict(height=0.52, pad=0.02, size=10)
    for n, (token, weight) in enumerate(zip(tokens, weights[row], strict=True)):
        _box(axis, n, 0, f"{token}\nkey, value", ORANGE if n == row else BLUE, **box)
        colour, line = (VERMILION, "solid") if weight >= 0.01 else (GREY, (0, (2, 3)))
        style = dict(mutation_scale=12, linewidth=0.4 + WIDEST * weight, linestyle=line, alpha=0.75)
        _arrow(axis, (n, 0.32), (row, 1.68), colour, **style)
        axis.text(n + 0.12 * (1 if n >= row else -1), 0.62, f"{weight:.2f}", ha="center", size=11)
    _box(axis, row, 2, f"output of {tokens[row]}", ORANGE, **box)
    axis.text(-0.98, 2, "weighted\naverage\nof values", va="center", size=10)
    axis.text(-0.98, 1.0, f"query of {tokens[row]}\n· each key\n→ softmax\n= weights", va="center", size=10)
    said = ", ".join(f"{weight:.2f} of {token}" for token, weight in zip(tokens, weights[row], strict=True))
    return Picture(figure, title, f"Arrows from every token to the output of {tokens[row]}: {said}")


def turning(title, query, key, places, frequency):
    """One pair of a query and of a key as arrows, one pane for each (m, n) of ``places``.

    The query, at position m, is turned counter-clockwise by m × ``frequency`` radians, the key by n × ``frequency``.
    Pale dashed arrows show both before they turn. The words give the angle from query to key, in degrees.
    """
    figure, axes = panels(title, len(places), width=min(9.0, 2.7 * len(places)), height=3.1)
    reach = 1.15 * max(np.hypot(*query), np.hypot(*key))
    circle = reach / 1.15 * np.exp(1j * np.linspace(0, 2 * np.pi, 100))
    said = []
    for axis, (m, n) in zip(axes, places, strict=True):
        axis.plot(circle.real, circle.imag, color=GREY, linewidth=0.6)
        ends = [complex(*vector) for vector in (query, key)]
        turned = [end * np.exp(1j * pos * frequency) for end, pos in zip(ends, (m, n), strict=True)]
        for name, before, after, colour in zip(("q", "k"), ends, turned, (BLUE, VERMILION), strict=True):
            for end, style in ((before, dict(alpha=0.35, linestyle="--")), (after, dict(linewidth=2.2))):
                whole = dict(mutation_scale=13, shrinkA=0, shrinkB=0)
                _arrow(axis, (0, 0), (end.real, end.imag), colour, **whole, **style)
            axis.annotate(name, (1.1 * after.real, 1.1 * after.imag), ha="center", va="center", size=11, color=colour)
        degrees = np.degrees(np.angle(turned[1] / turned[0]))
        axis.set(aspect="equal", xlim=(-1.15 * reach, 1.15 * reach), ylim=(-1.15 * reach, 1.15 * reach))
        axis.set_title(f"query at {m}, key at {n}\n{degrees:.0f}° from q to k", size=10)
        axis.set_axis_off()
        said.append(f"query at {m}, key at {n}: {degrees:.0f} degrees from query to key")
    return Picture(figure, title, "; ".join(said))


def lanes(title, named, end):
    """What happens to each vector of a head, from left to right: one lane for each entry of ``named``.

    ``named`` maps a lane to its steps, such as ["x", "× W_query", "RoPE"]; all lanes lead into the box ``end``.
    RoPE is drawn in another colour.
    """
    most = max(map(len, named.values()))
    figure, (axis,) = panels(title, 1, width=1.5 * (most + 2), height=0.75 * len(named) + 0.6)
    axis.set(xlim=(-1.0, most + 0.75), ylim=(len(named) - 0.5, -0.5))
    axis.set_axis_off()
    middle = (len(named) - 1) / 2
    for row, (lane, steps) in enumerate(named.items()):
        axis.text(-0.95, row, lane, va="center", size=10)
        for column, step in enumerate(steps):
            _box(axis, column, row, step, ORANGE if step == "RoPE" else BLUE)
            to_the_end = (most - 0.14, middle + 0.5 * (row - middle))
            last = column == len(steps) - 1
            _arrow(axis, (column + 0.39, row), to_the_end if last else (column + 0.61, row))
    _box(axis, most + 0.3, middle, end, GREY)
    said = "; ".join(f"{lane}: {', then '.join(steps)}" for lane, steps in named.items())
    return Picture(figure, title, f"Lanes that lead to {' '.join(end.split())}. {said}")


def cache(title, named):
    """The keys that a cache holds, each a box with the position by which it is turned.

    ``named`` maps a caption to positions, such as {"step 2": [0, 1, 2]}; None is a key that was dropped. The last of
    each row is the new one, unless the caption begins with "cache".
    """
    longest = max(map(len, named.values()))
    figure, (axis,) = panels(title, 1, width=min(9.0, 2.2 + 0.55 * longest), height=0.5 + 0.42 * len(named))
    axis.set(xlim=(-0.6, longest), ylim=(len(named) - 0.4, -0.6))
    axis.set_axis_off()
    for row, (caption, positions) in enumerate(named.items()):
        axis.annotate(caption, (-0.6, row), ha="right", va="center", size=10, annotation_clip=False)
        for column, pos in enumerate(positions):
            new = column == len(positions) - 1 and not caption.startswith("cache")
            colour = GREY if pos is None else VERMILION if new else BLUE
            _box(axis, column, row, "–" if pos is None else str(pos), colour, width=0.84)
    spelled = {None: "dropped"}
    rows = {caption: [spelled.get(pos, str(pos)) for pos in positions] for caption, positions in named.items()}
    said = "; ".join(f"{caption}: {', '.join(row)}" for caption, row in rows.items())
    return Picture(figure, title, f"Keys as boxes with their positions. {said}")


def _box(axis, x, y, text, colour, width=0.76, height=0.72, pad=0, size=9.5):
    style = dict(boxstyle=f"round,pad={pad},rounding_size=0.06", facecolor=colour, alpha=0.3, edgecolor=colour)
    axis.add_patch(FancyBboxPatch((x - width / 2, y - height / 2), width, height, **style))
    axis.text(x, y, text, ha="center", va="center", size=size)


def _arrow(axis, start, end, colour=GREY, mutation_scale=10, linewidth=1.2, **style):
    sizes = dict(mutation_scale=mutation_scale, linewidth=linewidth)
    axis.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", color=colour, **sizes, **style))
