"""Pads and packed documents: the places of a text must not notice what else stands in its row."""

import torch
from torch import nn

from .layers import layers_of
from .subject import differs

PADS = 3
DOCUMENTS = 5, 6  # tokens in the first and in the second


def convolves(subject):
    """Has a layer a convolution over places?"""
    parts = (part for layer in layers_of(subject.model) for part in layer.modules())
    return any(max(each.kernel_size) > 1 for each in parts if isinstance(each, (nn.Conv1d, nn.Conv2d)))


def masked(f):
    return bool(f.ones(f.ids))


def with_ones(f):
    return [f.apart(f.base, f.run(f.ids, **f.ones(f.ids)))]


def seen(f):
    """The fault when other tokens under a mask of 0 change the text."""
    return "convolutions-see-padding" if f.convolves else "padding-seen", ""


def _text(f):
    return f.text(f.fits(9 + PADS) - PADS)


def _beside(f, fill, left, rows=slice(None), with_ids=False):
    """Logits of the text's places with ``fill`` on one side, hidden in these rows; None when refused."""
    ids = _text(f)
    text = torch.cat([fill, ids] if left else [ids, fill], dim=1)
    mask, cut = torch.ones_like(text), slice(PADS, None) if left else slice(0, ids.shape[1])
    mask[rows, slice(0, PADS) if left else slice(ids.shape[1], None)] = 0
    seen = f.attempt(text, mask=mask, **({"positions": counted(mask) + f.first} if with_ids else {}))
    return None if seen is None else seen[:, cut]


def counted(mask):
    """Position ids (batch, length) that count the ones of a mask."""
    return (mask.cumsum(-1) - 1).clamp(min=0)


def changes(f, left=True, with_ids=False):
    """Of the text's places, with pad ids in both rows, and with real tokens as pads in one."""
    ids = _text(f)
    whole = f.run(ids, **f.ones(ids))
    for fill, rows in ((torch.full((2, PADS), f.pad), slice(None)), (f.text(PADS, seed=7), slice(0, 1))):
        seen = _beside(f, fill, left, rows, with_ids)
        yield None if seen is None else f.apart(whole[rows], seen[rows])


def neighbours(f):
    """Of the second row, when the first has pads on one side, and when it has none."""
    ids = f.text(f.fits(9 + PADS))
    for places in (slice(-PADS, None), slice(0, PADS)):
        padded, mask = ids.clone(), torch.ones_like(ids)
        padded[0, places], mask[0, places] = f.pad, 0
        yield f.apart(f.run(ids, **f.ones(ids))[1:], f.run(padded, mask=mask)[1:])


def by_tokens(f):
    """Of the text's places, when other tokens are hidden beside it."""
    real = f.text(PADS, seed=7)
    both = ([_beside(f, fill, left) for fill in (real, real.flip(-1))] for left in (True, False))
    return [f.apart(*pair) for pair in both if not any(each is not None and each.isnan().any() for each in pair)]


def _second(f, first):
    """Logits of the second document, packed behind ``first``; None when refused."""
    sizes, row = torch.tensor(DOCUMENTS), torch.cat([first, f.text(DOCUMENTS[1], rows=1)], dim=1)
    if f.takes("documents"):
        given = {"documents": torch.arange(1, 3).repeat_interleave(sizes)[None]}
    else:
        given = {"positions": torch.cat([torch.arange(size) for size in DOCUMENTS])[None] + f.first}
    seen = f.attempt(row, **given)
    return None if seen is None else seen[:, DOCUMENTS[0] :]


def other_document(f):
    """Of the second document, when the first is another one."""
    first = f.text(DOCUMENTS[0], rows=1, seed=7)
    return [f.apart(_second(f, first), _second(f, first.flip(-1)))]


def packs(f):
    """Does the model promise to keep documents apart: by their numbers, or as ids that begin again do in it?"""
    return f.takes("documents") or (f.ids_used and f.causal and not any(map(differs, other_document(f))))


def packed(f):
    """Of the second document, packed and alone."""
    second = f.text(DOCUMENTS[1], rows=1)
    given = {"documents": torch.ones_like(second)} if f.takes("documents") else {}
    return [f.apart(f.attempt(second, **given), _second(f, f.text(DOCUMENTS[0], rows=1, seed=7)))]
