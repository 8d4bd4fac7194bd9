"""What a class learned, in numbers: the gain of its averages with an interval, and how each question did."""

from dataclasses import dataclass

import numpy as np

RESAMPLES, SEED = 2000, 0
ENOUGH = 10  # pairs for an interval, and answers for a correlation


@dataclass(frozen=True)
class Gain:
    """The normalized gain <g> of averages and its 95 % interval; shares right before and after; ``pairs`` of sittings.

    Of one class numbers, of many classes arrays. The interval is NaN where it cannot be had.
    """

    value: float
    low: float
    high: float
    before: float
    after: float
    pairs: int


def gain(before, after):
    """The `Gain` of shares right, (learners,), or (learners, classes): the same learners in both, in one order.

    <g> = (mean after − mean before) / (1 − mean before). The interval is a studentized bootstrap: learners are drawn
    again, and each draw is measured in its own standard errors, which for a ratio and twenty learners keeps closer to
    95 % than percentiles do (`benchmarks/assessment.py` shows both).
    """
    before, after = np.asarray(before, float), np.asarray(after, float)
    n = len(before)
    with np.errstate(divide="ignore", invalid="ignore"):
        value, error = (array[0] for array in _ratio(np.full((1, n), 1 / n), before, after))
        low = high = np.full_like(value, np.nan)
        if n >= ENOUGH:
            draws, errors = _ratio(draws_of(n), before, after)
            error = np.where(error > 0, error, np.nan)
            t = np.where(np.isnan(error), 0, (draws - value) / np.where(errors > 0, errors, np.nan))
            small, large = np.nanquantile(t, [0.025, 0.975], axis=0)
            low, high = value - large * error, value - small * error
    return Gain(value, low, high, before.mean(axis=0), after.mean(axis=0), n)


def draws_of(n):
    """How often each of n learners is in each resample, as shares: (resamples, n). The same at every run."""
    return np.random.default_rng(SEED).multinomial(n, np.full(n, 1 / n), size=RESAMPLES) / n


def _ratio(weights, before, after):
    """<g> and its standard error, by linearization, for each row of weights."""
    rise, room = after - before, 1 - before
    mean_room = weights @ room
    value = weights @ rise / mean_room
    spread = weights @ rise**2 - 2 * value * (weights @ (rise * room)) + value**2 * (weights @ room**2)
    return value, np.sqrt(np.maximum(spread, 0) / (weights.shape[1] - 1)) / mean_room


def right_table(sittings, count):
    """Ones and zeros, (sittings, ``count``), in the order of the questions; every sitting is over and of one form."""
    rows = [sorted(sitting.answers, key=lambda answer: int(answer.item[1:])) for sitting in sittings]
    return np.array([[answer.right for answer in row] for row in rows], float).reshape(len(rows), count)


def discrimination(tables):
    """For each question the correlation of its answer with the score in the others (item–rest, point-biserial).

    ``tables``: (learners, questions) each, one for each sitting of a form. Within sittings, so that what was learned
    between them does not count. NaN where all answered alike, or fewer than ten in all.
    """
    if sum(map(len, tables)) < ENOUGH:
        return np.full(tables[0].shape[1], np.nan)
    tables = [table for table in tables if len(table)]
    items = np.vstack([table - table.mean(axis=0) for table in tables])
    rests = items.sum(axis=1, keepdims=True) - items
    with np.errstate(divide="ignore", invalid="ignore"):
        return (items * rests).sum(axis=0) / np.sqrt((items**2).sum(axis=0) * (rests**2).sum(axis=0))
