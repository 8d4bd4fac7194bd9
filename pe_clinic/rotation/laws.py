"""The names of power laws c · base^(−2k/r): which are mistakes, which are designs, which two causes give the same."""

import math

from .designs import BASE_DESIGN, LINEAR, NTK, shown
from .entry import Entry, thread

BASE = 10000.0

EXPONENT_HALVED = Entry(
    "exponent-halved",
    "The exponent is halved, or the base is 100.",
    "base^(−k/d) for base^(−2k/d): both give the frequencies of base 100, and cannot be told apart here.",
    "base ** (-torch.arange(0, d, 2) / d): the 2 is in the step of arange",
    thread("rasbt/LLMs-from-scratch#410"),
)
EXPONENT_DOUBLED = Entry(
    "exponent-doubled",
    "The exponent is doubled, or the base is squared.",
    "base^(−4k/d) for base^(−2k/d): the 2 is in the step of arange(0, d, 2) already, and a second was written.",
    "base ** (-torch.arange(0, d, 2) / d)",
)
SMALL_BASE = Entry(
    "small-base",
    "The base is smaller than 10000.",
    "The slowest pair comes round too soon: positions far apart look alike. Often a zero was lost.",
    "base = 10000.0",
    thread("vllm-project/vllm-ascend#5201"),
)
WRONG_DIVISOR = Entry(
    "wrong-divisor",
    "The exponent is divided by another width than head_dim.",
    "Each head has a rotation of its own: d is the head's width, not the model's.",
    "divide by head_dim: base ** (-torch.arange(0, head_dim, 2) / head_dim)",
)
PARTIAL_OVER_D = Entry(
    "partial-over-head-dim",
    "Partial rotation, with the frequencies of the whole head.",
    "Pair k of r turned columns turns by base^(−2k/r): with head_dim in place of r the slow pairs are missing.",
    "divide by the number of turned columns: base ** (-torch.arange(0, r, 2) / r)",
    thread("huggingface/transformers#48652"),
)
INVERTED = Entry(
    "not-inverted",
    "The frequencies are not inverted.",
    "base^(+2k/d) for base^(−2k/d): neighbouring positions are thousands of radians apart.",
    "1.0 / base ** (torch.arange(0, d, 2) / d)",
    thread("labmlai/annotated_deep_learning_paper_implementations#313"),
)
TWICE = Entry(
    "turned-twice",
    "It is turned twice, or the positions are doubled.",
    "Both give the angle 2 · pos · frequency, and cannot be told apart from outside.",
    "turn once: look for a second call (in the projection and in attention), and for positions counted by twos",
    thread("NeuraLegion/shainet#110"),
)
MULTIPLIED = Entry(
    "multiplied-by-factor",
    "Positions are multiplied by the factor, where they should be divided.",
    "To read a text f times as long, position interpolation computes pos / f. pos · f stretches the wrong way.",
    "positions / factor",
    thread("ml-explore/mlx#356"),
)
TURNS = Entry(
    "turned-by-constant",
    "Every angle is multiplied by a constant.",
    "Angles are radians: neither degrees nor turns.",
    "angle = pos * base ** (-2k / d), and nothing else",
)
FROM_ONE = Entry(
    "pairs-from-one",
    "The pairs are counted from 1.",
    "base^(−2(k + 1)/d) for base^(−2k/d): the fastest pair should turn one radian a step.",
    "torch.arange(0, d, 2) begins at 0",
)


def near(a, b, rel=5e-4):
    return math.isclose(a, b, rel_tol=rel)


def name_power_law(c, base, r, d):
    """Findings for the rates c · base^(−2k/r) of r / 2 pairs in a head of d columns."""
    findings = [] if near(c, 1) else [_factor(c, base, r)]
    # What is not the paper's law always gets a finding, however near its base is to the paper's.
    if findings and near(base, BASE):
        return tuple(findings)
    return (*findings, _base(base, r, d))


def _factor(c, base, r):
    pairs_from_one = base ** (-2 / r)
    evidence = f"every pair turns {shown(c)} times as fast as it should"
    if near(c, pairs_from_one):
        return FROM_ONE.found(f"the first pair turns {c:.4g} radians a step, which is base^(−2/{r})")
    if near(c, 2):
        return TWICE.found(f"pair 0 turns 2 radians a step, and {evidence}")
    if any(near(c, turn) for turn in (2 * math.pi, math.pi, math.pi / 180, 180 / math.pi, math.pi / 2)):
        return TURNS.found(evidence)
    if c > 1:
        return MULTIPLIED.found(evidence)
    return LINEAR.found(
        f"every pair turns {shown(1 / c)} times slower", title=f"Linear interpolation: scaling {shown(1 / c)}."
    )


def _base(base, r, d):
    def last(b):
        return f"{b ** (-(r - 2) / r):.3g}"

    seen = f"pair 1 turns {base ** (-2 / r):.4g} radians a step, the paper's {BASE ** (-2 / r):.4g}"
    seen += f"; the last pair {last(base)}, the paper's {last(BASE)}"
    over_d = r < d and near(base, BASE ** (r / d))
    if over_d:
        also = " (the same as base 100 over the turned columns)" if near(base, 100) else ""
        return PARTIAL_OVER_D.found(f"{r} of {d} columns turn; {seen}: the exponents are −2k/{d}{also}")
    if near(base, 100):
        return EXPONENT_HALVED.found(seen)
    if near(base, 1e8):
        return EXPONENT_DOUBLED.found(seen)
    divisor = r * math.log(BASE) / math.log(base) if base > 1 else 0
    if base < BASE:
        if divisor > r and near(divisor, round(divisor), 1e-4) and round(divisor) % 2 == 0 and not _few_digits(base):
            return WRONG_DIVISOR.found(f"{seen}: the exponents are −2k/{round(divisor)}")
        return SMALL_BASE.found(f"{seen}: base {shown(base)}")
    factor = (base / BASE) ** ((r - 2) / r)
    if not _few_digits(base) and near(factor * 4, round(factor * 4), 5e-4):
        name = shown(round(factor * 4) / 4)
        return NTK.found(
            f"{seen}, {name} times slower; the base is 10000 · {name}^({r}/{r - 2})", title=f"NTK-aware scaling {name}."
        )
    extra = ""
    if near(base, BASE ** (r / (r - 2))):
        extra = ": the exponents are k/(d/2 − 1), as in tensor2tensor"
    return BASE_DESIGN.found(seen + extra, title=f"The base is {shown(base)}.")


def _few_digits(number):
    return near(number, float(f"{number:.2g}"), 3e-4)
