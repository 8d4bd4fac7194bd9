"""Lesson 08, Relative position."""

from dataclasses import replace

import numpy as np

from pe_clinic import Diagnosis, diagnose_table
from pe_lib.formula import frequencies
from pe_lib.rotation import shift_matrix
from pe_lib.vectorized import sinusoidal_vectorized

from ..judges import Function, Table, Way, near, wrong
from ..judges.as_if import softmax  # noqa: F401 (the page uses it)
from ..judges.recording import recorded
from ..judges.returned import changes_its_argument
from .ordering import Ordering
from .slips import TABLES as READY

TABLES = sinusoidal_vectorized(6, 8), sinusoidal_vectorized(7, 4)  # two widths: it must take d_model from the table
SQUARE = sinusoidal_vectorized(8, 8), sinusoidal_vectorized(4, 4)  # here shapes fit that do not fit elsewhere
ABOUT_ODD_WIDTHS = {"odd-differs", "odd-width", "odd-crash"}
LONG = 3000  # rows, far more than any sensible piece has


def _turned(by_rotation):
    """Refuse a table that was taken whole: a function of pe_lib may give the units, and not thousands of rows."""
    taken = recorded(by_rotation, LONG, 4).taken
    if any(name in READY and table is not None and len(table) >= LONG for name, table in taken):
        title = "The numbers are right, but come from a finished table; build it by turning a few rows, the units."
        return wrong("library", title, f"for {LONG} rows it asks for a table of {LONG} rows")
    return Diagnosis(ok=True)


def _at_even_widths(by_rotation):
    """Only even widths are asked for: at an odd one the right table stands in, and nothing is said of it."""
    if not callable(by_rotation):
        return diagnose_table(by_rotation)

    def function(max_len, d_model):
        return by_rotation(max_len, d_model) if d_model % 2 == 0 else sinusoidal_vectorized(max_len, d_model)

    diagnosis = diagnose_table(function)
    return replace(diagnosis, findings=tuple(f for f in diagnosis.findings if f.id not in ABOUT_ODD_WIDTHS))


def _pieces(turn, B=4, pieces=lambda max_len, B: max_len // B + 1, join=np.vstack):
    """by_rotation with another way to turn piece a, another number of pieces, or another way to join them."""

    def by_rotation(max_len, d_model):
        units = sinusoidal_vectorized(B, d_model)
        return join([turn(units, a, B, d_model) for a in range(pieces(max_len, B))])[:max_len]

    return by_rotation


def _turn(units, a, B, d_model):
    return units @ shift_matrix(a * B, d_model)


def _doubled(by_doubling):
    """The paper's table, for 08.4."""
    for size in ((10, 4), (5, 8)):
        if not near(table := by_doubling(*size), sinusoidal_vectorized(*size), 1e-6):
            seen = f"by_doubling(max_len={size[0]}, d_model={size[1]}) has the shape {table.shape}"
            return wrong("order", "It runs, and gives another table than the paper's.", seen)
    return Diagnosis(ok=True)


SHUFFLED = (
    "        rows = 2 * rows",
    "    return table[:max_len]",
    "    table = sinusoidal_vectorized(1, d_model)",
    "        table = np.vstack([table, table @ M])",
    "def by_doubling(max_len, d_model):",
    "        M = shift_matrix(rows, d_model)",
    "    rows = 1",
    "    while rows < max_len:",
)
SLIPS = (
    ("B", "H", "return ends the function: the loop below it never runs."),
    ("A", "F", "rows is doubled before M is made: M then shifts by twice as many rows as the table has."),
)


def _distances(rows, others):
    return np.linalg.norm(rows[:, None] - others[None], axis=2)


def _cosines(offset, d_model):
    return np.cos(offset * frequencies(d_model))


JUDGES = {
    "08.1": Function(
        lambda offset, d_model: _cosines(offset, d_model).sum(),
        [(0, 4), (3, 8), (-5, 16), (310, 4), (2, 32)],  # at 310 all have turned, the sum is negative
        also=Way(
            small=(3, 8),
            not_own=READY - {"sinusoidal_at"},
            title="The number is right, and {} makes a whole table for it: a cosine for each pair is enough.",
            fix="frequencies(d_model), and offset",
        ),
    ),
    "08.2": Function(
        lambda n, table: table @ shift_matrix(n, table.shape[1]) @ table.T,
        [(1, TABLES[0]), (-2, TABLES[1])],
        first=[changes_its_argument],
        easier=[(1, SQUARE[0]), (-2, SQUARE[1])],
    ),
    "08.3": Table(diagnose=_at_even_widths, sizes=((5, 8), (7, 6), (9, 4)), also=_turned),
    "08.4": Ordering(
        SHUFFLED,
        "by_doubling",
        {"np": np, "sinusoidal_vectorized": sinusoidal_vectorized, "shift_matrix": shift_matrix},
        trial=lambda by_doubling: by_doubling(5, 4),
        judge=_doubled,
        slips=SLIPS,
    ),
}
GIVEN = {"08.3": "B = 4"}
