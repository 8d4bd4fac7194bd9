"""Lesson 03, The loop."""

from ..diagnosis import diagnose_table
from ..judges import value
from .exercise import Exercise

EXERCISES = {
    "03.1": Exercise(
        3, diagnose_table, "This loop is the specification: every other version in the course is compared with it."
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
