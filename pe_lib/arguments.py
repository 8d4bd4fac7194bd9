"""Refuse bad arguments with a sentence that helps: which argument, what was given, what would work."""

import math
from numbers import Integral, Real


def check_size(name, value):
    """Return ``value`` as an int of at least 1; TypeError or ValueError names the argument ``name`` otherwise."""
    # True is an int for Python, but nobody means "one" by it.
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be a whole number such as 512, but got {value!r} ({type(value).__name__})")
    if value < 1:
        raise ValueError(f"{name} must be at least 1, but got {value}")
    return int(value)


def check_base(value):
    """Return ``value`` as a finite float of at least 1e-300; TypeError or ValueError otherwise."""
    number = _real("base", value, example="10000.0")
    if not (math.isfinite(number) and number >= 1e-300):  # smaller ones make frequencies that overflow
        raise ValueError(f"base must be a finite number above 0 (1e-300 or more), such as 10000.0, but got {value!r}")
    return number


def check_offset(value):
    """Return ``value``, a number of positions to move by, as a finite float; TypeError or ValueError otherwise."""
    number = _real("n", value, example="3")
    if not math.isfinite(number):
        raise ValueError(f"n must be a finite number such as 3, but got {value!r}")
    return number


def check_dropout(value):
    """Return ``value`` as a float in [0, 1); TypeError or ValueError otherwise."""
    number = _real("dropout", value, example="0.1")
    if not 0 <= number < 1:  # false for NaN too
        raise ValueError(f"dropout must be at least 0 and below 1, such as 0.1, but got {value!r}")
    return number


def _real(name, value, example):
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number such as {example}, but got {value!r} ({type(value).__name__})")
    try:
        return float(value)
    except OverflowError:  # an int beyond every float
        return math.inf
