"""A rotation of less than four axes, or of five, called as one of x (batch, heads, length, head_dim)."""

from collections.abc import Callable
from dataclasses import dataclass

import torch

from .forms import Form
from .of_arrays import is_of_arrays
from .tables import as_tuple


@dataclass(frozen=True)
class Rows:
    """``given`` makes of one head, (length, head_dim), and its positions the arguments of one call, or of several."""

    words: str
    given: Callable
    lists: bool = False  # plain Python, where a dtype or a gradient is nobody's mistake

    def __call__(self, rotate, form):
        """(rotate, `Form`) for x of four axes."""
        count = 2 if form.pair else 1

        def called(*arguments):
            tensors = arguments[:count]
            positions = arguments[count] if form.takes else torch.arange(tensors[0].shape[-2])
            heads = zip(*(tensor.flatten(0, 1) for tensor in tensors), strict=True)
            outs = [self._head(rotate, form, head, positions) for head in heads]
            joined = [torch.stack(parts).reshape(tensors[0].shape) for parts in zip(*outs, strict=True)]
            return tuple(joined) if form.pair else joined[0]

        called.of_arrays = self.lists or is_of_arrays(rotate)
        return called, Form(form.pair, form.takes)

    def _head(self, rotate, form, head, positions):
        calls = [self.given(tensor, positions) for tensor in head]
        rows = []
        for parts in zip(*calls, strict=True):
            out = form.call(rotate, [x for x, _ in parts], parts[0][1] if form.takes != "start" else [parts[0][1]])
            rows.append([torch.as_tensor(one, dtype=head[0].dtype if self.lists else None) for one in
                         ((out,) if not form.pair else as_tuple(out)[:2])])  # fmt: skip
        return [torch.stack(column).reshape(head[0].shape) for column in zip(*rows, strict=True)]


def _each(convert):
    return lambda x, positions: [(convert(row), int(p)) for row, p in zip(x, positions, strict=True)]


FEWER_ROWS = (
    Rows("(length, head_dim)", lambda x, positions: [(x, positions)]),
    Rows("(head_dim,), one position at a time", _each(lambda row: row)),
    Rows("a list of head_dim numbers, one position at a time", _each(lambda row: row.tolist()), True),
    Rows("a list of rows", lambda x, positions: [(x.tolist(), positions.tolist())], True),
)


def together(rotate, form):
    """For code that turns q and k in one tensor (batch, length, 3, heads, head_dim): (rotate, `Form`) of q and k."""

    def called(q, k, *rest):
        qkv = torch.stack((q, k, torch.zeros_like(q)), 2).permute(0, 3, 2, 1, 4)
        out = form.call(rotate, [qkv], *rest) if rest else form.call(rotate, [qkv], None)
        q, k = (out[0], out[1]) if isinstance(out, (tuple, list)) else (out[:, :, 0], out[:, :, 1])
        return q.transpose(1, 2), k.transpose(1, 2)

    called.of_arrays = is_of_arrays(rotate)
    return called, Form(True, form.takes)
