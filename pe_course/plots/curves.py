"""Lines over positions, and pairs of columns as the hands of clocks."""

import numpy as np

from .picture import BLUE, GREY, LINE_COLOURS, VERMILION, Picture, panels

DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)))  # a second sign beside the colour
MARKERS = ("o", "s", "^", "D", "v", "X")  # and a third, where single values are marked


def curves(title, named, x=None, xlabel="position pos", ylabel="value", logx=False, logy=False, dots=False, digits=2):
    """One line for each entry of ``named`` (label -> values), over ``x`` (0, 1, 2, … if not given).

    The description gives values to ``digits`` digits: 1 for trained models, whose last digits differ between machines.
    None leaves them out: for training that enlarges how a processor rounds until even the first digit differs.
    """
    figure, (axis,) = panels(title, 1, width=7.6, height=3.1)
    for n, (label, values) in enumerate(named.items()):
        values = np.asarray(values, dtype=float)
        at = np.arange(len(values)) if x is None else np.asarray(x)
        style = dict(color=LINE_COLOURS[n % 6], linestyle=DASHES[n % 6], linewidth=1.8)
        axis.plot(at, values, label=label, marker=MARKERS[n % 6] if dots else None, markersize=5, **style)
    axis.set(xlabel=xlabel, ylabel=ylabel)
    if logx:
        axis.set_xscale("log")
    if logy:
        axis.set_yscale("log")
    axis.grid(alpha=0.3)
    if len(named) > 1:
        axis.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=9)
    lines = "; ".join(f"{label} {_course(values, digits)}" if digits else label for label, values in named.items())
    return Picture(figure, title, f"{ylabel} against {xlabel}. {lines}")


def _course(values, digits):
    """A line in words: where it begins and ends, and how far it reaches."""
    values = np.asarray(values, dtype=float)
    first, last, low, high = (f"{v:.{digits}g}" for v in (values[0], values[-1], values.min(), values.max()))
    return f"from {first} to {last}, between {low} and {high}"


def clock_hands(title, table, positions, captions=None):
    """Every pair of columns as one clock, its hand drawn at each of ``positions``; the newest hand is the darkest.

    The hand starts at the top (sine 0, cosine 1) and turns clockwise: sine to the right, cosine upwards. ``captions``
    stand above the clocks, below the number of the pair.
    """
    table = np.asarray(table, dtype=float)
    pairs = table.shape[1] // 2
    figure, axes = panels(title, pairs, width=min(9.0, 1.9 * pairs), height=2.8 if captions else 2.6)
    circle = np.linspace(0, 2 * np.pi, 100)
    for k, axis in enumerate(axes):
        axis.plot(np.sin(circle), np.cos(circle), color=GREY, linewidth=1)
        for n, pos in enumerate(positions):
            newest = n == len(positions) - 1
            strength = 1.0 if newest else 0.25 + 0.4 * n / len(positions)
            s, c = table[pos, 2 * k], table[pos, 2 * k + 1]
            axis.plot(
                [0, s], [0, c], color=VERMILION if newest else BLUE, alpha=strength, linewidth=2.4 if newest else 1.6
            )
        caption = f"pair k = {k}" + (f"\n{captions[k]}" if captions else "")
        axis.set(title=caption, aspect="equal", xlim=(-1.15, 1.15), ylim=(-1.15, 1.15))
        axis.title.set_size(9)
        axis.set_xlabel("sine", size=8)
        axis.set_xticks([])
        axis.set_yticks([])
    axes[0].set_ylabel("cosine", size=8)
    shown = ", ".join(map(str, positions))
    return Picture(
        figure, title, f"{pairs} clock faces, one for each pair; hands at positions {shown}, the last one highlighted"
    )
