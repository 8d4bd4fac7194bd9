"""Fourier features: sines and cosines of the numbers in x, or of the places of a grid."""

import numpy as np

from .words import found

FACTORS = tuple(2.0**k * unit for unit in (1, np.pi, 2 * np.pi) for k in range(16))


def with_as_many_rows(look):
    """The explainer of ``look(call, x, out)``, for what gives as many rows as x has."""

    def explain(seen):
        response = seen.responses.get((2, 3))
        if response is None or response.out is None or response.out.shape[:2] != response.x.shape[:2]:
            return []
        return look(response.call, response.x, response.out)

    return explain


@with_as_many_rows
def of_features(call, x, out):
    """Every column of the output is a number of the same row of x, or a sine or cosine of one."""
    id, waves = waves_of(x, out)
    said = f"{call} gave {out.shape[-1]} columns, {waves} of them sines and cosines of x"
    return [found(id, said + " divided by 1, 2, 4, …" * (id == "octaves-divided"))] if id else []


def waves_of(x, out):
    """(id, how many columns are waves) of an output whose columns are numbers of x, or sines and cosines of them.

    The id is that of the design, "" for what is none; x (…, columns) may be told apart in ``out`` (…, columns, waves).
    """
    apart = out.shape[:-1] == x.shape  # an axis for what is made of one number
    x, out = (array.reshape(-1, array.shape[-1]) for array in (x, out))
    x = x.reshape(-1, 1) if apart else x
    if len(x) != len(out) or out.shape[1] <= x.shape[1] or (out.shape[1] % x.shape[1] and not apart):
        return "", 0
    waves = [j for j in range(out.shape[1]) if _which(out[:, j], x) is None]
    if _are_waves(out[:, waves], x, [*FACTORS, *_steps(out.shape[1] // x.shape[1])]):
        return "fourier-features", len(waves)
    divided = _are_waves(out[:, waves], x, [1 / factor for factor in FACTORS])
    return "octaves-divided" if divided else "", len(waves)


def _steps(count):
    """Equal steps for as many columns: NeRF's, up to a power of two, and the Perceiver's."""
    few, even = max((count - 1) // 2, 1), count // 2
    return [*np.linspace(1, 2.0 ** (few - 1), few), *np.pi * np.linspace(1, 5, even)]


def _are_waves(columns, x, factors):
    """Is each column a sine or cosine of a number of x times a factor, and each of these angles there as both?"""
    angles = (x[:, :, None] * np.array(factors)).reshape(len(x), -1)
    sines, cosines = ([_which(column, wave(angles)) for column in columns.T] for wave in (np.sin, np.cos))
    neither = any(s is None and c is None for s, c in zip(sines, cosines, strict=True))
    return len(sines) > 0 and not neither and _angles_of(sines) == _angles_of(cosines)


@with_as_many_rows
def of_drawn_features(call, x, out):
    """Every row of the output holds cosines and sines of the same angles, and differs with its row of x."""
    one, two = np.array_split(out, 2, axis=-1)
    if one.shape != two.shape or np.ptp(out) < 1e-3 or not np.allclose(one**2 + two**2, 1, atol=1e-4):
        return []
    said = f"{call} gave {one.shape[-1]} pairs of columns whose squares add up to 1 in every row"
    if out.shape[:-1] == x.shape:
        return [found("other-shape, of waves", said)]
    return [found("fourier-features, drawn", said)] if np.ptp(out, axis=0).max() > 1e-3 else []


@with_as_many_rows
def of_places(call, x, out):
    """Behind x stand its places from -1 to 1, on both axes before the last, and sines and cosines of these."""
    if out.ndim != 3 or out.shape[-1] < 13 or not np.array_equal(out[..., :8], x):
        return []
    rest, places = out[..., 8:].reshape(6, -1), np.indices((2, 3)).reshape(2, 6).T * (2, 1) - 1
    waves = rest[:, [_which(column, places) is None for column in rest.T]] ** 2
    paired = (np.abs(waves[:, :, None] + waves[:, None] - 1).max(0) < 1e-3).any(0)
    told = len(paired) and paired.all() and all(_which(column, rest) is not None for column in places.T)
    return [found("fourier-features, behind x", f"{call} gave {rest.shape[1]} columns more")] if told else []


def _which(column, known):
    """The number of the column of ``known`` that it is, or None."""
    off = np.abs(known - column[:, None]).max(axis=0)
    return int(off.argmin()) if off.min() < 5e-3 else None


def _angles_of(numbers):
    """Each angle has to come once as a sine, and once as a cosine."""
    return sorted(n for n in numbers if n is not None)
