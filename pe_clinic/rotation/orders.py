"""Other orders of x's axes: the same rotation, called with x of shape (batch, heads, length, head_dim)."""

from dataclasses import dataclass

import torch

from ..sandbox.guard import Failed
from .asking import Rotator
from .explain import explain
from .forms import Form
from .look import look
from .of_arrays import is_of_arrays
from .places import HEADS
from .right import right_first
from .tables import as_tuple


@dataclass(frozen=True)
class Order:
    """``there`` takes the axes of (batch, heads, length, head_dim) to ``words``."""

    words: str
    there: tuple[int, ...]

    @property
    def back(self):
        return tuple(self.there.index(axis) for axis in range(4))

    @property
    def axes(self):
        """The names of the first three, in this order."""
        return tuple(("batch", "heads", "length")[axis] for axis in self.there[:3])


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

    turned.of_arrays = is_of_arrays(rotate)
    return turned, Form(form.pair, form.takes)


@dataclass(frozen=True)
class Fewer:
    """Fewer axes than four: every sample, and every head where ``heads`` have no axis either, is a call of its own."""

    words: str
    heads: bool

    def calls(self, tensor):
        """Views of (batch, heads, length, head_dim), each for one call."""
        if self.heads:
            return [sample.transpose(0, 1) for sample in tensor]
        return [head[None] for sample in tensor for head in sample]

    def joined(self, parts, shape):
        if self.heads:
            return torch.stack([part.unflatten(0, shape[2:3]).transpose(0, 1) for part in parts])
        return torch.stack(parts).reshape(shape)


TOKENS = Fewer("(tokens, heads, head_dim)", True)
NO_HEADS = Fewer("(batch, length, head_dim)", False)


def with_fewer(rotate, form, order):
    """As `reordered`, for code that knows of fewer axes."""
    count = 2 if form.pair else 1

    def called(*arguments):
        calls = zip(*(order.calls(tensor) for tensor in arguments[:count]), strict=True)
        positions = arguments[count] if form.takes else None
        outs = [as_tuple(form.call(rotate, tensors, positions))[:count] for tensors in calls]
        joined = [order.joined(list(parts), arguments[0].shape) for parts in zip(*outs, strict=True)]
        return tuple(joined) if form.pair else joined[0]

    called.of_arrays = is_of_arrays(rotate)
    return called, Form(form.pair, form.takes)


def if_heads_last(rotate, form, head_dim, finding):
    """`HEADS` as a `Finding`, where ``rotate`` is right for x (batch, length, heads, head_dim); else None."""
    if finding.id not in ("raises", "rotation-shape"):
        return None
    try:
        seen = look(Rotator(*reordered(rotate, form, HEADS_LAST)), head_dim)
    except (Failed, NotImplementedError):
        return None
    if right_first(seen) is None and any(f.kind == "mistake" for f in explain(seen)[0]):
        return None
    return HEADS.found(f"{finding.evidence}; with x of shape {HEADS_LAST.words} it turns every row rightly")
