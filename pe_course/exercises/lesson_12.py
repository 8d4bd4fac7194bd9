"""Lesson 12, The bug clinic."""

from dataclasses import replace
from functools import wraps
from itertools import pairwise

import numpy as np
import torch

from pe_clinic import Finding, diagnose_alibi, diagnose_layer, diagnose_rope, diagnose_table, recognise

from ..judges import Function, Otherwise, Table, Value
from ..judges.known import explained, pages
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


SEQUENCE_FIRST = "It is a sequence-first layer: it takes x as (length, batch, d_model), and is right for that layout."


def _own_code(mine):
    """A class of layers, or a function that makes one, is a layer; all else should give a table."""
    kind, make = recognise(mine)
    if kind != "layer":
        diagnosis = diagnose_table(mine)
        return replace(diagnosis, findings=tuple(explained(finding) for finding in diagnosis.findings))
    batch_first, sequence_first = (diagnose_layer(make, batch_first=first) for first in (True, False))
    if sequence_first.ok and not batch_first.ok:
        return replace(sequence_first, usage=(*sequence_first.usage, Finding("sequence-first", SEQUENCE_FIRST)))
    diagnosis = batch_first
    return told(diagnosis, KNOWN["12.4"].errors)


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


def _new_positions(attention_mask, past_length):
    return (attention_mask.cumsum(dim=1) - 1)[:, past_length:]


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
ROTATION = """
d = x.shape[-1]
omega = 10000.0 ** (-torch.arange(0, d, 2) / d)
angles = positions.float()[:, None] @ omega[None]
cos, sin = angles.cos(), angles.sin()
a, b = x.chunk(2, dim=-1)
return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)
"""
BIAS = """
pos = torch.arange(length, dtype=torch.float32)
distance = pos[:, None] - pos
return alibi_slopes(heads).float()[:, None, None] * distance
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
KNOWN = pages(__file__, globals())
EXERCISES = {
    "12.1": Exercise(
        1,
        Value("c", KNOWN["12.1"], reasons=[Otherwise("One letter is asked for: a, b, c or d.")]),
        "More than one row, more than one pair, an odd width, and two sizes that differ.",
    ),
    "12.2": Exercise(
        3,
        Table(KNOWN["12.2"].followed_by(SLIPS)),
        "The paper's table, in four lines.",
        given=TABLE,
    ),
    "12.3": Exercise(3, _layer, "Right at every shape; the table's axis of size 1 is the batch axis.", given=LAYER),
    "12.4": Exercise(3, _own_code, "This code holds the paper's encoding."),
    "12.5": Exercise(3, _rotation, "A product by broadcasting keeps its precision under autocast.", given=ROTATION),
    "12.6": Exercise(2, diagnose_alibi, "Far keys lose: a penalty that is added is negative.", given=BIAS),
    "12.7": Exercise(
        3,
        Function(_new_positions, [(MASK, 5), (MASK[:2], 4)], KNOWN["12.7"]),
        "Each row counts its own visible tokens.",
    ),
    "12.8": Exercise(
        3,
        Function(_rows_of_rank, [([0, 4, 8], 0), ([0, 4, 12], 1), ([0, 8, 16, 24], 2, 4)], KNOWN["12.8"]),
        "A slice of a document begins where the document begins.",
        given=ROWS,
    ),
}
