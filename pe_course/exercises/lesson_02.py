"""Lesson 02, The formula."""

import numpy as np

from pe_lib.formula import frequencies

from ..judges import Function, Value, Way
from .exercise import Exercise
from .exponents import of_frequencies


def _rotation(n, frequency):
    c, s = np.cos(n * frequency), np.sin(n * frequency)
    return np.array([[c, -s], [s, c]])


def _row(*angles):
    """Sine and cosine of each angle in turn."""
    return np.array([f(angle) for angle in angles for f in (np.sin, np.cos)])


def _pairs(d):
    return np.arange((d + 1) // 2)


def _sines_on_the_diagonal(tried):
    arrays = tried.arrays()
    if arrays and all(
        got.shape == (2, 2) and np.allclose(abs(got), abs(want[::-1]), atol=1e-4) for got, want in arrays
    ):
        return "Sine and cosine have changed places: for n = 0 it has to be the identity, with ones on the diagonal."
    return None


def _signs(tried):
    arrays = tried.arrays()
    if arrays and all(got.shape == (2, 2) and np.allclose(abs(got), abs(want), atol=1e-4) for got, want in arrays):
        return NO_MINUS
    return None


def _turned_by(tried):
    """A turn, by another angle."""
    arrays = tried.arrays()
    if not arrays or any(got.shape != (2, 2) for got, _ in arrays):
        return None
    angles = [np.arctan2(got[1, 0], got[0, 0]) for got, _ in arrays]
    turns = [_rotation(angle, 1) for angle in angles]
    if not all(np.allclose(got, turn, atol=1e-4) for turn, (got, _) in zip(turns, arrays, strict=True)):
        return None
    n, frequency = tried.examples[tried.off]
    asked = f"n · frequency = {n} · {frequency:g} = {n * frequency:g}"
    return f"It is a turn, but by another angle: {angles[tried.off]:.4g}, where {asked}."


def _cells(tried):
    """What stands in the four cells, as functions of b = n · frequency."""
    arrays = tried.arrays()
    if not arrays or any(got.shape != (2, 2) for got, _ in arrays):
        return None
    b = np.array([n * frequency for n, frequency in tried.examples])
    names = [[_name(np.array([got[row, column] for got, _ in arrays]), b) for column in range(2)] for row in range(2)]
    if any(name is None for row in names for name in row) or {name for row in names for name in row} <= {"0", "1"}:
        return None
    spelled = ", ".join(f"[{', '.join(row)}]" for row in names)
    return f"With b = n · frequency it is [{spelled}]; the rules have cos b and sin b alone, each twice."


def _name(cells, b):
    with np.errstate(all="ignore"):
        for name, made in CELLS.items():
            for sign, text in ((1, name), (-1, f"-{name}")):
                if np.allclose(cells, sign * made(b), atol=1e-4):
                    return text.replace("-0", "0")
    return None


CELLS = {
    "cos b": np.cos,
    "sin b": np.sin,
    "tan b": np.tan,
    "cosh b": np.cosh,
    "sinh b": np.sinh,
    "0": lambda b: 0 * b,
    "1": lambda b: 0 * b + 1,
    "b": lambda b: b,
    "cos² b": lambda b: np.cos(b) ** 2,
    "sin² b": lambda b: np.sin(b) ** 2,
    "cos b · sin b": lambda b: np.cos(b) * np.sin(b),
}
NO_MINUS = "A sign is wrong. The rule for the cosine has a minus before sin b; the rule for the sine has none."

EXERCISES = {
    "02.1": Exercise(
        2,
        Function(
            _rotation,
            [(1, 0.5), (3, 0.2), (-2, 1.0)],
            mistakes=[
                (
                    lambda n, frequency: _rotation(n, frequency).T,
                    (
                        "This is the transpose: it turns the hand backwards. The row [sin, cos] stands to the left of"
                        " the matrix."
                    ),
                ),
                (lambda n, frequency: _rotation(n, frequency) * [[1, -1], [1, 1]], NO_MINUS),
                (lambda n, frequency: _rotation(n, frequency) * [[1, 1], [-1, 1]], NO_MINUS),
                (lambda n, frequency: _rotation(1, frequency), "It turns by one position, whatever n is."),
                (
                    lambda n, frequency: _rotation(n, 1.0),
                    "It ignores the frequency: the angle is n times the frequency.",
                ),
                (
                    lambda n, frequency: _rotation(2 * np.pi * n, frequency),
                    "A factor 2π too many: the frequency is in radians per position already, not in whole turns.",
                ),
                (
                    lambda n, frequency: _rotation(n, frequency * np.pi / 180),
                    "The angle is taken for degrees; n · frequency is in radians already.",
                ),
                (
                    lambda n, frequency: _rotation(n, frequency * 180 / np.pi),
                    "The angle is turned into degrees; np.sin and np.cos take radians, which it is in already.",
                ),
                (
                    lambda n, frequency: _rotation(1, frequency) ** n,
                    (
                        "** raises each number of the matrix to the power n. A matrix power is another thing: "
                        "np.linalg.matrix_power; or take the angle n · frequency."
                    ),
                ),
                (
                    lambda n, frequency: n * _rotation(1, frequency),
                    "The matrix of one step, with each number multiplied by n: n steps turn by n times the angle.",
                ),
                (lambda n, frequency: _rotation(n, 1 / frequency), "n is divided by the frequency; it is multiplied."),
                (lambda n, frequency: _rotation(frequency, 1 / n), "The frequency is divided by n; it is multiplied."),
                (
                    lambda n, frequency: _rotation(n + frequency, 1),
                    "n and the frequency are added; they are multiplied.",
                ),
                (lambda n, frequency: _rotation(2 * n, frequency), "It turns by twice the angle, n · frequency."),
                (lambda n, frequency: _rotation(n, frequency / 2), "It turns by half the angle, n · frequency."),
                (lambda n, frequency: _rotation(n + 1, frequency), "It turns by n + 1 positions."),
                (lambda n, frequency: _rotation(n - 1, frequency), "It turns by n − 1 positions: one step is missing."),
                (
                    lambda n, frequency: _rotation(max(n, 0), frequency),
                    "Right for n ≥ 0. A shift back, with a negative n, has a matrix, too.",
                ),
                (
                    lambda n, frequency: _rotation(abs(n), frequency),
                    "Right for n ≥ 0. For a negative n the hand has to turn the other way.",
                ),
            ],
            reasons=(_sines_on_the_diagonal, _signs),
            readings=(_turned_by, _cells),
            also=Way(small=(2, 0.5), not_own=frozenset({"shift_matrix"})),
        ),
        "A rotation by n · frequency, and pos appears nowhere in it.",
    ),
    "02.2": Exercise(
        2,
        Value(
            _row(2, 2 / 100),
            replies=[
                # Before the others: what is near enough to the right answer, but for its last number.
                ([0.909, -0.416, 0.020, 0.999], "cos 0.02 is 0.9998: rounded to three decimals, that is 1.000."),
                (_row(1, 1 / 100), "That is the row of position 1."),
                (_row(3, 3 / 100), "That is the row of position 3; position 2 is the third row, for they begin at 0."),
                (_row(0, 0), "That is the row of position 0."),
                (_row(2, 2 / 100).round(2), "Two decimals are not enough here: give three."),
                (_row(2, 2 / 100).round(1), "One decimal is not enough here: give three."),
                (abs(_row(2, 2 / 100)), "2 radians lie beyond a quarter turn, so cos 2 is negative."),
                (
                    _row(2, 2 / 10000),
                    "The second pair uses the frequency 1/10000: the exponent was doubled (2k/d with k = 1 is 1/2).",
                ),
                (
                    _row(2, 2 / 10),
                    "The second pair uses the frequency 1/10, with the exponent 1/4: the 2 of 2k/d_model is missing.",
                ),
                (_row(2, 2 / 1000), "The second pair uses the frequency 1/1000; 10000 to the power 1/2 is 100."),
                (_row(2, 2 * 100), "The second angle is 2 · 100; it is divided by 100."),
                (_row(2, 1 / 100), "The second angle is that of position 1: 2/100 is asked for."),
                (_row(2, 2), "Both pairs turn at the same speed. The exponent 2k/d is 1/2 for the second pair."),
                (
                    _row(2 * np.pi / 180, 0.02 * np.pi / 180),
                    "The calculator is set to degrees. The angles are radians.",
                ),
                (
                    [np.sin(2), np.cos(2), np.sin(2) / 100, np.cos(2) / 100],
                    "The sine and cosine of 2 are divided by 100; divide the angle, and then take its sine.",
                ),
                ([2, 2, 0.02, 0.02], "These are the angles. Take the sine and the cosine of each."),
                ([2, 0.02], "These are the two angles. Take the sine and the cosine of each."),
                (_row(2), "That is the first pair. The second has the angle 2/100."),
                (_row(2, 2 / 100)[[0, 2]], "The two sines; each is followed by its cosine."),
                (_row(2, 2 / 100)[[1, 0, 3, 2]], "Sine and cosine are swapped: even columns hold the sine."),
                (_row(2, 2 / 100)[[0, 2, 1, 3]], "All sines, then all cosines. In the paper they take turns."),
                (
                    _row(2, 2 / 100, 2 / 10000, 2e-6)[[0, 3, 4, 7]],
                    "The column is taken for the pair: two columns share a frequency, and their exponents are 0, 0, 1/2"
                    " and 1/2.",
                ),
                (
                    _row(2, 0.2, 0.02, 0.002)[[0, 3, 4, 7]],
                    "Every column has an exponent of its own, j/4; a sine and its cosine share one, 0 and then 1/2.",
                ),
                (_row(2, 2 / 100)[[0, 0, 2, 2]], "Sines alone: the second number of each pair is a cosine."),
                (_row(2, 2 / 100)[[1, 1, 3, 3]], "Cosines alone: the first number of each pair is a sine."),
                (
                    _row(2 / 100, 2 / 100),
                    "Both pairs turn at the same speed, that of pair 1; the frequency of pair 0 is 1.",
                ),
                (
                    _row(4 * np.pi, 0.04 * np.pi),
                    "A factor 2π too many: the angles are 2 and 2/100, in radians.",
                ),
                (_row(2 / 100, 2), "The pairs have changed places: pair 0 is the fast one, with the frequency 1."),
            ],
            tolerance=6e-4,
        ),
        "sin 2, cos 2, sin 0.02, cos 0.02: the second hand has hardly moved.",
    ),
    "02.3": Exercise(
        3,
        Function(
            frequencies,
            [(8, 10000.0), (6, 10000.0), (7, 100.0), (5, 10000.0)],
            mistakes=[
                (
                    lambda d, base: base ** (-4 * _pairs(d) / d),
                    (
                        "The exponent is doubled: pair k has 2k/d. Did k run over 0, 2, 4, … and get multiplied by 2"
                        " again?"
                    ),
                ),
                (
                    lambda d, base: base ** (-_pairs(d) / d),
                    "The exponent is k/d: the 2 is missing, or the root of the base is taken.",
                ),
                (
                    lambda d, base: base ** (2 * _pairs(d) / d),
                    "The minus is lost: these numbers grow from pair to pair; frequencies fall.",
                ),
                (
                    lambda d, base: base ** (-2 * np.arange(d // 2) / d),
                    "Odd widths lose their last sine: d_model // 2 rounds down.",
                ),
                (
                    lambda d, base: base ** (-2 * np.arange(round(d / 2)) / d),
                    (
                        "Some odd widths lose their last sine: round takes a half to the nearest even number, so that"
                        " round(2.5) is 2. (d_model + 1) // 2 rounds up."
                    ),
                ),
                (
                    lambda d, base: base ** (-2 * np.arange(d // 2 + 1) / d),
                    "Even widths get one too many: d_model // 2 + 1 is right for odd widths only.",
                ),
                (
                    lambda d, base: base ** (-2 * (np.arange(d) // 2) / d),
                    "One for every column; one for every pair is asked.",
                ),
                (lambda d, base: base ** (-np.arange(d) / d), "Every column has its own exponent; a pair shares one."),
                (
                    lambda d, base: base ** (-2 * np.arange(d) / d),
                    "k runs over all columns; there is one frequency for every pair, half as many.",
                ),
                (
                    lambda d, base: base ** (-2 * (_pairs(d) + 1) / d),
                    "The pairs are counted from 1: the first pair is k = 0, and its frequency is 1.",
                ),
                (
                    lambda d, base: base ** (-_pairs(d) / len(_pairs(d))),
                    "Right for even widths: only there is the number of pairs d_model / 2. The exponent is 2k/d_model.",
                ),
                (
                    lambda d, base: base ** (-2 * _pairs(d) / len(_pairs(d))),
                    "The exponent is 2k divided by the number of pairs; it is divided by d_model.",
                ),
                (
                    lambda d, base: np.geomspace(1, 1 / base, len(_pairs(d))),
                    (
                        "The steps are geometric, but they end at 1/base: there the exponent reaches 1, and the paper's"
                        " stops one step before."
                    ),
                ),
                (
                    lambda d, base: np.linspace(1, 1 / base, len(_pairs(d))),
                    "Evenly spaced. The paper's fall by the same factor from pair to pair.",
                ),
                (
                    lambda d, base: 2 * np.pi * base ** (2 * _pairs(d) / d),
                    "These are wavelengths: 2π / frequency.",
                ),
                (lambda d, base: 2 * np.pi * frequencies(d, base), "A factor 2π too many: the first frequency is 1."),
                (lambda d, base: frequencies(d), "It uses 10000 whatever the base is."),
                (
                    lambda d, base: base**-2 * _pairs(d) / d,
                    "The brackets of base ** (-2 * k / d_model) are missing: ** takes only the 2.",
                ),
                (
                    lambda d, base: base ** (-2 * _pairs(d)) / d,
                    "The brackets end too early: d_model belongs into the exponent, base ** (-2 * k / d_model).",
                ),
                (
                    lambda d, base: -(base ** (2 * _pairs(d) / d)),
                    "The minus stands before the power and not in the exponent: base ** (-2 * k / d_model).",
                ),
                (lambda d, base: base * (-2 * _pairs(d) / d), "Multiplied by the exponent; a power is written **."),
                (lambda d, base: -2 * _pairs(d) / d, "These are the exponents; base is to be raised to them."),
                (
                    lambda d, base: 2 * _pairs(d) / d,
                    "These are the exponents, without their minus; base is to be raised to them.",
                ),
                (
                    lambda d, base: base ** (-2 * _pairs(d) // d),
                    "// cuts the exponent to a whole number: / keeps its decimals.",
                ),
                (
                    lambda d, base: base ** -(2 * _pairs(d) // d).astype(float),
                    "// cuts the exponent to a whole number, here 0: / keeps its decimals.",
                ),
                (
                    lambda d, base: np.exp(-2 * _pairs(d) * np.log10(base) / d),
                    "exp undoes the natural logarithm, np.log; np.log10 belongs to powers of 10.",
                ),
                (
                    lambda d, base: np.exp(-2 * _pairs(d) * np.log2(base) / d),
                    "exp undoes the natural logarithm, np.log; np.log2 belongs to powers of 2.",
                ),
                (
                    lambda d, base: -2 * _pairs(d) * np.log(base) / d,
                    "These are the logarithms of the frequencies: np.exp of them is missing.",
                ),
            ],
            errors=[
                (
                    r"Integers to negative integer powers",
                    "NumPy raises whole numbers to no negative power: base has to be a float.",
                ),
            ],
            readings=(of_frequencies,),
            also=Way(small=(6, 100.0), not_own=frozenset({"frequencies"})),
        ),
        "From 1 down, each pair slower than the one before by the same factor.",
    ),
}
