"""What people get wrong in position ids: from a trial to the ids that a mistake makes of it."""

import torch

from ..model.padded import counted as of_mask
from .rules import PAD, of_grids, of_parts
from .texts import of_text


def counted(trial):
    return torch.arange(trial.right.shape[-1]).expand(trial.right.shape)


def row(n):
    return lambda trial: trial.right[n].expand_as(trial.right)


def row_of_mask(n, pad):
    def wrong(trial):
        ids = trial.given[n].cumsum(-1) - 1
        ids = ids if pad is None else ids.where(trial.given[n] == 1, pad)
        return ids[-trial.right.shape[1] :].expand_as(trial.right)

    return wrong


def of_pads(fill):
    """What is counted are the pads; ``fill`` stands where the mask that was taken is 0, at the tokens."""

    def wrong(trial):
        ids = (1 - trial.given).cumsum(-1) - 1
        return (ids if fill is None else ids.where(trial.given == 0, fill))[:, -trial.right.shape[1] :]

    return wrong


def plus(n, later_only=False):
    return lambda trial: trial.right + n * int(not later_only or bool(trial.right.flatten()[0] > 0))


def placed(place):
    return lambda trial: of_grids(trial.given, place)


def last_places(trial):
    return torch.arange(trial.given.shape[1])[-trial.right.shape[1] :].expand_as(trial.right)


def by_the_cache(trial):
    """Right as long as nothing is cached; then the cache's length, with its pads."""
    return last_places(trial) if trial.right.shape[1] < trial.given.shape[1] else trial.right


def chunks(trial):
    """One piece of each text, as if its pieces were dealt out in order."""
    ends, parts, rank = trial.given
    pairs = zip(ends.tolist(), ends.diff().tolist(), strict=False)
    return torch.cat([begin + rank * (size // parts) + torch.arange(size // parts) for begin, size in pairs])


FROM_ONE = ("from-one", plus(1))
PLACES = (
    ("time-zero", lambda t, h, w, n: (0 * n, n % (h * w) // w, n % w)),
    ("height-zero", lambda t, h, w, n: (n // (h * w), 0 * n, n % w)),
    ("width-zero", lambda t, h, w, n: (n // (h * w), n % (h * w) // w, 0 * n)),
    ("column-by-column", lambda t, h, w, n: (n // (h * w), n % h, n // h % w)),
    ("height-for-width", lambda t, h, w, n: (n // (h * w), n % (h * w) // h, n % h)),
)
SWAPPED = ("axes-swapped", lambda trial: trial.right[[0, 2, 1]])
# What a mistake makes of a trial: (id, from the trial to wrong ids); the first that fits every trial is named.
ALTERATIONS = {
    "padding": (
        ("one-position-for-all-rows", last_places),
        ("cache-counts-pads", by_the_cache),
        ("pads-counted", lambda trial: last_places(trial) + PAD + 1),
        ("cache-restarts", lambda trial: of_mask(trial.given[:, -trial.right.shape[1] :])),
        ("cache-counts-pads", lambda trial: torch.full_like(trial.right, trial.given.shape[1])),
        ("pads-counted", counted),
        *(("ids-of-one-row", row_of_mask(n, pad)) for n in (0, -1) for pad in (None, 0, 1)),
        FROM_ONE,
        ("cache-restarts", lambda trial: torch.zeros_like(trial.right)),
        *(("mask-inverted", of_pads(fill)) for fill in (None, 1)),
    ),
    "packing": (("documents-run-on", counted), FROM_ONE, ("ids-of-one-row", row(0))),
    "cache": (
        ("cache-restarts", counted),
        *((f"one-{name}", plus(n, later)) for later in (False, True) for name, n in (("ahead", 1), ("behind", -1))),
        ("one-for-all-new", lambda trial: trial.right[..., :1].expand_as(trial.right)),
    ),
    "context parallel": (
        ("chunks-in-order", chunks),
        ("same-on-all-ranks", lambda trial: of_parts((*trial.given[:2], 0))),
        FROM_ONE,
    ),
    "counting": (
        FROM_ONE,
        ("rows-counted", lambda trial: torch.arange(len(trial.right))[:, None].expand_as(trial.right)),
        ("rows-run-on", lambda trial: torch.arange(trial.right.numel()).view_as(trial.right)),
        ("all-alike", lambda trial: trial.right[..., :1].expand_as(trial.right)),
    ),
    "pictures in a text": (
        ("grid-as-text", counted),
        SWAPPED,
        *(("text-behind-picture", lambda trial, n=n: of_text(trial.given, after=n)) for n in (0, 1, 2)),
        *((name, lambda trial, place=place: of_text(trial.given, place)) for name, place in PLACES[1:]),
    ),
    "grid": (
        *((name, placed(place)) for name, place in PLACES[:3]),
        *(
            (f"{name}-zero", lambda trial, axis=axis: trial.right * (torch.arange(3) != axis)[:, None])
            for axis, name in enumerate(("time", "height", "width"))
        ),
        SWAPPED,
        ("axes-reversed", lambda trial: trial.right.flip(0)),
        *((name, placed(place)) for name, place in PLACES[3:]),
        ("grid-as-text", counted),
        ("grids-overlap", lambda trial: of_grids(trial.given, overlap=True)),
        FROM_ONE,
    ),
}
ALTERATIONS["picture"] = ALTERATIONS["grid"]
