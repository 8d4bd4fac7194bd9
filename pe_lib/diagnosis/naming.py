"""From a hypothesis that holds to its findings, each with the numbers of this very table."""

import math

import numpy as np

from .catalogue import found
from .evidence import row, show
from .hypothesis import EXPONENTS, LN, PAPER_BASE, Hypothesis

DESCRIBED = {
    "divided by d_model - 1": "the exponent 2k/(d_model - 1)",
    "divided by d_model + 1": "the exponent 2k/(d_model + 1)",
    "divided by max_len": "the exponent 2k/max_len",
    "divided by 512": "the exponent 2k/512, whatever d_model is",
    "pairs counted from 1": "the exponent 2(k + 1)/d_model",
}


def name(match, tables):
    """One finding for each mistake in ``match``, seen in the first of ``tables``."""
    h, table = match.hypothesis, tables[0]
    return [found(id, _evidence(id, match, tables, h, table), **_title(id, h)) for id in h.ids()]


def _title(id, h):
    """Base 100 is the root of 10000, and so what is left when the 2 of the exponent is forgotten: both are said."""
    if id == "wrong-base" and h.exponent == "paper" and math.isclose(h.base, 100, rel_tol=1e-4):
        return {"title": "The base is not 10000, or the 2 of the exponent is missing."}
    return {}


def _evidence(id, match, tables, h, table):
    middle = (table.d_model + 1) // 2
    first = 1 if h.zero_row else 0
    simple = {
        "transposed": f"{table.call} gave the shape ({table.d_model}, {table.max_len}), "
        f"expected ({table.max_len}, {table.d_model})",
        "swapped": f"column 0 runs {row(table.values[:, 0])}: a cosine",
        "zero-first-row": f"row 0 is {row(table.values[0])}; cos 0 is 1",
        "starts-at-one": f"row {first} holds the angles of position {first + 1}: {row(table.values[first])}",
        "position-offset": f"row {first} holds the angles of position {show(first + h.start)}: "
        f"{row(table.values[first])}",
        "turned": f"every angle is {h.turn} times the angle that it should be",
        "halves": f"at d_model = {table.d_model} columns 0 to {middle - 1} hold "
        "one of sine and cosine, the others the other",
        "scaled": _scales(match, tables),
    }
    return simple[id] if id in simple else _frequencies(id, h, table)


def _scales(match, tables):
    a, b = match.scales[:2]
    if math.isclose(a, b, rel_tol=2e-3):
        return f"every cell is {show(a)} times what it should be"
    text = (
        f"every cell is {show(a)} times what it should be at d_model = "
        f"{tables[0].d_model}, {show(b)} times at {tables[1].d_model}"
    )
    for what, power in (("√d_model", 0.5), ("1/√d_model", -0.5), ("d_model", 1), ("1/d_model", -1)):
        if all(math.isclose(s, t.d_model**power, rel_tol=2e-3) for s, t in zip(match.scales, tables, strict=True)):
            return f"{text}: {what}"
    return text


def _frequencies(id, h, table):
    d, T = table.d_model, table.max_len
    mine, paper = h.column_frequencies(d, T), Hypothesis().column_frequencies(d, T)
    if "//" in h.exponent:
        return (
            f"at d_model = {d} pair k turns exp(-{2 * _slope(h, d):.0f}k) radians per "
            f"position, as {h.exponent} makes it; ln(10000) / d_model is wanted"
        )
    if id == "no-exponent":
        return f"all {d // 2} pairs turn {show(mine[0])} radians per position; from pair to pair they should fall"
    wrong = [j for j in range(d) if not math.isclose(mine[j], paper[j], rel_tol=1e-6)]
    shown = sorted([j for j in wrong if j % 2 == 0][:1] + [j for j in wrong if j % 2][:1])
    if len(shown) == 2 and mine[shown[0]] == mine[shown[1]]:
        shown = shown[:1]
    turns = ", ".join(f"column {_place(j, h, d)} turns {show(mine[j])}" for j in shown)
    rights = " and ".join(dict.fromkeys(show(paper[j]) for j in shown))
    said = f"at d_model = {d}, {turns} radians per position; the paper says {rights}"
    if id == "wrong-base":
        return f"the frequencies fit base {_base(h.base)}: {said}{_other_cause(h)}"
    if id == "other-exponent":
        return f"the frequencies fit {DESCRIBED[h.exponent]}: {said}"
    return said


def _slope(h, d):
    """How much the logarithm of the frequency falls from column to column, at width d."""
    return float(EXPONENTS[h.exponent](np.array([2]), d, 1)[0]) * LN / 2


def _other_cause(h):
    """Another mistake that gives this very table: both are named, because nothing can tell them apart."""
    if h.exponent != "paper":
        return ""
    for base, cause in ((1e2, "base 10000 and the exponent k/d"), (1e6, "base 1000 and the exponent 4k/d")):
        if math.isclose(h.base, base, rel_tol=1e-4):
            return f". Or {cause}, which give the same table"
    return ""


def _base(base):
    return (
        f"{base:.0f}" if math.isclose(base, round(base), rel_tol=1e-4) and 10 <= base < PAPER_BASE**2 else f"{base:.3g}"
    )


def _place(j, h, d):
    """Where column j of the paper stands in this table."""
    return j // 2 + (j % 2) * ((d + 1) // 2) if h.halves else j
