"""What a rotation's module holds: tables that stay where they are as it moves, frequencies that training moves."""

import copy
import re
from dataclasses import replace

import torch

from ..layer.registering import ELSEWHERE, plain_tensors, table_left_behind
from ..layer.words import found
from ..sandbox.guard import Failed, first_look, run
from .standard import LAID_OUT
from .two_heads import ALL_NUMBERS
from .way import POSITIONS, STARTS
from .words import MISTAKES

WIDTH = 64  # of a head
MEANT = r"(?i)learn|train|requires_grad"
OF_ANGLES = r"(?i)freq|theta|cos|sin\b|angle"


def of_held(rotator, source, thing):
    """The side matters of the module that turns x, or of the class ``thing`` that makes its tables; [] without any."""
    way = rotator.asked[0]
    module = way.function if way else None
    if LAID_OUT in rotator.said and isinstance(thing, type):
        module = first_look(thing, WIDTH)
    if not isinstance(module, torch.nn.Module):
        return []
    stays = table_left_behind(module, source) or (_stops_elsewhere(rotator, module) if module is way.function else [])
    return [*stays, *_trained(module, source)]


def _stops_elsewhere(rotator, module):
    """A finding where x and the module are on another device, and an attribute is not; else none."""
    way, layout, shape = rotator.asked
    told = re.match(ALL_NUMBERS, way.said)
    sizes = {name: int(n) for name, n in re.findall(r"(\w+)=(\d+)", told[1])} if told else {}
    new = first_look(lambda: type(module)(**sizes)) if sizes else None  # what a call keeps is made anew
    new = copy.deepcopy(module) if new is None else new
    names = plain_tensors(new)
    if way.maker or not names:
        return []
    moved = replace(way, function=new.to("meta"))
    place, device = (STARTS[0], "cpu") if way.form.takes == "start" else (POSITIONS[0], "meta")
    x = [torch.zeros(1, 2, 5, 64, device="meta")] * rotator.count
    try:
        run("it", moved.rotate(layout, shape, place), *x, torch.arange(5, device=device))
    except Failed as failed:
        if re.search(ELSEWHERE, failed.finding.evidence):
            said = f"after .to(device) x is on the new device and the attribute {names[0]} on the old one"
            return [found("unregistered", said, kind="usage")]
    except NotImplementedError:
        pass
    return []


def _trained(module, source):
    """A finding where frequencies or tables ask for a gradient, and no word says that they are learned; else none."""
    trained = {name: p for name, p in module.named_parameters() if p.requires_grad}
    names = [name for name, p in trained.items() if re.search(OF_ANGLES, name) or _are_frequencies(p.detach())]
    if not names or re.search(MEANT, source):
        return []
    return [MISTAKES.found("frequencies-trained", f"{names[0]} is a parameter that asks for a gradient")]


def _are_frequencies(held):
    return held.ndim == 1 and len(held) > 3 and bool((held > 0).all() and (held.diff() < 0).all())
