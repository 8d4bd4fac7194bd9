"""Layer by layer: with the others switched off, does a layer know the order, and does it use position ids?"""

import contextlib
from dataclasses import dataclass

import torch
from torch import nn

from .subject import LENGTH, differs


@dataclass(frozen=True)
class Layers:
    """``added``: positions reach the first layer's input. ``convolves``: a layer has a convolution. One entry for each layer: ``ordered``, ``ids``, ``grows``.

    ``grows``: one repeated token does not give the same at all places, so the layer counts, as a recurrence does.
    """

    added: float | None = None
    convolves: bool = False
    ordered: tuple = ()
    ids: tuple = ()
    grows: tuple = ()

    @property
    def positional(self):
        """For each layer: does it have positions of its own?"""
        return tuple(by_ids or (order and not grow) for order, by_ids, grow in zip(self.ordered, self.ids, self.grows, strict=True))


def layers_of(model):
    """The stack of layers: the list of modules with most parameters that is in no other list, or else the children."""
    if not isinstance(model, nn.Module):
        return []
    lists = [each for each in model.modules() if isinstance(each, (nn.ModuleList, nn.Sequential)) and len(each)]
    inner = {id(sub) for each in lists for part in each for sub in part.modules()}
    outer = [each for each in lists if id(each) not in inner]
    return list(max(outer, key=lambda each: sum(p.numel() for p in each.parameters()), default=[]))


def _hidden(arguments, named):
    tensors = [each for each in (*arguments, *named.values()) if isinstance(each, torch.Tensor) and each.is_floating_point()]
    return named.get("hidden_states", tensors[0] if tensors else None)


@contextlib.contextmanager
def only(layers, index):
    """All layers but one give back what they get."""

    def skip(module, arguments, named, out):
        hidden = _hidden(arguments, named)
        if isinstance(out, torch.Tensor):
            return hidden
        return (hidden, *out[1:]) if isinstance(out, tuple) else out

    hooks = [each.register_forward_hook(skip, with_kwargs=True) for n, each in enumerate(layers) if n != index]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def first_input(subject, ids):
    """The hidden vectors that the first layer gets; None when no hook tells."""
    layers, kept = layers_of(subject.call.model), []
    if not layers:
        return None
    hook = layers[0].register_forward_pre_hook(lambda module, args, named: kept.append(_hidden(args, named)), with_kwargs=True)
    subject.run(ids)
    hook.remove()
    return kept[0] if kept and kept[0] is not None else None


def look_at_layers(subject, ids_seen):
    repeated = subject.text(1, rows=1).expand(1, LENGTH).contiguous()
    hidden = first_input(subject, repeated)
    if hidden is not None and not subject.call.last_only:
        rows = hidden.flatten(0, -2).double()
        added = float((rows - rows[:1]).abs().max() / (rows.std() or 1.0))
    else:
        seen = subject.run(repeated)
        added = subject.apart(seen.logits[:, :1].expand_as(seen.logits), seen) if hasattr(seen, "logits") else None
    layers = layers_of(subject.call.model)
    kernels = [part.kernel_size for layer in layers for part in layer.modules() if isinstance(part, (nn.Conv1d, nn.Conv2d))]
    convolves = any(max(each) > 1 for each in kernels)
    if hidden is None or differs(added) or len(layers) > 64 or len({id(each) for each in layers}) < len(layers):
        return Layers(added, convolves)
    found = []
    for index in range(len(layers)):
        with only(layers, index):
            found.append(_one(subject, repeated, ids_seen))
    return Layers(added, convolves, *(tuple(each) for each in zip(*found, strict=True)))


def _one(subject, repeated, ids_seen):
    """Of a single layer: (knows the order, uses position ids, grows over a repeated token)."""
    ids = subject.text(rows=1)
    swapped = ids.clone()
    swapped[0, [2, 7]] = ids[0, [7, 2]]
    base, other = subject.run(ids), subject.run(swapped)
    ordered = differs(subject.apart(base.logits[:, -1:], other.logits[:, -1:])) if hasattr(other, "logits") else False
    by_ids = False
    if ids_seen.used:
        mask = {"mask": torch.ones_like(ids)} if subject.takes("mask") else {}
        plain = torch.arange(LENGTH)[None]
        limit = subject.limit or 10 * LENGTH
        wide = plain * 3 if 3 * LENGTH < limit else plain + (plain > LENGTH // 2) * min(9, limit - LENGTH - 1)
        by_ids = differs(subject.apart(subject.run(ids, positions=plain, **mask), subject.run(ids, positions=wide, **mask)))
    same = subject.run(repeated)
    grows = differs(subject.apart(same.logits[:, :1].expand_as(same.logits), same)) if hasattr(same, "logits") else False
    return ordered, by_ids, grows


def runs(numbers):
    """Layer numbers as a reader writes them: "0, 1 and 2" or "3, 7, 11, …" for an even step."""
    numbers = list(numbers)
    steps = {b - a for a, b in zip(numbers, numbers[1:], strict=False)}
    if len(numbers) > 3 and len(steps) == 1:
        return f"{numbers[0]}, {numbers[1]}, … {numbers[-1]}"
    return ", ".join(map(str, numbers))


