"""Tables as pictures: matrices with their numbers, and heatmaps."""

import numpy as np

from .picture import SIGNED, Picture, panels


def matrices(title, named, rows=None, between=None):
    """Small matrices side by side, every number written into its cell.

    ``named`` maps a caption to a 2-D array; ``rows`` labels the rows of each (one list for all, or one per matrix);
    ``between`` are the signs between them, such as ["×", "="]. Blue is negative, red positive.
    """
    arrays = [np.asarray(values, dtype=float) for values in named.values()]
    limit = max(np.abs(np.nan_to_num(values, posinf=0, neginf=0)).max() for values in arrays) or 1.0
    row_labels = rows if rows and not isinstance(rows[0], str) else [rows] * len(arrays)
    widths = [max(values.shape[1], 2) + 1.2 for values in arrays]
    height = 0.9 + 0.36 * max(len(values) for values in arrays)
    figure, axes = panels(title, len(arrays), width=min(9.0, 0.62 * sum(widths) + 0.6), height=height, ratios=widths)
    for n, (axis, caption, values) in enumerate(zip(axes, named, arrays, strict=True)):
        axis.imshow(values, cmap=SIGNED, vmin=-1.6 * limit, vmax=1.6 * limit, aspect=0.55)
        for (row, column), number in np.ndenumerate(values):
            axis.text(column, row, _number(number), ha="center", va="center", size=8)
        axis.set_title(caption, size=9)
        axis.set_xticks(range(values.shape[1]), range(values.shape[1]), size=7)
        axis.set_yticks(range(len(values)), row_labels[n] or range(len(values)), size=8)
        axis.tick_params(length=0)
        if between and n:
            place = dict(xycoords="axes fraction", xytext=(9, 0), textcoords="offset points", ha="center", va="center")
            axes[n - 1].annotate(between[n - 1], (1, 0.5), size=14, **place)  # right of the last matrix, left of labels
    spelled = "; ".join(f"{caption}: {_spell(values)}" for caption, values in zip(named, arrays, strict=True))
    return Picture(figure, title, f"Matrices side by side. {spelled}")


def token_sum(title, words, tokens, table):
    """Three matrices: the tokens, a row of the table for each position, and their sum, the input of a model."""
    tokens, table = np.asarray(tokens, dtype=float), np.asarray(table, dtype=float)
    places = [f"pos {pos}" for pos in range(len(words))]
    rows = [list(words), places, [f"{word} at {pos}" for pos, word in enumerate(words)]]
    return matrices(title, {"tokens": tokens, "table": table, "input": tokens + table}, rows, between=["+", "="])


def _spell(values):
    """The numbers of a small matrix as text, rows parted by strokes."""
    return " / ".join(" ".join(_number(number) for number in row) for row in values)


def _number(number):
    number = round(float(number), 2) + 0.0  # 0.0 turns -0.0, which a tiny negative number rounds to, into 0.0
    return f"{number:.0f}" if number % 1 == 0 else f"{number:.2f}"


def heatmaps(title, named, columns="column j", rows="position pos"):
    """Tables as colours from -1 (blue) over 0 (white) to 1 (red), on one scale; ``rows`` and ``columns`` say of what.

    Where positions meet positions, the picture is square, and a dashed line shows where a row meets itself.
    """
    arrays = [np.asarray(values, dtype=float) for values in named.values()]
    square = all(len(values) == values.shape[1] for values in arrays)
    diagonal = square and rows.startswith("position")
    width = (4.6 if square else 7.0) if len(arrays) == 1 else 8.4
    figure, axes = panels(title, len(arrays), width=width, height=3.8 if square else 3.4, sharey=True)
    for axis, caption, values in zip(axes, named, arrays, strict=True):
        aspect = "equal" if square else "auto"
        image = axis.imshow(values, cmap=SIGNED, vmin=-1, vmax=1, aspect=aspect, interpolation="nearest")
        if diagonal:
            ends = (-0.5, len(values) - 0.5)
            axis.plot(ends, ends, color="black", linestyle=(0, (4, 4)), linewidth=0.8, label="diagonal")
            axis.set(xlim=ends, ylim=ends[::-1])
        axis.set_title(caption, size=10)
        axis.set_xlabel(columns)
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.yaxis.get_major_locator().set_params(integer=True)
    axes[0].set_ylabel(rows)
    figure.colorbar(image, ax=axes, label="value", ticks=[-1, 0, 1])
    spelled = "; ".join(f"{caption} {_waves(values, diagonal)}" for caption, values in zip(named, arrays, strict=True))
    down = "positions" if rows.startswith("position") else f"{rows}s"
    return Picture(figure, title, f"Heatmap, {down} down and columns across. {spelled}")


def _waves(values, diagonal):
    """A table in words: how often its outer columns change sign, or, if it is square, where it is largest."""
    square = len(values) == values.shape[1]
    if square and not diagonal:
        row, column = np.unravel_index(values.argmax(), values.shape)
        return f"{values.shape}: largest at row {row}, column {column}"
    if square:
        return (
            f"{values.shape}: row 0 is largest at column {values[0].argmax()}, the last at {values[-1].argmax()}; "
            "a dashed line marks the diagonal"
        )
    signs = (np.sign(values[:, j][values[:, j] != 0]) for j in (0, -1))  # sin 0 has none
    first, last = (np.count_nonzero(np.diff(column)) for column in signs)
    return f"{values.shape}: the first column changes sign {first} times, the last {last} times"
