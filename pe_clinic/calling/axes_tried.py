"""Does token n get row n in x whose axes come in an order of their own?"""

import torch

from ..sandbox.guard import attempt, first_look, run

SIZES = {"batch": 2, "length": 5, "width": 8, "other": 3}


def rows(reading, axes):
    """What zeros, their ``axes`` in this order, get along their length; None where samples or channels get others.

    None, too, where two places get the same.
    """
    return attempt(run, "it", _rows, reading, axes)


def _rows(reading, axes):
    module = first_look(reading.call.give, {"max_len": 16, "d_model": SIZES["width"]})
    module = getattr(module, "inner", None) or module
    sizes = [SIZES[axis] for axis in axes]
    out = first_look(module.eval(), torch.zeros(sizes)) if isinstance(module, torch.nn.Module) else None
    if not isinstance(out, torch.Tensor) or [*out.shape] != sizes:
        return None
    by_axis = out.detach().movedim([axes.index(axis) for axis in ("length", "width")], [-2, -1])
    found = by_axis.reshape(-1, SIZES["length"], SIZES["width"])
    alike = torch.allclose(found, found[:1].expand_as(found), atol=1e-5)
    apart = torch.pdist(found[0]).min() > 1e-5
    return found[0] if alike and apart else None
