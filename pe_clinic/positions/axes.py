"""What each axis of a grid's ids counts, where no listed mistake gives all three."""

import torch

NAMES = ("time", "row", "column")
COUNTS = {  # what may stand on an axis, of t frames, h rows, w columns and the patch's number n
    "is counted as the frame": lambda t, h, w, n: n // (h * w),
    "is counted as the row": lambda t, h, w, n: n % (h * w) // w,
    "is counted as the column": lambda t, h, w, n: n % w,
    "is one number for all": lambda t, h, w, n: 0 * n,
    "changes frame by frame, not within a frame": lambda t, h, w, n: n // (w * t),
    "is repeated where it should be tiled": lambda t, h, w, n: n // (h * t),
    "is tiled over the frames": lambda t, h, w, n: n % t,
    "is tiled where it should be repeated": lambda t, h, w, n: n % h,
    "is counted patch by patch": lambda t, h, w, n: n,
}
PACES = {  # of the time: what a frame counts, and the start
    "": lambda count, begin, step: count * step + begin,
    ", with an interval of 1": lambda count, begin, step: count + begin,
    ", with the interval cut to whole seconds": lambda count, begin, step: count * (step // 2 * 2) + begin,
    ", with the start multiplied by the interval": lambda count, begin, step: (count + begin) * step,
    ", without the start": lambda count, begin, step: count * step,
    ", with the start added twice": lambda count, begin, step: count * step + 2 * begin,
}


def axes_told(pairs):
    """ "row is one number for all; " of pairs (trial, ids (3, patches)); "" where an axis counts nothing known."""
    parts = [part for trial, got in pairs for part in _parts(trial.given, got)]
    told = [_told(axis, parts) for axis in range(3)]
    return "" if None in told else "".join(f"the {said}; " for said in told if said)


def _parts(grids, got):
    """((t, h, w), step, where it begins, its ids) of each grid; a further one begins after the largest so far."""
    begin, ends = grids.begin, torch.tensor([t * h * w for t, h, w in grids.sizes]).cumsum(0).tolist()
    for size, step, end in zip(grids.sizes, grids.steps, ends, strict=True):
        yield size, step, begin, got[:, end - size[0] * size[1] * size[2] : end]
        begin = int(got[:, :end].max()) + 1


def _told(axis, parts):
    """What is wrong with this axis, in words; "" if nothing is, None if that is not known."""
    own = list(COUNTS)[axis]

    def fits(count, law, size, step, begin, ids):
        made = law(count(*size, torch.arange(ids.shape[1])), begin, 1 if axis else step)
        return torch.equal(ids[axis].double(), made.double())

    for words in (own, *COUNTS):
        for pace, law in PACES.items():
            if all(fits(COUNTS[words], law, *part) for part in parts):
                return "" if (words, pace) == (own, "") else f"{NAMES[axis]} {words}{pace}"
    return None
