"""Does this layer add the sinusoidal table to its input, and if not, what does it do? Look, explain, say."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch

from pe_lib.arguments import check_bool
from pe_lib.vectorized import sinusoidal_vectorized

from ..calling.calling import in_order, roles
from ..calling.layers import FunctionLayer
from ..sandbox.guard import Failed, attempt
from ..saying.heatmap import draw
from ..saying.result import Diagnosis, say
from ..table.diagnose import diagnose_table, picture_of
from ..table.look import Tables
from .combining import SHAPES
from .explain import explain, of_every_shape
from .look import look
from .picks import WITH_ROOM
from .side_by_side import ALONE, of_rows, one_for_each_sample, rows_alone, table_of
from .subject import D_MODEL, Subject
from .words import found

AXES = {"sequence-first": "(sequence, batch, d_model)", "channels-first": "(batch, d_model, sequence)"}
LATER = ("overflow", "odd-crash")  # not worth a word while there is a mistake to mend


@np.errstate(all="ignore")
def diagnose_layer(make_layer: Callable, batch_first: bool | None = True, expect: str | None = None) -> Diagnosis:
    """Name what is wrong with the layer that ``make_layer(d_model, max_len)`` returns; a `Diagnosis`.

    ``batch_first=True`` demands a layer for x of shape (batch, sequence, d_model), False one for (sequence, batch,
    d_model). None finds out which of the two it is: a sequence-first one is not ``ok``, and ``usage`` says so.
    ``expect`` names the intended design in the words of ``.convention``: then ``ok`` is True for it alone.
    Raises TypeError for a ``batch_first`` that is none of the three.

    >>> from pe_lib import PositionalEncoding
    >>> print(diagnose_layer(PositionalEncoding))
    Right.
    >>> diagnose_layer(lambda d_model, max_len: PositionalEncoding(d_model, max_len, batch_first=False), None).ok
    False
    """
    if batch_first is not None:
        check_bool("batch_first", batch_first)
    if isinstance(make_layer, torch.nn.Module):
        return say([found("no-function", "it is a finished layer; give its class, or a function that makes one")])
    if not callable(make_layer):
        return say([found("no-function", f"it is a {type(make_layer).__name__}")])
    return _diagnose(make_layer, batch_first).expecting(expect)


def _diagnose(make_layer, batch_first):
    rows = rows_alone(make_layer, batch_first is not False)
    for diagnose in (lambda: _diagnose(rows, batch_first), lambda: diagnose_table(table_of(rows))) if rows else ():
        if told := of_rows(diagnose()):
            return told
    if batch_first is None:
        return _either_layout(make_layer)
    diagnosis, _ = _in_layout(make_layer, batch_first)
    return diagnosis if batch_first else _sequence_first(diagnosis)


def _either_layout(make_layer):
    """Batch-first, unless the rows arrive only in another layout: token n of every sample gets row n there."""
    diagnosis, seen = _in_layout(make_layer, True)
    mistakes = any(finding.kind in ("mistake", "not-run") for finding in diagnosis.findings)
    if diagnosis.ok or not mistakes or _rows_arrive(seen):
        return diagnosis
    others = ("sequence-first", _in_layout(make_layer, False)), ("channels-first", _channels_first(make_layer))
    for usage, other in others:
        if other and _rows_arrive(other[1]):
            said = found(usage, f"with x of shape {AXES[usage]} token n gets row n")
            if usage == "sequence-first" and (rows := one_for_each_sample(make_layer)):
                return say([rows])
            there = _sequence_first(other[0]) if usage == "sequence-first" else other[0]
            if usage == "sequence-first" and ALONE in {finding.id for finding in there.usage}:
                said = found("sequence-first, rows alone", "row n comes for place n of that axis")
            return replace(there, ok=False, usage=(said, *there.usage))
    return diagnosis


def _rows_arrive(seen):
    """Does token n get row n at every shape of x that has room, or a product with it, or come back as row n?"""
    if seen is None or seen.how.pattern == "unknown" or seen.how.entry:
        return False
    if any(finding.id == "transposed" for finding in seen.about_table):
        return False  # columns came for rows
    answered = all(response.out is not None for response in seen.responses.values())
    return answered and (seen.how.pick is WITH_ROOM or not of_every_shape(seen))  # astray at max_len alone


def _channels_first(make_layer):
    """The diagnosis, and what was seen, for x of shape (batch, d_model, sequence)."""
    if not (make := attempt(in_order, make_layer, ("d_model", "max_len"))):
        return None

    def turned(d_model, max_len):
        layer = make(d_model, max_len)
        return FunctionLayer(lambda x: layer(x.transpose(1, 2)).transpose(1, 2), layer)

    return _in_layout(turned, True)


def _in_layout(make_layer, batch_first):
    """(diagnosis, what was seen) of x in this layout; None where nothing was seen."""

    def subject(**values):
        return Subject(in_order(make_layer, ("d_model", "max_len"), batch_first=batch_first, **values), batch_first)

    try:
        known = roles(make_layer)[0]
        asked = 0.25 if "dropout" in known and "drop" in known["dropout"].name.lower() else None
        seen = look(subject(), subject(dropout=asked) if asked else subject(), asked)
    except Failed as failed:
        return say([failed.finding]), None
    findings = explain(seen)
    mistakes = [finding for finding in findings if finding.kind not in ("note", "usage")]
    findings = [f for f in findings if not (f.kind == "note" and f.id in LATER and mistakes)]
    usage = any(finding.kind == "usage" for finding in findings)
    ok = seen.how.pattern == "position" and not mistakes and not usage
    return say(findings, ok=ok, picture=_picture(seen) if mistakes else None), seen


def _sequence_first(diagnosis):
    """The same diagnosis; its advice cuts the table, (max_len, 1, d_model), along axis 0."""

    def turned(fix):
        fix = fix.partition("; a layer that is meant")[0].replace("axis 1 of x", "axis 0 of x")
        fix = fix.replace("pe[:, :x.shape[1]]", "pe[:x.shape[0]]").replace("pe[:x.shape[1]]", "pe[:x.shape[0]]")
        return fix.replace("(1, max_len, d_model)", "(max_len, 1, d_model)")

    return replace(diagnosis, findings=tuple(_by_batch(replace(f, fix=turned(f.fix))) for f in diagnosis.findings))


def _by_batch(finding):
    """A table that is cut to the size of another axis, in the words of sequence-first x; any other as it is."""
    said = finding.evidence.replace("axes 0 and 1 of x", "(batch, length)")
    return found("slice-by-batch, sequence-first", said) if finding.id == "slice-by-batch" else finding


def _picture(seen):
    """The layer's table when that is wrong, else what sample 1 gets at (2, 3)."""
    picture = picture_of(seen.tables) if isinstance(seen.tables, Tables) else None
    response = seen.responses.get(SHAPES[0])
    if picture or response is None or not response.fits:
        return picture
    return draw(response.out[1] - response.x[1], sinusoidal_vectorized(3, D_MODEL), "what the second sample gets")
