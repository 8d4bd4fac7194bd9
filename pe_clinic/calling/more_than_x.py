"""A forward that takes more than x: what its further arguments get."""

import re
from itertools import islice, product

from .arrays import positions
from .axes import of_each
from .inputs import NONE, alternatives
from .layers import NUMBERS, X, with_forward
from .lines import expression
from .parameters import bound, source_of

TRIALS = 12
PADS = r"(?i)\b{}\b[^\n]*\b(true|1)\b[^\n]{{0,24}}\bpad"  # in words on a mask
OF_EACH = "torch.arange(x.shape[1], device=x.device).expand(x.shape[0], -1)"  # the positions of each sample of a batch


def with_more(file, call, required, source):
    """forward(x, something): what the second argument is called tells what it gets, or that rows are picked by it."""
    values = {None: [NONE, *NUMBERS]}
    for a in required[1:]:
        each = re.search(rf"\bfor (?:\w+, )?(\w+) in (?:enumerate\()?{a.name}\b", source)
        if a.role != "mask" and of_each(a.name, source_of(file.thing_in(call))):
            values |= {a.role: [expression(OF_EACH, torch=file.library)]}
        elif a.role == "mask":
            full = "zeros" if "pad" in a.name or re.search(PADS.format(a.name), source) else "ones"
            ways = product(("x.shape[:2]", "(*x.shape[:2], 1)"), ("bool", "long"))
            ways = [f"torch.{full}({shape}, dtype=torch.{kind})" for shape, kind in ways]
            values |= {"mask": [NONE, *(expression(way, torch=file.library) for way in ways)]}
        elif not a.role and each and re.search(rf"\w\[[^]\n]*\b{each[1]}\b", source):
            values |= {None: [expression(OF_EACH, torch=file.library)]}
        elif not a.role and re.search(rf"\[{a.name}\]|(?i:pos|emb)\w*\({a.name}\)", source):
            values |= {None: positions(file.library)}
    options = [values.get(a.role) or alternatives(a, True, file) for a in required[1:]]
    ways = islice(product(*options), TRIALS)
    return [with_forward(call, [X, *bound(required[1:], way)]) for way in ways]
