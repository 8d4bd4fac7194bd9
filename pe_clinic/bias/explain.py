"""From the biases of several sizes to findings: what hides the rest, then what was found to fit."""

import numpy as np

from ..law.half import HALVES
from . import mistakes as m
from .fitting import agrees, built, fit, measured
from .hidden import hidden
from .mistakes import HALF_SLOPES
from .slopes import ONE_SLOPE, OTHER_SLOPES, PLAIN, REORDERED, paper_slopes

AUTHORS = "slopes by the authors' code"


def right_slopes(biases):
    """What makes the bias right: (conventions, notes); None when it is not right.

    The authors' code and the paper's text agree for powers of two: only other numbers of heads tell which it is.
    """
    differ = any(not np.allclose(paper_slopes(bias.heads), PLAIN.build(bias.heads)) for bias in biases)
    for slopes, words in ((None, (AUTHORS,) * differ), (PLAIN, ("slopes by the paper's text",))):
        if all(agrees(bias, built(bias, slopes, None)) for bias in biases):
            return words, _half_bias(biases)
        for dtype in HALVES:
            own = [dtype.rounded((slopes.build if slopes else paper_slopes)(bias.heads)) for bias in biases]
            if all(agrees(b, built(b, None, None, own_slopes=s)) for b, s in zip(biases, own, strict=True)):
                return words, (HALF_SLOPES.found(f"every slope is the paper's, rounded to {dtype}"),)
    return None


def _half_bias(biases):
    rounded = next((bias for bias in biases if bias.rounding), None)
    if rounded is None:
        return ()
    name = "bfloat16" if rounded.rounding > 2**-10 else "float16"
    return (m.HALF_BIAS.found(f"{rounded.call} gave {name}, and agrees within its rounding"),)


def explain(biases):
    """Findings of a bias that is not right."""
    findings, biases = hidden(biases)
    if not biases:
        return tuple(findings)
    if found := fit(biases):
        named = _named(found, biases)
        return (*findings, *named)
    return (*findings, *_by_hand(biases))


def _named(fit, biases):
    first = biases[0]
    if fit.slopes:
        bias = next((b for b in biases if not np.allclose(fit.slopes.build(b.heads), paper_slopes(b.heads))), first)
        wrong, right = fit.slopes.build(bias.heads), paper_slopes(bias.heads)
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
    """Slopes that follow no known rule, as they are measured; else facts."""
    if found := measured(biases):
        growth, slopes = found
        if growth:
            yield growth.found(_growth_evidence(growth, biases))
        if all((one < 0).all() for one in slopes):
            yield _sign(biases[0])
        if (divided := _divided(biases, slopes)) is not None:
            yield divided
        yield _of_no_rule(biases, [np.abs(one) for one in slopes])
        return
    bias = biases[0]
    shown = ", ".join(f"{cost:.4g}" for cost in bias.cost[0, -1])
    yield m.UNLISTED.found(f"{bias.call}[0, {bias.rows[-1]}], with the query's own taken away: {shown}")


def _divided(biases, slopes):
    """One head at two lengths: its slope should be the same."""
    (one, a), (two, b) = list(zip(biases, slopes, strict=True))[-2:]
    if one.heads == two.heads and np.allclose(a * one.length, b * two.length, rtol=1e-3) and not np.allclose(a, b):
        return m.DIVIDED.found(f"{one.call}: a slope of {a[0]:.4g}, {two.call}: of {b[0]:.4g}")
    return None


def _of_no_rule(biases, slopes):
    pairs = [(b, s) for b, s in zip(biases, slopes, strict=True) if not np.allclose(s, paper_slopes(b.heads))]
    bias, wrong = pairs[0] if pairs else (biases[0], slopes[0])
    paper = paper_slopes(bias.heads)
    h = int(np.argmax(~np.isclose(wrong, paper)))
    mine, theirs = (", ".join(f"{slope:.4g}" for slope in s[h : h + 4]) for s in (wrong, paper))
    said = f"{bias.call}: from head {h} on the slopes are {mine}, …; the paper's are {theirs}, …"
    if all(np.ptp(s) < 1e-6 * abs(s[0]) for s in slopes):
        return ONE_SLOPE.found(said)
    if all(np.allclose(np.sort(s), np.sort(paper_slopes(len(s)))) for s in slopes):
        return REORDERED.found(said)
    return OTHER_SLOPES.found(said)
