"""Which turn was made of a pair, read from the result of a learner's function."""

import numpy as np
import torch

from ..judges import numbers, pages

# 09.1. Unit vectors go in, two at a position: what comes out are the factors of a and b in both new columns.
UNITS = (torch.eye(2).repeat(2, 1), torch.tensor([3.0, 3.0, 2.0, 2.0]), 0.4)

PAGE = pages(__file__, globals())
ANGLES = ((lambda n, p, f: p * f, ""), *PAGE["an angle"].mistakes)  # the right one first
WANTED = ["cos", "-sin", "sin", "cos"]


def turn(tried):
    """Which angle was taken, and which terms were made of it."""
    made = numbers(tried.results[-1])
    if made is None or made.shape != (4, 2):
        return None
    _, positions, frequency = (np.asarray(part, dtype=float) for part in UNITS)
    factors = [made[0::2, 0], made[1::2, 0], made[0::2, 1], made[1::2, 1]]  # a, b in the first column; in the second
    if says := _added(tried):
        return says
    for angle, says in ANGLES:
        t = angle(np.arange(4.0), positions, frequency)
        first, second = (t[0::2], t[1::2])  # two rows of one position: the same angle, but for one that counts rows
        names = [_factor(f, first if n % 2 == 0 else second) for n, f in enumerate(factors)]
        if names == WANTED:
            return says or None
        if not says and None not in names:
            return _terms(names)
    return _by_another_angle(factors, positions * frequency)


def _added(tried):
    """Sines and cosines added to x, as rows were in lesson 06."""
    x, positions, frequency = tried.examples[0]
    t, more = (positions * frequency).numpy(), numbers(tried.results[0])
    if more is None or more.shape != tuple(x.shape):
        return None
    for waves in ((np.sin, np.cos), (np.cos, np.sin)):
        if np.allclose(more - x.numpy(), np.stack([wave(t) for wave in waves], 1), atol=1e-4):
            return "Sine and cosine are added to x, as in lesson 06; here they turn it: a cos t - b sin t, and so on."
    return None


def _by_another_angle(factors, asked):
    cos, minus_sin, sin, cos_again = factors
    if not (np.allclose(cos, cos_again, atol=1e-4) and np.allclose(sin, -minus_sin, atol=1e-4)):
        return None
    if not np.allclose(cos**2 + sin**2, 1, atol=1e-4):
        return None
    seen = np.arctan2(sin[0], cos[0])
    return f"It is a turn, but by another angle: {seen:.4g}, where position · frequency is {asked[0]:.4g}."


def _factor(seen, t):
    known = (name for of, name in PAGE["a factor"].mistakes if np.allclose(seen, of(np.cos(t), np.sin(t)), atol=1e-4))
    return next(known, None)


def _terms(names):
    made = f"It makes {_sum(*names[:2])} and {_sum(*names[2:])} of (a, b)."
    return PAGE["terms"].holding(names, [name.strip("-") for name in names]).format(made)


def _sum(of_a, of_b):
    parts = [f"{name} {letter}".replace("1 ", "") for name, letter in ((of_a, "a"), (of_b, "b")) if name != "0"]
    return " + ".join(parts).replace("+ -", "- ") or "0"
