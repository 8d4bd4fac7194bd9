"""Lesson 12, The bug clinic."""

from dataclasses import replace
from functools import wraps
from itertools import pairwise

import numpy as np
import torch
from torch import nn

from pe_clinic import diagnose_alibi, diagnose_layer, diagnose_rope, diagnose_table
from pe_clinic.calling.calling import in_order, roles
from pe_clinic.sandbox import Failed, run

from ..judges import Function, Otherwise, Table, Value
from ..judges.errors import explained
from .exercise import Exercise
from .made import swapped_sizes, told
from .slips import SLIPS


def _table_with(exponent):
    """The table of 12.2 with this exponent of column j: a function of (max_len, d_model)."""

    def table(max_len, d_model):
        pos, j = np.arange(max_len)[:, None], np.arange(d_model)
        angles = pos / 10000 ** exponent(j, d_model)
        return np.where(j % 2 == 0, np.sin(angles), np.cos(angles))

    return table


def _layer(answer):
    """The layer, diagnosed; beside it, whether its table was made with both sizes in each other's place."""
    diagnosis = diagnose_layer(answer)
    if diagnosis.ok:
        return diagnosis
    return swapped_sizes(answer, "MendedLayer(d_model=6, max_len=10)") or told(diagnosis)


ARGUMENTS = [
    (
        r"arguments? but \d+ w|missing \d+ required|unexpected keyword|'int' object (has no|is not)",
        "It wants other arguments: wrap it, mine = lambda d_model, max_len: TheirLayer(…), with what it needs inside.",
    )
]


def _own_code(mine):
    """A class of layers, or a function that makes one, is a layer; all else should give a table."""
    if not _makes_a_layer(mine):
        diagnosis = diagnose_table(mine)
        return replace(diagnosis, findings=tuple(explained(finding) for finding in diagnosis.findings))
    make = (lambda d_model, max_len: mine(d_model)) if _takes_only_d_model(mine) else mine
    batch_first, sequence_first = (diagnose_layer(make, batch_first=first) for first in (True, False))
    diagnosis = sequence_first if sequence_first.ok else batch_first
    return replace(diagnosis, findings=tuple(explained(finding, ARGUMENTS) for finding in diagnosis.findings))


def _takes_only_d_model(mine):
    known, unknown = roles(mine)
    return "d_model" in known and "max_len" not in known and not unknown


def _makes_a_layer(mine):
    if isinstance(mine, nn.Module) or (isinstance(mine, type) and issubclass(mine, nn.Module)):
        return True
    try:
        return isinstance(run("mine", in_order(mine, ("d_model", "max_len")), 8, 5), nn.Module)
    except (Failed, TypeError, NotImplementedError):
        return False


def _rotation(rotate):
    """The rotation, diagnosed as it stands and, if that is right, under autocast."""
    diagnosis = diagnose_rope(rotate)
    if not diagnosis.ok:
        return diagnosis

    @wraps(rotate)
    def under_autocast(x, positions):
        with torch.autocast("cpu", torch.bfloat16):
            return rotate(x, positions)

    return diagnose_rope(under_autocast)


def _new_positions(attention_mask, past_length, first=0):
    return (attention_mask.cumsum(dim=1) - 1 + first)[:, past_length:]


def _rows_of_rank(cu_seqlens, rank, ranks=2, begin=lambda start: start):
    rows = []
    for start, end in pairwise(cu_seqlens):
        size, start, length = (end - start) // (2 * ranks), begin(start), end - start
        rows += range(start + rank * size, start + (rank + 1) * size)
        rows += range(start + length - (rank + 1) * size, start + length - rank * size)
    return rows


MASK = torch.tensor([[1, 1, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 1, 1, 1, 1, 1]])  # pads on the left
TABLE = """
pos = torch.arange(max_len).unsqueeze(1)
j = torch.arange(d_model)
angles = pos / 1000 ** (j / d_model)
return torch.where(j % 2 == 0, angles.sin(), angles.cos())
"""  # what the stubs hold
LAYER = """
table = sinusoidal_stack_flatten(max_len, d_model).unsqueeze(1)
self.register_buffer("pe", table)
return x + self.pe[:x.size(0)]
"""
BIAS = """
pos = torch.arange(length, dtype=torch.float32)
distance = pos[:, None] - pos
return alibi_slopes(heads).float()[:, None, None] * distance
"""
ROTATION = """
d = x.shape[-1]
omega = 10000.0 ** (-torch.arange(0, d, 2) / d)
angles = positions.float()[:, None] @ omega[None]
cos, sin = angles.cos(), angles.sin()
a, b = x.chunk(2, dim=-1)
return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)
"""
ROWS = """
rows = []
for start, end in pairwise(cu_seqlens):
    length = end - start
    size = length // (2 * ranks)
    rows += range(rank * size, (rank + 1) * size)
    rows += range(length - (rank + 1) * size, length - rank * size)
return rows
"""
EXERCISES = {
    "12.1": Exercise(
        1,
        Value(
            "c",
            replies=[
                ("a", "With one pair the exponent is 0, so most frequency mistakes cannot show."),
                ("b", "With one row every angle is 0: only a mistake in row 0 or in the layout can show."),
                ("d", "An even width cannot see case 6, and max_len = d_model cannot see a transposed table."),
                ((5, 7), "Answer with the letter of that choice, in quotes."),
            ],
            reasons=[Otherwise("One letter is asked for: a, b, c or d.")],
        ),
        "More than one row, more than one pair, an odd width, and two sizes that differ.",
    ),
    "12.2": Exercise(
        3,
        Table(
            mistakes=[
                (
                    _table_with(lambda j, d: (j - 1) / d),
                    "Even columns have the exponent of the column before: j - 1 is right for odd columns only.",
                ),
                *SLIPS,
            ]
        ),
        "The paper's table, in four lines.",
        given=TABLE,
    ),
    "12.3": Exercise(3, _layer, "Right at every shape; the table's axis of size 1 is the batch axis.", given=LAYER),
    "12.4": Exercise(3, _own_code, "This code holds the paper's encoding."),
    "12.5": Exercise(3, _rotation, "A product by broadcasting keeps its precision under autocast.", given=ROTATION),
    "12.6": Exercise(2, diagnose_alibi, "Far keys lose: a penalty that is added is negative.", given=BIAS),
    "12.7": Exercise(
        3,
        Function(
            _new_positions,
            [(MASK, 5), (MASK[:2], 4)],
            mistakes=[
                (
                    lambda mask, past: torch.arange(past, mask.shape[1]).expand(len(mask), -1),
                    "All rows get the same positions: a padded row has fewer visible tokens before the new ones.",
                ),
                (
                    lambda mask, past: _new_positions(mask, past, first=1),
                    "The new token itself is counted: a position is the number of visible tokens before it.",
                ),
                (
                    lambda mask, past: _new_positions(mask, 0),
                    "The cached places are still there; keep the columns of the new tokens only.",
                ),
            ],
        ),
        "Each row counts its own visible tokens.",
    ),
    "12.8": Exercise(
        3,
        Function(
            _rows_of_rank,
            [([0, 4, 8], 0), ([0, 4, 12], 1), ([0, 8, 16, 24], 2, 4)],
            mistakes=[
                (
                    lambda *given: _rows_of_rank(*given, begin=lambda start: 0),
                    "Every document gets rows of the first: add the row where its own rows begin.",
                ),
            ],
        ),
        "A slice of a document begins where the document begins.",
        given=ROWS,
    ),
}
