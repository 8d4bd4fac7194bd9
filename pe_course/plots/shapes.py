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
    return [(m, n, _outcome(1 if m is None else m, 1 if n is None else n)) for m, n in zip(a, b, strict=True)]


def _outcome(m, n):
    if m == n or n == 1:
        return m
    return n if m == 1 else None


def aligned(title, named):
    """Draw two shapes lined up from the right, and the shape that adding them gives.

    ``named`` maps two names to two shapes. An arrow marks a size 1, or a missing axis, that is stretched; a cross marks
    sizes that clash.
    """
    (name_a, shape_a), (name_b, shape_b) = ((name, tuple(shape)) for name, shape in named.items())
    axes = line_up(shape_a, shape_b)
    figure, (axis,) = panels(title, 1, width=1.25 * len(axes) + 2.6, height=2.3)
    axis.set(xlim=(-1.9, len(axes)), ylim=(3.1, -0.1))
    axis.set_axis_off()
    draw_line_up(axis, (name_a, name_b, "result"), axes)
    works = all(result is not None for *_, result in axes)
    verdict = f"gives {tuple(result for *_, result in axes)}" if works else "error: sizes clash"
    return Picture(figure, title, f"Lined up from the right: {name_a} {shape_a} with {name_b} {shape_b}, {verdict}")


def draw_line_up(axis, names, axes):
    """Three rows of boxes with their names on the left; ``axes`` is what `line_up` returns."""
    for r, name in enumerate(names):
        axis.text(-0.15, r + 0.5, name, ha="right", va="center", size=10, family="monospace")
    for c, (m, n, result) in enumerate(axes):
        for r, size in enumerate((m, n, result)):
            _box(axis, c, r, _text(r, size, result), _colour(r, size, result), dashed=size is None)


def _colour(row, size, result):
    if result is None:
        return VERMILION
    if row == 2:
        return BLUE
    return ORANGE if size != result else GREY


def _text(row, size, result):
    if result is None:
        return "✗" if row == 2 else str(size)
    if size is None:
        return f"→ {result}"
    return str(size) if size == result else f"{size} → {result}"


def _box(axis, column, row, text, colour, dashed):
    style = dict(edgecolor=colour, facecolor=colour, alpha=0.35, linewidth=1.5, linestyle="--" if dashed else "-")
    axis.add_patch(Rectangle((column + 0.06, row + 0.1), 0.88, 0.8, **style))
    axis.text(column + 0.5, row + 0.5, text, ha="center", va="center", size=12)
