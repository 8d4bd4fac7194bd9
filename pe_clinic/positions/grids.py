"""Trials for the grids of images and videos: several at once, or one alone with its start."""

import torch

from . import rules as r
from .trial import trial

# Of each grid frames, rows, columns and seconds from frame to frame; then where the first begins, and the merging.
GRIDS = (
    ([(1, 2, 3, 1.0)], 0, 1, 1),
    ([(2, 2, 4, 0.5)], 3, 1, 2),
    ([(1, 3, 4, 1.0), (2, 2, 2, 1.5)], 5, 2, 1),
    ([(3, 1, 5, 0.5)], 7, 1, 2),
    ([(3, 2, 4, 1.5)], 2, 1, 1),
)
RATE = 2  # tokens for each second


def trials_of_grids(told, roles):
    """Trials of several grids and of one alone; where no parameter merges patches, also for code that merges 2 × 2."""
    for merge in (None,) if "spatial" in roles else (1, 2):
        for one in (True, False) if "past" in roles else (False, True):
            grids = [each for each in GRIDS if not one or len(each[0]) == 1]
            yield [_grids(told, roles, *each[:3], merge or each[3], one) for each in grids]


def _grids(told, roles, grids, begin, temporal, spatial, one):
    """Of several grids, or of ``one``, whose numbers are then no rows of a matrix."""
    sizes, seconds = [each[:3] for each in grids], [each[3] for each in grids]
    merged = [temporal if "temporal" in roles else 1, spatial, spatial]
    whole = torch.tensor(sizes) * torch.tensor(merged)
    timed = {"interval", "times"} & roles or {"seconds", "rate"} <= roles
    steps = tuple(int(RATE * each) if timed else 1 for each in seconds)
    want = r.Grids(tuple(sizes), steps, begin if "past" in roles else 0)
    given = {"past": begin, "temporal": temporal, "spatial": spatial, "interval": steps[0]}
    given |= {"which": 0, "heights": whole[:, 1], "widths": whole[:, 2], "grid": whole[0] if one else whole}
    given["videos"] = None if "grid" in roles else given["grid"]
    given["times"] = [steps[0] * n for n in range(sizes[0][0])]
    if "rate" in roles:  # without it nobody knows how long a second is
        given |= {"rate": RATE, "seconds": seconds[0] if one else torch.tensor(seconds)}
    return trial(told, given, want, r.of_grids(want))


def one_picture(told, axes, height, width):
    """Of a height and a width; its frame is 0."""
    want = r.Grids(((1, height, width),), (1,))
    return trial(told, {"height": height, "width": width, "batch": 1}, want, r.of_grids(want)[axes])
