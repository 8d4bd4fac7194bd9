"""Lesson 02, The formula."""

import numpy as np

from ..formula import frequencies
from ..judges import function, value
from .exercise import Exercise


def _rotation(n, frequency):
    c, s = np.cos(n * frequency), np.sin(n * frequency)
    return np.array([[c, -s], [s, c]])


def _row(*angles):
    """Sine and cosine of each angle in turn."""
    return np.array([f(angle) for angle in angles for f in (np.sin, np.cos)])


NO_MINUS = "A sign is wrong. The rule for the cosine has a minus before sin b; the rule for the sine has none."

EXERCISES = {
    "02.1": Exercise(
        2,
        function(
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
            ],
        ),
        "A rotation by n · frequency, and pos appears nowhere in it.",
    ),
    "02.2": Exercise(
        2,
        value(
            _row(2, 2 / 100),
            replies=[
                # Before the others: what is near enough to the right answer, but for its last number.
                ([0.909, -0.416, 0.020, 0.999], "cos 0.02 is 0.9998: rounded to three decimals, that is 1.000."),
                (_row(1, 1 / 100), "That is the row of position 1."),
                (_row(2, 2 / 100).round(2), "Two decimals are not enough here: give three."),
                (abs(_row(2, 2 / 100)), "2 radians lie beyond a quarter turn, so cos 2 is negative."),
                (
                    _row(2, 2 / 10000),
                    "The second pair uses the frequency 1/10000: the exponent was doubled (2k/d with k = 1 is 1/2).",
                ),
                (_row(2, 2), "Both pairs turn at the same speed. The exponent 2k/d is 1/2 for the second pair."),
                (
                    _row(2 * np.pi / 180, 0.02 * np.pi / 180),
                    "The calculator is set to degrees. The angles are radians.",
                ),
                (_row(2, 2 / 100)[[1, 0, 3, 2]], "Sine and cosine are swapped: even columns hold the sine."),
                (_row(2, 2 / 100)[[0, 2, 1, 3]], "All sines, then all cosines. In the paper they take turns."),
            ],
            tolerance=6e-4,
        ),
        "sin 2, cos 2, sin 0.02, cos 0.02: the second hand has hardly moved.",
    ),
    "02.3": Exercise(
        3,
        function(
            frequencies,
            [(8, 10000.0), (6, 10000.0), (7, 100.0)],
            mistakes=[
                (
                    lambda d, base: base ** (-4 * np.arange((d + 1) // 2) / d),
                    (
                        "The exponent is doubled: pair k has 2k/d. Did k run over 0, 2, 4, … and get multiplied by 2"
                        " again?"
                    ),
                ),
                (lambda d, base: base ** (-np.arange((d + 1) // 2) / d), "The exponent is k/d; the 2 is missing."),
                (
                    lambda d, base: base ** (2 * np.arange((d + 1) // 2) / d),
                    "The minus is lost: these frequencies grow from 1 to 10000.",
                ),
                (
                    lambda d, base: base ** (-2 * np.arange(d // 2) / d),
                    "Odd widths lose their last sine: d_model // 2 rounds down.",
                ),
                (
                    lambda d, base: base ** (-2 * (np.arange(d) // 2) / d),
                    "One for every column; one for every pair is asked.",
                ),
                (lambda d, base: base ** (-np.arange(d) / d), "Every column has its own exponent; a pair shares one."),
                (
                    lambda d, base: 2 * np.pi * base ** (2 * np.arange((d + 1) // 2) / d),
                    "These are wavelengths: 2π / frequency.",
                ),
                (lambda d, base: frequencies(d), "It uses 10000 whatever the base is."),
            ],
        ),
        "From 1 down, each pair slower than the one before by the same factor.",
    ),
}
