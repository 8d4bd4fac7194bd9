"""Tables without a formula, or without positions: frequencies drawn by chance, and one row for all."""

import numpy as np

from ..saying.mistake import Mistake
from ..saying.words import row

BY_CHANCE = Mistake(
    "random-frequencies",
    "The frequencies are drawn by chance: random Fourier features.",
    "Score-based diffusion encodes its noise levels so, with the frequencies kept beside the weights. The paper's are "
    "10000^(-2k/d), the same in every model.",
    "for the paper's own table use the frequencies 10000^(-2k/d)",
    "yang-song/score_sde_pytorch/blob/main/models/layerspp.py",
    kind="convention",
)
ONE_ROW = Mistake(
    "one-row",
    "Every position gets one and the same row.",
    "The positions never reached the angles, or they were counted along an axis of length 1.",
    "angle = arange(max_len)[:, None] * frequencies[None, :]",
)


def by_chance(seen):
    if not seen.tables.repeated and all(map(_is_of_waves, seen.tables.short)):
        first = seen.tables.short[0]
        return [BY_CHANCE.found(f"two calls of {first.call} differ, and row p holds p times the angles of row 1")]


def _is_of_waves(table):
    """All sines, then all cosines, or the other way round, of p times the angles of row 1; whatever these are."""
    half = table.d_model // 2
    if table.values.shape != (table.max_len, table.d_model):
        return False
    turned = table.values[:, :half] + 1j * table.values[:, half : 2 * half]
    first = turned[0]
    if not (np.allclose(first, 1j, atol=1e-4) or np.allclose(first, 1, atol=1e-4)):
        return False
    turned = turned if np.allclose(first, 1, atol=1e-4) else turned.imag + 1j * turned.real
    powers = turned[1] ** np.arange(table.max_len)[:, None]
    return bool(np.abs(turned - powers).max() < 5e-3) and np.ptp(turned) > 1e-3


def one_row(seen):
    """Waves of 2π a position, or no position at all: either way all rows are one."""
    tables = [table.values for table in seen.tables.short]
    if all(np.ptp(values) > 1e-3 and np.ptp(values, axis=0).max() < 1e-4 for values in tables):
        return [ONE_ROW.found(f"in {seen.tables.short[0].call} every row is {row(tables[0][0])}")]
