"""A small heatmap of where a table differs from the paper's, drawn as SVG: the same bytes on every machine."""

import base64
import html
from dataclasses import dataclass

import numpy as np

CELL = 18  # pixels
# From light to dark: agrees, differs by less than 0.1, by less than 0.5, by more; and no number at all.
SHADES = ("#f2f2f2", "#f5c396", "#e08434", "#9c4a00", "#000000")
STEPS = (0.1, 0.5)


@dataclass(frozen=True)
class Picture:
    """``cells[pos][j]`` counts how dark the cell is, as an index into `SHADES`; ``what`` says what is shown."""

    cells: tuple[tuple[int, ...], ...]
    what: str

    @property
    def alt(self):
        cells = np.array(self.cells)
        columns = ", ".join(map(str, np.flatnonzero(cells.any(axis=0))))
        rows = ", ".join(map(str, np.flatnonzero(cells.any(axis=1))))
        size = f"{cells.shape[0]} positions and {cells.shape[1]} columns"
        return (
            f"Heatmap of {self.what}, {size}: {np.count_nonzero(cells)} of {cells.size} cells differ from the paper's, "
            f"in columns {columns} and rows {rows}."
        )

    def svg(self):
        rows, columns = len(self.cells), len(self.cells[0])
        left, top = 34, 16
        parts = [
            f"<rect x='{left + j * CELL}' y='{top + pos * CELL}' width='{CELL - 1}' "
            f"height='{CELL - 1}' fill='{SHADES[shade]}'/>"
            for pos, row in enumerate(self.cells)
            for j, shade in enumerate(row)
        ]
        text = "font-family='sans-serif' font-size='10' fill='#555555'"
        parts += [f"<text x='{left + j * CELL + 5}' y='11' {text}>{j}</text>" for j in range(columns)]
        parts += [f"<text x='20' y='{top + pos * CELL + 13}' {text}>{pos}</text>" for pos in range(rows)]
        parts.append(f"<text x='0' y='11' {text}>col</text><text x='0' y='{top + 13}' {text}>pos</text>")
        size = f"width='{left + columns * CELL + 14}' height='{top + rows * CELL}'"
        return f"<svg xmlns='http://www.w3.org/2000/svg' {size}>{''.join(parts)}</svg>"

    def html(self):
        data = base64.b64encode(self.svg().encode()).decode()
        caption = f"Where {self.what} differs: the darker, the more."
        alt = html.escape(self.alt, quote=True)
        return (
            f"<div style='flex: 0 1 17em'><img alt='{alt}' src='data:image/svg+xml;base64,{data}'>"
            f"<div style='font-size: 85%'>{html.escape(caption)}</div></div>"
        )


def draw(table, expected, what):
    """A `Picture` of two arrays of one shape (positions, columns), or None when they agree."""
    difference = np.abs(np.asarray(table) - expected)
    cells = np.searchsorted(STEPS, difference, side="right") + 1
    cells[difference <= 1e-4] = 0
    cells[~np.isfinite(difference)] = len(SHADES) - 1
    return Picture(tuple(map(tuple, cells.tolist())), what) if cells.any() else None
