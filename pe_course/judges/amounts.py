"""Answers that are turned round, and numbers that differ in one and the same way everywhere."""

import numpy as np

from .comparing import near


def true_or_false(tried, arrays):
    """Of what should answer with True or False."""
    if not all(map(is_bool, tried.expected)):
        return None
    if all(map(is_bool, tried.results)) and any(got.size > 1 for got, _ in arrays):
        return "A whole table of True and False; one answer is asked for."
    if not any(map(is_bool, tried.results)):
        return "Numbers come back; one answer is asked for, True or False: compare them."
    if all(got.size == 1 and bool(got.any()) != bool(want) for got, want in arrays):
        return "Every answer is the opposite of the right one: True where False is right, False where True is."
    return None


def same_whatever_comes(tried, arrays):
    if all(near(want, arrays[0][1]) for _, want in arrays):
        return None
    if len({got.shape for got, _ in arrays}) == 1 and all(near(got, arrays[0][0], 0.0) for got, _ in arrays):
        if is_bool(tried.results[0]):
            always = bool(arrays[0][0])
            asked = "are its two sides always equal?" if always else "can its two sides ever be equal?"
            return f"It answers {always} every time, also where {not always} is right. Look at the comparison: {asked}"
        return "It gives the same result whatever it is called with."
    return None


def nothing_filled_in(_, arrays):
    if any(want.any() for _, want in arrays) and all(got.size > 1 and not got.any() for got, _ in arrays):
        return "All its numbers are 0: nothing is filled in, or what is filled in is not what comes back."
    return None


def decimals_lost(tried, arrays):
    if all(near(want, np.round(want)) for _, want in arrays):
        return None
    whole = all("int" in str(getattr(result, "dtype", "")) for result in tried.results)
    if whole and all(near(got, np.trunc(want)) for got, want in arrays):
        return "The numbers would be right, but their decimals are cut off: the result has an integer dtype."
    for how, words in ((np.trunc, "their decimals are cut off"), (np.round, "they are rounded to whole numbers")):
        if all(near(got, how(want)) for got, want in arrays) and any(got.any() for got, _ in arrays):
            return f"The numbers would be right, but {words}: does the result have an integer dtype?"
    for places in (1, 2, 3):
        if all(near(got, want.round(places), 1e-9) for got, want in arrays):
            return f"The numbers are rounded to {places} decimal{'s' * (places > 1)}; they are wanted in full."
    return None


def rescaled(tried, arrays):
    if any(map(is_bool, tried.expected)):
        return None
    got = np.concatenate([got.ravel() for got, _ in arrays])
    want = np.concatenate([want.ravel() for _, want in arrays])
    if not np.isfinite(got).all() or len(want) < 3 or len(set(np.round(want, 6))) < 2 or not got.any():
        return None
    if near(got, -want):
        return "Every sign is turned round: a minus too many, or one too few."
    if near(np.abs(got), np.abs(want)):
        return "The sizes are right, but some signs are not."
    factor = _factor(got, want)
    if factor is not None and np.abs(want).max() > 0.01:
        return f"Every number is {factor:.4g} times the one asked for."
    factors = [_factor(*pair) for pair in arrays]
    if None not in factors and abs(factors[0] - 1) > 1e-3:
        first = f"In the first call every number is {factors[0]:.4g} times the one asked for"
        return f"{first}, in others another multiple."
    more = float((got - want).mean())
    if near(got, want + more):
        return f"Every number is {abs(more):.4g} too {'large' if more > 0 else 'small'}."
    return None


def _factor(got, want):
    """The one number that all of ``want`` is multiplied by, or None."""
    if got.size < 2 or not want.any():
        return None
    factor = float(got.ravel() @ want.ravel() / (want.ravel() @ want.ravel()))
    return factor if near(got, factor * want, 1e-4 * max(1, abs(factor))) else None


def not_finite(_, arrays):
    if any(not np.isfinite(got).all() for got, _ in arrays):
        return "Some numbers are infinite or nan: after a division by 0, say, or the root of a negative number."
    return None


def half_precision(tried, arrays):
    halves = all("16" in str(getattr(result, "dtype", "")) for result in tried.results)
    if halves and all(near(got, want, 0.01 * max(1.0, abs(want).max())) for got, want in arrays):
        kind = str(tried.results[0].dtype).removeprefix("torch.")
        return f"The numbers are right up to rounding, and {kind} rounds too much: compute in float32."
    return None


def is_bool(value):
    return isinstance(value, (bool, np.bool_)) or str(getattr(value, "dtype", "")) in ("bool", "torch.bool")
