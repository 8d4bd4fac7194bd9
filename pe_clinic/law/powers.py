"""Which powers of a base give measured rates? Tables, grids and rotations all ask here.

The rates of columns are factor · base^(−exponent), with one of `EXPONENTS`. Whoever asks builds each law that is
offered, and compares: rates are measured up to whole turns, so several laws may give the same ones.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from . import formula
from .fit import Rates, power_laws
from .formula import EXPONENTS, PAPER, PAPER_BASE, Exponent, short, shown
from .mistakes import MISTAKES

INVERTED_BASES = (PAPER_BASE, 1e3, 1e5, 1e2, 1e6, 10.0, 5e5)  # rates of many turns tell no base: these are tried
USUAL_BASES = (*INVERTED_BASES, 1e7)
SIZES = ("max_len", "d_model")


@dataclass(frozen=True)
class Turn:
    """What pos is multiplied by before the frequency is applied, in a table of T rows."""

    name: str
    factor: Callable
    mistake: str = "turned"  # its id in mistakes.md


def turn_of(effect):
    """The `Turn` of ``- made: factor NAME = FORMULA of T``."""
    return Turn(effect.name, effect.function("T", pi=np.pi), effect.id)


NO_TURN = Turn("1", lambda T: 1.0)
THOUSAND = Turn("1000", lambda T: 1000.0)
# Times between 0 and 1, of models of images and of proteins: too many turns for the rates to tell, so they are tried.
OF_TIMES = tuple(Turn(shown(n), lambda T, n=n: n) for n in (PAPER_BASE, 2000.0, 2056.0))
TURNS = (NO_TURN, *map(turn_of, MISTAKES.effects("factor")), THOUSAND)


@dataclass(frozen=True)
class Power:
    """The paper's law, but for the fields that say otherwise; ``size_as_base`` is "max_len", "d_model", or ""."""

    exponent: Exponent = PAPER
    base: float = PAPER_BASE
    size_as_base: str = ""
    turn: Turn = NO_TURN
    inverted: bool = False

    def rates(self, columns, size):
        """Radians per position of each of ``columns``, numbered in the paper's order, in a table of ``size`` (T, d)."""
        T, d = size
        base = {"max_len": T, "d_model": d}.get(self.size_as_base, self.base)
        factor = self.turn.factor(T) * self.exponent.times(d)
        return formula.rates(self.exponent.formula(columns, d, T), base, factor, self.inverted)


PAPERS = Power()


def laws_of(rates: Rates, columns, size, rare=False, near=3e-4, rounding=1e-6) -> Iterator[Power]:
    """Every `Power` that may give the ``rates`` of ``columns`` of a table of ``size`` (T, d).

    ``rare``: those too that few people make. ``near`` is by how much a base may be off to be taken for one of few
    digits, ``rounding`` by how much the rates themselves were rounded.
    """
    for exponent in EXPONENTS:
        if rare or not exponent.rare:
            for law in _with_exponent(exponent, rates, columns, size, rare, near):
                if rates.may_be(law.rates(columns, size), rounding):
                    yield law


def _with_exponent(exponent, rates, columns, size, rare, near):
    T, d = size
    plain, power = Power(exponent), exponent.formula(columns, d, T)
    falls, turns, exact = bool(np.ptp(power)), TURNS if rare else (NO_TURN,), near < 1e-3
    factors = [turn.factor(T) for turn in turns]
    yield plain
    if rare and exponent.any_base:
        yield from (replace(plain, base=turn.factor(T), turn=turn) for turn in OF_TIMES)
    if falls:
        yield from (replace(plain, base=base, inverted=True) for base in INVERTED_BASES[: 1 if exponent.rare else None])
    if rare and exponent is PAPER:
        yield from (replace(plain, turn=turn, inverted=True) for turn in turns)
        yield from (replace(plain, size_as_base=name, inverted=True) for name in SIZES)
    for base, factor in power_laws(rates, power, near, free_base=falls):
        off = [abs(factor / one - 1) for one in factors]
        known = [turn for turn, far in zip(turns, off, strict=True) if far < max(2e-3, 2 * near)]
        if rare and exact and exponent.any_base and min(off) > 1e-6:
            known.append(Turn(shown(factor), lambda T, factor=factor: factor))
            known += [_over_rows(short(factor * (T - less), near, (1, 2, 3)), less) for less in (0, 1)]
        for turn in known:
            yield from _with_base(replace(plain, turn=turn), base, size, rare)


def _over_rows(number, less):
    """Positions that are spread from 0 to ``number``, whatever the number of rows."""
    return Turn(f"{shown(number)}/{'(max_len - 1)' if less else 'max_len'}", lambda T: number / (T - less))


def _with_base(plain, base, size, rare):
    if plain.exponent.any_base or base in USUAL_BASES:
        yield replace(plain, base=base)
    for name, number in zip(SIZES, size, strict=True):
        if rare and abs(base / number - 1) < 2e-3:
            yield replace(plain, size_as_base=name)


def of_pairs(rates: Rates) -> Iterator[tuple[float, float, bool]]:
    """(base, factor, inverted) of the paper's exponents that may give the rates of all pairs of a rotation."""
    power = np.arange(len(rates.values)) / len(rates.values)
    yield from ((base, factor, False) for base, factor in power_laws(rates, power) if base > 1)
    yield from ((base, 1.0, True) for base in INVERTED_BASES)
