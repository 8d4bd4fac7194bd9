"""Trials for pictures in a text: of tokens, and of the grid of each picture."""

import torch

from . import rules as r
from .axes import NAMES
from .trial import trial

IMAGE, OPENS, VIDEO = 90, 91, 92
# Of each text: (words before a picture, its rows, its columns), and the words after the last.
TEXTS = ([(3, 2, 3)], 3), ([(2, 3, 2), (4, 1, 4)], 2), ([(1, 2, 4), (3, 3, 1)], 5)


def of_text(given, *place, after=slice(None)):
    """Three axes: words count on all of them, a picture begins behind them, and the text goes on behind its largest.

    With ``after`` 0, 1 or 2 behind what one axis holds.
    """
    pictures, last = given
    parts, at = [], 0
    for words, *size in pictures:
        parts += [torch.arange(at, at + words).expand(3, -1)]
        parts += [r.of_grids(r.Grids(((1, *size),), (1,)), *place) + at + words]
        at = int(parts[-1][after].max()) + 1
    return torch.cat([*parts, torch.arange(at, at + last).expand(3, -1)], dim=1)


def text_told(trial, got):
    """Which of the words and of the patches differ."""
    patches = of_text(trial.given, lambda t, h, w, n: (n - 10**6, n // w, n % w))[0] < 0
    differ = got != trial.right
    wrong = [f"the {name} of patches" for name, row in zip(NAMES, differ, strict=True) if row[patches].any()]
    wrong += ["words behind a picture"] if differ[:, ~patches].any() else []
    return f"{', '.join(wrong)}: these differ; "


def trials_of_texts(told, roles):
    """As a batch of one, and as one row; where no parameter merges patches, also for code that merges 2 × 2."""
    told = {name: (role, required or role == "tokens") for name, (role, required) in told.items()}
    for merge in (2,) if "spatial" in roles else (1, 2):
        for rows in (True, False):
            yield [_trial(told, given, merge, rows) for given in TEXTS]


def _trial(told, given, merge, rows):
    tokens, right = [], of_text(given)
    for words, height, width in given[0]:
        tokens += [*[r.FIRST] * (words - 1), OPENS, *[IMAGE] * (height * width)]
    tokens = torch.tensor([*tokens, *[r.FIRST] * given[1]])
    tokens = tokens[None] if rows else tokens
    grid = torch.tensor([(1, merge * height, merge * width) for _, height, width in given[0]])
    own = {"tokens": tokens, "mask": torch.ones_like(tokens), "image": IMAGE, "video": VIDEO, "opens": OPENS}
    own |= {"grid": grid, "spatial": merge}
    return trial(told, own, given, right)
