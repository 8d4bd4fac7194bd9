"""Lesson 04, Vectorized."""

import numpy as np

from pe_lib.formula import angles, frequencies, wavelengths

from ..judges import Function, Table, Value, Way
from .exercise import Exercise
from .lesson_03 import READY
from .slips import CELL_ERRORS, SLIPS


def _pos(max_len):
    return np.arange(max_len)[:, np.newaxis]


EXERCISES = {
    "04.1": Exercise(
        1,
        Value(
            (6, 4),
            replies=[
                ((6, 1), "The axis of size 1 is stretched to meet the 4."),
                ((4, 6), "Shapes are lined up from the right: (6, 1) over (4,). The 4 comes last."),
                ((6,), "Two axes go in, so at least two come out."),
                ((4,), "Two axes go in, so at least two come out."),
                ((1, 4), "The 6 has no partner in the place before the last, and stays."),
                ((24,), "Nothing is flattened: the result keeps its axes."),
                (24, "24 counts the numbers. A shape lists the sizes, one for each axis."),
                ("error", "Sizes 1 and 4 do not clash: an axis of size 1 is stretched."),
                ("ValueError", "Sizes 1 and 4 do not clash: an axis of size 1 is stretched."),
                ((6, 1, 4), "(4,) is lined up with the last axis of (6, 1); it does not add one."),
                ((6, 4, 1), "(4,) is lined up with the last axis of (6, 1); it does not add one."),
                ((6, 5), "1 and 4 are not added: an axis of size 1 is stretched to the other's size."),
                ((10,), "Sizes are not added: they are lined up, and an axis of size 1 is stretched."),
                ((10, 1), "Sizes are not added: (4,) is lined up with the last axis of (6, 1), the one of size 1."),
                ((6, 6), "The axis of size 1 is stretched to what it meets in its own place: the 4."),
                ((4, 4), "The 6 has no partner in the place before the last, and stays."),
                ((5, 3), "That is the example above; the sizes here are others."),
                ((6, 3), "That mixes it with the example above: b has the shape (4,)."),
            ],
        ),
        "Every position meets every frequency.",
    ),
    "04.2": Exercise(
        2,
        Function(
            angles,
            [(5, 8, 10000.0), (9, 5, 100.0)],
            mistakes=[
                (lambda n, d, base: angles(n + 1, d, base)[1:], "The positions begin at 1; the first position is 0."),
                (lambda n, d, base: angles(n + 1, d, base), "One position too many: they run from 0 to max_len − 1."),
                (lambda n, d, base: angles(n, d, base).T, "The axes are swapped: positions go down, pairs across."),
                (lambda n, d, base: angles(n, d), "It uses 10000 whatever the base is."),
                (
                    lambda n, d, base: np.repeat(angles(n, d, base), 2, axis=1),
                    "Every frequency stands there twice; one column for each pair is asked for.",
                ),
                (
                    lambda n, d, base: np.repeat(angles(n, d, base), 2, axis=1)[:, :d],
                    "Every column of the table gets its angle; one column for each pair is asked for.",
                ),
                (
                    lambda n, d, base: np.tile(angles(n, d, base), 2),
                    "Every frequency stands there twice; one column for each pair is asked for.",
                ),
                (
                    lambda n, d, base: _pos(n) / frequencies(d, base),
                    "pos is divided by the frequencies; it is multiplied by them.",
                ),
                (
                    lambda n, d, base: _pos(n) + frequencies(d, base),
                    "pos and the frequencies are added; they are multiplied.",
                ),
                (
                    lambda n, d, base: _pos(n) ** frequencies(d, base),
                    "pos is raised to the frequencies; it is multiplied by them.",
                ),
                (
                    lambda n, d, base: _pos(n) * wavelengths(d, base),
                    "pos is multiplied by wavelengths; take the frequencies.",
                ),
                (
                    lambda n, d, base: _pos(n) * frequencies(d, base) ** 2,
                    "The exponent is doubled: the frequencies of the library have their 2k/d_model already.",
                ),
                (
                    lambda n, d, base: _pos(n) * base ** (-np.arange((d + 1) // 2) / d),
                    "The exponent is k/d_model; its 2 is missing.",
                ),
                (
                    lambda n, d, base: _pos(n) * base ** (-np.arange(d) / d),
                    "Every column has an exponent of its own; one column for each pair is asked for.",
                ),
                (
                    lambda n, d, base: _pos(n) * base ** (-2 * np.arange(d) / d),
                    "k runs over all columns; one column for each pair is asked for, half as many.",
                ),
                (
                    lambda n, d, base: _pos(n) * base ** (-2 * np.arange(d // 2) / d),
                    "Odd widths lose their last pair: d_model // 2 rounds down.",
                ),
                (
                    lambda n, d, base: angles(n, d, base)[:, : d // 2],
                    "Odd widths lose their last pair: d_model // 2 rounds down.",
                ),
                (lambda n, d, base: np.sin(angles(n, d, base)), "The sine is taken already; the angles are asked for."),
                (
                    lambda n, d, base: np.cos(angles(n, d, base)),
                    "The cosine is taken already; the angles are asked for.",
                ),
                (
                    lambda n, d, base: 2 * np.pi * angles(n, d, base),
                    "A factor 2π too many: frequencies are in radians.",
                ),
                (
                    lambda n, d, base: angles(n, d, base) % (2 * np.pi),
                    "Whole turns are taken off; the angle itself is asked for, pos times frequency.",
                ),
                (lambda n, d, base: angles(d, n, base), "The two sizes have changed places."),
                (
                    lambda n, d, base: _pos(n) * frequencies(n, base),
                    "The frequencies are those of width max_len; take d_model.",
                ),
                (lambda n, d, base: angles(n, d, base).sum(1), "The pairs are added up; each has a column of its own."),
                (lambda n, d, base: frequencies(d, base), "The frequencies alone: every position has to meet them."),
            ],
            errors=[
                (
                    r"could not be broadcast together with shapes \(\d+,\) \(\d+,\)",
                    (
                        "Two flat arrays are lined up, number beside number. One of them has to be a column, such as"
                        " pos[:, np.newaxis]."
                    ),
                ),
                (
                    r"could not be broadcast together with shapes (\(1,\d+\) \(\d+,\)|\(\d+,\) \(1,\d+\))",
                    "The new axis stands in front, which leaves a row; for a column it comes last: [:, np.newaxis].",
                ),
                (
                    r"matmul: Input operand",
                    "@ sums over an axis; here every position meets every frequency: a column * a row.",
                ),
            ],
            also=Way(
                small=(6, 8, 100.0),
                larger=(("max_len", (12, 8, 100.0)), ("d_model", (6, 16, 100.0))),
                not_own=frozenset({"angles"}),
                fix="a column of positions times a row of frequencies",
            ),
        ),
        "No loop: the broadcast product makes all the pairs of position and frequency.",
    ),
    "04.3": Exercise(
        3,
        Table(
            SLIPS,
            (
                (
                    r"max_len=(\d+), d_model=(\d+)\) raised ValueError: could not broadcast input array from shape "
                    r"\(\1,\d+\) into shape \(\d+,\2\)",
                    "The slice takes every second row: the colon for the rows is missing, table[:, 0::2].",
                ),
                *CELL_ERRORS,
            ),
            also=Way(
                small=(6, 8),
                larger=(("max_len", (12, 8)), ("d_model", (6, 16))),
                not_own=READY,
                fix="all angles at once; then two slices, table[:, 0::2] and table[:, 1::2]",
            ),
        ),
        "The same table as the loop's, without a loop in sight.",
    ),
}
