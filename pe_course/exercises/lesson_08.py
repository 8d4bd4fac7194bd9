"""Lesson 08, Relative position."""

import sys
from dataclasses import replace

import numpy as np

from pe_clinic import Diagnosis, diagnose_table
from pe_clinic.sandbox import run
from pe_lib.formula import frequencies
from pe_lib.rotation import shift_matrix
from pe_lib.vectorized import sinusoidal_vectorized

from ..judges import Function, Table, wrong
from ..judges.returned import changes_its_argument
from .exercise import Exercise
from .ordering import Ordering

TABLES = sinusoidal_vectorized(6, 8), sinusoidal_vectorized(7, 4)  # two widths: it must take d_model from the table
SQUARE = sinusoidal_vectorized(8, 8), sinusoidal_vectorized(4, 4)  # here shapes fit that do not fit elsewhere
ABOUT_ODD_WIDTHS = {"odd-differs", "odd-width", "odd-crash"}
LONG = 3000  # rows, far more than any sensible piece has
NO_PRODUCT = r"mismatch in its core dimension 0"


def _rows_taken(function, *arguments):
    """The most rows that a call takes from one of pe_lib's finished tables."""
    most = 0

    def profile(frame, event, _):
        nonlocal most
        if event == "call" and frame.f_code.co_name.startswith("sinusoidal_"):
            rows = frame.f_locals.get("max_len")
            most = max(most, rows) if isinstance(rows, (int, np.integer)) else most

    def watched():
        old = sys.getprofile()
        sys.setprofile(profile)
        try:
            function(*arguments)
        finally:
            sys.setprofile(old)

    run("the function", watched)
    return most


def _without_a_table(similarity):
    if _rows_taken(similarity, 3, 8):
        title = "The number is right, and a whole table is made for it: a cosine for each pair is enough."
        return wrong("library", title, fix="frequencies(d_model), and offset")
    return Diagnosis(ok=True)


def _turned(by_rotation):
    if _rows_taken(by_rotation, LONG, 4) >= LONG:
        title = "The numbers are right, but come from a finished table; build it by turning a few rows, the units."
        return wrong("library", title, f"for {LONG} rows it asks for a table of {LONG} rows")
    return Diagnosis(ok=True)


def _at_even_widths(by_rotation):
    """Only even widths are asked for: at an odd one the right table stands in, and nothing is said of it."""
    if not callable(by_rotation):
        return diagnose_table(by_rotation)

    def function(max_len, d_model):
        return by_rotation(max_len, d_model) if d_model % 2 == 0 else sinusoidal_vectorized(max_len, d_model)

    diagnosis = diagnose_table(function)
    findings = tuple(finding for finding in diagnosis.findings if finding.id not in ABOUT_ODD_WIDTHS)
    return replace(diagnosis, findings=findings)


