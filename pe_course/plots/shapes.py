"""Shapes in pictures: tensors as boxes with named axes, and how two shapes line up for broadcasting.

Of a tensor the batch goes back, the sequence down, the width across. Two shapes meet axis by axis, from the right.
"""

from matplotlib.patches import Rectangle

from .picture import BLUE, GREEN, GREY, ORANGE, VERMILION, Picture, panels

AXES = {"batch": VERMILION, "sequence": GREEN, "width": BLUE}
UNIT, BACK = 0.34, 0.16  # of a cell, of a sheet behind another
DRAWN = (4, 8, 8)  # sheets, rows and columns at most


def tensors(title, named, between=None):
    """Draw tensors side by side: ``named`` maps a caption to its axes, such as {"batch": 2, "sequence": 5, "width": 8}.

    The axes are any of batch, sequence and width, in this order; ValueError for others. ``between`` are the signs
    between the tensors, such as ["+", "="].
    """
    for caption, axes in named.items():
        if list(axes) != [axis for axis in AXES if axis in axes]:
            raise ValueError(f"the axes of {caption!r} must be of {', '.join(AXES)}, in this order, but got {axes}")
    figure, panes = panels(title, len(named), width=min(9.0, 2.9 * len(named)), height=2.9)
    for n, (pane, (caption, axes)) in enumerate(zip(panes, named.items(), strict=True)):
        pane.set(xlim=(-1.1, 4.1), ylim=(3.6, -0.9), aspect="equal")
        pane.set_axis_off()
        _tensor(pane, axes)
        pane.set_title(f"{caption}\n({', '.join(map(str, axes.values()))})", size=10)
        if between and n:
            pane.text(-1.3, 1.0, between[n - 1], ha="center", va="center", size=15)
    spelled = {name: ", ".join(f"{axis} {size}" for axis, size in axes.items()) for name, axes in named.items()}
    said = "; ".join(f"{name}: {axes}" for name, axes in spelled.items())
    return Picture(figure, title, f"Boxes with named axes. {said}")


def _tensor(pane, axes):
    sheets, rows, columns = (min(axes.get(axis, 1), most) for axis, most in zip(AXES, DRAWN, strict=True))
    height, width = UNIT * rows + 0.2, UNIT * columns
    for sheet in reversed(range(sheets)):
        x, y = BACK * sheet, -BACK * sheet
        pane.add_patch(Rectangle((x, y), width, height, facecolor="white", edgecolor="none"))
        pane.add_patch(Rectangle((x, y), width, height, facecolor=BLUE, alpha=0.18, edgecolor="#444444"))
    for row in range(1, rows):
        pane.plot([0, width], [row * height / rows] * 2, color="#444444", linewidth=0.5)
    for column in range(1, columns):
        pane.plot([column * width / columns] * 2, [0, height], color="#444444", linewidth=0.5)
    _label(pane, axes, "sequence", (-0.12, height / 2), rotation=90, ha="right", va="center")
    _label(pane, axes, "width", (width / 2, height + 0.12), ha="center", va="top")
    _label(pane, axes, "batch", (width + BACK * sheets + 0.05, -BACK * sheets / 2), ha="left", va="center")


def _label(pane, axes, axis, place, **style):
    if axis in axes:
        pane.text(*place, f"{axis} {axes[axis]}", color=AXES[axis], size=9, weight="bold", **style)


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
    for r, name in enumerate((name_a, name_b, "result")):
        axis.text(-0.15, r + 0.5, name, ha="right", va="center", size=10, family="monospace")
    for c, (m, n, result) in enumerate(axes):
        for r, size in enumerate((m, n, result)):
            _size(axis, c, r, size, result)
    works = all(result is not None for *_, result in axes)
    verdict = f"gives {tuple(result for *_, result in axes)}" if works else "error: sizes clash"
    return Picture(figure, title, f"Lined up from the right: {name_a} {shape_a} with {name_b} {shape_b}, {verdict}")


def _size(axis, column, row, size, result):
    """A box: in rows 0 and 1 the size of an axis of each shape, in row 2 the result."""
    text, colour = str(size), GREY
    if result is None:
        text, colour = "✗" if row == 2 else str(size), VERMILION
    elif row == 2:
        colour = BLUE
    elif size != result:
        text, colour = f"→ {result}" if size is None else f"{size} → {result}", ORANGE
    dashes = "--" if size is None else "-"
    style = dict(edgecolor=colour, facecolor=colour, alpha=0.35, linewidth=1.5, linestyle=dashes)
    axis.add_patch(Rectangle((column + 0.06, row + 0.1), 0.88, 0.8, **style))
    axis.text(column + 0.5, row + 0.5, text, ha="center", va="center", size=12)
