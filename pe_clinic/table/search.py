"""Find the fewest mistakes that give the table that was looked at.

Many hypotheses are built at once for the first table; those that agree with it are tried on the second.
"""

from dataclasses import dataclass

import numpy as np

from . import space
from .exponents import EXPONENTS
from .fitting import compare, fits, surely, tolerance_of
from .hypothesis import Hypothesis
from .layouts import LAYOUTS, Layout
from .naming import parts

COMMON_LAYOUTS = tuple(layout for layout in LAYOUTS if not layout.rare)
RARE_LAYOUTS = tuple(layout for layout in LAYOUTS if layout.rare)
GOLDEN = (5**0.5 - 1) / 2
TOO_FAR = 3e4  # in units of what is tolerated: the nearest base of the grid is much nearer than that


@dataclass(frozen=True)
class Match:
    """A hypothesis that agrees with every table, and the factor of each table."""

    hypothesis: Hypothesis
    scales: tuple[float, ...]


@dataclass(frozen=True)
class Trial:
    """How far hypotheses are from a table: ``worst`` (hypotheses, layouts), 1 where a difference is just tolerated."""

    hypotheses: tuple[Hypothesis, ...]
    layouts: tuple[Layout, ...]
    worst: np.ndarray
    transposed: bool
    zero_row: bool

    def hypothesis(self, n, layout):
        of_table = {"transposed": self.transposed, "zero_row": self.zero_row}
        return self.hypotheses[n].but(layout=self.layouts[layout], **of_table)

    def agreeing(self):
        return [self.hypothesis(n, layout) for n, layout in np.argwhere(self.worst <= 1)]


def search(tables, rare=False):
    """The cheapest `Match` for all ``tables``, or None: of the common mistakes, or else of the ``rare`` ones."""
    first = tables[0]
    if all(table.values.any() for table in tables):
        for stage in (fitted, rarer) if rare else (common,):
            matches = [match for h in stage(first) if (match := verify(h, tables))]
            if matches:
                return min(matches, key=lambda match: cost(match.hypothesis))
    return None


def cost(hypothesis):
    """How many mistakes it takes, the common ones first among equals."""
    return len(parts(hypothesis)), EXPONENTS.index(hypothesis.exponent), hypothesis.start != 0


def verify(hypothesis, tables):
    """The `Match` of ``hypothesis`` when it gives every one of ``tables``, else None."""
    scales = []
    for table in tables:
        scale = fits(hypothesis, table)
        if scale is None or not surely(hypothesis, table):
            return None
        scales.append(scale)
    return Match(hypothesis.but(scale=scales[0]), tuple(scales))


def trial(table, hypotheses, layouts=COMMON_LAYOUTS, coarse=False):
    """The `Trial` of a function of `space` in all ``layouts``; ``coarse`` allows for half-precision angles."""
    T, d = table.values.shape
    zero_row = bool(T > 1 and np.abs(table.values[0]).max() < 1e-6)
    tried = space.at_size(hypotheses, T, d)
    worst = []
    for layout in layouts:
        values = layout.in_turn(table.values)
        if coarse:
            tolerance = np.where(tried.angles < 8, 0.1, np.inf)
        else:
            tolerance = tolerance_of(values, tried.angles, table.rounding)
        waves = layout.mixed(tried.sines, tried.cosines)
        worst.append(compare(waves, values, tolerance, zero_row, 0.25 if coarse else 0.5)[1])
    return Trial(tried.hypotheses, layouts, np.stack(worst, axis=1), table.transposed, zero_row)


def common(table, coarse=False):
    """Every combination of the common mistakes with the usual bases that gives ``table``."""
    return trial(table, space.common, coarse=coarse).agreeing()


def rarer(table):
    """Mistakes that are rarer: another divisor, another start, another unit of angle; a size as base, other waves."""
    return trial(table, space.rarer).agreeing() + trial(table, space.plain, RARE_LAYOUTS).agreeing()


def fitted(table):
    """Any base: the best of a grid, refined until it agrees or cannot."""
    for hypothesis in _best_of_grid(table):
        refined = _refine(hypothesis, table)
        if fits(refined, table) is not None:
            yield refined


def of_any_base(table):
    """As `fitted`, of angles in half precision, which tell no more of a base than its first digits."""
    for hypothesis in _best_of_grid(table, coarse=True):
        refined = _refine(hypothesis, table)
        short = {float(f"{refined.base:.{digits}g}") for digits in (1, 2, 3)}
        near = [base for base in sorted(short, reverse=True) if abs(base / refined.base - 1) < 0.01]
        yield from (refined.but(base=base) for base in (*near, refined.base))


def _best_of_grid(table, coarse=False):
    tried, bases = trial(table, space.any_base, coarse=coarse), len(space.BASE_GRID)
    best = tried.worst.reshape(-1, bases, len(tried.layouts)).argmin(axis=1)
    for group, layout in np.ndindex(best.shape):
        n = group * bases + best[group, layout]
        if tried.worst[n, layout] < (1.5 if coarse else TOO_FAR):
            yield tried.hypothesis(n, layout)


def _refine(hypothesis, table):
    """Narrow the logarithm of the base round the grid's best, by the golden section."""

    def distance(log_base):
        h = hypothesis.but(base=float(np.exp(log_base)))
        built = h.finish(h.angles(*table.values.shape))
        scale = (built * table.values).sum() / max((built**2).sum(), 1e-30)
        return np.abs(table.values - scale * built).sum()

    low, width = np.log(hypothesis.base) - 0.1, 0.2
    left, right = low + (1 - GOLDEN) * width, low + GOLDEN * width
    at_left, at_right = distance(left), distance(right)
    for _ in range(38):  # to 2e-9
        width *= GOLDEN
        if at_left < at_right:
            right, at_right = left, at_left
            left = low + (1 - GOLDEN) * width
            at_left = distance(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * width
            at_right = distance(right)
    return hypothesis.but(base=float(np.exp(low + width / 2)))
