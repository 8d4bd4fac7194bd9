"""Padding: real places must not change, with position ids on the left, and in relative models without."""

import torch

from .subject import Measured, Seen, largest

PADS = 3


def look_at_padding(subject, first, absolute, convolves):
    """`Measured` changes. ``absolute``: left padding needs ids; ``convolves``: an encoder has convolutions."""
    ids = subject.text(subject.fits(9 + PADS) - PADS)
    whole = subject.run(ids, **subject.ones(ids))
    if not subject.ones(ids) or not isinstance(whole, Seen):
        return []

    def change(left, with_ids=False):
        fills = (torch.full((2, PADS), subject.pad), slice(None)), (subject.text(PADS, seed=7), slice(0, 1))
        return largest(
            *[_padded(subject, ids, whole, fill, rows, left, first if with_ids else None) for fill, rows in fills]
        )

    left = change(True)
    with_ids = change(True, True) if subject.takes("positions") else None
    usage = "needs-position-ids" if with_ids is not None else "pad-on-the-right"
    return [
        Measured(
            "convolutions-see-padding" if convolves else "padding-seen",
            _by_tokens(subject, ids),
            "other tokens in the pads",
        ),
        Measured("right-padding", change(False), "real places, with pads on the right and without"),
        Measured("left-padding", with_ids, "real places, with pads on the left and position ids, and without pads"),
        Measured(
            usage if absolute else "left-padding-relative", left, "real places, with pads on the left and without"
        ),
    ]


def _padded(subject, ids, whole, fill, rows, left, first):
    """The largest change when these rows are padded; the others have real tokens there, and are not compared."""
    text = torch.cat([fill, ids] if left else [ids, fill], dim=1)
    mask, cut = torch.ones_like(text), slice(PADS, None) if left else slice(0, ids.shape[1])
    mask[rows, slice(0, PADS) if left else slice(ids.shape[1], None)] = 0
    given = {} if first is None else {"positions": (mask.cumsum(-1) - 1).clamp(min=0) + first}
    seen = subject.run(text, mask=mask, **given)
    return subject.apart(whole.logits[rows], seen.logits[:, cut][rows]) if isinstance(seen, Seen) else None


def _by_tokens(subject, ids):
    """Do other tokens under a mask of 0 change the real places?"""
    changes, real = [], subject.text(PADS, seed=7)
    for left, cut in ((True, slice(PADS, None)), (False, slice(0, ids.shape[1]))):
        pairs = [(fill, ids) if left else (ids, fill) for fill in (real, real.flip(-1))]
        mask = torch.cat([torch.full_like(each, int(each is ids)) for each in pairs[0]], dim=1)
        seen = [subject.run(torch.cat(pair, dim=1), mask=mask) for pair in pairs]
        if all(isinstance(each, Seen) for each in seen):
            changes.append(subject.apart(*[each.logits[:, cut] for each in seen]))
    return largest(*changes)
