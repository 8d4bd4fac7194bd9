"""What people get wrong in position ids: from a trial to the ids that a mistake makes of it."""

import torch

from .cases import of_grids


def _counted(trial):
    return torch.arange(trial.right.shape[-1]).expand(trial.right.shape)


def _row(n):
    return lambda trial: trial.right[n].expand_as(trial.right)


def _row_of_mask(n, pad):
    def wrong(trial):
        ids = trial.given[n].cumsum(-1) - 1
        ids = ids if pad is None else ids.where(trial.given[n] == 1, pad)
        return ids[-trial.right.shape[1] :].expand_as(trial.right)

    return wrong


def _plus(n, later_only=False):
    return lambda trial: trial.right + n * int(not later_only or trial.right[0] > 0)


def _without(axis):
    return lambda trial: trial.right * (torch.arange(3) != axis)[:, None]


def _placed(place):
    return lambda trial: of_grids(trial.given, place)


# What a mistake makes of a trial: (id, from the trial to wrong ids); the first that fits every trial is named.
ALTERATIONS = {
    "padding": (
        (
            "one-position-for-all-rows",
            lambda trial: torch.arange(trial.given.shape[1])[-trial.right.shape[1] :].expand_as(trial.right),
        ),
        ("pads-counted", _counted),
        *(("ids-of-one-row", _row_of_mask(n, pad)) for n in (0, -1) for pad in (None, 0, 1)),
        ("from-one", _plus(1)),
        ("cache-restarts", lambda trial: torch.zeros_like(trial.right)),
    ),
    "packing": (("documents-run-on", _counted), ("from-one", _plus(1)), ("ids-of-one-row", _row(0))),
    "cache": (
        ("cache-restarts", _counted),
        ("one-ahead", _plus(1)),
        ("one-behind", _plus(-1)),
        ("one-ahead", _plus(1, later_only=True)),
        ("one-behind", _plus(-1, later_only=True)),
        ("one-for-all-new", _row(0)),
    ),
    "grid": (
        ("time-zero", _placed(lambda t, h, w, n: (0 * n, n % (h * w) // w, n % w))),
        ("height-zero", _placed(lambda t, h, w, n: (n // (h * w), 0 * n, n % w))),
        ("width-zero", _placed(lambda t, h, w, n: (n // (h * w), n % (h * w) // w, 0 * n))),
        *((f"{name}-zero", _without(axis)) for axis, name in enumerate(("time", "height", "width"))),
        ("axes-swapped", lambda trial: trial.right[[0, 2, 1]]),
        ("axes-reversed", lambda trial: trial.right.flip(0)),
        ("column-by-column", _placed(lambda t, h, w, n: (n // (h * w), n % h, n // h % w))),
        ("height-for-width", _placed(lambda t, h, w, n: (n // (h * w), n % (h * w) // h, n % h))),
        ("grid-as-text", _counted),
        ("grids-overlap", lambda trial: of_grids(trial.given, overlap=True)),
        ("from-one", _plus(1)),
    ),
}
