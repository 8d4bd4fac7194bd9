"""Half precision: where frequencies, positions, angles or tables were rounded. Every way is built and compared."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from ..law.formula import paper
from ..law.half import HALVES, Way
from ..law.law import law_of
from .columns import finer, read_columns
from .model import Model, paper_models
from .structures import structure_of
from .words import MISTAKES


@dataclass(frozen=True)
class Rounded:
    """Cosine and sine of every column, rounded on the way."""

    way: Way
    table: bool  # are cosines and sines rounded, too?
    rates: np.ndarray  # (pairs,)
    pair: np.ndarray  # (d,): whose column is it?
    sign: np.ndarray

    def __call__(self, positions):
        waves = self.waves(self.way.angles(positions, self.rates))[:, self.pair]
        return waves.real, waves.imag * self.sign

    def waves(self, angles):
        """cos + i sin, as they are kept."""
        keep = self.way.dtype.rounded if self.table else np.asarray
        return keep(np.cos(angles)) + 1j * keep(np.sin(angles))


@dataclass(frozen=True)
class Seen:
    """The waves cos + i sin of every pair (rows, pairs) at some positions, and by how much they may be off."""

    positions: np.ndarray
    waves: np.ndarray
    allowed: np.ndarray


def _waves(near, seen, which, first, model):
    """The `Seen` of the first positions and of the far ones."""
    j = np.flatnonzero(first)
    other, sign = model.partner[j], np.sign(model.rate[j[:1]])  # of a pair that stands still the rate has none
    waves = [near.matrices[:, j, j] + 1j * sign * near.matrices[:, other, j]]
    positions, allowed = [np.arange(len(near.matrices))], [np.full(waves[0].shape, 1e-5)]
    for probe in seen.responses("far").values():
        x, out = (array[which][0, 0] for array in (probe.x, probe.out))
        z, turned = x[:, j] + 1j * x[:, other], out[:, j] + 1j * out[:, other]
        wave = turned / z
        waves.append(wave if sign[0] < 0 else wave.conj())
        positions.append(probe.positions)
        allowed.append(1e-5 + 2e-6 / np.abs(z))
    return Seen(*map(np.concatenate, (positions, waves, allowed)))


def rounded_model(near, seen, which):
    """(model, findings) of the first rounding that gives all that was seen, or None."""
    for pair, first, model in paper_models(near.matrices.shape[1]):
        if np.abs(near.matrices[1] - model.matrices(np.array([1]))[0]).max() >= 0.02:
            continue  # position 1 is not even roughly turned so
        waves = _waves(near, seen, which, first, model)
        tried = sorted(product(HALVES, *[(False, True)] * 4), key=lambda one: sum(one[1:]))
        for dtype, *roundings, table in tried:
            way = Way(dtype, *roundings)
            rounded = Rounded(way, table, paper(waves.waves.shape[1]), pair, np.sign(model.rate))
            if any((*roundings, table)) and (rounded := _met(rounded, waves)):
                return replace(model, rate=rounded.rates[pair] * rounded.sign, cos_sin=rounded), _name(rounded)
    return _of_another_law(near, seen, which)


def _of_another_law(near, seen, which):
    """As `rounded_model`, of exact angles by any known law, whose waves alone are kept in half precision; or None."""
    dtype = next((half for half in HALVES if half.holds(near.matrices, 1e-9)), None)
    columns = read_columns(near.matrices) if dtype else None
    structure = structure_of(columns) if columns and columns.rest < 0.1 and columns.turned.any() else None
    if structure is None or structure.mistake:
        return None
    d, pair = len(columns.rate), structure.pair
    model = Model(structure.partner, structure.spread(np.ones_like(structure.rates)), np.zeros(d), np.ones(d))
    waves = _waves(near, seen, which, (pair >= 0) & (np.arange(d) < model.partner), model)
    law = law_of(finer(structure.rates, waves), d, loose=3.0)
    kept = law and not law.reversed and _met(Rounded(Way(dtype), True, law.rates, pair, model.rate), waves)
    if not kept:
        return None
    kept = replace(kept, rates=np.append(kept.rates, 0.0))  # the last for columns of no pair
    made = replace(model, rate=structure.spread(law.rates), cos_sin=kept, above=2 * dtype.rounding)
    return made, (*law.findings, *_name(kept))


def _met(rounded, seen):
    """The `Rounded` that gives every pair's waves, or None."""
    way = rounded.way
    rates = []
    for k, rate in enumerate(rounded.rates):
        # A number that lies between two of the dtype may be rounded either way.
        allowed = seen.allowed[:, k] + 1e-6 * rate * np.abs(seen.positions)
        rates.append(way.met(seen.positions, rate, rounded.waves, seen.waves[:, k], allowed, share=0.95))
        if rates[-1] is None:
            return None
    return replace(rounded, rates=np.array(rates))


def _name(rounded):
    way, name, findings = rounded.way, rounded.way.dtype.name, []
    if way.angle or (way.frequency and way.position):
        findings.append(MISTAKES.found("half-angles", f"every angle that was seen is one that {name} gives"))
    elif way.position:
        findings.append(
            MISTAKES.found("half-positions", f"every row that was seen is turned by its position rounded to {name}")
        )
    elif way.frequency:
        exact = paper(len(rounded.rates))
        k = int(np.abs(rounded.rates / exact - 1).argmax())
        said = f"pair {k} turns {rounded.rates[k]:.6g} radians a step, the paper's {exact[k]:.6g}: a number of {name}"
        findings.append(MISTAKES.found("half-frequencies", said))
    if rounded.table:
        findings.append(MISTAKES.found("half-tables", f"every cosine and sine that was seen is a number of {name}"))
    return tuple(findings)
