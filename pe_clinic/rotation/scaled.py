"""What a factor for longer texts does: nothing, too much, or something else than the code's words promise."""

import re
from dataclasses import replace

from ..calling.parameters import source_of
from ..law.mistakes import MISTAKES as LAWS
from .factors import scales_of
from .first import WHOLE


def by_factor(best, factor, thing, ask):
    """The outcome ``best`` of a ``thing``, or what its ``factor`` (name, value) shows; ``ask(n)`` gives it another."""
    if (twice := _twice(best, *scales_of(thing))) or not best or not factor:
        return twice or best
    name, value = factor
    if value != 1 and best[0].verdict.good:
        other = ask(2 * value + 1)
        if other and (other[0].verdict.id, other[0].convention) == (best[0].verdict.id, best[0].convention):
            said = f"with {name}={value} and {name}={2 * value + 1} every pair turns alike"
            return replace(best[0], ok=False, convention=None, findings=(LAWS["factor-unused"].found(said),)), best[1]
    if value != 1 or not best[0].verdict.main_right:
        return best
    other = ask(2.0)  # by default it does nothing
    twice = _twice(other, 2.0)
    if twice or (other and WHOLE.id in {finding.id for finding in other[0].findings}):
        told = twice or other
        return told[0], f"{told[1]}, with {name}=2"
    return _named_ntk(best, other, f"{name}=2", source_of(thing))


def _named_ntk(best, other, said, source):
    """``best``; where the source speaks of NTK, and the ``other``, with a factor, is linear scaling, with that."""
    linear = re.search(r"linear scaling \S+", f"{other and other[0].convention}")
    if not linear or not re.search(r"(?i)ntk", source) or re.search(r"(?i)\blinear\b(?!\()", source):
        return best
    finding = LAWS["linear-not-ntk"].found(f"with {said} every pair is slowed alike: {linear[0]}")
    return replace(best[0], ok=False, usage=(*best[0].usage, finding)), best[1]


def _twice(outcome, *times):
    """The mistake, where each pair is slowed by the square of one of the factors ``times``, or of 1 / it; or None."""
    seen = re.search(r"linear scaling ([\d.]+)", f"{outcome and outcome[0].convention}")
    slower = float(seen[1].rstrip(".")) if seen else 0.0
    for n in (n for n in times if 0 < n != 1 and abs(slower / max(n, 1 / n) ** 2 - 1) < 1e-3):
        found = LAWS["linear-twice"].found(f"with a factor of {n:g} every pair is {seen[1]} times slower")
        return replace(outcome[0], ok=False, convention=None, findings=(found,), usage=()), outcome[1]
    return None
