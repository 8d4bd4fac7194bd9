"""Lesson 03, The loop."""

from ..judges import Table, Value, Way
from ..judges.known import pages
from .exercise import Exercise
from .slips import SLIPS, TABLES

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
A_TABLE = Table(SLIPS, also=Way(small=(3, 4), not_own=TABLES))

KNOWN = pages(__file__, globals())
EXERCISES = {
    "03.1": Exercise(
        3, A_TABLE, "This loop is the specification: every other version in the course is compared with it."
    ),
    "03.2": Exercise(
        1,
        Value(2, KNOWN["03.2"]),
        "Pair 0 has the exponent 0 either way, so the first pair that can be wrong is pair 1, columns 2 and 3.",
    ),
    "03.3": Exercise(2, A_TABLE, "Columns step by two, so the column already is 2k.", given=PUBLISHED),
}
