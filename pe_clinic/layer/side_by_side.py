"""Layers that give x back, and rows beside it, for attention to take: the rows are looked at as what comes alone."""

from dataclasses import replace

import torch

from ..calling.calling import in_order
from ..calling.layers import FunctionLayer, is_multiple
from ..sandbox.guard import attempt, run
from .subject import Subject
from .words import found

ALONE = "only-encoding"
UNKNOWN = {"other-shape", "unlisted", "some-shapes", "raises", "beside", "shape"}


def rows_alone(make_layer, batch_first):
    """A maker of layers that return the rows alone; None where x does not come back with one thing beside it."""
    make = attempt(in_order, make_layer, ("d_model", "max_len"), batch_first=batch_first)
    subject = Subject(make, batch_first)
    if not (made := make and attempt(subject.make)):
        return None
    x = subject.x(made, 2, 3)
    given = attempt(run, "layer(x)", made.layer, x.clone())
    parts = given if isinstance(given, (tuple, list)) else ()
    if len(parts) != 2 or not all(isinstance(part, torch.Tensor) and part.is_floating_point() for part in parts):
        return None
    same = [n for n, part in enumerate(parts) if part.any() and is_multiple(part, x)]
    if len(same) != 1:
        return None

    def make_rows(d_model, max_len):
        layer = make(d_model, max_len)
        return FunctionLayer(lambda x: layer(x)[1 - same[0]], layer)

    return make_rows


def one_for_each_sample(make_layer):
    """The mistake of rows alone, (1, rows, d_model), whose x would be (sequence, batch, d_model); else None."""
    out = attempt(run, "", lambda: in_order(make_layer, ("d_model", "max_len"))(8, 8)(torch.zeros(4, 3, 8)))
    said = "layer(x), x of shape (4, 3, 8), gave rows alone, of shape (1, 4, 8)"
    return found("slice-by-batch", said) if getattr(out, "shape", None) == (1, 4, 8) else None


def table_of(make_rows):
    """(max_len, d_model) -> the rows that come for an x of this length, with room for one more if need be."""

    def table(max_len, d_model):
        x = torch.zeros(1, max_len, d_model)
        try:
            return make_rows(d_model, max_len).eval()(x)
        except Exception:
            return make_rows(d_model, max_len + 1).eval()(x)

    return table


def of_rows(diagnosis):
    """``diagnosis``, of the rows alone, as that of the layer; None where too little is known of them."""
    if not diagnosis.verdict.good and {finding.id for finding in diagnosis.findings} & UNKNOWN:
        return None
    beside = found("beside, as rows", "one is x, or a multiple of it, and the other is not added", fix="")
    rest = (tuple(f for f in some if f.id != ALONE) for some in (diagnosis.findings, diagnosis.usage))
    findings, usage = rest
    return replace(diagnosis, ok=False, findings=findings, usage=(beside, *usage))