def _pieces(turn, B=4, pieces=lambda max_len, B: max_len // B + 1, join=np.vstack):
    """by_rotation with another way to turn piece a, another number of pieces, or another way to join them."""

    def by_rotation(max_len, d_model):
        units = sinusoidal_vectorized(B, d_model)
        return join([turn(units, a, B, d_model) for a in range(pieces(max_len, B))])[:max_len]

    return by_rotation


def _turn(units, a, B, d_model):
    return units @ shift_matrix(a * B, d_model)


def _doubled(by_doubling):
    """The paper's table, for 08.4."""
    for size in ((10, 4), (5, 8)):
        table = by_doubling(*size)
        if table.shape != size or not np.allclose(table, sinusoidal_vectorized(*size), atol=1e-6):
            seen = f"by_doubling(max_len={size[0]}, d_model={size[1]}) has the shape {table.shape}"
            return wrong("order", "It runs, and gives another table than the paper's.", seen)
    return Diagnosis(ok=True)


SHUFFLED = (
    "        rows = 2 * rows",
    "    return table[:max_len]",
    "    table = sinusoidal_vectorized(1, d_model)",
    "        table = np.vstack([table, table @ M])",
    "def by_doubling(max_len, d_model):",
    "        M = shift_matrix(rows, d_model)",
    "    rows = 1",
    "    while rows < max_len:",
)
SLIPS = (
    ("B", "H", "return ends the function: the loop below it never runs."),
    ("A", "F", "rows is doubled before M is made: M then shifts by twice as many rows as the table has."),
)


def _softmax(scores):
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def _distances(rows, others):
    return np.linalg.norm(rows[:, None] - others[None], axis=2)


def _cosines(offset, d_model):
    return np.cos(offset * frequencies(d_model))


EXERCISES = {
    "08.1": Exercise(
        2,
        Function(
            lambda offset, d_model: _cosines(offset, d_model).sum(),
            [(0, 4), (3, 8), (-5, 16), (310, 4)],  # at 310 all have turned, the sum is negative
            mistakes=[
                (lambda n, d: _cosines(n, d).mean(), "This is the mean; the dot product is the sum over the pairs."),
                (
                    lambda n, d: np.sin(n * frequencies(d)).sum(),
                    "Sines: at offset 0 they give 0, but a row with itself gives the number of pairs.",
                ),
                (lambda n, d: _cosines(n, d), "One cosine for each pair: the dot product is their sum."),
                (
                    lambda n, d: 2 * _cosines(n, d).sum(),
                    "Twice too much: a pair contributes one cosine, its sine and cosine together.",
                ),
                (
                    lambda n, d: (np.cos(n) * frequencies(d)).sum(),
                    "The frequency stands outside the cosine; it belongs to the angle: offset · frequency.",
                ),
                (
                    lambda n, d: np.cos(n / frequencies(d)).sum(),
                    "Divided by the frequency; the angle is offset times the frequency.",
                ),
                (
                    lambda n, d: np.cos(n * frequencies(d, 1e8)).sum(),
                    "The exponent is doubled: where i runs over 0, 2, 4, …, it is 2k already.",
                ),
                (
                    lambda n, d: np.cos(n * frequencies(d, 100.0)).sum(),
                    "The exponent is k/d_model; the paper's is 2k/d_model, with k counting pairs.",
                ),
                (
                    lambda n, d: sum(np.cos(n / 10000 ** (j / d)) for j in range(d)),
                    "One cosine for every column, each with an exponent of its own; two columns share one.",
                ),
                (lambda n, d: np.cos((n * frequencies(d)).sum()), "The angles are added up; their cosines should be."),
                (
                    lambda n, d: np.cos(2 * np.pi * n * frequencies(d)).sum(),
                    "The angle is offset · frequency, in radians: without 2π.",
                ),
                (lambda n, d: np.cos(np.radians(n * frequencies(d))).sum(), "The angles are radians, and no degrees."),
                (
                    lambda n, d: (_cosines(n, d) + np.sin(n * frequencies(d))).sum(),
                    "A pair contributes the cosine alone: sin a · sin b + cos a · cos b = cos(a − b).",
                ),
                (
                    lambda n, d: (_cosines(n, d) ** 2).sum(),
                    "The cosines are squared: that is a length, and no dot product of two rows.",
                ),
                (lambda n, d: _cosines(n, d).sum() / d, "Divided by d_model: the dot product does not average."),
                (
                    lambda n, d: _cosines(n, d).sum() / np.sqrt(d),
                    "Divided by √d_model, as scores are; here the plain dot product is asked for.",
                ),
                (
                    lambda n, d: sum(np.cos(n / 10000 ** (2 * k / d)) for k in range(d)),
                    "Twice as many pairs as there are: k runs over d_model // 2 of them.",
                ),
                (
                    lambda n, d: sum(np.cos(n / 10000 ** (2 * k / d)) for k in range(1, d // 2 + 1)),
                    "The pairs begin at 1: pair 0, with frequency 1, is missing, and one too many stands at the end.",
                ),
                (lambda n, d: _cosines(n, d)[:-1].sum(), "The last pair is missing."),
                (lambda n, d: _cosines(n, d)[1:].sum(), "The first pair is missing: k = 0, with frequency 1."),
                (lambda n, d: _cosines(n, d).prod(), "The cosines are multiplied; a dot product adds them up."),
                (lambda n, d: np.abs(_cosines(n, d)).sum(), "The signs of the cosines are lost: no absolute value."),
                (
                    lambda n, d: frequencies(d) @ _cosines(n, d),
                    "Each cosine is multiplied by its frequency once more; the frequency belongs to the angle alone.",
                ),
                (
                    lambda n, d: np.cos(n * np.arange(d // 2)).sum(),
                    "The pair number k stands where its frequency should.",
                ),
                (
                    lambda n, d: np.cos(n) * d / 2,
                    "The frequency is missing: every pair counts as cos(offset), as if all turned alike.",
                ),
                (
                    lambda n, d: np.cos(n),
                    "Only the first pair, with the frequency 1, is there; the cosines of all pairs are added up.",
                ),
                (
                    lambda n, d: _cosines(n, d)[-1],
                    "Only the last pair's cosine comes back; the cosines of all pairs are added up.",
                ),
                (
                    lambda n, d: _cosines(n, d).max(),
                    "The largest of the cosines comes back; the cosines of all pairs are added up.",
                ),
                (
                    lambda n, d: np.abs(_cosines(n, d).sum()),
                    "The sign of the sum is lost: no absolute value.",
                ),
                (
                    lambda n, d: (1 - _cosines(n, d)).sum(),
                    "This is how far the cosines are from 1; the dot product is their plain sum.",
                ),
                (
                    lambda n, d: np.cos(n + frequencies(d)).sum(),
                    "Offset and frequency are added; the angle is offset times frequency.",
                ),
                (
                    lambda n, d: _cosines(n, d) @ np.sin(n * frequencies(d)),
                    "Sine times cosine: in the dot product sines meet sines and cosines meet cosines.",
                ),
                (
                    lambda n, d: d / 2,
                    "This is the number of pairs whatever the offset: sin² + cos² of one angle is 1.",
                ),
                (
                    lambda n, d: np.sqrt(2 * (1 - _cosines(n, d)).sum()),
                    "This is the distance of the two rows; their dot product is asked for.",
                ),
                (
                    lambda n, d: 2 * (1 - _cosines(n, d)).sum(),
                    "This is the squared distance of the two rows; their dot product is asked for.",
                ),
                (lambda n, d: n * _cosines(1, d).sum(), "The offset stands outside the cosine; it belongs into it."),
            ],
            also=_without_a_table,
        ),
        "No table is needed: the dot product knows only the offset.",
    ),
    "08.2": Exercise(
        2,
        Function(
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
                (
                    lambda n, table: table @ shift_matrix(n, table.shape[1]) @ table,
                    "The second table is not transposed: rows meet rows in table @ … @ table.T.",
                ),
                (
                    lambda n, table: table.T @ shift_matrix(n, table.shape[1]) @ table,
                    "The wrong one is transposed: it is the second, table.T, that brings the rows of all q.",
                ),
                (
                    lambda n, table: shift_matrix(n, table.shape[1]) @ table @ table.T,
                    "The matrix stands on the left of the table: rows are turned from the right.",
                ),
                (
                    lambda n, table: table @ table.T @ shift_matrix(n, table.shape[1]),
                    "The matrix stands behind both tables: it belongs between them.",
                ),
                (
                    lambda n, table: table @ shift_matrix(n, len(table)) @ table.T,
                    "shift_matrix takes d_model, the width, table.shape[1]; this is the number of rows.",
                ),
                (
                    lambda n, table: table @ shift_matrix(n, table.shape[1]),
                    "These are the rows, shifted; their product with all rows, @ table.T, is missing.",
                ),
                (
                    lambda n, table: table @ shift_matrix(n, table.shape[1]) @ table.T * 2 / table.shape[1],
                    "Divided by the number of pairs, as above the picture; that is not asked here.",
                ),
                (
                    lambda n, table: table @ shift_matrix(n, table.shape[1]) @ table.T / np.sqrt(table.shape[1]),
                    "Divided by √d_model, as attention does; that is not asked here.",
                ),
                (
                    lambda n, table: np.roll(table, -n, 0) @ table.T,
                    "The rows are moved, and come in again at the other end; turn them by M(n).",
                ),
                (
                    lambda n, table: np.roll(table, n, 0) @ table.T,
                    "The rows are moved, the other way, and come in again at the other end; turn them by M(n).",
                ),
                (
                    lambda n, table: table @ shift_matrix(abs(n), table.shape[1]) @ table.T,
                    "It looks ahead for a negative n, too: the absolute value loses the direction.",
                ),
                (
                    lambda n, table: table @ shift_matrix(2 * n, table.shape[1]) @ table.T,
                    "It looks twice as far: n is doubled, or the matrix stands there twice.",
                ),
                (lambda n, table: shift_matrix(n, table.shape[1]), "The matrix alone: it belongs between two tables."),
                (
                    lambda n, table: _softmax(table @ shift_matrix(n, table.shape[1]) @ table.T),
                    "These are weights, after softmax; the scores before it are asked for.",
                ),
                (
                    lambda n, table: _softmax(
                        table @ shift_matrix(n, table.shape[1]) @ table.T / table.shape[1] ** 0.5
                    ),
                    "These are weights, after softmax; the scores before it are asked for.",
                ),
                *(
                    (
                        lambda n, table, way=way: np.roll(table @ table.T, way * n, axis=1),
                        "The finished scores are moved, and come in again at the other end; M(n) between the tables"
                        " makes a score for every pair.",
                    )
                    for way in (1, -1)
                ),
                (
                    lambda n, table: _distances(table @ shift_matrix(n, table.shape[1]), table),
                    "These are distances; scores are dot products: a product with table.T.",
                ),
                (lambda n, table: table @ table.T + n, "n is added to the scores; a shift by n is a matrix."),
                (
                    lambda n, table: n * table @ table.T,
                    "The scores are multiplied by n; a shift by n is a matrix: shift_matrix(n, d_model).",
                ),
            ],
            errors=[
                (
                    r"n must be|d_model must be a whole number",
                    "shift_matrix takes n, and then d_model, which is table.shape[1]: both are whole numbers.",
                ),
                (r"d_model must be", "shift_matrix takes d_model, which is table.shape[1]; this is another size."),
                (NO_PRODUCT, "The sizes do not meet: (rows, d_model) @ (d_model, d_model) @ (d_model, rows)."),
            ],
            first=[changes_its_argument],
            easier=[(1, SQUARE[0]), (-2, SQUARE[1])],
        ),
        "One matrix between the rows, and every token looks n tokens on.",
    ),
    "08.3": Exercise(
        4,
        Table(
            diagnose=_at_even_widths,
            sizes=((5, 8), (7, 6), (9, 4)),
            mistakes=[
                (
                    _pieces(lambda units, a, B, d: units @ shift_matrix(-a * B, d)),
                    "It turns backwards, by −a · B: M(n) leads to the row n later, with n = a · B.",
                ),
                (
                    _pieces(lambda units, a, B, d: units @ shift_matrix(a, d)),
                    "Piece a is turned by a positions only; it begins at row a · B.",
                ),
                (
                    _pieces(lambda units, a, B, d: units @ shift_matrix(a + B, d)),
                    "Piece a is turned by a + B; it begins at row a · B.",
                ),
                (
                    _pieces(lambda units, a, B, d: units @ shift_matrix(a * (B - 1), d)),
                    "Piece a is turned by a · (B − 1); B rows before it are 0 to B − 1, so it begins at row a · B.",
                ),
                (
                    _pieces(lambda units, a, B, d: units @ shift_matrix(a * (a + 1) // 2 * B, d)),
                    "Each piece is turned on from the one before, and by a · B once more: from piece to piece it is B.",
                ),
                (
                    _pieces(_turn, join=lambda pieces: np.stack(pieces, axis=1).reshape(-1, pieces[0].shape[1])),
                    "The rows of the pieces take turns: first all rows 0, then all rows 1. Pieces stand one below"
                    " the other, as np.vstack lays them.",
                ),
                (_pieces(_turn, join=lambda pieces: np.vstack(pieces[1:])), "Piece 0, the units, is missing."),
                (
                    _pieces(lambda units, a, B, d: units @ shift_matrix((a + 1) * B, d)),
                    "Every piece is turned once too far: piece 0 is the units as they are.",
                ),
                (
                    _pieces(lambda units, a, B, d: units),
                    "The pieces are all the same: piece a has to be turned by a · B.",
                ),
                (
                    _pieces(lambda units, a, B, d: units @ shift_matrix(B, d)),
                    "All pieces are turned by B; piece a is turned by a · B.",
                ),
                (
                    _pieces(_turn, pieces=lambda max_len, B: max_len // B),
                    "The last piece is missing: max_len // B rounds down.",
                ),
                (
                    _pieces(_turn, join=lambda pieces: np.array(pieces)),
                    "The pieces have an axis of their own, three axes in all: np.vstack lays them one below the other.",
                ),
                (
                    _pieces(_turn, join=np.hstack),
                    "The pieces stand side by side: np.vstack lays them one below the other.",
                ),
                (
                    lambda max_len, d: np.vstack(
                        [sinusoidal_vectorized(4, d) @ shift_matrix(4 * a, d) for a in range(max_len // 4 + 1)]
                    ),
                    "The table has the wrong shape: the last piece is too long, and is not cut to max_len rows.",
                ),
            ],
            errors=[
                (
                    NO_PRODUCT,
                    "The matrix stands on the left of the rows, or has another width; it has to be on the right: "
                    "units @ shift_matrix(…, d_model).",
                ),
                (r"need at least one array", "There is no piece at all: max_len // B rounds down, here to 0."),
                (r"dimensions except for the concatenation axis", "The pieces have different widths or axes."),
            ],
            also=_turned,
        ),
        "A few rows and their turns give all the others.",
        given="B = 4",
    ),
    "08.4": Exercise(
        2,
        Ordering(
            SHUFFLED,
            "by_doubling",
            {"np": np, "sinusoidal_vectorized": sinusoidal_vectorized, "shift_matrix": shift_matrix},
            trial=lambda by_doubling: by_doubling(5, 4),
            judge=_doubled,
            slips=SLIPS,
        ),
        "From one row to 2, 4, 8, …: each time all that is there is turned by its own length.",
    ),
}
