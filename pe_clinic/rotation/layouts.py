"""The order and the number of x's axes: code for any of them is called with x (batch, heads, length, head_dim)."""

import re
from dataclasses import dataclass

import torch

from ..calling.declared import FOUR as NAMED
from ..calling.declared import axes_said, three
from ..calling.names import role_in_rotations
from ..calling.parameters import source_of
from .forms import named_parameters
from .roles import is_switch

UNPACKED = r"(?m)\w, *[\w.]+, *[\w.]+ *= *{}$"  # the columns of three axes
PAIRS = r"arange\(0, *{}, *2\b"  # of a width, whatever it is called
SHOWN = rf"(?m)^\s*(?:x?[qk]|x|query|queries|keys?)\w* *= *torch\.(?:randn?|ones|zeros)\(\s*[(\[]?{NAMED}"
ROWS = r"[^\n]*?[\[(] *(seq\w*|len\w*|max\w*|[ltns]) *, *[^,\])\n]*[\])]"
AXES = ("batch", "heads", "length")


@dataclass(frozen=True)
class Layout:
    """The axes of x in one call, before its width; each index of an axis that is left out is a call of its own."""

    axes: tuple[str, ...]

    @property
    def plain(self):
        return self.axes == AXES

    @property
    def words(self):
        shape = ", ".join((*self.axes, "head_dim")) + ("" if self.axes else ",")
        return f"({shape})" + ("" if "length" in self.axes else ", one position at a time")

    @property
    def order(self):
        """The axes of x, those of the calls first."""
        return [n for n, axis in enumerate(AXES) if axis not in self.axes] + [AXES.index(a) for a in self.axes] + [3]

    def split(self, x):
        """A copy of x for the calls, (calls, …, head_dim)."""
        x = x.permute(self.order)
        return x.reshape(-1, *x.shape[3 - len(self.axes) :]).clone(memory_format=torch.contiguous_format)

    def joined(self, parts, shape):
        """The other way: from (calls, …, head_dim) to the ``shape`` of x."""
        order = self.order
        return parts.reshape([shape[n] for n in order]).permute([order.index(n) for n in range(4)])

    def own(self, shape):
        """The ``shape`` of x, of four axes, as it is in one call."""
        return tuple(shape[n] for n in self.order)[3 - len(self.axes) :]

    def size(self, x, axis):
        """Of x in one call."""
        return x.shape[self.axes.index(axis)] if axis in self.axes else 1


HEADS_LAST = Layout(("batch", "length", "heads"))
FOUR = (Layout(AXES), HEADS_LAST, Layout(("length", "batch", "heads")))
# With fewer axes, what is wrong with more would not be seen: each group is tried where the one before gives nothing.
FEWER = ((Layout(("batch", "length")), Layout(("length", "heads"))), (Layout(("length",)),),
         (Layout(("heads",)), Layout(())))  # fmt: skip


def in_layout(call, layout, pair):
    """rotate(x, positions), or of q and k, for x of four axes, of ``call(tensors, positions)`` for x in ``layout``."""
    count = 2 if pair else 1

    def rotate(*given):
        tensors, start = given[:count], (*given[count:], 0)[0]
        one_each = isinstance(start, torch.Tensor)  # a whole number is the position of the first row
        positions = start if one_each else (start or 0) + torch.arange(given[0].shape[-2])
        parts = [layout.split(tensor) for tensor in tensors]
        before = [part.detach().clone() for part in parts]
        places = [positions] if "length" in layout.axes else positions.split(1)
        outs = []
        for n in range(len(parts[0])):
            outs.append(call([part[n] for part in parts], places[n % len(places)]))
            if torch.is_tensor(outs[0]) and outs[0].shape != parts[0][0].shape:
                break  # the others will have another shape, too
        changed = not all(map(torch.equal, parts, before)) or not positions.any()  # position 0 stays as it is
        if all(out is None for out in outs) and changed:
            outs, before = list(zip(*parts, strict=True)), parts  # a kernel turns in place, and gives nothing back
        for tensor, part, old in zip(tensors, parts, before, strict=True):
            if not torch.equal(part, old):  # what is written into x shall be seen
                with torch.no_grad():
                    tensor.copy_(layout.joined(part, tensor.shape))
        return _back(outs, layout, pair, [tensor.shape for tensor in tensors])

    return rotate


def _back(outs, layout, pair, shapes):
    """The results as one of x's shape, or of those of q and k; a result of another shape stays what it is."""
    if not pair:
        outs = [out[:1] if isinstance(out, tuple) else (out,) for out in outs]
    wanted = pair + 1
    if not all(isinstance(o, (tuple, list)) and sum(map(torch.is_tensor, o[:wanted])) == wanted for o in outs):
        return outs[0] if pair else outs[0][0]
    columns = [torch.stack(parts) for parts in zip(*(out[:wanted] for out in outs), strict=True)]
    joined = []
    for column, shape in zip(columns, shapes, strict=True):
        fits = tuple(column.shape[1:]) == layout.own(shape)
        joined.append(layout.joined(column, shape) if fits else column[0])
    return tuple(joined) if pair else joined[0]


def told_by_code(function):
    """The roles of a width that the code unpacks into those of three axes, of a switch, and of the T of a class."""
    roles = {p.name: role_in_rotations(p.name) for p in named_parameters(function)}
    switches = {name: "flag" for name, role in roles.items() if not role and is_switch(function, name)}
    wide = [name for name, role in roles.items() if role == "d_model"]
    switches |= {name: "max_len" for name in roles if name == "T" and isinstance(function, type)}
    switches |= widths_by_code(function)
    return switches | {n: "sections" for n in wide if re.search(UNPACKED.format(n), source_of(function))}


def widths_by_code(function):
    """The role of a width, where no name tells one, for names of lengths over which the code counts by twos."""
    roles = {p.name: role_in_rotations(p.name) for p in named_parameters(function)}
    lengths = [name for name, role in roles.items() if role == "max_len"] if "d_model" not in roles.values() else []
    return {name: "d_model" for name in lengths if re.search(PAIRS.format(name), source_of(function))}


def rows_said(function, tables):
    """Does the text say that tables come as (length, width), beside x of (batch, length, heads, width)?"""
    said = (axes_said(function) or ()) == HEADS_LAST.axes
    return said and bool(re.search(rf"(?i)\b({'|'.join(tables)})\b{ROWS}", source_of(function)))


def shown_by(source, pattern=SHOWN):
    """The layouts, one or none, of what a file makes to show its use: q = torch.randn(batch, seq_len, heads, dim)."""
    told = {three(names) for names in re.findall(pattern, source)} - {None}
    return [Layout(axes) for axes in told if len(told) == 1 and len(axes) == 3]
