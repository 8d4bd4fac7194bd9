"""Lesson 12, The bug clinic."""

from dataclasses import replace
from functools import wraps

import numpy as np
import torch

from pe_clinic import Finding, diagnose_alibi, diagnose_layer, diagnose_rope, diagnose_table, recognise

from ..judges import Function, Otherwise, Table, Value, pages, told
from .own_layer import NOT_MADE, swapped_sizes, tensors_in
from .slips import SLIPS


def _table_with(exponent):
    """The table of 12.2's layer with this exponent of column j: a function of (max_len, d_model)."""

    def table(max_len, d_model):
        pos, j = np.arange(max_len)[:, None], np.arange(d_model)
        angles = pos / 10000 ** exponent(j, d_model)
        return np.where(j % 2 == 0, np.sin(angles), np.cos(angles))

    return table


HOLDING = ("unregistered", "trainable")  # findings about how a table is held, whatever is in it


def _layer(answer):
    """The layer, diagnosed. A slip in the formula that has a name stands for all that is said of the sums."""
    diagnosis = diagnose_layer(answer)
    if diagnosis.ok:
        return diagnosis
    if swapped := swapped_sizes(answer, "MendedLayer(d_model=6, max_len=10)"):
        return swapped
    slip = Table(KNOWN["12.2"].followed_by(SLIPS))(_held_by(answer)).findings
    if [finding.id for finding in slip] != ["known"]:
        return told(diagnosis, NOT_MADE)
    return replace(diagnosis, findings=(*slip, *(finding for finding in diagnosis.findings if finding.id in HOLDING)))


def _held_by(make_layer):
    """The table that a layer holds, as a function of (max_len, d_model)."""

    def table(max_len, d_model):
        return next((tensor.detach().squeeze() for tensor in tensors_in(make_layer(d_model, max_len))), None)

    return table


SEQUENCE_FIRST = "It is a sequence-first layer: it takes x as (length, batch, d_model), and is right for that layout."


def _own_code(mine):
    """A class of layers, or a function that makes one, is a layer; all else should give a table."""
    kind, make = recognise(mine)
    if kind != "layer":
        return told(diagnose_table(mine), ())
    batch_first, sequence_first = (diagnose_layer(make, batch_first=first) for first in (True, False))
    if sequence_first.ok and not batch_first.ok:
        return replace(sequence_first, usage=(*sequence_first.usage, Finding("sequence-first", SEQUENCE_FIRST)))
    return told(batch_first, KNOWN["12.6"].errors)


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


MASK = torch.tensor([[1, 1, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 1, 1, 1, 1, 1]])  # pads on the left
LAYER = """
pos = torch.arange(max_len).unsqueeze(1)
j = torch.arange(d_model)
angles = pos / 1000 ** (j / d_model)
self.pe = torch.where(j % 2 == 0, angles.sin(), angles.cos())
return x + self.pe[: x.shape[1]]
"""  # what the stubs hold
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
KNOWN = pages(__file__, globals())
JUDGES = {
    "12.1": Value("c", reasons=[Otherwise("One letter is asked for: a, b, c or d.")]),
    "12.2": _layer,
    "12.3": diagnose_alibi,
    "12.4": _rotation,
    "12.5": Function(_new_positions, [(MASK, 5), (MASK[:2], 4)]),
    "12.6": _own_code,
}
GIVEN = {"12.2": LAYER, "12.3": BIAS, "12.4": ROTATION}
