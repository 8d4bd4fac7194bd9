"""How two shapes line up for broadcasting: axis by axis, from the right."""

from matplotlib.patches import Rectangle

from .picture import BLUE, GREY, ORANGE, VERMILION, Picture, panels


def line_up(shape_a, shape_b):
    """What broadcasting does with two shapes: a list of (size a, size b, outcome), one per axis from left to right.

    A missing axis is None. The outcome is the resulting size, or None where the sizes clash.
    """
    length = max(len(shape_a), len(shape_b))
    a = [None] * (length - len(shape_a)) + list(shape_a)
    b = [None] * (length - len(shape_b)) + list(shape_b)
    return [(m, n, _outcome(m or 1, n or 1) if None in (m, n) else _outcome(m, n)) for m, n in zip(a, b, strict=True)]


def _outcome(m, n):
    if m == n or n == 1:
        return m
    return n if m == 1 else None


def aligned(title, named):
    """Draw two shapes lined up from the right, and the shape that adding them gives.

    ``named`` maps two names to two shapes. A size 1 that is stretched is orange, and so is a missing axis;
    sizes that clash are red, with a cross below.
    """
    (name_a, shape_a), (name_b, shape_b) = ((name, tuple(shape)) for name, shape in named.items())
    axes = line_up(shape_a, shape_b)
    figure, (axis,) = panels(title, 1, width=1.25 * len(axes) + 2.6, height=2.3)
    axis.set(xlim=(-1.9, len(axes)), ylim=(3.1, -0.1))
    axis.set_axis_off()
    for r, name in enumerate((name_a, name_b, "result")):
        axis.text(-0.15, r + 0.5, name, ha="right", va="center", size=10, family="monospace")
    for c, (m, n, result) in enumerate(axes):
        for r, size in enumerate((m, n, result)):
            _box(axis, c, r, size, _colour(r, size, result), clash=r == 2 and result is None)
    works = all(result is not None for *_, result in axes)
    verdict = f"gives {tuple(result for *_, result in axes)}" if works else "error: sizes clash"
    return Picture(figure, title, f"Lined up from the right: {name_a} {shape_a} with {name_b} {shape_b}, {verdict}")


def _colour(row, size, result):
    if result is None:
        return VERMILION
    if row == 2:
        return BLUE
    return ORANGE if size != result else GREY


def _box(axis, column, row, size, colour, clash):
    style = dict(edgecolor=colour, facecolor=colour, alpha=0.35, linewidth=1.5, linestyle="--" if size is None else "-")
    axis.add_patch(Rectangle((column + 0.06, row + 0.1), 0.88, 0.8, **style))
    text = "✗" if clash else "·" if size is None else str(size)
    axis.text(column + 0.5, row + 0.5, text, ha="center", va="center", size=12)
