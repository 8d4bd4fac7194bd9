"""xPos: the paper's rotation, whose lengths shrink with the position for queries and grow for keys."""

from dataclasses import replace

import numpy as np

from .model import compare_near, paper_models
from .pairing import First
from .words import MISTAKES

XPOS = MISTAKES["xpos"]


def decaying(near):
    """The `First` of x multiplied by scale^(pos / base), scale_k = (2k/d + 0.4) / 1.4 for pair k; None of all else."""
    count, d = near.matrices.shape[:2]
    for pair, first, model in paper_models(d):
        scale = (2 * pair / d + 0.4) / 1.4
        power = np.log(np.maximum(np.linalg.norm(near.matrices[:, :, 0], axis=1), 1e-9)) / np.log(scale[0])
        slope = (power[-1] - power[0]) / (count - 1)
        if abs(slope) < 1e-6:
            return None
        base = round(1 / slope) or 1 / slope
        centred = abs(power[0]) > 1e-6  # counted from the middle of the text, as in torchscale

        def waves(p, model=model, scale=scale, base=base, centred=centred):
            at = p - centred * ((np.max(p) + 2) // 2)
            return tuple(wave * scale ** (at[:, None] / base) for wave in model.columns(p))

        built = replace(model, cos_sin=waves)
        if compare_near(built, near, tolerance=1e-4):
            said = f"column 0 is multiplied by {scale[0]:.4g}^(pos / {base:.4g}), column {d - 1} by {scale[-1]:.4g}^…"
            title = f"xPos, lengths as scale^(pos / {base:.4g}).".replace("-", "−")
            return First(built, (XPOS.found(said, title=title),), ("half-split",) if first[1::2].any() else ())
    return None


def of_both(nears, firsts):
    """The findings where queries and keys both decay: a mistake unless one shrinks as the other grows; else []."""
    if any(XPOS.id not in {f.id for f in first.findings} for first in firsts):
        return []
    q, k = ("shrink" if np.square(n.matrices[-1]).sum() < np.square(n.matrices[0]).sum() else "grow" for n in nears)
    alike = MISTAKES["decays-alike"].found(f"with the position queries {q}, keys {k}")
    return [*([] if (q, k) == ("shrink", "grow") else [alike]), *firsts[0].findings]
