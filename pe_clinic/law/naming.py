"""The names of power laws: which are mistakes, which are designs, which two causes give the same."""

import math
from dataclasses import replace

from .formula import PAPER_BASE, rates, shown
from .mistakes import EXPONENT_HALVED, SMALL_BASE, found

SHORT_ROWS = "The slowest pair comes round sooner than the paper's: enough for short rows, such as those of a picture."

ENDS = "The last pair turns at exactly 1/base, as in tensor2tensor."
MOST = 256  # times as long texts: what is more was not meant
LAST_AT_BASE = ", with exponents k/(d/2 − 1)"

COUNTED = {-2: "one", 2: "minus-one", -1: "half", 1: "half"}  # by which power of the base all pairs turn faster


def near(a, b, rel=5e-4):
    return math.isclose(a, b, rel_tol=rel)


def name_partial(law, padded):
    """The finding for a head of which only some columns turn."""
    if law.partial is None:
        return ()
    r, d = law.partial
    seen = f"{_columns(r, d, padded)} turn, the others never do"
    if r == 2 and d > 8:  # nobody gives one pair to positions
        return (found("first-pair-alone", f"of {d // 2} pairs the first one turns, the others never do"),)
    return (found("partial", seen, title=f"Partial rotation: {r} of {d} columns."),)


def _columns(r, d, padded):
    return f"columns 0 to {r // 2 - 1} and {d // 2} to {d // 2 + r // 2 - 1}" if padded else f"columns 0 to {r - 1}"


def name_power_law(law, padded):
    """The same law with its findings: of the rates factor · base^(−2k/r) of r / 2 pairs in a head of d columns."""
    if near(law.base, 1):
        seen = f"each of the {law.width // 2} pairs turns {law.factor:.4g} radians a step"
        one = found("one-rate", f"{seen}; the paper's turn from 1 to {rates((law.width - 2) / law.width):.3g}")
        return replace(law, findings=(*name_partial(law, padded), one))
    findings = () if near(law.factor, 1) else (_factor(law),)
    # What is not the paper's law always gets a finding, however near its base is to the paper's.
    if findings and near(law.base, PAPER_BASE):
        return replace(law, findings=(*name_partial(law, padded), *findings))
    if law.partial and (over := _over_head_dim(law, padded)):
        return replace(over, findings=(*over.findings, *findings))
    return replace(law, findings=(*name_partial(law, padded), *findings, _base(law)))


def _factor(law):
    c, base, r = law.factor, law.base, law.width
    evidence = f"every pair turns {shown(c)} times as fast as it should"
    for n, name in COUNTED.items():
        whole = near(max(c, 1 / c), round(max(c, 1 / c)))  # a factor of its own, whatever it is a power of
        if near(c, base ** (n / r)) and (n % 2 == 0 or not whole):
            said = f"the first pair turns {c:.4g} radians a step, which is base^({n}/{r})"
            said += "" if near(base, PAPER_BASE) else f" of base {shown(base)}"
            return found(f"pairs-from-{name}", said.replace("(-", "(−"))
    if near(c, 2):
        return found("turned-twice", f"pair 0 turns 2 radians a step, and {evidence}")
    if any(near(c, turn) for turn in (2 * math.pi, math.pi, math.pi / 180, 180 / math.pi, math.pi / 2)):
        return found("turned-by-constant", evidence)
    if c > 1:
        return found("multiplied-by-factor", evidence)
    slower = shown(1 / c)
    return found("linear", f"every pair turns {slower} times slower", title=f"Linear interpolation: scaling {slower}.")


