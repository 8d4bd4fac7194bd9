"""What a rotation's object holds: tables that stay where they are, or as its first x is, and what training moves."""

import copy
import re
from dataclasses import replace

import torch

from ..layer.registering import ELSEWHERE, plain_tensors, stays, table_left_behind
from ..sandbox.elsewhere import on_meta
from ..sandbox.guard import Failed, first_look, run
from ..sandbox.mistakes import found
from .behaviour import CASTS
from .seen import isfailed
from .standard import LAID_OUT
from .words import MISTAKES

WIDTH = 64  # of a head
MEANT = r"(?i)learn|train|requires_grad"
LENGTH = 600  # beyond 256, where bfloat16 has no whole numbers of its own
OFF = 0.25  # no rounding of x is as large
STAYS = "A tensor that it keeps would stay behind when the module moves."
OF_ANGLES = r"(?i)freq|theta|cos|sin\b|angle"


def of_held(rotator, source, thing):
    """The side matters of the module that turns x, or of the class ``thing`` that makes its tables; [] without any."""
    way = rotator.way
    module = way.function if way else None
    if LAID_OUT in rotator.said and isinstance(thing, type):
        module = first_look(thing, WIDTH)
    if not isinstance(module, torch.nn.Module):
        return []
    behind = table_left_behind(module, source) or (_stops_elsewhere(rotator, module) if module is way.function else [])
    changes = {"kind": "usage", "title": STAYS}
    return [*(replace(f, fix=f.fix.partition(";")[0], **changes) for f in behind), *_trained(module, source)]


def _stops_elsewhere(rotator, module):
    """A finding where x and the module are on another device, and an attribute is not; else none."""
    way = rotator.way
    new = first_look(_made_anew, way) if way.made_with else None
    new = copy.deepcopy(module) if new is None else new
    names = plain_tensors(new)
    if way.maker or not names:
        return []
    moved = rotator.by(way=replace(way, function=new.to("meta")))
    at = torch.arange(5, device="cpu" if way.form.takes == "start" else "meta")
    try:
        with on_meta():
            run("it", moved.turn, [torch.zeros(1, 2, 5, 64, device="meta")] * rotator.count, at)
    except Failed as failed:
        if re.search(ELSEWHERE, failed.finding.evidence):
            return [stays("after .to(device) x is on the new device and the attribute {} on the old one", names[0])]
    except NotImplementedError:
        pass
    return []


def _made_anew(way):
    """An object as that which is called, or whose method is, without what a call keeps."""
    own = getattr(way.function, "__self__", way.function)
    new = type(own)(**way.made_with)
    return new if own is way.function else getattr(new, way.function.__name__)


def _trained(module, source):
    """A finding where frequencies or tables ask for a gradient, and no word says that they are learned; else none."""
    trained = {name: p for name, p in module.named_parameters() if p.requires_grad}
    names = [name for name, p in trained.items() if re.search(OF_ANGLES, name) or _are_frequencies(p.detach())]
    if not names or re.search(MEANT, source):
        return []
    return [MISTAKES.found("frequencies-trained", f"{names[0]} is a parameter that asks for a gradient")]


def _are_frequencies(held):
    return held.ndim == 1 and len(held) > 3 and bool((held > 0).all() and (held.diff() < 0).all())


def first_in_half(rotator, again, width):
    """The `Finding` where a new object, of the ways ``again()``, is off if it meets bfloat16 first; else None."""
    way = rotator.way
    of = getattr(way.function, "__self__", way.function) if way and not way.maker else None
    if of is None or isinstance(of, type) or type(of).__module__ in ("builtins", "functools"):
        return None
    own = first_look(lambda: next((one for one in again() if one.said == way.said), None))
    if own is None:
        return None
    new, x = rotator.by(way=own), torch.randn(1, 1, LENGTH, width, generator=torch.Generator().manual_seed(3))
    if not _off(rotator, new, x.bfloat16()):
        return None
    said = f"{way.said}, x of {LENGTH} tokens: a new object that meets bfloat16 first"
    if _off(rotator, new, x):
        return found("not-repeatable", f"{said} turns float32 otherwise afterwards", **(CASTS | {"kind": "usage"}))
    return MISTAKES.found("dtype-of-x", f"{said} is off by more than {OFF}", kind="usage")


def unless_kept(diagnosis, rotator, width):
    """``diagnosis``; where its error or shape is that of an old object, and a new one takes x, what says so."""
    way = rotator.way
    if not (way and way.made_with) or not {f.id for f in diagnosis.findings} & {"rotation-shape", "raises"}:
        return diagnosis
    for *shape, length in ((width + 1, 1, 12), (2, 3, 5), (2, 3, 1)):
        x = [torch.ones(*shape, length, width)] * rotator.count
        if (new := first_look(_made_anew, way)) is None:
            return diagnosis
        told, other = (r.attempt(x, range(length)) for r in (rotator, rotator.by(way=replace(way, function=new))))
        if isfailed(told) and not isfailed(other):
            said = f"{told.evidence}, after calls with other shapes; a new object takes it"
            return replace(diagnosis, findings=(MISTAKES.found("kept-misfits", said),))
    return diagnosis


def _off(rotator, new, x):
    """Does it come otherwise from the ``new`` object than from the one that was looked at?"""
    usual, out = rotator.turned(x), new.turned(x)
    return bool(usual and out and (usual[0].float() - out[0].float()).abs().max() > OFF)
