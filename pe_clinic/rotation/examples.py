"""Positions (batch, length): does each example of a batch turn by its own row of them?"""

import re
from dataclasses import replace

import torch

from ..calling.parameters import source_of
from ..sandbox.guard import first_look
from .maker import as_tuple
from .way import SHAPES
from .words import MISTAKES

FLAT = r"\b{}\s*(\.(flatten\(\)|(view|reshape)\(\s*-1\s*\)|squeeze\(0\))|\[0\])"
ROWS = torch.stack((torch.arange(5), torch.arange(5) + 4))


def of_one_example(rotator, width):
    """The `Finding` where positions of a batch go by the first row, or stop though ids are flattened; else None."""
    way, layout = rotator.asked or (None, None)
    places = way and (way.found.positions if way.found.takes == "positions" else "positions" if way.maker else "")
    if not places or layout.axes[:1] != ("batch",):
        return None
    own, x = replace(way, found=replace(way.found, required=True)), torch.randn(2, 3, 5, width)
    own = own if way.found.positions else way  # its maker is asked

    def turned(rotate, n, *at):
        return as_tuple(rotate(*[x[n].clone() for _ in way.found.vectors], *at))[0]

    def asked(n):
        calls = [own.rotate(layout, shape, lambda p, b: ROWS[n].clone()) for shape in SHAPES[: 6 if way.maker else 1]]
        outs = [first_look(turned, call, n, ROWS[n]) for call in calls]
        return [out for out in outs if out is not None and out.shape == x[n].shape]

    of_one = [(slice(n, n + 1), *([ROWS[n]] if way.form.takes else [])) for n in (0, 1)]
    right = [first_look(turned, rotator.rotate, *given) for given in of_one]
    both = asked(slice(2))
    said = f"{way.said}, x of a batch of 2 and {places} of shape (2, 5)"
    if both and not any(part is None for part in right):
        wrong = not any(torch.allclose(out, torch.cat(right), atol=1e-4) for out in both)
        said = f"{said} is turned by other positions than its own"
        return MISTAKES["positions-of-one-example"].found(said) if wrong else None
    flat = re.search(FLAT.format(places), source_of(getattr(way.function, "forward", way.function)))
    if "ids" in places and flat and not both and asked(slice(1, 2)):
        return MISTAKES["positions-of-one-example"].found(f"{said} stops; with one example it does not")
    return None
