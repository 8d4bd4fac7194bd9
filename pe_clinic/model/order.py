"""Which places see which: nothing from the future, and a beginning of the text gives the same as in the whole."""

from dataclasses import dataclass

import torch

from ..saying.mistake import Mistake
from .calls import _far, subject_length
from .subject import TOLERANCE, differs

LEAK = Mistake(
    "future-leak", "Places see a part of what comes after them.", "The mask is shifted by one, or cut for one length only.",
    "key j is visible for query i when j <= i: tril(), or triu(diagonal=1) for what is hidden")  # fmt: skip
MASK_OFF = Mistake(
    "not-causal", "The model generates from a cache, and yet each place sees all that comes after it.", "The causal mask is off.",
    "is_causal=True, or a mask with tril()")  # fmt: skip
PREFIX = Mistake(
    "length", "The beginning of a text gives something else when the text goes on.", "Positions or scores depend on the length of the whole text.",
    "count from the first token; divide by nothing that contains the length")  # fmt: skip


@dataclass(frozen=True)
class Order:
    """``back`` and ``ahead``: how many places before and after a changed token moved. ``prefix`` is a difference."""

    back: int
    ahead: int
    causal: bool
    generates: bool
    prefix: float | None


def look_at_order(subject):
    ids = subject.text(subject_length(subject, 16), rows=1)
    place = ids.shape[1] // 2
    whole, other = subject.run(ids), ids.clone()
    other[0, place] = subject.text(seed=5)[0, 0] if subject.text(seed=5)[0, 0] != ids[0, place] else ids[0, 0]
    changed = subject.run(other)
    if not hasattr(whole, "logits") or not hasattr(changed, "logits"):
        return None
    difference = (whole.logits - changed.logits).abs().amax(dim=-1)[0]
    moved = torch.where(difference.isnan(), torch.inf, difference) > TOLERANCE * subject.scale
    back, ahead = int(moved[:place].sum()), int(moved[place + 1 :].sum())
    prefix = None
    if back == 0:
        ends = sorted({2, place, ids.shape[1] - 1})
        cuts = [subject.apart(whole.logits[:, :end], subject.run(ids[:, :end])) for end in ends]
        prefix = max((each for each in cuts if each is not None), default=None)
    generates = False
    if subject.takes("cache"):
        seen = subject.run(ids[:, :4], caching=True)
        generates = getattr(seen, "cache", None) is not None
    generates = generates or subject.takes("start")
    return Order(back, ahead, back == 0, generates, prefix)


def explain_order(seen):
    if seen is None:
        return []
    findings = []
    if 0 < seen.back < seen.ahead:
        findings.append(LEAK.found(f"a changed token moved {seen.back} places before it and {seen.ahead} after it"))
    elif seen.back and seen.generates:
        findings.append(MASK_OFF.found(f"a changed token moved {seen.back} places before it"))
    if differs(seen.prefix):
        findings.append(PREFIX.found(_far(seen.prefix, "the beginning alone and in the whole text")))
    return findings
