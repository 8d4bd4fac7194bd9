"""The whole text against the same text through a cache: token by token, in pieces, longer, and after padding."""

import torch

from .subject import Measured, Seen, differs, largest


def look_at_cache(subject, order, first):
    """`Measured` changes; the first that is one hides the others. ``first``: the id with which the model begins."""
    if not order.causal or not order.generates:
        return []
    ids, long = subject.text(subject.fits(10)), subject.text(subject.fits(90), rows=1)
    n, whole = ids.shape[1], subject.run(ids)
    steps = against(subject, whole, through(subject, ids, [1] * n))
    pieces = [against(subject, whole, through(subject, ids, sizes)) for sizes in ([n - 4, 4], [1, 2, 1, n - 4])]
    half = long.shape[1] // 2
    longer = against(subject, subject.run(long), through(subject, long, [half] + [1] * (long.shape[1] - half)))
    off, how = ("disagrees", "") if not differs(steps) else _moved_by(subject, ids, first)
    return [
        Measured(f"cache-{off}", steps, f"token by token{how}, and the whole text"),
        Measured("cache-in-pieces", largest(*pieces), "in pieces, and the whole text"),
        Measured(
            "cache-overflows",
            longer if differs(longer, 10) else None,
            f"{long.shape[1]} tokens through the cache, and at once",
        ),
        Measured("cache-one-position", _padded(subject, first), "a padded row through the cache, and alone"),
    ]


def through(subject, ids, sizes, positions=None, mask=None):
    """Pairs (end, logits) of the text in pieces of these sizes; empty when a call was refused."""
    cache, at, parts = None, 0, []
    for size in sizes:
        end = at + size
        given = {
            name: each[:, cut]
            for name, each, cut in (("mask", mask, slice(end)), ("positions", positions, slice(at, end)))
            if each is not None
        }
        seen = subject.run(ids[:, at:end], cache=cache, start=at, caching=True, **given)
        if not isinstance(seen, Seen) or (seen.cache is None and not subject.takes("start")):
            return []
        cache, at = seen.cache, end
        parts.append((end, seen.logits))
    return parts


def against(subject, whole, parts):
    """The largest difference of pairs (end, logits) from the whole text's logits."""
    if not isinstance(whole, Seen):
        return None
    return largest(*[subject.apart(whole.logits[:, end - seen.shape[1] : end], seen) for end, seen in parts])


def _moved_by(subject, ids, first):
    """Which ids would give what the cache gives: the end of a mistake's id, and words."""
    n, seen = ids.shape[1], through(subject, ids, [6] + [1] * (ids.shape[1] - 6))
    plain = torch.arange(n).expand(2, n) + first
    for off in (None, 1, -1, 2) if subject.takes("positions") and n > 7 else ():
        later = torch.full_like(plain, first) if off is None else plain + off
        tried = through(subject, ids, [6] + [1] * (n - 6), torch.where(plain - first < 6, plain, later))
        change = largest(*[subject.apart(a, b) for (_, a), (_, b) in zip(seen, tried, strict=False)])
        if change is not None and not differs(change):
            return ("restarts", "") if off is None else ("off-by", f" (the same as ids {off:+d})")
    return "disagrees", ""


def _padded(subject, first):
    """Row 0 has three pads on the left; a prompt, then three steps, against each row alone without pads."""
    if not subject.takes("mask", "positions") or subject.fits(10) < 10:
        return None
    ids, pads = subject.text(10), 3
    mask = torch.ones_like(ids)
    ids[0, :pads], mask[0, :pads] = subject.pad, 0
    positions = (mask.cumsum(-1) - 1).clamp(min=0) + first
    parts = through(subject, ids, [7, 1, 1, 1], positions, mask)
    alone, other = (
        subject.run(ids[n : n + 1, cut:], positions=positions[n : n + 1, cut:]) for n, cut in ((0, pads), (1, 0))
    )
    first_row = against(subject, alone, [(end - pads, seen[:1]) for end, seen in parts[1:]])
    return largest(first_row, against(subject, other, [(end, seen[1:]) for end, seen in parts]))
