"""What hides the rest of a bias: nothing is seen of the cost, or it stands in an exponent, or ends at a window."""

from dataclasses import replace

import numpy as np

from . import mistakes as m
from .fitting import fit, measured


def hidden(biases):
    """What hides the rest: nothing is seen of the cost, or it stands in an exponent, or ends at a window."""
    seen = [bias.cost[:, bias.seen] for bias in biases]
    if all(np.abs(cost).max() < 1e-9 for cost in seen if np.isfinite(cost).all()) and np.isfinite(seen[0]).all():
        return [_nothing(biases[0])], ()
    values = [bias.values[:, bias.seen] for bias in biases]
    if all((value > 0).all() and np.ptp(value) > 0 for value in values[:2]):
        tries = []
        for name, log in (("e", np.log), ("2", np.log2)):
            logs = tuple(replace(b, values=log(np.maximum(np.abs(b.values), 1e-300))) for b in biases[:4])
            if found := fit(logs):
                tries.append((np.abs(np.abs(found.factors) - 1).max(), name, logs))
            elif measured(logs):
                tries.append((np.inf, name, logs))
        if tries:
            _, name, logs = min(tries, key=lambda one: one[0])
            v = biases[0].values[0, -1, 0]
            said = f"{biases[0].call}[0, 5, 0] is {v:.4g}: {name} to the power of what the bias would be"
            return [m.EXPONENTIAL.found(said)], logs
    return _window(biases)


def _nothing(bias):
    above = bias.values[:, ~bias.seen]
    if above.size and np.isfinite(above).all() and np.ptp(above) > 0 and not bias.one_row:
        return m.TRANSPOSED.found(
            f"{bias.call}[0] holds {bias.values[0, 0, 1]:.4g} at [0, 1], {bias.values[0, 1, 0]:.4g} at [1, 0]"
        )
    return m.NO_BIAS.found(f"every key that a query of {bias.call} sees has the same bias")


def _window(biases):
    """Far keys: free, equal, or masked from some distance on."""
    far = biases[-1]
    cost, distance = far.cost[0, -1], far.distance[-1]
    order = distance >= 0
    cost, distance = cost[order][::-1], distance[order][::-1]  # by rising distance
    if np.isneginf(cost).any():
        first = int(np.isneginf(cost).argmax())
        near = tuple(replace(b, window=first) for b in biases)
        return [
            m.SLIDING.found(f"{far.call}: from distance {first} on keys are masked", title=f"A window of {first} keys.")
        ], near
    steps = np.abs(np.diff(cost)) > 1e-9
    steps[:1] = True  # a first key that costs nothing is no window
    if steps.all() or not steps[:3].all():
        return [], biases
    first = int(np.flatnonzero(~steps)[0])
    if (first > 3 and first < 250) or (not steps[first:].any()):
        zero = abs(cost[first + 1]) < 1e-9 or abs(cost[-1]) < 1e-9
        entry = m.WINDOW if zero else m.CLIPPED
        start = int(np.flatnonzero(np.abs(cost[2:]) < 1e-9)[0]) + 2 if zero else first + 1
        if zero or np.abs(cost[start:] - cost[-1]).max() < 1e-9:
            said = f"{far.call}: from distance {start} on every key costs {abs(cost[-1]):.4g}"
            return [entry.found(said)], tuple(replace(b, window=start) for b in biases)
    return [], biases
