"""Which exponents do frequencies have? Read back from the numbers, where no known slip has made them."""

import numpy as np

from ..judges.comparing import near


def of_frequencies(tried):
    """For functions of (d_model, base) that give one frequency for each pair."""
    arrays = tried.arrays()
    if not arrays or any(got.shape != want.shape for got, want in arrays):
        return None
    return _said(arrays[tried.off][0], *tried.examples[tried.off])


def _said(frequencies, d_model, base):
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
