"""Padding on the left and on the right: real places must not change, with position ids and, in relative models, without."""

from dataclasses import dataclass

import torch

from ..saying.mistake import Mistake
from .cache import max_of
from .calls import _far
from .subject import differs

SEEN_PADS = Mistake(
    "padding-seen", "Padding is seen.", "Other tokens in padding change the real places: the mask does not hide them everywhere.",
    "hide keys where attention_mask is 0, in every layer")  # fmt: skip
LEFT = Mistake(
    "left-padding", "Padding on the left changes the text, even with position ids.", "The ids are ignored, or used for one row or one path only.",
    "take rows and angles from position_ids = attention_mask.cumsum(-1) − 1", "unslothai/unsloth/pull/4078")  # fmt: skip
LEFT_RELATIVE = Mistake(
    "left-padding-relative", "Padding on the left changes the text, though positions are relative.", "The mask is cut, shifted or lost when a text is padded.",
    "shift mask and keys together")  # fmt: skip
RIGHT = Mistake(
    "right-padding", "Padding on the right changes the text.", "Something counts or averages over the pads.",
    "hide keys where attention_mask is 0, and count real tokens only")  # fmt: skip
NEEDS_IDS = Mistake(
    "needs-position-ids", "It needs position ids when padding is on the left.", "Positions are absolute, and without ids the pads are counted.",
    "position_ids = (attention_mask.cumsum(-1) - 1).clamp(min=0)", kind="usage")  # fmt: skip
NO_LEFT = Mistake(
    "pad-on-the-right", "It cannot be padded on the left.", "Positions are absolute, the pads are counted, and there are no position ids to say otherwise.",
    "pad on the right", kind="usage")  # fmt: skip

CONVOLVED = Mistake(
    "convolutions-see-padding", "Its convolutions see padding.", "A mask hides keys, and a convolution looks at the places beside a text.",
    "group texts of one length, or set the pads' vectors to zero", kind="usage")  # fmt: skip


@dataclass(frozen=True)
class Padding:
    """Differences of the real places in standard deviations; ``tokens`` of other tokens in the place of pads."""

    tokens: float | None = None
    right: float | None = None
    left: float | None = None
    left_with_ids: float | None = None


def look_at_padding(subject, first):
    if not subject.takes("mask"):
        return Padding()
    ids, pads = subject.text(9), 3
    real = subject.text(pads, seed=7)
    whole = subject.run(ids, mask=torch.ones_like(ids))
    none = subject.run(ids)
    if hasattr(none, "logits") and not hasattr(whole, "logits"):
        return Padding()  # a mask of another kind

    def padded(left, fill, rows, with_ids=False):
        """The largest change when these rows are padded; the others have real tokens there, and are not compared."""
        filled = real.clone() if fill is None else torch.full_like(real, fill)
        text = torch.cat([filled, ids] if left else [ids, filled], dim=1)
        mask = torch.ones_like(text)
        mask[rows, slice(0, pads) if left else slice(ids.shape[1], None)] = 0
        given = {"positions": (mask.cumsum(-1) - 1).clamp(min=0) + first} if with_ids else {}
        seen = subject.run(text, mask=mask, **given)
        if not hasattr(seen, "logits"):
            return None
        return subject.apart(whole.logits[rows], (seen.logits[:, pads:] if left else seen.logits[:, : ids.shape[1]])[rows])

    both, one = slice(None), slice(0, 1)
    ids_too = subject.takes("positions")
    return Padding(
        tokens=_by_tokens(subject, ids, real),
        right=max_of(padded(False, subject.pad, both), padded(False, None, one)),
        left=max_of(padded(True, subject.pad, both), padded(True, None, one)),
        left_with_ids=max_of(padded(True, subject.pad, both, True), padded(True, None, one, True)) if ids_too else None,
    )


def _by_tokens(subject, ids, real):
    """Do other tokens under a mask of 0 change the real places?"""
    changes = []
    for left in (True, False):
        parts = [real, ids] if left else [ids, real]
        other = [real.flip(-1), ids] if left else [ids, real.flip(-1)]
        mask = torch.cat([torch.full_like(each, int(each is ids)) for each in parts], dim=1)
        seen = [subject.run(torch.cat(each, dim=1), mask=mask) for each in (parts, other)]
        if all(hasattr(each, "logits") for each in seen):
            cut = slice(real.shape[1], None) if left else slice(0, ids.shape[1])
            changes.append(subject.apart(*[each.logits[:, cut] for each in seen]))
    return max_of(*changes)


def explain_padding(seen, absolute, takes_ids, convolves):
    if differs(seen.tokens):
        return [(CONVOLVED if convolves else SEEN_PADS).found(_far(seen.tokens, "other tokens in the pads"))]
    findings = []
    if differs(seen.right):
        findings.append(RIGHT.found(_far(seen.right, "real places with three pads on the right and without")))
    if differs(seen.left_with_ids):
        return [*findings, LEFT.found(_far(seen.left_with_ids, "real places with three pads on the left, with ids, and without pads"))]
    if differs(seen.left):
        said = _far(seen.left, "real places with three pads on the left and without")
        usage = NEEDS_IDS if takes_ids else NO_LEFT
        findings.append((usage if absolute else LEFT_RELATIVE).found(said))
    return findings
