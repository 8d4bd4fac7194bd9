"""Values beside q and k: they are not turned, and lie as q and k do."""

from dataclasses import replace

import torch

from ..sandbox.guard import first_look
from .way import POSITIONS, STARTS
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
        place = STARTS[0] if way.form.takes == "start" else POSITIONS[0]
        x = [torch.randn(2, 3, 5, width) for _ in way.found.vectors]
        first_look(replace(way, function=turn).rotate(layout, rotator.asked[2], place), *x, torch.arange(5))
    for v, q, out in seen:
        if getattr(out, "shape", None) == v.shape and not torch.allclose(out, v, atol=1e-4):
            return MISTAKES.found("values-turned", f"{way.said}: the third result is not the {name} that was given")
        if getattr(out, "shape", None) == q.shape != v.shape and _elsewhere(q, out):
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
    if v is not None and v.shape == qkv[:, :, 2].shape and not torch.allclose(v.to(qkv), qkv[:, :, 2], atol=1e-4):
        return MISTAKES.found("values-turned", f"{rotator.said}: the third part is not the v that was given")
    return None


def _elsewhere(q, v):
    """Of one tensor handed over as both: are the same rows of numbers there, by their lengths, in another order?"""
    lengths = [part.detach().norm(dim=-1).flatten() for part in (q, v)]
    times = [(one / other).sort().values for one, other in (lengths, (part.sort().values for part in lengths))]
    return bool(times[1][-1] - times[1][0] < 1e-3 < times[0][-1] - times[0][0])
