"""Other orders of x's axes: the same rotation, called with x of shape (batch, heads, length, head_dim)."""

from dataclasses import dataclass

import torch

from ..running.guard import Failed
from .asking import Rotator
from .explain import explain
from .forms import Form
from .look import look
from .places import HEADS
from .right import right_conventions
from .tables import as_tuple


@dataclass(frozen=True)
class Order:
    """``there`` takes the axes of (batch, heads, length, head_dim) to ``words``."""

    words: str
    there: tuple[int, ...]

    @property
    def back(self):
        return tuple(self.there.index(axis) for axis in range(4))


HEADS_LAST = Order("(batch, length, heads, head_dim)", (0, 2, 1, 3))
LENGTH_FIRST = Order("(length, batch, heads, head_dim)", (2, 0, 1, 3))


def reordered(rotate, form, order):
    """(rotate, `Form`) for x of shape (batch, heads, length, head_dim), of code that wants x in ``order``."""
    count = 2 if form.pair else 1

    def turned(*arguments):
        tensors = [tensor.permute(order.there).contiguous() for tensor in arguments[:count]]
        before = [tensor.detach().clone() for tensor in tensors]
        rest = arguments[count:]
        out = rotate(*tensors, **{form.name: rest[0]}) if form.name else rotate(*tensors, *rest)
        for given, tensor, old in zip(arguments, tensors, before, strict=False):
            if not torch.equal(tensor, old):  # what is written into x shall be seen
                with torch.no_grad():
                    given.copy_(tensor.permute(order.back))
        back = [tensor.permute(order.back) for tensor in as_tuple(out)[:count]]
        return tuple(back) if form.pair else back[0]

    return turned, Form(form.pair, form.takes)


def if_heads_last(rotate, form, head_dim, finding):
    """`HEADS` as a `Finding`, where ``rotate`` is right for x (batch, length, heads, head_dim); else None."""
    if finding.id not in ("raises", "rotation-shape"):
        return None
    try:
        seen = look(Rotator(*reordered(rotate, form, HEADS_LAST)), head_dim)
    except (Failed, NotImplementedError):
        return None
    if right_conventions(seen) is None and any(f.kind == "mistake" for f in explain(seen)):
        return None
    return HEADS.found(f"{finding.evidence}; with x of shape {HEADS_LAST.words} it turns every row rightly")
