"""Layer by layer: with the others switched off, does a layer know the order, and does it use position ids?"""

from dataclasses import dataclass

import torch
from torch import nn

from .keeping import hooked
from .subject import LENGTH, Seen, differs


@dataclass(frozen=True)
class Layers:
    """``added``: positions reach the first layer's input. ``convolves``: a layer has a convolution. ``table``: there
    is an embedding of positions. For each layer:

    ``ordered``: it knows the order. ``ids``: it uses position ids. ``grows``: one repeated token does not give the same
    at all places, so the layer counts, as a recurrence does.
    """

    added: float | None = None
    convolves: bool = False
    table: bool = False
    ordered: tuple = ()
    ids: tuple = ()
    grows: tuple = ()

    @property
    def positional(self):
        """For each layer: does it have positions of its own?"""
        return tuple(
            ids or (order and not grow) for order, ids, grow in zip(self.ordered, self.ids, self.grows, strict=True)
        )


def layers_of(model):
    """The stack of layers: the list of modules with most parameters that is in no other list."""
    lists = (
        [each for each in model.modules() if isinstance(each, (nn.ModuleList, nn.Sequential)) and len(each)]
        if isinstance(model, nn.Module)
        else []
    )
    inner = {id(sub) for each in lists for part in each for sub in part.modules()}
    outer = [each for each in lists if id(each) not in inner]
    return list(max(outer, key=lambda each: sum(p.numel() for p in each.parameters()), default=[]))


def hidden_of(arguments, named):
    """The vectors that a layer gets."""
    return named.get(
        "hidden_states",
        next(
            (each for each in (*arguments, *named.values()) if torch.is_tensor(each) and each.is_floating_point()), None
        ),
    )


def only(layers, index):
    """A context in which all layers but one give back what they get."""

    def skip(module, arguments, named, out):
        hidden = hidden_of(arguments, named)
        return (hidden, *out[1:]) if isinstance(out, tuple) else hidden if torch.is_tensor(out) else out

    return hooked([each.register_forward_hook(skip, with_kwargs=True) for n, each in enumerate(layers) if n != index])


def first_input(subject, ids):
    """Vectors (places, width) that the first layer gets for ids (1, places), or else the logits; None when refused."""
    kept, layers = [], layers_of(subject.call.model)

    def note(module, arguments, named):
        kept.append(hidden_of(arguments, named))

    with hooked(each.register_forward_pre_hook(note, with_kwargs=True) for each in layers[:1]):
        seen = subject.run(ids)
    if not isinstance(seen, Seen):
        return None, False
    if kept and kept[-1] is not None:  # the last call: a model that gives the last place is called for each beginning
        return kept[-1].flatten(0, -2).double(), True
    return seen.logits.flatten(0, -2), False


def _has_table(subject):
    """Is an embedding asked for one row after another, or as long as the longest text and asked for nothing?"""
    asked, model = {}, subject.call.model
    modules = (
        [each for each in model.modules() if isinstance(each, nn.Embedding)] if isinstance(model, nn.Module) else []
    )

    def note(module, arguments):
        rows = arguments[0] if arguments and torch.is_tensor(arguments[0]) else torch.zeros(1)
        asked[module] = asked.get(module) or (rows.shape[-1:].numel() > 1 and bool((rows.diff() == 1).all()))

    with hooked(each.register_forward_pre_hook(note) for each in modules):
        subject.run(subject.text())
    return any(asked.get(each, each.num_embeddings == subject.limit) for each in modules)


def look_at_layers(subject, ids):
    layers, repeated = (
        layers_of(subject.call.model),
        subject.text(1, rows=1).expand(1, subject.fits(LENGTH)).contiguous(),
    )
    rows, hidden = first_input(subject, repeated)
    added = float((rows - rows[:1]).abs().max() / (rows.std() or 1.0)) if rows is not None else None
    kernels = [
        part.kernel_size for layer in layers for part in layer.modules() if isinstance(part, (nn.Conv1d, nn.Conv2d))
    ]
    convolves = any(max(each) > 1 for each in kernels)
    table = _has_table(subject)
    if differs(added):
        return Layers(added, convolves, table)
    found, apart = [], hidden and len(layers) <= 64 and len(set(map(id, layers))) == len(layers)
    for index in range(len(layers) if apart else 0):
        with only(layers, index):
            found.append(_one(subject, repeated, ids))
    if not found or not all(found):  # no list of layers, or layers of other widths: the model as a whole
        found = [_one(subject, repeated, ids)]
    return Layers(added, convolves, table, *zip(*found, strict=True)) if all(found) else Layers(added, convolves, table)


def _one(subject, repeated, ids_seen):
    """Of a single layer: (knows the order, uses position ids, counts a repeated token); None when refused."""
    ids = subject.text(repeated.shape[1], rows=1)
    length, swapped = ids.shape[1], ids.clone()
    swapped[0, [1, length - 3]] = ids[0, [length - 3, 1]]
    seen = [subject.run(each) for each in (ids, swapped, repeated)]
    if not all(isinstance(each, Seen) for each in seen):
        return None
    base, other, same = (each.logits for each in seen)
    plain = torch.arange(length)[None] + ids_seen.first
    wide = plain * 2 if 3 * length < (subject.limit or 4096) else plain + (plain > length // 2)
    by_ids = [
        subject.run(ids, positions=each, **subject.ones(ids)) if ids_seen.used else None for each in (plain, wide)
    ]
    order, counts = subject.apart(base[:, -1:], other[:, -1:]), subject.apart(same[:, :1].expand_as(same), same)
    return differs(order), differs(subject.apart(*by_ids)), differs(counts)
