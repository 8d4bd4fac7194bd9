"""Slips in writing the formula, as wrong tables: for every exercise in which a learner writes it."""

import numpy as np


def table_of(angle, sine=None):
    """The function of (max_len, d_model) whose cell is the sine, in odd columns the cosine, of ``angle(pos, j, d)``;
    ``sine(j)`` says which columns hold the sine."""

    def function(max_len, d_model):
        pos, j = np.arange(max_len)[:, np.newaxis] + 0.0, np.arange(d_model)
        with np.errstate(all="ignore"):
            theta = angle(pos, j, d_model) + 0 * pos
        return np.where(j % 2 == 0 if sine is None else sine(j), np.sin(theta), np.cos(theta))

    return function


def right(pos, j, d):
    return pos / 10000 ** (j // 2 * 2 / d)


def _only(keep):
    """The right table where ``keep(pos, j, max_len, d_model)``, zeros elsewhere."""

    def function(max_len, d_model):
        pos, j = np.arange(max_len)[:, np.newaxis], np.arange(d_model)
        return np.where(keep(pos, j, max_len, d_model), table_of(right)(max_len, d_model), 0.0)

    return function


def _first_cosine_lost(max_len, d_model):
    theta = right(np.arange(max_len)[:, np.newaxis], np.arange(0, d_model, 2), d_model)
    table = np.zeros((max_len, d_model))
    table[:, 0::2], table[:, 1::2] = np.sin(theta), np.cos(theta[:, d_model % 2 :])
    return table


def _pairs_for_columns(max_len, d_model):
    """Pair k written to columns k and k + 1: each cosine but the last is overwritten by the next sine."""
    pos, table = np.arange(max_len), np.zeros((max_len, d_model))
    for k in range(d_model // 2):
        table[:, k], table[:, k + 1] = np.sin(right(pos, 2 * k, d_model)), np.cos(right(pos, 2 * k, d_model))
    return table


def _with_angles(cells):
    """``cells(angle, pos, j, d)`` of the right angles."""

    def function(max_len, d_model):
        pos, j = np.arange(max_len)[:, np.newaxis], np.arange(d_model)
        return cells(right(pos, j, d_model), pos, j, d_model) + np.zeros((max_len, d_model))

    return function


BRACKETS = "Brackets are missing: the exponent is the whole of 2k/d_model"

SLIPS = [
    (
        table_of(lambda pos, j, d: pos / 1e4**2 * (j // 2) / d),
        f"{BRACKETS}. Without them ** takes the 2 alone, 10000², and the rest is multiplied and divided.",
    ),
    (
        table_of(lambda pos, j, d: pos / 1e4 ** (2 * (j // 2)) / d),
        f"{BRACKETS}. Here the power ends before d_model, which divides the angle.",
    ),
    (table_of(lambda pos, j, d: pos / (1e4 ** (2 * (j // 2)) / d)), f"{BRACKETS}; here d_model is outside."),
    (
        table_of(lambda pos, j, d: pos / 1e4 ** (2 * (j // 2))),
        "The exponent is 2k, and is nowhere divided by d_model: it is 2k/d_model.",
    ),
    (
        table_of(lambda pos, j, d: pos // 1e4 ** (2 * (j // 2) / d)),
        "The angles are cut to whole numbers: pos // … is an integer division; divide with one /.",
    ),
    (
        table_of(lambda pos, j, d: pos / 1e4**2 ** (j // 2 * 2 / d)),
        "2 is raised to a power in the exponent; it is multiplied there, 2 * k / d_model.",
    ),
    (
        table_of(lambda pos, j, d: pos / 1e4 ** ((j // 2 * 2 + 1) / d)),
        "The exponent is (2k + 1)/d_model in both columns of a pair: it is 2k/d_model, 0 for the first pair.",
    ),
    (
        table_of(lambda pos, j, d: pos / 1e4 ** ((j // 2 * 2 - 1) / d)),
        "The exponent is (2k - 1)/d_model in both columns of a pair: it is 2k/d_model, 0 for the first pair.",
    ),
    (
        table_of(lambda pos, j, d: pos / 1e4 ** (8 * (j // 2) / d)),
        "The exponent is 8k/d_model, four times as large: it is 2k/d_model, and a column i = 0, 2, 4, … is 2k already.",
    ),
    (
        table_of(lambda pos, j, d: j / 1e4 ** (2 * (pos // 2) / d)),
        "Position and column have changed places in the angle: it is pos / 10000 ** (2 * (j // 2) / d_model).",
    ),
    (
        _with_angles(lambda angle, pos, j, d: np.where(d % 2, np.sin(angle), np.cos(angle))[:, -1:]),
        "All cells of a row hold one number, the last column's: table[pos] = … writes the whole row.",
    ),
    (
        table_of(lambda pos, j, d: pos / 1e4 ** (2 * (pos * (d // 2) + j // 2) / d)),
        "The pair's number goes on counting from row to row; in every row it begins at 0.",
    ),
    (
        _with_angles(lambda angle, pos, j, d: np.where(pos % 2 == 0, np.sin(angle), np.cos(angle))),
        "Sine and cosine go by the row here, even or odd; they go by the column.",
    ),
    (
        _with_angles(lambda angle, pos, j, d: np.sin(angle) + np.cos(angle)),
        "Every cell is the sum of sine and cosine; even columns hold the sine, odd ones the cosine.",
    ),
    (
        _with_angles(lambda angle, pos, j, d: np.where(j % 2 == 0, np.sin(pos), np.cos(pos)) * right(1, j, d)),
        "Sine and cosine are taken of pos alone, and multiplied by the frequency: it belongs inside, to the angle.",
    ),
    (
        _with_angles(lambda angle, pos, j, d: np.where(j % 2 == 0, np.cos(angle), 0)),
        "The even columns hold the cosines, and the odd ones are empty: are both written to the same columns?",
    ),
    (
        _pairs_for_columns,
        "The pair's number is taken for the column: pair k belongs to columns 2k and 2k + 1.",
    ),
    (
        table_of(lambda pos, j, d: (pos / 10000) ** (2 * (j // 2) / d)),
        "The whole fraction pos/10000 is raised to the power; only 10000 is: pos / 10000 ** (…).",
    ),
    (
        table_of(lambda pos, j, d: pos / (10000 * (2 * (j // 2) / d) + (j < 2))),
        "10000 is multiplied by 2k/d_model; a power is written **.",
    ),
    (
        table_of(lambda pos, j, d: pos / 10000 * (2 * (j // 2) / d)),
        "pos/10000 is multiplied by 2k/d_model; 10000 is raised to it: **.",
    ),
    (
        table_of(lambda pos, j, d: pos / 10000 ** (2 * (j % 2) / d)),
        "j % 2 is 0 or 1, so that there are two frequencies only: the pair is j // 2.",
    ),
    (
        table_of(lambda pos, j, d: pos / 10000 ** (2 * ((j + 1) // 2) / d)),
        "The pair is j // 2; with (j + 1) // 2 a cosine gets the frequency of the next pair.",
    ),
    (
        table_of(lambda pos, j, d: pos / 10000 ** (2 * (j // 2 + 1) / d)),
        "The pairs are counted from 1: the first pair is k = 0, with the frequency 1.",
    ),
    (
        table_of(lambda pos, j, d: pos / 10000 ** (2 * (j // 2) / (d // 2))),
        "2k is divided by half of d_model: that doubles the exponent.",
    ),
    (
        table_of(right, sine=lambda j: j >= 0),
        "Every column holds a sine; the odd ones hold the cosine.",
    ),
    (table_of(right, sine=lambda j: j < 0), "Every column holds a cosine; the even ones hold the sine."),
    (
        table_of(lambda pos, j, d: pos / 10000 ** (2 * j / d), sine=lambda j: j >= 0),
        (
            "Every column is a sine, and its number is taken for the pair. With a step of 1 each turn overwrites the"
            " cosine of the one before."
        ),
    ),
    (
        table_of(lambda pos, j, d: pos / 10000 ** (j / d), sine=lambda j: j >= 0),
        "Every column is a sine, with an exponent of its own. With a step of 1 each turn overwrites the cosine before.",
    ),
    (
        table_of(lambda pos, j, d: pos / 10000 ** (2 * (j // 2) / d), sine=lambda j: j // 2 % 2 == 0),
        "Sine and cosine go by the pair here; they go by the column: even ones hold the sine.",
    ),
    (
        lambda n, d: np.where(np.arange(d) % 2, 1.0, 0.0) + np.zeros((n, 1)),
        "Every row is the same as row 0, as if the angle were always 0: where does pos come in?",
    ),
    (_only(lambda pos, j, n, d: pos == 0), "Only row 0 is filled: does the return stand inside the loop?"),
    (lambda n, d: np.zeros((n, d)), "All cells are 0: nothing is written, or the function returns before it is."),
    (_only(lambda pos, j, n, d: pos < n - 1), "The last row is left empty: the positions stop one too early."),
    (_only(lambda pos, j, n, d: pos > 0), "Row 0 is left empty: the first position is 0, and its cosines are 1."),
    (_only(lambda pos, j, n, d: j < d - 1), "The last column is left empty: the columns stop one too early."),
    (
        _only(lambda pos, j, n, d: (j < d - 1) | (d % 2 == 1)),
        "Right for odd widths; at even ones the last cosine is left out: its column j + 1 is still below d_model.",
    ),
    (_only(lambda pos, j, n, d: j < (d + 1) // 2), "Only the first half of the columns is filled."),
    (_only(lambda pos, j, n, d: j % 2 == 0), "The sines are right; the odd columns, for the cosines, are left empty."),
    (_only(lambda pos, j, n, d: j % 2 == 1), "The cosines are right; the even columns, for the sines, are left empty."),
    (_only(lambda pos, j, n, d: j < d // 2 * 2), "Right for even widths; at odd ones the last column stays empty."),
    (
        _first_cosine_lost,
        "Right for even widths. At odd ones the cosine of the first pair is left out in place of the last pair's.",
    ),
    (lambda n, d: right(np.arange(n)[:, None], np.arange(d), d), "These are the angles: take their sines and cosines."),
] + [
    (
        table_of(lambda pos, j, d, width=width: pos / 10000 ** (2 * (j // 2) / width)),
        f"Every cell is computed for d_model = {width}, whatever the width: hand d_model on.",
    )
    for width in (4, 5, 6, 8, 10, 16, 32, 64, 128, 256, 512, 768)
]


# What a loop or a slice that runs too far says: (pattern in the call and what it raised, what it comes from).
CELL_ERRORS = (
    (
        r"d_model=(\d*[13579])\) raised IndexError: index \1 is out of bounds for axis 1 with size \1",
        "An odd d_model stops with an error: its last column is a sine, and no column is left for a cosine beside it.",
    ),
    (
        r"max_len=(\d+), d_model=\d+\) raised IndexError: index \1 is out of bounds for axis 1 with size \1",
        "The array is made with its sizes swapped: rows first, (max_len, d_model).",
    ),
    (
        r"max_len=(\d+), d_model=\d+\) raised IndexError: index \1 is out of bounds for axis 0 with size \1",
        "Row {0} is written, and the rows end before it (axis 0): do the indices stand as table[pos, j]?",
    ),
    (
        r"d_model=(\d+)\) raised IndexError: index \1 is out of bounds for axis 1 with size \1",
        "Column {0} is written, and the columns end before it: the column runs one too far.",
    ),
    (
        r"ZeroDivisionError",
        "Something is divided by 0. For pair 0 the exponent is 0 and the power 1: is all of 2k/d_model in brackets?",
    ),
)
