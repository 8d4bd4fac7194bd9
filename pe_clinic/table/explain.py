"""Why is this not the paper's table? Each explainer makes findings of what was seen, or None; the first answers."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..law.half import Half
from .alterations import name, parts
from .hypothesis import Hypothesis
from .look import Table, Tables
from .no_formula import by_chance, by_rows, normalised, one_row, other_frequencies
from .odd import odd_findings
from .precision import find_half_precision, half_dtype
from .search import Match, fits, search
from .unlisted import unlisted
from .words import ANEW, HELD, found


@dataclass(frozen=True)
class Seen:
    """The tables, and the mistakes that give the short ones, computed when first asked for."""

    tables: Tables

    @cached_property
    def half(self) -> Half | None:
        """The half precision that the short tables went through, when only that explains them."""
        return None if self._as_they_are else half_dtype(self.tables.short)

    @cached_property
    def read(self) -> Tables:
        """The tables, taken as rounded where they went through half precision."""
        return self.tables.rounded(self.half.rounding) if self.half else self.tables

    @cached_property
    def match(self) -> Match | None:
        return self._as_they_are or (search(self.read.short, self.read.far) if self.half else None)

    @cached_property
    def right(self):
        return all(table.agrees for table in self.tables.short)

    @cached_property
    def _as_they_are(self):
        short = self.tables.short
        return Match(Hypothesis(), (1.0,) * len(short)) if self.right else search(short, self.tables.far)

    @property
    def says_something(self):
        """Does the match name anything, or is there nothing to name?"""
        return self.match is not None and (parts(self.match.hypothesis) or self.half or self.right)

    @cached_property
    def far_out(self):
        """Does the match hold for the long table?"""
        far = self.read.far
        if far is None:
            return self.read.long.excused
        return self.match is not None and fits(self.match.hypothesis, far, least=0.0) is not None

    def findings(self):
        """What the match says of the short tables."""
        named = name(self.match, self.tables.short)
        if self.half:
            named.append(found("rounded", f"every number is one that {self.half} can hold; otherwise the table fits"))
        return named


def explain(tables):
    """The findings: mistakes that together give these very numbers, or else facts about them."""
    return findings_of(Seen(tables))


def findings_of(seen):
    return next(tuple(findings) for explainer in EXPLAINERS if (findings := explainer(seen)))


def not_repeatable(seen):
    if not seen.tables.repeated:
        return [found("not-repeatable", f"two calls of {seen.tables.short[0].call} differ")]


def argument_order(seen):
    """The table is right for the two sizes the other way round."""
    short = seen.tables.short
    if all(table.transposed and table.turned.agrees for table in short):
        sizes = f"max_len = {short[0].d_model} and d_model = {short[0].max_len}"
        return [found("argument-order", f"{short[0].call} gave the paper's table for {sizes}")]


def known_mistakes(seen):
    if seen.says_something and seen.far_out:
        return seen.findings() + odd_findings(seen.read.odd, seen.match.hypothesis)


def half_precision(seen):
    """The known mistakes, if any, with angles computed in half precision."""
    tables, match = seen.read, seen.match
    if tables.far is None or seen.far_out:
        return None
    half = find_half_precision([*tables.short, tables.long], [match.hypothesis] if match else [])
    if half is None:
        return None
    evidence = f"every angle is one that {half.way.dtype} gives"
    if half.same_rows:
        evidence += f"; positions {half.same_rows[0]} and {half.same_rows[1]} have one and the same row"
    others = name(Match(half.hypothesis, (half.hypothesis.scale,) * len(tables.short)), tables.short)
    return [found("low-precision", evidence), *others, *odd_findings(tables.odd, half.hypothesis, half.gives)]


def right_at_first(seen):
    """What is right, or explained, at the first positions only."""
    if seen.says_something:
        hypothesis, long, odd = seen.match.hypothesis, seen.read.long, seen.read.odd
        return seen.findings() + far_findings(hypothesis, long) + odd_findings(odd, hypothesis)


def nameless(seen):
    return [unlisted(seen.tables.worst), *odd_findings(seen.read.odd, None)]


EXPLAINERS = (
    by_chance,
    not_repeatable,
    argument_order,
    one_row,
    known_mistakes,
    half_precision,
    normalised,
    by_rows,
    right_at_first,
    other_frequencies,
    nameless,
)


def far_findings(hypothesis, long):
    """What is wrong at far positions only."""
    if not isinstance(long, Table):
        return [found("long-positions", long.finding.evidence)]
    expected = hypothesis.build(long.max_len, long.d_model)
    wrong = np.abs(long.values - expected) > long.allowed(expected) + 1e-4
    if not wrong.any():
        return []
    pos, j = np.argwhere(wrong)[0]
    numbers = f"column {j} is {long.values[pos, j]:.4g}, {expected[pos, j]:.4g} is wanted"
    again = f"; {ANEW.format(pos)}" if np.allclose(long.values[pos:], long.values[:-pos], atol=1e-4) else ""
    again = again or (f"; {HELD.format(pos - 1)}" if np.ptp(long.values[pos - 1 :], axis=0).max() < 1e-6 else "")
    return [found("long-positions", f"in {long.call} row {pos} is the first that differs: {numbers}{again}")]
