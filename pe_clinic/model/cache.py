"""The whole text against the same text through a cache: token by token, in pieces, and after padding."""

from dataclasses import dataclass

import torch

from ..saying.mistake import Mistake
from .calls import _far, subject_length
from .subject import differs

RESTARTED = Mistake(
    "cache-restarts", "With a cache, positions begin again at 0.", "Each call counts its own tokens. The cache holds more.",
    "positions = cached length + arange(new tokens)")  # fmt: skip
OFF_BY = Mistake(
    "cache-off-by", "With a cache, positions are off.", "The cached length is read before or after the new tokens are counted.",
    "the first new token has the position that equals the number of cached tokens")  # fmt: skip
CONTENTS = Mistake(
    "cache-disagrees", "Through the cache, the text gives something else.", "What is kept, its order, the mask or the positions are wrong.",
    "compare keys, values and positions of one step with the whole text, layer by layer")  # fmt: skip
PIECES = Mistake(
    "cache-in-pieces", "Token by token is right; pieces of several tokens are not.", "The mask of a piece must begin after the cached keys.",
    "query i of the piece sees the keys j <= cached length + i")  # fmt: skip
LONG = Mistake(
    "cache-overflows", "The cache is right for a short text and wrong for a longer one.", "A window or a ring forgets too much, or positions stop with it.",
    "count positions from the first token, and not from the first that is kept")  # fmt: skip
PADDED = Mistake(
    "cache-one-position", "With left padding, cached steps are wrong.", "One position serves all rows, though each row has a length of its own.",
    "take position_ids row by row: attention_mask.cumsum(-1) − 1", "unslothai/unsloth/pull/3803")  # fmt: skip


@dataclass(frozen=True)
class Cache:
    """Differences in standard deviations; ``off`` is by how much ids must be moved to give what the cache gives."""

    steps: float | None = None
    pieces: float | None = None
    long: float | None = None
    padded: float | None = None
    with_ids: float | None = None
    off: object = None
    error: str = ""


def look_at_cache(subject, order, first):
    if order is None or not order.causal or not order.generates:
        return Cache()
    ids = subject.text(10)
    whole = subject.run(ids)
    steps = compare(subject, ids, whole, [1] * 10)
    with_ids = off = None
    if differs(steps) and subject.takes("positions"):
        with_ids = compare(subject, ids, whole, [1] * 10, first)
        off = _moved_by(subject, ids, first)
    long_ids = subject.text(subject_length(subject, 90), rows=1)
    lengths = [40, *[1] * 50] if long_ids.shape[1] == 90 else [1] * long_ids.shape[1]
    return Cache(
        steps=steps,
        pieces=max_of(compare(subject, ids, whole, [6, 4]), compare(subject, ids, whole, [1, 3, 1, 5])),
        long=compare(subject, long_ids, subject.run(long_ids), lengths),
        padded=_padded(subject, first),
        with_ids=with_ids,
        off=off,
    )


def max_of(*differences):
    return max((each for each in differences if each is not None), default=None)


def through(subject, ids, lengths, positions=None, mask=None):
    """Logits of the text in pieces of these lengths; None when a call was refused."""
    cache, at, parts = None, 0, []
    for length in lengths:
        end = at + length
        given = {"cache": cache, "start": at, "caching": True}
        given |= {"mask": mask[:, :end]} if mask is not None else {}
        given |= {"positions": positions[:, at:end]} if positions is not None else {}
        seen = subject.run(ids[:, at:end], **given)
        if not hasattr(seen, "logits") or (seen.cache is None and not subject.takes("start")):
            return None
        cache, at = seen.cache, end
        parts.append((end, seen.logits))
    return parts


def compare(subject, ids, whole, lengths, first=None):
    positions = None if first is None else torch.arange(ids.shape[1]).expand(ids.shape) + first
    return against(subject, whole, through(subject, ids, lengths, positions))


def against(subject, whole, parts, first=0):
    """The largest difference from the whole text's logits, from place ``first`` on."""
    if parts is None or not hasattr(whole, "logits"):
        return None
    pairs = [(whole.logits[:, end - seen.shape[1] : end], seen) for end, seen in parts if end - seen.shape[1] >= first]
    return max_of(*[subject.apart(expected, seen) for expected, seen in pairs])


def _moved_by(subject, ids, first):
    """Which ids would give what the cache gives: "restart", a shift of the cached steps, or None."""
    parts = through(subject, ids, [6, 1, 1])
    plain = torch.arange(8).expand(2, 8) + first
    if parts is None:
        return None
    for off in (1, -1, 2, "restart"):
        moved = plain.clone()
        moved[:, 6:] = first if off == "restart" else moved[:, 6:] + off
        tried = through(subject, ids, [6, 1, 1], moved)
        if tried and not differs(max_of(*[subject.apart(a, b) for (_, a), (_, b) in zip(parts, tried, strict=True)])):
            return off
    return None


def _padded(subject, first):
    """Row 0 has three pads on the left; prefill, then three steps, against row 0 alone without pads."""
    if not subject.takes("mask", "positions"):
        return None
    ids, pads = subject.text(10), 3
    mask = torch.ones_like(ids)
    ids[0, :pads], mask[0, :pads] = subject.pad, 0
    positions = (mask.cumsum(-1) - 1).clamp(min=0) + first
    parts = through(subject, ids, [7, 1, 1, 1], positions, mask)
    if parts is None:
        return None
    alone = subject.run(ids[:1, pads:], positions=positions[:1, pads:])
    other = subject.run(ids[1:], positions=positions[1:])
    short = [(end - pads, seen[:1]) for end, seen in parts[1:]]
    return max_of(against(subject, alone, short), against(subject, other, [(end, seen[1:]) for end, seen in parts]))


def explain_cache(seen):
    if differs(seen.steps):
        evidence = _far(seen.steps, "token by token and the whole text")
        if seen.off == "restart":
            return [RESTARTED.found(evidence)]
        if seen.off is not None:
            return [OFF_BY.found(f"{evidence}; the same as ids {seen.off:+d}", title=f"With a cache, positions are off by {abs(seen.off)}.")]
        return [CONTENTS.found(evidence + ("; right with position ids" if seen.with_ids is not None and not differs(seen.with_ids) else ""))]
    if differs(seen.pieces):
        return [PIECES.found(_far(seen.pieces, "in pieces and the whole text"))]
    if differs(seen.long, 10):
        return [LONG.found(_far(seen.long, "90 tokens through the cache and at once"))]
    if differs(seen.padded):
        return [PADDED.found(_far(seen.padded, "a padded row through the cache and alone"))]
    return []
