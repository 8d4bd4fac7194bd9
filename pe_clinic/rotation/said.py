"""Does x go through with the three axes that the text of a rotation names?"""

from dataclasses import replace

import torch

from ..calling.declared import axes_said
from ..sandbox.guard import Failed, run
from .layouts import Layout
from .maker import as_tuple
from .words import MISTAKES


def three_said(thing):
    """The layouts of x with three axes that the text tells: one, or none."""
    said = axes_said(thing) or ()
    return [Layout(said)] if len(said) == 2 else []


def of_axes_said(diagnosis, rotator, width, thing):
    """``diagnosis``; where it is right of other axes than the text names, the mistake that these do not go through.

    A text that names the heads is taken at its word; (batch, length, dim) is also said of one head among others.
    """
    way, layout = rotator.asked or (None, None)
    told = [one for one in three_said(thing) if "heads" in one.axes]
    if not way or layout in (told or [layout]) or not diagnosis.verdict.main_right:
        return diagnosis
    x = told[0].split(torch.zeros(2, 3, 5, width))[0]
    said = f"{way.said}, x of shape {tuple(x.shape)},"
    try:
        tensors = [x.clone() for _ in way.found.vectors]
        out = run(said, way.call, told[0], (), lambda p, batch: p, tensors, torch.arange(5))
        seen = f"{said} gave the shape {tuple(as_tuple(out)[0].shape)}"
    except Failed as failed:
        seen = failed.finding.evidence
    seen += f"; the text says {told[0].words}, and x of shape {layout.words} is turned"
    return replace(diagnosis, ok=False, convention=None, findings=(MISTAKES["axes-said"].found(seen),), usage=())
