"""From the biases of several sizes to findings: what hides the rest, then what was found to fit."""

import numpy as np

from .fitting import HALF_SLOPES, RIGHT, fit, paper_slopes
from .hidden import hidden
from .words import MISTAKES


def explain(biases):
    """Findings of a bias that is not right."""
    findings, biases = hidden(biases)
    return (*findings, *(_said(fit(biases), biases) if biases else ()))


def notes(biases, rule):
    """What is said of a bias that is right, with the slopes of ``rule``."""
    half = next((bias for bias in biases if bias.rounding), None)
    if rule.id == HALF_SLOPES:
        return (MISTAKES.found(HALF_SLOPES, f"every slope is the paper's, rounded to {rule.rounded_to}"),)
    name = "bfloat16" if half and half.rounding > 2**-10 else "float16"
    return (MISTAKES.found("half-bias", f"{half.call} gave {name}, and agrees within its rounding"),) if half else ()


def _said(found, biases):
    first = biases[0]
    if found is None:
        shown = ", ".join(f"{cost:.4g}" for cost in first.cost[0, -1])
        yield MISTAKES.found("no-alibi", f"{first.call}[0, {first.rows[-1]}], with the query's own taken away: {shown}")
        return
    if found.rule and found.rule.id and (found.rule not in RIGHT or np.allclose(np.abs(found.factors), 1, atol=1e-4)):
        yield _slopes(found, biases)
    if found.growth:
        yield MISTAKES.found(found.growth.id, _growth(found.growth, biases))
    if first.one_head and all(np.allclose(np.abs(slopes), 1) for slopes in found.slopes):
        yield MISTAKES.found("distances", f"{first.call}: distance 1 gives {first.cost[0, -1, -2]:.4g}")
        return
    if all((slopes < 0).all() for slopes in found.slopes):
        yield _sign(first)
    if first.one_head:
        yield MISTAKES.found("one-head", f"{first.call}: a slope of {abs(found.slopes[0][0]):.4g}")
        return
    if found.rule:
        yield from _scale(found, biases)
    else:
        yield from _of_no_rule(biases, [np.abs(slopes) for slopes in found.slopes])


def _slopes(found, biases):
    """The head at which the measured slopes leave the paper's."""
    for bias, slopes in zip(biases, map(np.abs, found.slopes), strict=True):
        right = paper_slopes(bias.heads)
        if other := np.flatnonzero(~np.isclose(slopes, right, rtol=1e-3)).tolist():
            break
    h = other[0] if other else 0
    seen = f"for {bias.heads} heads, head {h} has the slope {slopes[h]:.4g}, {_whose(bias.heads)} is {right[h]:.4g}"
    return MISTAKES.found(found.rule.id, seen)


def _whose(heads):
    """Between two powers of two the paper's text and its authors' code give other slopes."""
    return "the paper's" if heads & (heads - 1) == 0 else "that of the authors' code"


def _others(seen, slopes):
    """Slopes of no rule, with what was ``seen`` of them: are they wrong for no power of two?"""
    off = [(heads, own) for heads, own in slopes if not np.allclose(own, paper_slopes(heads))]
    if not off or any(heads & (heads - 1) == 0 for heads, _ in off):
        return MISTAKES.found("other-slopes", seen)
    alike = [(heads, slope) for heads, own in off for slope in own if np.isclose(own, slope).sum() > 1]
    seen += f"; of {alike[0][0]} heads two have the same slope, {alike[0][1]:.4g}" if alike else ""
    return MISTAKES.found("slopes-between", seen, id="other-slopes")


def _growth(growth, biases):
    far = next((b for b in reversed(biases) if b.length > 100), biases[-1])
    if growth.id == "half-distance":
        grown = growth.build(np.arange(far.length))
        n = int(np.flatnonzero(grown != np.arange(far.length))[0])
        return f"{far.call}: distance {n} costs what {int(grown[n])} costs"
    near = 2 if growth.id == "stepped-distance" else 1
    one, two = (0.0 - biases[0].cost[0, -1, biases[0].rows[-1] - n] for n in (near, near + 1))
    return f"{biases[0].call}: distance {near} costs {one:.4g}, distance {near + 1} costs {two:.4g}"


def _sign(bias):
    shown = ", ".join(f"{value:.4g}" for value in bias.values[0, -1, :3])
    alike = np.abs(bias.values - bias.values[:, :1]).max() < 1e-9
    name = "falls-with-key-position" if alike else "bias-sign"
    return MISTAKES.found(name, f"{bias.call}[0, {bias.rows[-1]}] begins {shown}: the far keys have the most")


def _scale(found, biases):
    """What all costs are multiplied by; with slopes that begin elsewhere a number belongs to the slopes."""
    factors = np.abs(found.factors)
    if np.abs(factors - 1).max() < max(1e-4, *(bias.rounding for bias in biases)):
        return
    lengths = np.array([bias.length for bias in biases])
    shares = any(np.ptp(factors * n) < 1e-3 * np.abs(factors * n).max() for n in (lengths, lengths - 1))
    other = [(bias, factor) for bias, factor in zip(biases, factors, strict=True) if abs(factor - 1) > 1e-4]
    shown = ", ".join(f"{bias.call}: {factor:.4g}" for bias, factor in other[:3])
    if not shares and found.rule.id == "halving-slopes":
        return
    yield MISTAKES.found(
        "divided-by-length-of-text" if shares else "bias-scaled", f"times what the cost should be, {shown}"
    )


def _of_no_rule(biases, slopes):
    (one, a), (two, b) = list(zip(biases, slopes, strict=True))[-2:]
    if one.heads == two.heads and np.allclose(a * one.length, b * two.length, rtol=1e-3) and not np.allclose(a, b):
        yield MISTAKES.found(
            "divided-by-length-of-text", f"{one.call}: a slope of {a[0]:.4g}, {two.call}: of {b[0]:.4g}"
        )
    pairs = [(b, s) for b, s in zip(biases, slopes, strict=True) if not np.allclose(s, paper_slopes(b.heads))]
    bias, wrong = pairs[0] if pairs else (biases[0], slopes[0])
    paper = paper_slopes(bias.heads)
    h = int(np.argmax(~np.isclose(wrong, paper)))
    mine, theirs = (", ".join(f"{slope:.4g}" for slope in s[h : h + 4]) for s in (wrong, paper))
    whose = _whose(bias.heads).replace("that", "those")
    seen = f"{bias.call}: from head {h} on the slopes are {mine}, …; {whose} are {theirs}, …"
    if all(np.ptp(s) < 1e-6 * abs(s[0]) for s in slopes):
        yield MISTAKES.found("one-slope", seen)
    elif all(np.allclose(np.sort(s), np.sort(paper_slopes(len(s)))) for s in slopes):
        yield MISTAKES.found("heads-reordered", seen)
    else:
        yield _others(seen, [(one.heads, own) for one, own in zip(biases, slopes, strict=True)])
