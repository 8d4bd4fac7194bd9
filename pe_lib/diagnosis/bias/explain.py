"""Which slopes, which growth, which factor give these very numbers? Each combination is built and compared."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from . import mistakes as m


@dataclass(frozen=True)
class Fit:
    """cost = −factor · slope · growth(distance), with a factor for each size."""

    slopes: m.Built | None
    growth: m.Built | None
    factors: tuple[float, ...]


def is_right(biases):
    return all(_agrees(bias, _built(bias, None, None)) for bias in biases)


def explain(biases):
    """Findings; none when it is right under a causal mask."""
    if is_right(biases):
        return ()
    findings, biases = _before(biases)
    if not biases:
        return tuple(findings)
    if fit := _fit(biases):
        named = _named(fit, biases, bool(findings))
        return (*findings, *named)
    return (*findings, _by_hand(biases))


def _built(bias, slopes, growth, factor=1.0, own_slopes=None):
    values = own_slopes if own_slopes is not None else (slopes.build if slopes else m.paper_slopes)(bias.heads)
    distance = np.maximum(bias.distance, 0)
    grown = growth.build(distance, bias.length) if growth else distance
    return -factor * values[:, None, None] * grown


def _agrees(bias, built):
    wrong = np.abs(bias.cost - built) > bias.allowed() + 1e-6 * np.abs(built)
    return not (wrong & bias.seen).any()


def _before(biases):
    """What hides the rest: nothing is seen of the cost, or it stands in an exponent, or ends at a window."""
    seen = [bias.cost[:, bias.seen] for bias in biases]
    if all(np.abs(cost).max() < 1e-9 for cost in seen if np.isfinite(cost).all()) and np.isfinite(seen[0]).all():
        return [_nothing(biases[0])], ()
    values = [bias.values[:, bias.seen] for bias in biases]
    if all((value > 0).all() and (value <= 1 + 1e-6).all() and np.ptp(value) > 0 for value in values[:2]):
        tries = []
        for name, log in (("e", np.log), ("2", np.log2)):
            logs = tuple(replace(b, values=log(np.maximum(np.abs(b.values), 1e-300))) for b in biases[:4])
            if fit := _fit(logs):
                tries.append((np.abs(np.abs(fit.factors) - 1).max(), name, logs))
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


def _fit(biases):
    fits = []
    for growth, slopes in product((None, *m.GROWTHS), (None, *m.SLOPES)):
        factors = []
        for bias in biases:
            built = _built(bias, slopes, growth)[:, bias.seen]
            total = (built**2).sum()
            factor = (built * bias.cost[:, bias.seen]).sum() / total if total else 0.0
            if not np.isfinite(factor) or not _agrees(bias, _built(bias, slopes, growth, factor)):
                break
            factors.append(float(factor))
        else:
            if min(map(abs, factors)) > 1e-9:
                fits.append(Fit(slopes, growth, tuple(factors)))
    # The same slopes may be another rule's times a number: the rule without one is the better reason.
    return min(fits, key=lambda fit: np.abs(np.abs(fit.factors) - 1).max() > 1e-4, default=None)


def _named(fit, biases, found_before):
    first = biases[0]
    if fit.slopes:
        bias = next((b for b in biases if not np.allclose(fit.slopes.build(b.heads), m.paper_slopes(b.heads))), first)
        wrong, right = fit.slopes.build(bias.heads), m.paper_slopes(bias.heads)
        h = int(np.flatnonzero(~np.isclose(wrong, right))[0]) if not np.allclose(wrong, right) else 0
        yield fit.slopes.found(
            f"for {bias.heads} heads, head {h} has the slope {wrong[h]:.4g}, the paper's is {right[h]:.4g}"
        )
    if fit.growth:
        yield fit.growth.found(_growth_evidence(fit.growth, biases))
    factors = np.array(fit.factors)
    if (factors < 0).all():
        yield _sign(first)
    yield from _scale(np.abs(factors), biases)


def _growth_evidence(growth, biases):
    far = next((b for b in reversed(biases) if b.length > 100), biases[-1])
    if growth.id == "half-distance":
        grown = growth.build(np.arange(far.length), far.length)
        n = int(np.flatnonzero(grown != np.arange(far.length))[0])
        return f"{far.call}: distance {n} costs what {int(grown[n])} costs"
    one, two = (-biases[0].cost[0, -1, biases[0].rows[-1] - n] for n in (1, 2))
    return f"{biases[0].call}: distance 1 costs {one:.4g}, distance 2 costs {two:.4g}"


def _sign(bias):
    value = bias.values[0, -1, :3]
    said = f"{bias.call}[0, {bias.rows[-1]}] begins {', '.join(f'{v:.4g}' for v in value)}: the far keys have the most"
    flat = np.abs(bias.values - bias.values[:, :1]).max() < 1e-9
    return (m.FALLS if flat else m.SIGN).found(said)


def _scale(factors, biases):
    if np.abs(factors - 1).max() < 1e-4:
        return
    if np.ptp(factors) < 1e-4 * factors.max():
        yield m.SCALED.found(f"every cost is {factors[0]:.4g} times what it should be")
        return
    lengths = np.array([bias.length for bias in biases])
    for less in (0, 1):
        if np.ptp(factors * (lengths - less)) < 1e-3 * np.abs(factors * (lengths - less)).max():
            seen = f"{biases[0].call}: {factors[0]:.4g} times the cost, {biases[1].call}: {factors[1]:.4g} times"
            yield m.DIVIDED.found(seen)
            return
    shown = ", ".join(f"{bias.call}: {factor:.4g}" for bias, factor in zip(biases[:3], factors, strict=False))
    yield m.SCALED.found(f"the cost is what it should be times, for {shown}")


def _by_hand(biases):
    """Slopes read from the first distance, where the cost is linear with slopes of no known rule; else facts."""
    slopes = [-(bias.cost[:, -1, bias.rows[-1] - 1]) for bias in biases]
    if all(_agrees(b, _built(b, None, None, own_slopes=s)) for b, s in zip(biases, slopes, strict=True)):
        pairs = [(b, s) for b, s in zip(biases, slopes, strict=True) if not np.allclose(s, m.paper_slopes(b.heads))]
        bias, wrong = pairs[0]
        paper = m.paper_slopes(bias.heads)
        h = int(np.flatnonzero(~np.isclose(wrong, paper))[0])
        mine, theirs = (", ".join(f"{slope:.4g}" for slope in s[h : h + 4]) for s in (wrong, paper))
        said = f"{bias.call}: from head {h} on the slopes are {mine}, …; the paper's are {theirs}, …"
        if all(np.ptp(s) < 1e-6 * abs(s[0]) for s in slopes):
            return m.ONE_SLOPE.found(said)
        if all(np.allclose(np.sort(s), np.sort(m.paper_slopes(len(s)))) for s in slopes):
            return m.REORDERED.found(said)
        return m.OTHER_SLOPES.found(said)
    bias = biases[0]
    shown = ", ".join(f"{cost:.4g}" for cost in bias.cost[0, -1])
    return m.UNLISTED.found(f"{bias.call}[0, {bias.rows[-1]}], with the query's own taken away: {shown}")
