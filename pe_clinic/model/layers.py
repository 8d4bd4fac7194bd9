"""Layer by layer: with the others switched off, what does a layer know of order and ids, and how far does it see?"""

from dataclasses import dataclass

import torch
from torch import nn

from .call import Refused
from .keeping import hooked
from .subject import LENGTH, differs

FAR, LONGEST = 40, 600  # places: a window below the first is seen without a configuration; one above the second never
NOISE = 2e-5  # of the logits' standard deviation: mixtures of experts round differently for other texts


@dataclass(frozen=True)
class Layer:
    """``ordered``: it knows the order. ``ids``: it uses position ids. ``counts``: one repeated token does not give the
    same at all places, as in a recurrence. ``window``: the last place sees so many; None when it sees all.
    """

    ordered: bool
    ids: bool
    counts: bool
    window: int | None = None

    @property
    def positional(self):
        """Does it have positions of its own?"""
        return self.ids or (self.ordered and not self.counts)


def layers_of(model):
    """The stack of layers: the list of modules with most parameters that is in no other list."""
    lists = [each for each in model.modules() if isinstance(each, (nn.ModuleList, nn.Sequential)) and len(each)]
    inner = {id(sub) for each in lists for part in each for sub in part.modules()}
    outer = [each for each in lists if id(each) not in inner]
    return list(max(outer, key=lambda each: sum(p.numel() for p in each.parameters()), default=[]))


def hidden_of(arguments, named):
    """The vectors that a layer gets."""
    vectors = (each for each in (*arguments, *named.values()) if torch.is_tensor(each) and each.is_floating_point())
    return named.get("hidden_states", next(vectors, None))


def only(layers, index):
    """A context in which all layers but one give back what they get."""

    def skip(module, arguments, named, out):
        hidden = hidden_of(arguments, named)
        return (hidden, *out[1:]) if isinstance(out, tuple) else hidden if torch.is_tensor(out) else out

    off = (part for n, each in enumerate(layers) if n != index for part in called(each))
    return hooked(each.register_forward_hook(skip, with_kwargs=True) for each in off)


def called(layer):
    """What is called of a layer: itself, or the parts of a list or a dictionary; none where these are linear maps."""
    if not isinstance(layer, (nn.ModuleList, nn.ModuleDict)):
        return [layer]
    parts = [part for each in layer.children() for part in called(each)]
    return [] if any(isinstance(each, nn.Linear) for each in parts) else parts


def first_input(subject, ids):
    """Vectors (places, width) that the first layer, or else the first module with weights, gets for ids (1, places).

    None when no such vectors were seen, one for each place.
    """
    leaves = [each for each in subject.model.modules() if not isinstance(each, nn.Embedding) and each._parameters]
    first, kept = [part for each in layers_of(subject.model)[:1] for part in each.modules()] or leaves, []

    def note(module, arguments, named):
        kept.append(hidden_of(arguments, named))

    with hooked(each.register_forward_pre_hook(note, with_kwargs=True) for each in first):
        subject.step(ids)
    hidden = next((each for each in kept if each is not None), torch.zeros(0, 0))
    while hidden.dim() > 3:  # several streams
        hidden = hidden[0]
    rows = hidden.flatten(0, -2).double()
    return rows if len(rows) == ids.shape[1] else None


def has_table(subject):
    """Is there an embedding beside the tokens', or a buffer that holds one number, as long as the longest text?

    Or one of another width, as of distances, that is asked for one row alone: their sign is wrong.
    """
    tokens, *tables = [each for each in subject.model.modules() if isinstance(each, nn.Embedding)] or [None]
    empty, asked = [each for each in subject.model.buffers() if each.dim() > 1 and each.min() == each.max()], []
    few = [each for each in tables if each.embedding_dim != tokens.embedding_dim and each.num_embeddings > 7]
    with hooked(each.register_forward_pre_hook(lambda _, given: asked.append(given[0])) for each in few):
        subject.step(subject.ids)
    alike = any(each.numel() >= LENGTH and each.min() == each.max() for each in asked)
    return alike or any(0 <= e.shape[-2] - (subject.limit or 8) < 9 for e in (*(t.weight for t in tables), *empty))


def look_at_layers(subject, window):
    """A `Layer` for each, or one for the model as a whole; () when refused. ``window``: the configured one, or None."""
    layers, used = layers_of(subject.model), subject.ids_used  # measured now, while all layers are on
    try:
        found = []
        alone = len(set(map(id, layers))) == len(layers) <= 64 and any(map(called, layers))
        for index in range(len(layers) if alone else 0):
            with only(layers, index):
                found.append(_one(subject, used, window or 0))
        return tuple(found) or (_one(subject, used, None),)
    except Refused:  # layers of other widths cannot be left out
        return (_one(subject, used, None),)


def _one(subject, used, window):
    """The `Layer` that is left when the others are switched off. ``window``: None to look for none."""
    same, ids = subject.run(subject.repeated()), subject.text(subject.fits(LENGTH), rows=1)
    length, swapped = ids.shape[1], ids.clone()
    swapped[0, [1, length - 3]] = ids[0, [length - 3, 1]]
    plain = torch.arange(length)[None] + subject.first
    wide = plain * 2 if 3 * length < (subject.limit or 4096) else plain + (plain > length // 2)
    by_ids = used and differs(subject.apart(subject.placed(ids, plain), subject.placed(ids, wide)))
    ordered = differs(subject.apart(subject.run(ids)[:, -1:], subject.run(swapped)[:, -1:]))
    counts = differs(subject.apart(same[:, :1].expand_as(same), same))
    recurrent = counts and not by_ids  # what it keeps fades, and is cut off nowhere
    return Layer(ordered, by_ids, counts, None if recurrent or window is None else _window(subject, window))


def _window(subject, configured):
    """How many places the last place sees; None when it sees all of a text that is longer than a configured window."""
    longest = max(FAR, configured + 8 if configured + 8 <= LONGEST else 0)
    ids = subject.text(subject.fits(longest), rows=1)
    last, whole, others = ids.shape[1] - 1, subject.run(ids)[:, -1], subject.tokens[[0, -1]]

    def seen(distance):
        """Does another token so many places before the last one change the last logits at all?"""
        changed, place = ids.clone(), last - distance
        changed[0, place] = others[int(ids[0, place] == others[0])]
        return subject.apart(whole, subject.run(changed)[:, -1]) > NOISE

    if last < 2 or seen(last):
        return None
    near, far = 0, last
    while far - near > 1:
        middle = (near + far) // 2
        near, far = (middle, far) if seen(middle) else (near, middle)
    return far
