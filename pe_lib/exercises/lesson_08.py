"""Lesson 08, Relative position."""

from dataclasses import replace

import numpy as np

from ..diagnosis import diagnose_table
from ..formula import frequencies
from ..judges import function
from ..rotation import shift_matrix
from ..vectorized import sinusoidal_vectorized
from .exercise import Exercise

TABLES = sinusoidal_vectorized(6, 8), sinusoidal_vectorized(7, 4)  # two widths: it must take d_model from the table
ABOUT_ODD_WIDTHS = {"odd-differs", "odd-width", "odd-crash"}


def _by_rotation(by_rotation):
    """Only even widths are asked for: at an odd one the right table stands in, and nothing is said of it."""

    def function(max_len, d_model):
        return by_rotation(max_len, d_model) if d_model % 2 == 0 else sinusoidal_vectorized(max_len, d_model)

    diagnosis = diagnose_table(function)
    findings = tuple(finding for finding in diagnosis.findings if finding.id not in ABOUT_ODD_WIDTHS)
    return replace(diagnosis, findings=findings)


EXERCISES = {
    "08.1": Exercise(
        2,
        function(
            lambda offset, d_model: np.cos(offset * frequencies(d_model)).sum(),
            [(0, 4), (3, 8), (-5, 16)],
            mistakes=[
                (
                    lambda offset, d_model: np.cos(offset * frequencies(d_model)).mean(),
                    "This is the mean; the dot product is the sum over the pairs.",
                ),
                (
                    lambda offset, d_model: np.sin(offset * frequencies(d_model)).sum(),
                    "Sines: at offset 0 they give 0, but a row with itself gives the number of pairs.",
                ),
                (
                    lambda offset, d_model: np.cos(offset * frequencies(d_model)),
                    "One cosine for each pair: the dot product is their sum.",
                ),
                (
                    lambda offset, d_model: 2 * np.cos(offset * frequencies(d_model)).sum(),
                    "Twice too much: a pair contributes one cosine, its sine and cosine together.",
                ),
            ],
        ),
        "No table is needed: the dot product knows only the offset.",
    ),
    "08.2": Exercise(
        2,
        function(
            lambda n, table: table @ shift_matrix(n, table.shape[1]) @ table.T,
            [(1, TABLES[0]), (-2, TABLES[1])],
            mistakes=[
                (
                    lambda n, table: table @ shift_matrix(-n, table.shape[1]) @ table.T,
                    "It looks into the other direction: M(n) leads from row p to row p + n.",
                ),
                (
                    lambda n, table: table @ table.T,
                    "It looks at itself: the shift is missing, or stands on both sides, where it cancels.",
                ),
            ],
        ),
        "One matrix between the rows, and every token looks n tokens on.",
    ),
    "08.3": Exercise(4, _by_rotation, "The numbers are right. Was it done by turning? Only you can see that."),
}
