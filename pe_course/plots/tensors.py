"""Tensors as boxes with named axes: batch goes back, sequence goes down, width goes across."""

from matplotlib.patches import Rectangle

from .picture import BLUE, GREEN, VERMILION, Picture, panels

COLOURS = {"batch": VERMILION, "sequence": GREEN, "width": BLUE}
UNIT, BACK = 0.34, 0.16  # of a cell, of a sheet behind another
DRAWN = (4, 8, 8)  # sheets, rows and columns at most


def tensors(title, named, between=None):
    """Draw tensors side by side: ``named`` maps a caption to its axes, such as {"batch": 2, "sequence": 5, "width": 8}.

    The axes are any of batch, sequence and width, in this order; ValueError for others. ``between`` are the signs
    between the tensors, such as ["+", "="].
    """
    for caption, axes in named.items():
        if list(axes) != [axis for axis in COLOURS if axis in axes]:
            raise ValueError(f"the axes of {caption!r} must be of {', '.join(COLOURS)}, in this order, but got {axes}")
    figure, panes = panels(title, len(named), width=min(9.0, 2.9 * len(named)), height=2.9)
    for n, (pane, (caption, axes)) in enumerate(zip(panes, named.items(), strict=True)):
        pane.set(xlim=(-1.1, 4.1), ylim=(3.6, -0.9), aspect="equal")
        pane.set_axis_off()
        _tensor(pane, axes)
        pane.set_title(f"{caption}\n({', '.join(map(str, axes.values()))})", size=10)
        if between and n:
            pane.text(-1.3, 1.0, between[n - 1], ha="center", va="center", size=15)
    said = "; ".join(f"{name}: {_spell(axes)}" for name, axes in named.items())
    return Picture(figure, title, f"Boxes with named axes. {said}")


def _spell(axes):
    return ", ".join(f"{axis} {size}" for axis, size in axes.items())


def _tensor(pane, axes):
    sheets, rows, columns = (min(axes.get(axis, 1), most) for axis, most in zip(COLOURS, DRAWN, strict=True))
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
        pane.text(*place, f"{axis} {axes[axis]}", color=COLOURS[axis], size=9, weight="bold", **style)
