"""Positions that begin again, or stop, among the first ones: a ring buffer, a small table, a clamp."""

from dataclasses import replace

import numpy as np

from .far import CLAMPED, WRAPPED
from .first import understood
from .pairing import First
from .seen import Near

ALIKE = 1e-5  # between two matrices of one position, read in float32


def repeating(near):
    """The `First` of a rotation by ``positions % n``, or by positions up to a last one; None of all else.

    Its model turns every position as it was seen to be turned, so that the other calls are compared with that.
    """
    matrices, positions = near.matrices, np.arange(len(near.matrices))
    if np.abs(near.added).max() > ALIKE or np.abs(matrices[1] - matrices[0]).max() <= ALIKE:
        return None
    for n in range(2, len(positions)):
        for mistake, places in (WRAPPED, lambda p, n=n: np.mod(p, n)), (CLAMPED, lambda p, n=n: np.minimum(p, n - 1)):
            if np.abs(matrices - matrices[places(positions)]).max() > ALIKE:
                continue
            first = understood(Near(matrices[:n], near.added[:n]))
            if first is None or first.model is None:
                return None
            columns = first.model.columns
            model = replace(first.model, cos_sin=lambda p, columns=columns, places=places: columns(places(p)))
            return First(model, (mistake.found(evidence(mistake, n, places(n))), *first.findings), first.conventions)
    return None


def evidence(mistake, n, place):
    """What is said where n is the first position that is turned as another one, which is ``place``."""
    if mistake is WRAPPED:
        return f"position {n} is turned as position {place}: positions are taken modulo {n}"
    return f"position {n} is turned as position {place}, and so is every one beyond"
