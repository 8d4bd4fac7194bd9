"""Lesson 03, The loop."""

from ..judges import Table, Value, Way
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

JUDGES = {
    "03.1": A_TABLE,
    "03.2": Value(2),
    "03.3": A_TABLE,
}
GIVEN = {"03.3": PUBLISHED}
