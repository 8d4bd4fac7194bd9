"""Code for x of shape (batch, length, heads, head_dim) cannot take (batch, heads, length, head_dim): does it fit so?"""

from ..running.guard import Failed
from .asking import Rotator
from .explain import explain
from .forms import Form, form_of
from .look import look
from .places import HEADS
from .right import right_conventions


class HeadsLast:
    """A rotation of x (batch, length, heads, head_dim), called with (batch, heads, length, head_dim)."""

    def __init__(self, rotate, form):
        self.rotate, self.form = rotate, form

    def __call__(self, *arguments):
        count = 2 if self.form.pair else 1
        tensors = [tensor.transpose(1, 2).contiguous() for tensor in arguments[:count]]
        out = self.form.call(self.rotate, tensors, *(arguments[count:] or (None,)))
        if self.form.pair:
            return tuple(tensor.transpose(1, 2) for tensor in out[:2])
        return (out[0] if isinstance(out, (tuple, list)) else out).transpose(1, 2)


def heads_last(rotate):
    """The `Rotator` of such code."""
    form = form_of(rotate)
    return Rotator(HeadsLast(rotate, form), Form(form.pair, form.takes and "positions"))


def if_transposed(rotate, head_dim, finding):
    """`HEADS` as a `Finding`, where ``rotate`` is right for the other order of axes; else None."""
    if finding.id not in ("raises", "rotation-shape"):
        return None
    try:
        seen = look(heads_last(rotate), head_dim)
    except (Failed, NotImplementedError):
        return None
    if right_conventions(seen) is None and any(f.kind == "mistake" for f in explain(seen)):
        return None
    return HEADS.found(
        f"{finding.evidence}; with x of shape (batch, length, heads, head_dim) it turns every row rightly"
    )
