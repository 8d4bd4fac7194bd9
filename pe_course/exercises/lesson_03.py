"""Lesson 03, The loop."""

from ..judges import Table, Value, Way
from .exercise import Exercise
from .slips import CELL_ERRORS, SLIPS

READY = frozenset(
    {"sinusoidal_loop", "sinusoidal_vectorized", "sinusoidal_stack_flatten", "sinusoidal_rotation", "sinusoidal_at"}
)
PUBLISHED = """
table = np.zeros((max_len, d_model))
for pos in range(max_len):
    for i in range(0, d_model, 2):
        angle = pos / 10000 ** (2 * i / d_model)
        table[pos, i] = math.sin(angle)
        if i + 1 < d_model:
            table[pos, i + 1] = math.cos(angle)
return table
"""

EXERCISES = {
    "03.1": Exercise(
        3,
        Table(SLIPS, CELL_ERRORS, also=Way(small=(3, 4), not_own=READY)),
        "This loop is the specification: every other version in the course is compared with it.",
    ),
    "03.2": Exercise(
        1,
        Value(
            2,
            replies=[
                (0, "Column 0 belongs to pair 0. Its exponent is 0, and twice 0 is 0: it cannot show the mistake."),
                (
                    1,
                    (
                        "Column 1 belongs to pair 0. Its exponent is 0, and twice 0 is 0: it cannot show the mistake."
                        " (Pair 1 is wrong; which is its first column?)"
                    ),
                ),
                (3, "Column 3 is wrong as well, but another one comes before it."),
                (4, "With d_model = 4 the columns are 0 to 3."),
                *((column, "With d_model = 4 the columns are 0 to 3.") for column in (5, 6, 7, 8)),
                ([2, 3], "Both are wrong; the first of them is asked for, one number."),
                ([1, 3], "Of the odd columns only 3 is wrong; the first wrong column of all is asked for, one number."),
                (0.5, "1/2 is the exponent that the paper has there; in which column?"),
                (-2, "Count from the left, and from 0: it is the third of four."),
            ],
        ),
        "Pair 0 has the exponent 0 either way, so the first pair that can be wrong is pair 1, columns 2 and 3.",
    ),
    "03.3": Exercise(
        2,
        Table(SLIPS, CELL_ERRORS, also=Way(small=(3, 4), not_own=READY)),
        "Columns step by two, so the column already is 2k.",
        given=PUBLISHED,
    ),
}
