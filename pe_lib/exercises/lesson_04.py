"""Lesson 04, Vectorized."""

from ..diagnosis import diagnose_table
from ..formula import angles
from ..judges import function, value
from .exercise import Exercise

EXERCISES = {
    "04.1": Exercise(
        1,
        value(
            (6, 4),
            replies=[
                ((6, 1), "The axis of size 1 is stretched to meet the 4."),
                ((4, 6), "Shapes are lined up from the right: (6, 1) over (4,). The 4 comes last."),
                ((6,), "Two axes go in, so at least two come out."),
                ((24,), "Nothing is flattened: the result keeps its axes."),
                ("error", "Sizes 1 and 4 do not clash: an axis of size 1 is stretched."),
                ((6, 1, 4), "(4,) is lined up with the last axis of (6, 1); it does not add one."),
            ],
        ),
        "Every position meets every frequency.",
    ),
    "04.2": Exercise(
        2,
        function(
            angles,
            [(5, 8, 10000.0), (9, 5, 100.0)],
            mistakes=[
                (lambda n, d, base: angles(n + 1, d, base)[1:], "The positions begin at 1; the first position is 0."),
                (lambda n, d, base: angles(n, d, base).T, "The axes are swapped: positions go down, pairs across."),
                (lambda n, d, base: angles(n, d), "It uses 10000 whatever the base is."),
            ],
        ),
        "No loop: the broadcast product makes all the pairs of position and frequency.",
    ),
    "04.3": Exercise(3, diagnose_table, "The same table as the loop's, without a loop in sight."),
}
