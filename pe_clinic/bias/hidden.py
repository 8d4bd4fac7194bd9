"""What hides the rest of a bias: nothing is seen of the cost, or it stands in an exponent, or ends at a window."""

from dataclasses import replace

import numpy as np

from . import mistakes as m
from .fitting import fit


def hidden(biases):
    """What hides the rest: nothing is seen of the cost, or it stands in an exponent, or ends at a window."""
    seen = [bias.cost[:, bias.seen] for bias in biases]
    if all(np.abs(cost).max() < 1e-9 for cost in seen if np.isfinite(cost).all()) and np.isfinite(seen[0]).all():
        return [_nothing(biases[0])], ()
    values = [bias.values[:, bias.seen] for bias in biases]
    if all((value > 0).all() and (value <= 1 + 1e-6).all() and np.ptp(value) > 0 for value in values[:2]):
        tries = []
        for name, log in (("e", np.log), ("2", np.log2)):
            logs = tuple(replace(b, values=log(np.maximum(np.abs(b.values), 1e-300))) for b in biases[:4])
            if found := fit(logs):
                tries.append((np.abs(np.abs(found.factors) - 1).max(), name, logs))
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
        cut = tuple(replace(b, values=np.where(b.distance < first, b.values, 0)) for b in biases)
        near = tuple(_nearer(b, first) for b in cut)
        return [
            m.SLIDING.found(f"{far.call}: from distance {first} on keys are masked", title=f"A window of {first} keys.")
        ], near
    steps = np.abs(np.diff(cost)) > 1e-9
    if steps.all() or not steps[:3].all():
        return [], biases
    first = int(np.flatnonzero(~steps)[0])
    if (first > 3 and first < 250) or (not steps[first:].any()):
        zero = abs(cost[first + 1]) < 1e-9 or abs(cost[-1]) < 1e-9
        entry = m.WINDOW if zero else m.CLIPPED
        start = int(np.flatnonzero(np.abs(cost[1:]) < 1e-9)[0]) + 1 if zero else first + 1
        if zero or np.abs(cost[start:] - cost[-1]).max() < 1e-9:
            said = f"{far.call}: from distance {start} on every key costs {abs(cost[-1]):.4g}"
            return [entry.found(said)], tuple(_nearer(b, start) for b in biases)
    return [], biases


def _nearer(bias, distance):
    """Only the keys that are nearer than ``distance``: those beyond get what the paper says."""
    beyond = bias.distance >= distance
    if not beyond.any():
        return bias
    own = bias.values[:, np.arange(len(bias.rows)), bias.rows][:, :, None]
    slope = -(bias.cost[:, -1, bias.rows[-1] - 1])[:, None, None]
    return replace(bias, values=np.where(beyond, own - slope * bias.distance, bias.values))
