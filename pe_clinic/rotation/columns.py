"""Read matrices column by column: which other column is mixed in, how fast it turns, from where, how long it is."""

from dataclasses import dataclass

import numpy as np

NOISE = 2e-6  # of float32 in a matrix read from unit vectors


@dataclass(frozen=True)
class Columns:
    """out_j = size_j (x_j cos a_j + x_partner(j) sin a_j), a_j = rate_j · pos + phase_j; ``rest`` is what is left."""

    partner: np.ndarray
    rate: np.ndarray  # radians per position, known up to whole turns: between −π and π
    phase: np.ndarray
    size: np.ndarray
    rest: float

    @property
    def turned(self):
        return np.abs(self.rate) > 0


def read_columns(matrices):
    """`Columns` of matrices (positions 0, 1, 2, …; d, d), or None where a column is mixed from more than two."""
    n, d, _ = matrices.shape
    own = np.einsum("pjj->pj", matrices)
    others = matrices - own[:, :, None] * np.eye(d)
    weight = np.abs(others).sum(axis=0)
    partner = weight.argmax(axis=0)
    # Zeros are exact where two columns are mixed, and rounded where a whole matrix is: then small numbers say nothing.
    noise = 0.0 if (weight > 0).sum() <= d else NOISE * n
    alone = weight.max(axis=0) <= noise
    mixed = np.take_along_axis(others, partner[None, None], axis=1)[:, 0]
    left = np.abs(others).sum(axis=1) - np.abs(mixed)
    if left.max() > 1e-3:
        return None
    partner = np.where(alone, np.arange(d), partner)
    mixed = np.where(alone, 0.0, mixed)
    rate, phase = _rates(own, mixed)
    rate[alone] = 0.0
    size = np.hypot(own, mixed).mean(axis=0)
    angles = np.arange(n)[:, None] * rate + phase
    built = size * np.cos(angles), size * np.sin(angles)
    rest = max(np.abs(own - built[0]).max(), np.abs(mixed - built[1]).max(), left.max())
    return Columns(partner, rate, phase, size, float(rest))


def _rates(cos, sin):
    """Slope and start of each column's angle: the mean step, then least squares on what it leaves; position 0 alone."""
    turns = cos + 1j * sin
    step = np.angle((turns[1:] * turns[:-1].conj()).sum(axis=0))
    every = np.arange(len(turns))[:, None]
    start = np.angle((turns * np.exp(-1j * every * step)).sum(axis=0))
    left = np.angle(turns * np.exp(-1j * (every * step + start)))
    pos = every[:, 0] - (len(turns) - 1) / 2
    more = pos @ left / (pos @ pos)
    phase = np.angle(turns[0])
    return step + more, np.where(np.abs(phase) < 1e-5, 0.0, phase)


def finer(rates, seen):
    """The rates of pairs, from more and more of the rows: the further a row, the less its rounding counts."""
    for last in np.unique(seen.positions)[1:]:
        at = np.where(seen.positions <= last, seen.positions, 0)[:, None]
        off = np.angle(seen.waves * np.exp(-1j * at * rates))
        rates = np.where(rates == 0, 0, rates + (at * off).sum(0) / (at**2).sum())
    return rates


def planes(matrices):
    """An orthogonal matrix whose columns 2k, 2k + 1 span the planes that all ``matrices`` turn, or None.

    What is antisymmetric in a rotation has the same planes; weights tell pairs apart that turn almost alike.
    """
    n, d, _ = matrices.shape
    if np.abs(matrices @ matrices.transpose(0, 2, 1) - np.eye(d)).max() > 1e-4:
        return None
    anti = (matrices - matrices.transpose(0, 2, 1)) / 2
    best = max(range(1, n), key=lambda p: _gap(anti[p]))
    values, vectors = np.linalg.eigh(1j * anti[best])
    upper = vectors[:, values > 0][:, ::-1]  # one of each two, the fastest first
    if upper.shape[1] != d // 2:
        return None
    pairs = np.stack([upper.real, upper.imag], axis=-1) * np.sqrt(2)
    basis, _ = np.linalg.qr(pairs.reshape(d, d))
    return basis * np.sign((basis * pairs.reshape(d, d)).sum(axis=0))


def _gap(anti):
    values = np.sort(np.abs(np.linalg.eigvalsh(1j * anti)))[::2]
    return np.diff(values).min() if len(values) > 1 else 1.0
