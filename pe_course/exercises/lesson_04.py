"""Lesson 04, Vectorized."""

import numpy as np

from pe_lib.formula import angles, frequencies, wavelengths  # noqa: F401 (the page uses them)

from ..judges import Function, Table, Value, Way, pages
from .slips import SLIPS, TABLES


def _pos(max_len):
    return np.arange(max_len)[:, np.newaxis]


KNOWN = pages(__file__, globals())
JUDGES = {
    "04.1": Value((6, 4)),
    "04.2": Function(
        angles,
        [(5, 8, 10000.0), (9, 5, 100.0)],
        also=Way(
            small=(6, 8, 100.0),
            larger=(("max_len", (12, 8, 100.0)), ("d_model", (6, 16, 100.0))),
            not_own=frozenset({"angles"}),
            fix="a column of positions times a row of frequencies",
        ),
    ),
    "04.3": Table(
        KNOWN["04.3"].followed_by(SLIPS),
        also=Way(
            small=(6, 8),
            larger=(("max_len", (12, 8)), ("d_model", (6, 16))),
            not_own=TABLES,
            fix="all angles at once; then two slices, table[:, 0::2] and table[:, 1::2]",
        ),
    ),
}
