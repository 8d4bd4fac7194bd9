"""The figure of a class: before and after, by idea, and the errors that learners were sure of."""

import math

from matplotlib.ticker import MaxNLocator

from ..plots.picture import BLUE, GREY, VERMILION, Picture, panels

MARKS = (  # of each sitting: shape, inside, edge, and how far below the line, so that none hides another
    ("o", "white", VERMILION, -0.22),
    ("s", BLUE, BLUE, 0),
    ("^", GREY, GREY, 0.22),
)
TITLE = "What a class knew before lessons {}, and after them"


def figure(made):
    """A `Picture` of a `Report`. No meaning hangs on a colour: each sitting has a mark of its own."""
    names, title = made.part.sittings, TITLE.format(made.part.lessons)
    first, second, *_ = names
    errors = [row for row in made.errors if row[first] or row[second]][:8]
    drawn, (left, right) = panels(title, 2, width=12.0, height=4.2)
    _dots(left, names, [row["idea"] for row in made.ideas], made.ideas, "share right")
    left.set_xlim(-0.02, 1.02)
    _dots(right, names, [row["title"].rstrip(".") for row in errors], errors, "learners who were sure of it")
    right.set_xlim(left=0)
    right.xaxis.set_major_locator(MaxNLocator(integer=True))
    drawn.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=len(MARKS), fontsize=8)
    content = "; ".join(f"{row['idea']}: {row[first]:.2f} {first}, {row[second]:.2f} {second}" for row in made.ideas)
    return Picture(drawn, title, content)


def _dots(axis, sittings, names, rows, label):
    places = range(len(rows))
    for name, (mark, face, edge, down) in zip(sittings, MARKS, strict=False):
        points = [(row[name], place + down) for place, row in zip(places, rows, strict=True)]
        points = [(value, place) for value, place in points if not math.isnan(value)]
        if points and any(value for value, _ in points):
            x, y = zip(*points, strict=True)
            axis.plot(x, y, mark, markerfacecolor=face, markeredgecolor=edge, linestyle="", label=name)
    axis.set_yticks(list(places), names, fontsize=8)
    axis.invert_yaxis()
    axis.set_xlabel(label)
    axis.grid(axis="x", color="#8884", linewidth=0.5)
