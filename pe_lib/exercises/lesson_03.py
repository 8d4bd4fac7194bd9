"""Lesson 03, The loop."""

import numpy as np

from ..diagnosis import diagnose_table
from ..diagnosis.run import run
from ..judges import same, value
from .exercise import Exercise, wrong


def _loop(my_loop):
    """Judge the table, and know a slip that only this exercise invites: the width 4 of the cell above it."""
    diagnosis = diagnose_table(my_loop)
    if "unlisted" in [finding.id for finding in diagnosis.findings]:
        pair = np.arange(8) // 2
        angle = np.arange(5)[:, np.newaxis] / 10000 ** (2 * pair / 4)
        if same(run("my_loop(5, 8)", lambda: my_loop(5, 8)), np.where(np.arange(8) % 2, np.cos(angle), np.sin(angle))):
            return wrong(
                "width-4", "Every cell was computed for d_model = 4.", fix="hand d_model on: cell(pos, j, d_model)"
            )
    return diagnosis


EXERCISES = {
    "03.1": Exercise(
        3, _loop, "This loop is the specification: every other version in the course is compared with it."
    ),
    "03.2": Exercise(
        1,
        value(
            2,
            replies=[
                (0, "Column 0 belongs to pair 0. Its exponent is 0, and twice 0 is 0: it cannot show the mistake."),
                (1, "Column 1 belongs to pair 0. Its exponent is 0, and twice 0 is 0: it cannot show the mistake."),
                (3, "Column 3 is wrong as well, but another one comes before it."),
                (4, "With d_model = 4 the columns are 0 to 3."),
            ],
        ),
        "Pair 0 has the exponent 0 either way, so the first pair that can be wrong is pair 1, columns 2 and 3.",
    ),
    "03.3": Exercise(2, diagnose_table, "Columns step by two, so the column already is 2k."),
}
