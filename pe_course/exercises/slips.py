"""Slips in writing the formula, as wrong tables: for every exercise in which a learner writes it."""

from dataclasses import replace

import numpy as np

from ..judges import family, pages
from ..judges.known import Known

TABLES = frozenset(
    {"sinusoidal_loop", "sinusoidal_vectorized", "sinusoidal_stack_flatten", "sinusoidal_rotation", "sinusoidal_at"}
    | {"PositionalEncoding", "SinusoidalTable"}
)  # what of pe_lib holds the formula already
WIDTHS = (4, 5, 6, 8, 10, 16, 32, 64, 128, 256, 512, 768)


def waves(j, angle):
    """The sine of ``angle`` where ``j`` is even, its cosine where it is odd."""
    return np.where(j % 2 == 0, np.sin(angle), np.cos(angle))


def table_of(cells):
    """The function of (max_len, d_model) whose table is ``cells(pos, j, n, d, angle)``."""

    def function(max_len, d_model):
        pos, j = np.arange(max_len)[:, np.newaxis] + 0.0, np.arange(d_model)
        with np.errstate(all="ignore"):
            table = cells(pos, j, max_len, d_model, pos / 1e4 ** (j // 2 * 2 / d_model))
        return table + np.zeros((max_len, d_model))

    return function


def _for_one_width(width):
    return table_of(lambda pos, j, n, d, angle: waves(j, pos / 1e4 ** (2 * (j // 2) / width)))


PAGE = pages(__file__, globals())
SLIPS: Known = replace(PAGE["a table"], make=table_of, errors=PAGE["cells"].errors).plus(
    *family(_for_one_width, "Every cell is computed for d_model = {}, whatever the width: hand d_model on.", WIDTHS)
)
