"""Values beside q and k: they are not turned, and lie as q and k do."""

from dataclasses import replace

import torch

from ..sandbox.guard import first_look
from .seen import alike
from .words import MISTAKES


def values_turned(rotator, way, layout, width):
    """The `Finding` where v, too, comes back turned beside q and k, or is laid out otherwise than they; else None."""
    name, seen = next((n for n, role in way.found.sizes if role == "value"), None), []

    def turn(**named):
        v = named[name].clone()
        out = way.function(**named)
        seen.extend([(v, out[0], out[2])] if isinstance(out, (tuple, list)) and len(out) == 3 else [])
        return out

    if name and way.found.pair:
        rotator.by(way=replace(way, function=turn)).turned(torch.randn(2, 3, 5, width), torch.randn(2, 3, 5, width))
    for v, q, out in seen:
        shape = getattr(out, "shape", None)
        if shape == v.shape and not alike([out], [v]):
            return MISTAKES.found("values-turned", f"{way.said}: the third result is not the {name} that was given")
        if shape == q.shape != v.shape and _elsewhere(q, out):
            return MISTAKES.found("values-mixed", f"{way.said}: {name} = q comes back in another order of rows than q")
    return None


def of_one_tensor(rotator, width):
    """The `Finding` where code for q, k and v in one tensor turns v, too; else None."""
    qkv = torch.randn(2, 5, 3, 3, width)
    out = first_look(rotator.whole, qkv.clone(), torch.arange(5)) if rotator.whole else None
    if isinstance(out, (tuple, list)):
        v = out[2] if len(out) == 3 else None
    else:
        v = out[:, :, 2] if getattr(out, "shape", None) == qkv.shape else None
    if v is not None and v.shape == qkv[:, :, 2].shape and not alike([v.to(qkv)], [qkv[:, :, 2]]):
        return MISTAKES.found("values-turned", f"{rotator.said}: the third part is not the v that was given")
    return None


def _elsewhere(q, v):
    """Of one tensor handed over as both: are the same rows of numbers there, by their lengths, in another order?"""
    lengths = [part.detach().norm(dim=-1).flatten() for part in (q, v)]
    times = [(one / other).sort().values for one, other in (lengths, (part.sort().values for part in lengths))]
    return bool(times[1][-1] - times[1][0] < 1e-3 < times[0][-1] - times[0][0])
