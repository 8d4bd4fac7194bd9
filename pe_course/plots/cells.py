"""Coloured cells with a label each: where each cell goes, which row a token meets, which axis turns a pair, who passes
which test."""

import itertools

import numpy as np
import torch
from matplotlib.patches import Rectangle

from .picture import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, YELLOW, Picture, panels

CELL_COLOURS = (SKY, ORANGE, GREEN, PURPLE, YELLOW, GREY)
# A word, its symbol and its colour: the symbol carries the meaning, the colour only helps.
VERDICTS = {
    "yes": ("✓", BLUE),
    "no": ("✗", VERMILION),
    "right": ("✓", BLUE),
    "error": ("!", YELLOW),
    "silently wrong": ("✗", VERMILION),
}


def cells(title, named):
    """Grids of short labels, coloured by their first letter, so that one can see where each cell goes.

    ``named`` maps a caption to rows of labels, such as [["s0", "c0"], ["s1", "c1"]]; "" leaves a cell empty.
    """
    grids = list(named.values())
    widths = [max(len(row) for row in rows) for rows in grids]
    height = 0.8 + 0.42 * max(len(rows) for rows in grids)
    width = min(9.0, 0.55 * sum(widths) + 0.9 * len(grids))
    figure, axes = panels(title, len(grids), width, height, ratios=widths)
    kinds = sorted({label[0] for rows in grids for row in rows for label in row if label}, key=_letter_order)
    colour = dict(zip(kinds, itertools.cycle(CELL_COLOURS), strict=False))
    for axis, caption, rows, width in zip(axes, named, grids, widths, strict=True):
        axis.set(xlim=(0, width), ylim=(len(rows), 0), title=caption, aspect="equal")
        axis.title.set_size(9)
        axis.set_axis_off()
        for r, row in enumerate(rows):
            for c, label in enumerate(row):
                _draw(axis, c, r, label, colour[label[0]] if label else "none", size=9)
    spelled = "; ".join(f"{caption}: {' / '.join(' '.join(row) for row in rows)}" for caption, rows in named.items())
    return Picture(figure, title, spelled)


def rows_met(title, table, named):
    """Which row of ``table`` each token gets: a line for each sample of a batch, a cell for each of its tokens.

    ``named`` maps a caption to what is added, of shape (batch, length, d_model). The nearest row counts.
    """
    rows = np.asarray(table, dtype=float)

    def nearest(vector):
        return str(np.linalg.norm(rows - np.asarray(vector, dtype=float), axis=1).argmin())

    rows_of = {name: [[nearest(token) for token in sample] for sample in added] for name, added in named.items()}
    return cells(title, rows_of)


def _letter_order(letter):
    """s before c, as sine comes before cosine; all others in the order of the alphabet."""
    return "sc".find(letter) if letter in "sc" else ord(letter)


def _draw(axis, left, top, label, face, **text):
    """One cell of this colour, with its label."""
    corner, edge = (left + 0.04, top + 0.04), {"edgecolor": "#444444", "linewidth": 0.8, "alpha": 0.75}
    axis.add_patch(Rectangle(corner, 0.92, 0.92, facecolor=face, **edge))
    axis.text(left + 0.5, top + 0.5, label, ha="center", va="center", **text)


def _board(axis, rows, columns):
    """Room for a row of cells for each name in ``rows``, without a frame."""
    axis.set(xlim=(0, columns), ylim=(len(rows), 0))
    axis.set_yticks([r + 0.5 for r in range(len(rows))], rows, size=9)
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)


def scoreboard(title, results):
    """Who passes what: ``results`` maps a row's name to {column: verdict}, a key of `VERDICTS` or a bool.

    The columns stand as in the first row; ValueError for a row that has others.
    """
    columns = list(next(iter(results.values())))
    for name, row in results.items():
        if row.keys() != set(columns):
            raise ValueError(f"results must have the columns {columns} in every row, but row {name!r} has {list(row)}")
    words = {name: {c: _word(row[c]) for c in columns} for name, row in results.items()}
    longest = max(map(len, words))
    height = 0.9 + 0.36 * len(words)
    figure, (axis,) = panels(title, 1, width=min(9.0, 1.1 * len(columns) + 0.085 * longest + 0.6), height=height)
    _board(axis, list(words), len(columns))
    for r, row in enumerate(words.values()):
        for c, word in enumerate(row.values()):
            symbol, colour = VERDICTS[word]
            _draw(axis, c, r, symbol, colour, size=12, color="black" if colour == YELLOW else "white")
    axis.set_xticks([c + 0.5 for c in range(len(columns))], columns, size=8)
    axis.xaxis.tick_top()
    said = (f"{name}: " + ", ".join(f"{c} {word}" for c, word in row.items()) for name, row in words.items())
    return Picture(figure, title, "; ".join(said))


def _word(verdict):
    if isinstance(verdict, (bool, np.bool_, torch.Tensor)):
        return "yes" if verdict else "no"
    if verdict not in VERDICTS:
        raise ValueError(f"results must hold True, False or one of {', '.join(VERDICTS)}, but got {verdict!r}")
    return verdict


def pairs(title, named, axes):
    """A row of boxes for each entry of ``named``, one box a pair of columns, coloured by the axis that turns it.

    ``named`` maps a caption to the axis of every pair, numbers that count ``axes``, such as ["time", "row", "column"].
    The first letter of the axis stands in each box: it carries the meaning, the colour only helps.
    """
    rows = {caption: np.asarray(axis_of_pair) for caption, axis_of_pair in named.items()}
    count = max(map(len, rows.values()))
    figure, (axis,) = panels(title, 1, width=9.0, height=0.9 + 0.5 * len(rows))
    _board(axis, list(rows), count)
    axis.set_xlabel("pair k")
    for r, axis_of_pair in enumerate(rows.values()):
        for k, which in enumerate(axis_of_pair):
            _draw(axis, k, r, axes[which][0], CELL_COLOURS[which], size=7)
    axis.set_xticks([k + 0.5 for k in range(0, count, 8)], range(0, count, 8), size=8)
    spelled = "; ".join(f"{caption}: {_spans(axis_of_pair, axes)}" for caption, axis_of_pair in rows.items())
    return Picture(figure, title, f"One box for each pair of columns. {spelled}")


def _spans(axis_of_pair, axes):
    """How many pairs each axis has, and between which two they lie."""
    found = {name: np.flatnonzero(axis_of_pair == n) for n, name in enumerate(axes)}
    return ", ".join(f"{name} {len(k)} pairs from {k[0]} to {k[-1]}" for name, k in found.items() if len(k))
