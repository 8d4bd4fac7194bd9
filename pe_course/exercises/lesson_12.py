"""Lesson 12, The bug clinic."""

from dataclasses import replace

import numpy as np
from torch import nn

from pe_clinic import Finding, diagnose_layer, diagnose_table
from pe_clinic.calling.calling import in_order, roles
from pe_clinic.sandbox import Failed, run

from ..judges import Otherwise, Table, Value
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
    if not _makes_a_layer(mine):
        diagnosis = diagnose_table(mine)
        return replace(diagnosis, findings=tuple(explained(finding) for finding in diagnosis.findings))
    make = (lambda d_model, max_len: mine(d_model)) if _takes_only_d_model(mine) else mine
    batch_first, sequence_first = (diagnose_layer(make, batch_first=first) for first in (True, False))
    if sequence_first.ok and not batch_first.ok:
        return replace(sequence_first, usage=(*sequence_first.usage, Finding("sequence-first", SEQUENCE_FIRST)))
    diagnosis = batch_first
    return told(diagnosis, KNOWN["12.4"].errors)


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
}
