"""Numbers of heads that hide a mistake: one head, where x is split into them, and as many as there are tokens."""

import re
from dataclasses import replace

import torch

from ..calling.names import role_in_rotations
from ..sandbox.guard import first_look
from .layouts import FOUR
from .maker import as_tuple
from .seen import alike
from .words import MISTAKES

OF_ONE = r"head_?(dim|size)|hd|d_?k|kv"  # in the name of a size of one head


def of_two_heads(rotator, way, layout, width):
    """The `Finding` where two heads move the first token, which one head leaves as it is; None elsewhere."""
    two = _for_two(way, width) if layout.axes == ("batch", "length") else None
    if two is None:
        return None
    function, more, seen = *two, []

    def turn(**named):
        given = {name: torch.cat((named[name], named[name]), -1) for name in way.found.vectors}
        x = [given[name].clone() for name in way.found.vectors]
        seen.extend(zip(x, as_tuple(function(**{**named, **given, **more})), strict=False))
        return tuple(named[name] for name in way.found.vectors)

    x = torch.randn(1, 1, 5, width)
    one = rotator.turned(x) or ()
    rotator.by(way=replace(way, function=turn)).turned(x)
    stay = [_stays(x[0], out[0]) for out in one]
    same_shape = all(getattr(out, "shape", None) == given.shape for given, out in seen)
    if stay and same_shape and any(one and not _stays(*two) for one, two in zip(stay, seen, strict=False)):
        said = f"{way.said}: with one head the first token stays as it is, with two it is turned"
        return MISTAKES.found("heads-split", said)
    return None


def _stays(x, out):
    return torch.allclose(x[:, 0], out[:, 0], atol=1e-4)


def _for_two(way, width):
    """The function for x of two heads, and what else it is given; None where nothing says how many there are."""
    roles = dict(way.found.sizes)
    if "heads" in roles.values():
        own = {"heads": 2, "d_model": 2 * width}
        return way.function, {n: own[role] for n, role in roles.items() if role in own and not re.search(OF_ONE, n)}
    sizes = way.made_with
    roles = {name: role_in_rotations(name) for name in sizes}
    if "heads" not in roles.values():
        return None
    twice = {n: k * (1 + (roles[n] in ("heads", "d_model") and not re.search(OF_ONE, n))) for n, k in sizes.items()}
    made = first_look(lambda: type(way.function)(**twice))
    return made and (made, {})


def of_equal_sizes(rotator, way, layout, width):
    """The `Finding` where code that turns two layouts alike does not, with as many heads as tokens; None elsewhere."""
    for other in {*FOUR[:2]} - {layout} if layout in FOUR[:2] else ():
        x, by_size = (torch.randn(2, heads, 5, width) for heads in (3, 5)), rotator.by(layout=other)
        outs = [(rotator.turned(each), by_size.turned(each)) for each in x]
        if all(map(all, outs)) and alike(*outs[0]) and not alike(*outs[1]):
            said = f"{way.said}: x of shape {other.words} is turned right with 3 heads and 5 tokens, not with 5 of each"
            return MISTAKES.found("sizes-alike", said)
    return None
