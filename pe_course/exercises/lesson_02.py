"""Lesson 02, The formula."""

import numpy as np

from pe_lib.formula import frequencies

from ..judges import Function, Value, Way, near, of_numbers, pages


def _rotation(n, frequency):
    c, s = np.cos(n * frequency), np.sin(n * frequency)
    return np.array([[c, -s], [s, c]])


def _row(*angles):
    """Sine and cosine of each angle in turn."""
    return np.array([f(angle) for angle in angles for f in (np.sin, np.cos)])


def _pairs(d):
    return np.arange((d + 1) // 2)


def _turned_by(tried, arrays):
    """A turn, by another angle."""
    angles = [np.arctan2(got[1, 0], got[0, 0]) for got, _ in arrays]
    turns = [_rotation(angle, 1) for angle in angles]
    if not all(near(got, turn) for turn, (got, _) in zip(turns, arrays, strict=True)):
        return None
    n, frequency = tried.examples[tried.off]
    asked = f"n · frequency = {n} · {frequency:g} = {n * frequency:g}"
    return f"It is a turn, but by another angle: {angles[tried.off]:.4g}, where {asked}."


def _of_frequencies(tried, arrays):
    """Which exponents the frequencies have, read back from the numbers, where no known slip has made them."""
    frequencies, (d_model, base) = arrays[tried.off][0], tried.examples[tried.off]
    if not np.isfinite(frequencies).all() or not (frequencies > 0).all():
        return None
    exponents = -np.log(frequencies) / np.log(base)
    step = exponents[1] - exponents[0]
    if abs(exponents[0]) > 1e-6 or abs(step) < 1e-6:
        return None
    if near(exponents, step * np.arange(len(exponents))):
        return f"From the numbers, 2k is divided by {2 / step:.4g}; with d_model = {d_model} it is {d_model}."
    asked = 2 * np.arange(len(exponents)) / d_model
    return f"From the numbers, the exponents are {_listed(exponents)}; 2k/d_model gives {_listed(asked)}."


def _listed(numbers):
    return ", ".join(f"{number:.3g}" for number in np.round(numbers, 6) + 0.0)


def _cells(tried, arrays):
    """What stands in the four cells, as functions of b = n · frequency."""
    b = np.array([n * frequency for n, frequency in tried.examples])
    names = [[_name(np.array([got[row, column] for got, _ in arrays]), b) for column in range(2)] for row in range(2)]
    if any(name is None for row in names for name in row) or {name for row in names for name in row} <= {"0", "1"}:
        return None
    spelled = ", ".join(f"[{', '.join(row)}]" for row in names)
    return f"With b = n · frequency it is [{spelled}]; the rules have cos b and sin b alone, each twice."


def _name(cells, b):
    with np.errstate(all="ignore"):
        for made, name in PAGE["a cell"].mistakes:
            for sign, text in ((1, name), (-1, f"-{name}")):
                if near(cells, sign * made(b)):
                    return text.replace("-0", "0")
    return None


PAGE = pages(__file__, globals())

JUDGES = {
    "02.1": Function(
        _rotation,
        [(1, 0.5), (3, 0.2), (-2, 1.0)],
        reasons=[of_numbers([lambda _, arrays: PAGE["a matrix"].holding(arrays)])],
        readings=[of_numbers([_turned_by, _cells])],
        also=Way(small=(2, 0.5), not_own=frozenset({"shift_matrix"})),
    ),
    "02.2": Value(_row(2, 2 / 100), tolerance=6e-4),
    "02.3": Function(
        frequencies,
        [(8, 10000.0), (6, 10000.0), (7, 100.0), (5, 10000.0)],
        readings=[of_numbers([_of_frequencies])],
        also=Way(small=(6, 100.0), not_own=frozenset({"frequencies"})),
    ),
}