def _over_head_dim(law, padded):
    """Exponents over the whole head: on purpose where column k turns with k + d/2, else a mistake; None if not so."""
    r, d = law.partial
    base = law.base ** (d / r)
    usual = near(base, PAPER_BASE, 2e-3)
    if not usual and (_few_digits(law.base) or not near(base, float(f"{base:.1g}"), 3e-3) or base < PAPER_BASE):
        return None
    base = PAPER_BASE if usual else float(f"{base:.1g}")
    law = replace(law, base=base)
    seen = f"{_columns(r, d, padded)} turn; pair 1 turns {rates(2 / d, base):.4g} radians a step"
    seen += f": the exponents are −2k/{d}"
    if padded:
        said = f"{seen}, of base {shown(base)}"
        findings = (found("proportional", said, title=f"Proportional rotation: {r} of {d} columns."),)
        base_too = () if usual else (found("base", said, title=f"The base is {shown(base)}."),)
        return replace(law, findings=findings + base_too)
    also = " (the same as base 100 over the turned columns)" if near(law.base ** (r / d), 100) else ""
    also += "" if usual else f", of base {shown(base)}"
    return replace(law, findings=(found("partial-over-head-dim", f"{r} of {d} columns turn; {seen}{also}"),))


def _base(law):
    base, r = law.base, law.width

    def last(b):
        return f"{rates((r - 2) / r, b):.3g}"

    seen = "" if near(law.factor, 1) else "without that factor "  # of which another finding speaks
    seen += f"pair 1 turns {rates(2 / r, base):.4g} radians a step, the paper's {rates(2 / r):.4g}"
    seen += f"; the last pair {last(base)}, the paper's {last(PAPER_BASE)}"
    if any(near(base, 1e8**ends) for ends in (1, r / (r - 2))):  # the last exponent may be 2, as of linspace(0, 2, d/2)
        return found("exponent-doubled", seen)
    if near(base, 100):
        return found("exponent-halved", seen)
    if base < PAPER_BASE:
        divisor = r * math.log(PAPER_BASE) / math.log(base)
        if divisor > r and near(divisor, round(divisor), 1e-4) and round(divisor) % 2 == 0 and not _few_digits(base):
            return found("wrong-divisor", f"{seen}: the exponents are −2k/{round(divisor)}")
        return found("small-base", f"{seen}: base {shown(base)}")
    factor = (base / PAPER_BASE) ** ((r - 2) / r)
    if not _few_digits(base) and factor < MOST and near(factor * 4, round(factor * 4), 5e-4):
        name = shown(round(factor * 4) / 4)
        seen += f", {name} times slower; the base is 10000 · {name}^({r}/{r - 2})"
        return found("ntk", seen, title=f"NTK-aware scaling {name}.")
    if near(base, PAPER_BASE ** (r / (r - 2))):  # as in tensor2tensor
        seen += f": base {shown(base)} over the paper's exponents"
        return found("base", seen, title=f"The base is {shown(PAPER_BASE)}{LAST_AT_BASE}.", explanation=ENDS)
    return found("base", seen, title=f"The base is {shown(base)}.")


def _few_digits(number):
    return near(number, float(f"{number:.2g}"), 3e-4)


def as_meant(finding, numbers):
    """The design in place of a mistake, for code that holds these ``numbers``: a small base that is written there.

    From 1000 on it looks like a lost zero, and up to 10 like no base at all; rows of pictures are shorter. Where the
    last pair turns at exactly 1/base, the exponents are k/(d/2 − 1). Base 10000 with half the exponent is base 100:
    code that holds no 10000, or holds 100, means 100.
    """
    if finding.id == EXPONENT_HALVED.id and (100.0 in numbers or PAPER_BASE not in numbers):
        return as_base_100(finding)
    if finding.id == SMALL_BASE.id:
        seen, _, base = finding.evidence.partition(": base ")
        for number in {*numbers, *(round(1 / n, 3) for n in numbers if 0 < n < 0.1)} - {1000.0}:
            ends = LAST_AT_BASE * (f"the last pair {1 / max(number, 1):.3g}," in seen)
            if ends or (10 < number < 1000 and base == shown(number)):
                said = {"title": f"The base is {shown(number)}{ends}.", "explanation": SHORT_ROWS}
                return found("base", f"{seen}: base {shown(number)}{ends}", **said)
    return finding


def as_base_100(finding):
    explanation = "DINOv3 has base 100. Base 10000 with the exponent halved, k/d, gives the same rates, by mistake."
    return found("base", finding.evidence, title="The base is 100.", explanation=explanation)
