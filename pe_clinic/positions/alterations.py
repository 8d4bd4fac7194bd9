"""What people get wrong in position ids: each mistake as its words and as what it makes of the right ids."""

from collections.abc import Callable
from dataclasses import dataclass

import torch

from ..saying.mistake import Mistake
from . import right


@dataclass(frozen=True)
class Alteration:
    """``wrong(trial)`` are the ids that the mistake gives where the right ones are ``trial.expected``."""

    said: Mistake
    wrong: Callable


def _first(trial):
    return next(each for each in trial.arguments.values() if isinstance(each, torch.Tensor))


def _shape_of(trial):
    return torch.arange(trial.expected.shape[-1]).expand(trial.expected.shape)


def _ends_of_row(trial):
    """One position for all rows: that of the cache, which counts pads."""
    total = _first(trial).shape[-1]
    return torch.arange(total)[-trial.expected.shape[-1] :].expand(trial.expected.shape)


def _one_row(row):
    return lambda trial: trial.expected[row].expand_as(trial.expected)


def _axis_zero(axis):
    def wrong(trial):
        ids = trial.expected.clone()
        ids[axis] = 0
        return ids

    return wrong


def _plus(n):
    return lambda trial: trial.expected + n


def _by_column(trial):
    parts = [torch.stack([t, h, w]) for t, h, w in _columns_first(_first(trial))]
    begins = [int(each.max()) + 1 for each in parts]
    return torch.cat([each + sum(begins[:n]) for n, each in enumerate(parts)], dim=1)


def _columns_first(grids):
    for t, h, w in grids.tolist():
        place = torch.arange(t * h * w)
        yield place // (h * w), place % h, place // h % w


def _square(trial):
    """Rows are counted by the height where they should be counted by the width."""
    parts = []
    for t, h, w in _first(trial).tolist():
        place = torch.arange(t * h * w)
        parts.append(torch.stack([place // (h * w), place % (h * w) // h, place % h]))
    begins = [int(each.max()) + 1 for each in parts]
    return torch.cat([each + sum(begins[:n]) for n, each in enumerate(parts)], dim=1)


ROWS = "unslothai/unsloth/pull/3803"
SHARED = Mistake("one-position-for-all-rows", "All rows get the same positions.", "One cache position serves the whole batch, and left padding gives each row a length of its own.", "attention_mask.cumsum(-1) - 1, row by row", ROWS)  # fmt: skip
PADS = Mistake("pads-counted", "Pads are counted.", "Positions run over the whole row; they should begin at the first real token.", "attention_mask.cumsum(-1) - 1", ROWS)  # fmt: skip
FIRST_ROW = Mistake("ids-of-one-row", "All rows get the positions of one row.", "Ids were computed for one row and expanded.", "keep the batch axis")  # fmt: skip
FROM_ONE = Mistake("from-one", "Positions begin at 1.", "cumsum counts the first token as 1.", "subtract 1")
AHEAD = Mistake("one-ahead", "New tokens are one position too far.", "The cached length was counted after the new token, or 1 was added for a draft.", "the first new token has position past_length")  # fmt: skip
BEHIND = Mistake("one-behind", "New tokens are one position too early.", "The last cached position was taken for the next one.", "the first new token has position past_length")  # fmt: skip
RESTART = Mistake("cache-restarts", "Positions begin at 0 after a cache.", "Only the new tokens are counted.", "past_length + arange(length)")  # fmt: skip
SAME = Mistake("one-for-all-new", "All new tokens get one position.", "The cached length was used for the whole piece.", "past_length + arange(length)")  # fmt: skip
RUNS_ON = Mistake("documents-run-on", "Positions run on over the documents.", "Each document should count from 0, as it would alone.", "subtract the place at which the document begins")  # fmt: skip
HALVED = Mistake("last-one-missing", "Positions stop one before the end of each document.", "The end was counted twice.", "arange(end - begin)")  # fmt: skip
NO_TIME = Mistake("time-zero", "The time axis is 0 everywhere.", "All frames get the first frame's position.", "the time axis is the frame's number")  # fmt: skip
NO_HEIGHT = Mistake("height-zero", "The height axis is 0 everywhere.", "Rows of an image cannot be told apart.", "height is place % (h * w) // w", "vllm-project/vllm/pull/29425")  # fmt: skip
NO_WIDTH = Mistake("width-zero", "The width axis is 0 everywhere.", "Columns of an image cannot be told apart.", "width is place % w")  # fmt: skip
SWAPPED = Mistake("axes-swapped", "Height and width are exchanged.", "The second axis is the row, the third the column.", "stack([time, height, width])")  # fmt: skip
REVERSED = Mistake("axes-reversed", "The axes come as width, height, time.", "The first axis is time.", "stack([time, height, width])")  # fmt: skip
COLUMNS = Mistake("column-by-column", "Patches are counted column by column.", "Patches come row by row: the column changes fastest.", "meshgrid(t, h, w, indexing='ij')")  # fmt: skip
SQUARE = Mistake("height-for-width", "The height divides where the width should.", "It is right for square images only.", "row = place // w, column = place % w")  # fmt: skip
TEXT = Mistake("grid-as-text", "All axes count the patches one by one.", "An image's patches are numbered as if they were text.", "time, row and column of each patch")  # fmt: skip
OVERLAP = Mistake("grids-overlap", "A further image begins at 0 again.", "Two images get the same positions.", "begin after the largest position so far")  # fmt: skip

ALTERATIONS = {
    "padding": (
        Alteration(SHARED, _ends_of_row),
        Alteration(PADS, _shape_of),
        Alteration(FIRST_ROW, _one_row(0)),
        Alteration(FIRST_ROW, _one_row(-1)),
        Alteration(FROM_ONE, _plus(1)),
        Alteration(RESTART, lambda trial: torch.zeros_like(trial.expected)),
    ),
    "packing": (
        Alteration(RUNS_ON, _shape_of),
        Alteration(FROM_ONE, _plus(1)),
        Alteration(FIRST_ROW, lambda trial: trial.expected[:1].expand_as(trial.expected)),
        Alteration(HALVED, lambda trial: (trial.expected - 1).clamp(min=0)),
    ),
    "cache": (
        Alteration(RESTART, _shape_of),
        Alteration(AHEAD, _plus(1)),
        Alteration(BEHIND, _plus(-1)),
        Alteration(SAME, lambda trial: trial.expected[:1].expand_as(trial.expected)),
        Alteration(AHEAD, lambda trial: trial.expected + (trial.expected[0] > 0)),
        Alteration(BEHIND, lambda trial: trial.expected - int(trial.expected[0] > 0)),
    ),
    "grid": (
        Alteration(NO_HEIGHT, _axis_zero(1)),
        Alteration(NO_TIME, _axis_zero(0)),
        Alteration(NO_WIDTH, _axis_zero(2)),
        Alteration(SWAPPED, lambda trial: trial.expected[[0, 2, 1]]),
        Alteration(REVERSED, lambda trial: trial.expected.flip(0)),
        Alteration(COLUMNS, _by_column),
        Alteration(SQUARE, _square),
        Alteration(TEXT, _shape_of),
        Alteration(OVERLAP, lambda trial: right.for_grids(_first(trial), "each")),
        Alteration(FROM_ONE, _plus(1)),
    ),
}
