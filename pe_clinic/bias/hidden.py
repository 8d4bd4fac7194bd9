"""What hides the rest of a bias: nothing is seen of the cost, or it stands in an exponent, or ends at a window."""

from dataclasses import replace

import numpy as np

from .fitting import fit
from .words import MISTAKES


def hidden(biases):
    """(findings, the biases without what hides them; none where nothing is left to be seen)."""
    costs = [bias.cost[:, bias.seen] for bias in biases]
    if np.isfinite(costs[0]).all() and all(np.abs(cost).max() < 1e-9 for cost in costs if np.isfinite(cost).all()):
        return [_nothing(biases[0])], ()
    return _exponent(biases) or _window(biases) or ([], biases)


def masked_wrongly(biases):
    """(id, what is seen) of a mask that hides the past, or leaves some of the future; None where there is none."""
    for bias in biases:
        past, future = (np.isneginf(bias.values[:, side]) for side in (bias.distance > 0, bias.distance < 0))
        if bias.one_row or not past.size:
            continue
        n = len(bias.rows) - 2
        shown = ", ".join(f"{value:.4g}" for value in bias.values[0, n, -4:])
        shown = f"{bias.call}[0, {bias.rows[n]}] ends in {shown}"
        if past.all() and not future.all():
            return "past-masked", shown
        if future.any() and not future.all() and not past.any():
            return "future-seen", shown
    return None


def _nothing(bias):
    above = bias.values[:, ~bias.seen]
    if above.size and np.isfinite(above).all() and np.ptp(above) > 0 and not bias.one_row:
        one, other = bias.values[0, 0, 1], bias.values[0, 1, 0]
        said = f"{bias.call}[0] holds {one:.4g} at [0, 1], {other:.4g} at [1, 0]; a causal mask leaves nothing of it"
        return MISTAKES.found("transposed-bias", said)
    return MISTAKES.found("no-bias", f"every key that a query of {bias.call} sees has the same bias")


def _exponent(biases):
    values = [bias.values[:, bias.seen] for bias in biases[:2]]
    if not all((value > 0).all() and np.ptp(value) > 0 for value in values):
        return None
    tries = []
    for name, log in (("e", np.log), ("2", np.log2)):
        logs = tuple(replace(b, values=log(np.maximum(np.abs(b.values), 1e-300))) for b in biases[:4])
        if found := fit(logs):
            odd = np.abs(np.abs(found.factors) - 1).max() if found.rule else np.inf
            tries.append((odd, name, logs))
    if not tries:
        return None
    _, name, logs = min(tries, key=lambda one: one[0])
    shown = f"{biases[0].call}[0, 5, 0] is {biases[0].values[0, -1, 0]:.4g}"
    return [MISTAKES.found("exponential-bias", f"{shown}: {name} to the power of what the bias would be")], logs


def _window(biases):
    """Far keys: free, equal, or masked from some distance on."""
    far = biases[-1]
    before = far.distance[-1] >= 0
    cost = far.cost[0, -1][before][::-1]  # by rising distance
    if np.isneginf(cost).any():
        first = int(np.isneginf(cost).argmax())
        said = f"{far.call}: from distance {first} on keys are masked"
        return [MISTAKES.found("sliding-window", said, title=f"A window of {first} keys.")], _within(biases, first)
    steps = np.abs(np.diff(cost)) > 1e-9
    steps[:1] = True  # a first key that costs nothing is no window
    if steps.all() or not steps[:3].all():
        return None
    first = int(np.flatnonzero(~steps)[0])
    if not 3 < first < 250 and steps[first:].any():
        return None
    free = abs(cost[first + 1]) < 1e-9 or abs(cost[-1]) < 1e-9
    start = int(np.flatnonzero(np.abs(cost[2:]) < 1e-9)[0]) + 2 if free else first + 1
    if not free and np.abs(cost[start:] - cost[-1]).max() > 1e-9:
        return None
    said = f"{far.call}: from distance {start} on every key costs {abs(cost[-1]):.4g}"
    return [MISTAKES.found("zero-beyond-window" if free else "clipped-distance", said)], _within(biases, start)


def _within(biases, window):
    return tuple(replace(bias, window=window) for bias in biases)
