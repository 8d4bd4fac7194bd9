"""A rotation that can be built: every hypothesis becomes one, and is compared with what was seen."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from ..law.formula import paper
from .structures import LAYOUTS, pattern

ABOVE = 1e-5  # what float32 may lose in a product of two numbers near 1, with room


@dataclass(frozen=True)
class Model:
    """out_j = size_j · (x_j cos a_j + x_partner(j) sin a_j) with a_j = rate_j · pos + phase_j.

    ``inward`` turns x into the coordinates in which pairs are columns, and is undone afterwards; ``outward`` is what
    is applied to the result;
    """

    partner: np.ndarray
    rate: np.ndarray
    phase: np.ndarray
    size: np.ndarray
    inward: np.ndarray | None = None
    outward: np.ndarray | None = None
    cos_sin: Callable | None = None  # from positions (n,) to two arrays (n, head_dim)
    relative: float = 2e-7  # how exactly the rates are known
    above: float = ABOVE

    def columns(self, positions):
        """Cosine and sine of every column: two arrays (n, head_dim)."""
        if self.cos_sin is not None:
            return self.cos_sin(np.asarray(positions))
        angles = np.asarray(positions, dtype=np.float64)[:, None] * self.rate + self.phase
        return np.cos(angles), np.sin(angles)

    def apply(self, x, positions):
        """The turned x (…, n, head_dim) for positions (n,)."""
        cos, sin = self.columns(positions)
        y = x if self.inward is None else x @ self.inward
        y = self.size * (y * cos + y[..., self.partner] * sin)
        y = y if self.inward is None else y @ self.inward.T
        return y if self.outward is None else y @ self.outward

    def matrices(self, positions):
        """The matrix A of each position, (n, d, d), with out = x @ A."""
        d = len(self.rate)
        eye = np.broadcast_to(np.eye(d)[:, None], (d, len(positions), d))
        return self.apply(eye, positions).transpose(1, 0, 2)

    def allowed(self, x, positions):
        """By how much float32 may differ from it, (…, n, head_dim): its rounding, and that of the angles."""
        angle = self.angle_error(positions)
        if self.inward is not None or self.outward is not None:
            longest = np.linalg.norm(x, axis=-1, keepdims=True) * self.size.max()
            shape = np.broadcast_shapes(x.shape, angle.shape)
            return np.broadcast_to(longest * angle.max(axis=-1, keepdims=True), shape)
        grown = 1.0 if self.cos_sin is None else np.maximum(np.hypot(*self.cos_sin(np.asarray(positions))), 1.0)
        return grown * self.size * angle * (np.abs(x) + np.abs(x[..., self.partner]) + 0.1)

    def angle_error(self, positions):
        """By how much float32 may miss each angle, (n, head_dim), and what it loses in a product besides."""
        p = np.abs(np.asarray(positions, dtype=np.float64))[:, None]
        rate = np.abs(self.rate)
        # A frequency is e to the power of its logarithm, whose rounding counts.
        relative = self.relative * (1 + np.abs(np.log(np.maximum(rate, 1e-30))))
        return np.minimum(p * rate * relative, 2.5) + self.above


def compare_near(model, near, positions=None, tolerance=2e-5):
    """Are these the matrices of the first positions, or of others?"""
    positions = np.arange(len(near.matrices)) if positions is None else positions
    d = near.matrices.shape[1]
    allowed = model.allowed(np.eye(d)[:, None], positions).transpose(1, 0, 2) + tolerance
    return bool((np.abs(near.matrices - model.matrices(positions)) <= allowed).all())


def paper_models(d):
    """The paper's in each layout and direction: the pair of each column, is it the first of it, the `Model`."""
    for layout, direction in product(LAYOUTS, (1, -1)):
        pair, partner, first = pattern(layout, d)
        rate = paper(d // 2)[pair] * np.where(first, -direction, direction)
        yield pair, first, Model(partner, rate, np.zeros(d), np.ones(d))
