"""Why is this not the paper's table? Each explainer makes findings of what was seen, or None; the first answers."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pe_lib.vectorized import sinusoidal_vectorized

from ..law.half import Half
from ..sandbox.mistakes import found
from ..saying.mistake import Mistake
from .fitting import fits
from .hypothesis import Hypothesis
from .look import Table, Tables
from .naming import name, parts
from .no_formula import by_chance, one_row
from .odd import odd_findings
from .precision import LOW_PRECISION, ROUNDED, find_half_precision, half_dtype
from .search import Match, search
from .unlisted import unlisted

LONG_POSITIONS = Mistake(
    "long-positions",
    "Right at first, wrong at far positions.",
    "An integer dtype that runs over, a table that repeats, or numbers rounded too early.",
    "look at the position that is named",
)


@dataclass(frozen=True)
class Seen:
    """The tables, and the mistakes that give the short ones, computed when first asked for."""

    tables: Tables

    @cached_property
    def half(self):
        """The half precision that the short tables went through, when only that explains them; or None."""
        return None if self._as_they_are else half_dtype(self.tables.short)

    @cached_property
    def read(self):
        """The tables, taken as rounded where they went through half precision."""
        return _as_rounded(self.tables, self.half) if self.half else self.tables

    @cached_property
    def match(self):
        return self._as_they_are or (search(self.read.short) if self.half else None)

    @cached_property
    def _as_they_are(self):
        short = self.tables.short
        if all(table.agrees for table in short):
            return Match(Hypothesis(), (1.0,) * len(short))
        return search(short)

    def findings(self, match):
        """What ``match`` says of the short tables; None when it says nothing, though they are not the paper's."""
        named = name(match, self.tables.short)
        if self.half:
            named.append(ROUNDED.found(f"every number is one that {self.half} can hold; otherwise the table fits"))
        return named

    def says_nothing(self, match):
        right = all(table.agrees for table in self.tables.short)
        return not parts(match.hypothesis) and not self.half and not right

    def far_out(self, match):
        """Does ``match`` hold for the long table?"""
        long = self.read.long
        return fits(match.hypothesis, long, least=0.0) is not None if isinstance(long, Table) else long.excused


def explain(tables):
    """The findings: mistakes that together give these very numbers, or else facts about them."""
    seen = Seen(tables)
    return next(tuple(findings) for explainer in EXPLAINERS if (findings := explainer(seen)))


def not_repeatable(seen):
    if not seen.tables.repeated:
        return [found("not-repeatable", f"two calls of {seen.tables.short[0].call} differ")]


def argument_order(seen):
    """The table is right for the two sizes the other way round."""
    short = seen.tables.short
    for table in short:
        paper = sinusoidal_vectorized(table.d_model, table.max_len)
        back = table.values.T
        if not table.transposed or not (np.abs(back - paper) <= replace(table, values=back).allowed(paper)).all():
            return None
    table = short[0]
    sizes = f"max_len = {table.d_model} and d_model = {table.max_len}"
    return [found("argument-order", f"{table.call} gave the paper's table for {sizes}")]


def known_mistakes(seen):
    match = seen.match
    if match and seen.far_out(match) and not seen.says_nothing(match):
        return seen.findings(match) + odd_findings(seen.read.odd, match.hypothesis)


def half_precision(seen):
    """The known mistakes, if any, with angles computed in half precision."""
    tables, match = seen.read, seen.match
    if not isinstance(tables.long, Table) or (match and seen.far_out(match)):
        return None
    half = find_half_precision([*tables.short, tables.long], [match.hypothesis] if match else [])
    if half is None:
        return None
    evidence = f"every angle is one that {half.way.dtype} gives"
    if half.same_rows:
        evidence += f"; positions {half.same_rows[0]} and {half.same_rows[1]} have one and the same row"
    scales = (half.hypothesis.scale,) * len(tables.short)
    others = name(Match(half.hypothesis, scales), tables.short)
    return [LOW_PRECISION.found(evidence), *others, *odd_findings(tables.odd, half.hypothesis, half.gives)]


def right_at_first(seen):
    """What is right, or explained, at the first positions only."""
    match = seen.match
    if match is None or seen.says_nothing(match):
        return None
    far = far_findings(match.hypothesis, seen.read.long)
    return seen.findings(match) + far + odd_findings(seen.read.odd, match.hypothesis)


def nameless(seen):
    return [unlisted(seen.tables.worst), *odd_findings(seen.read.odd, None)]


EXPLAINERS = (
    by_chance,
    not_repeatable,
    argument_order,
    one_row,
    known_mistakes,
    half_precision,
    right_at_first,
    nameless,
)


def _as_rounded(tables, half: Half):
    """The same tables, taken as rounded to ``half``."""

    def rounded(table):
        return replace(table, rounding=half.rounding) if isinstance(table, Table) else table

    short = tuple(map(rounded, tables.short))
    return replace(tables, short=short, odd=rounded(tables.odd), long=rounded(tables.long))


def far_findings(hypothesis, long):
    """What is wrong at far positions only."""
    if not isinstance(long, Table):
        return [LONG_POSITIONS.found(long.finding.evidence)]
    expected = hypothesis.build(long.max_len, long.d_model)
    wrong = np.abs(long.values - expected) > long.allowed(expected) + 1e-4
    if not wrong.any():
        return []
    pos, j = np.argwhere(wrong)[0]
    numbers = f"column {j} is {long.values[pos, j]:.4g}, {expected[pos, j]:.4g} is wanted"
    return [LONG_POSITIONS.found(f"in {long.call} row {pos} is the first that differs: {numbers}")]
