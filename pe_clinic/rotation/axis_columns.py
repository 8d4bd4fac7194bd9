"""Which columns of x follow one axis of the positions, and the rotation of these columns alone."""

import torch

from ..sandbox.guard import run
from .maker import as_tuple
from .plain import is_plain


def moved(rotator, width):
    """Which columns of x follow the positions?"""
    given = [torch.ones(1, 1, 6, width)] * (rotator.form.pair + 1)
    turned, still = (as_tuple(rotator.form.call(rotator.rotate, given, n * torch.arange(6)))[0] for n in (1, 0))
    return (turned != still)[0, 0].any(0).nonzero()[:, 0]


def shares_a_pair(width, rotator, columns):
    """What is seen where a column that follows an axis is turned with one that does not; else ""."""
    units = [torch.eye(width)[:, None, None].expand(-1, 1, 6, -1).contiguous()] * (rotator.form.pair + 1)
    enters = as_tuple(run("axis by axis", rotator.form.call, rotator.rotate, units, torch.arange(6)))[0][:, 0, 1:]
    enters = enters.abs().amax(1)[:, columns] > 1e-6  # which columns enter those of the axis
    enters[columns] = False
    if not enters.any():
        return ""
    other, own = enters.nonzero()[0].tolist()
    said = f"column {columns[own]} follows one axis, and column {other}, with which it is turned, another"
    return f"{said}: the pair gets two different angles"


def of_columns(rotator, columns, width):
    """The rotation of these columns alone, beside zeros."""
    unit = torch.eye(width)[columns]

    def rotate(*given):
        count = rotator.form.pair + 1
        whole = [x @ unit.to(x.dtype) for x in given[:count]]
        out = tuple(part[..., columns] for part in as_tuple(rotator.rotate(*whole, *given[count:])))
        return out if rotator.form.pair else out[0]

    rotate.of_plain = is_plain(rotator.rotate)  # of NumPy's code no gradient is asked
    return rotate
