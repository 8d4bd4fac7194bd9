"""How fast does each column turn? The rate of a sine or cosine whose positions are known, and how exactly."""

import numpy as np

from ..law.fit import Rates

NO_WAVE = 0.03  # float32 may lose as much of an angle of many turns


def measure(values, positions, is_sine, noise):
    """`Rates` of the columns of ``values`` (rows, columns), up to whole turns; what is no wave has an infinite error,
    and zeros have that of half a turn.

    positions (rows,) are one apart; ``is_sine`` says which columns are sines, the others are cosines; ``noise`` is by
    how much a cell may be off. A sine's rate lies between −π and π, a cosine's between 0 and π.
    """
    x = positions[:, None].astype(float)
    quick = _by_recurrence(values)
    height = _height(values, x, quick)
    unit = np.clip(values / height, -1, 1)
    slow = np.where(is_sine, np.arcsin(unit) * x, np.arccos(unit) * np.abs(x)).sum(axis=0) / (x**2).sum()
    starts = np.stack((slow, quick, np.where(is_sine, -quick, quick)))
    rates, left, power = _refined(values, x, starts, is_sine, height)
    best = left.argmin(axis=0), np.arange(values.shape[1])
    error = np.where(np.abs(values).max(axis=0) < 1e-5, np.pi, noise / np.sqrt(power[best]))  # sin nπ is 0 for all n
    return Rates(rates[best], np.where(left[best] > NO_WAVE + 3 * noise, np.inf, error), unsigned=~is_sine)


def _refined(values, x, rates, is_sine, height):
    """Newton's steps of least squares from each row of ``rates`` (starts, columns).

    Returns the rates, what is left, and how strongly the columns depend on them.
    """
    for _ in range(4):
        wave, slope = _wave(x, rates, is_sine, height)
        power = (slope**2).sum(axis=1) + 1e-30
        rates = rates + np.clip((slope * (values - wave)).sum(axis=1) / power, -0.1, 0.1)
    return rates, np.abs(values - _wave(x, rates, is_sine, height)[0]).max(axis=1), power


def _wave(x, rates, is_sine, height):
    """What the rates give, and its slope: two arrays (starts, rows, columns)."""
    sine, cosine = np.sin(rates[:, None] * x), np.cos(rates[:, None] * x)
    return height * np.where(is_sine, sine, cosine), height * x * np.where(is_sine, cosine, -sine)


def _by_recurrence(values):
    """x[t+1] + x[t-1] = 2 cos(w) x[t] for every sine and cosine, wherever it begins."""
    middle, sides = values[1:-1], values[2:] + values[:-2]
    power = (middle**2).sum(axis=0)
    cosine = np.where(power > 1e-12, (middle * sides).sum(axis=0) / np.maximum(2 * power, 1e-30), 1.0)
    return np.arccos(np.clip(cosine, -1, 1))


def _height(values, x, rates):
    """The amplitude of the waves that come round far enough to show it; else the largest number."""
    shown = np.flatnonzero((rates > 0.3) & (rates < 2.8))
    heights = _amplitudes(values[:, shown], x * rates[shown])
    height = float(np.median(heights)) if len(heights) else float(np.abs(values).max())
    return 1.0 if abs(height - 1) < 0.03 or height < 1e-12 else height


def _amplitudes(values, angles):
    """By least squares, the height of the wave in each column; ``angles`` are those of a sine and a cosine."""
    sine, cosine = np.sin(angles), np.cos(angles)
    ss, sc, cc = (sine**2).sum(axis=0), (sine * cosine).sum(axis=0), (cosine**2).sum(axis=0)
    of_sine, of_cosine = (sine * values).sum(axis=0), (cosine * values).sum(axis=0)
    return np.hypot(cc * of_sine - sc * of_cosine, ss * of_cosine - sc * of_sine) / (ss * cc - sc**2)
