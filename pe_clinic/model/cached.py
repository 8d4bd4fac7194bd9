"""The text through a cache: token by token, in pieces, longer, far from 0, and padded. Each gives changes."""

import torch

from .padded import counted
from .subject import differs


def through(f, ids, sizes, positions=None, mask=None):
    """Pairs (end, logits) of the text in pieces of these sizes; none where no cache comes back."""
    cache, at, parts = None, 0, []
    for size in sizes:
        cuts = {"mask": (mask, slice(at + size)), "positions": (positions, slice(at, at + size))}
        given = {name: each[:, cut] for name, (each, cut) in cuts.items() if each is not None}
        logits, cache = f.step(ids[:, at : at + size], cache=cache, start=at, caching=True, **given)
        if cache is None and (f.takes("cache") or not f.takes("start")):
            return []
        at += size
        parts.append((at, logits))
    return parts


def against(f, whole, parts):
    """Changes of pairs (end, logits) from the whole text's logits."""
    return [f.apart(whole[:, end - logits.shape[1] : end], logits) for end, logits in parts]


def token_by_token(f):
    ids = f.text(f.fits(10))
    return against(f, f.run(ids), through(f, ids, [1] * ids.shape[1]))


def in_pieces(f):
    ids = f.text(f.fits(10))
    n, whole = ids.shape[1], f.run(ids)
    for sizes in ([n - 4, 4], [1, 2, 1, n - 4]):
        yield from against(f, whole, through(f, ids, sizes))


def longer(f):
    """Half a text at once and half in steps; then a text of which only the end comes in steps."""
    for length, steps in ((f.fits(90), f.fits(90) // 2), (f.fits(200), 5)):
        ids = f.text(length, rows=1)
        yield from against(f, f.run(ids), through(f, ids, [length - steps] + [1] * steps))


def shifted(f):
    """A cache whose positions begin far from 0, as after old tokens were dropped."""
    ids, plain = f.plain
    n = ids.shape[1]
    far = plain + min(100, (f.limit or 2048) - n - f.first) + f.first
    return against(f, f.placed(ids, far), through(f, ids, [n - 2, 1, 1], far, f.ones(ids).get("mask")))


def which(f):
    """The fault of a cache, and the ids that would give what it gives, in words."""
    ids = f.text(f.fits(10))
    n, sizes = ids.shape[1], [6] + [1] * (ids.shape[1] - 6)
    plain = torch.arange(n).expand(2, n) + f.first
    for off in (None, 1, -1, 2) if f.takes("positions") and n > 7 else ():
        later = torch.full_like(plain, f.first) if off is None else plain + off
        tried = through(f, ids, sizes, torch.where(plain - f.first < 6, plain, later))
        pairs = zip(through(f, ids, sizes), tried, strict=False)
        if not any(differs(f.apart(a, b)) for (_, a), (_, b) in pairs):
            return ("cache-restarts", "") if off is None else ("cache-off-by", f" (the same as ids {off:+d})")
    return "cache-disagrees", ""


def one_padded(f):
    """Row 0 has three pads on the left; a prompt, then three steps, against the same rows at once: the real places.

    Ids that count the ones of the mask are given where the model takes ids; else it has to count by itself.
    """
    if f.fits(10) < 10:
        return
    ids, pads = f.text(10), 3
    mask = torch.ones_like(ids)
    ids[0, :pads], mask[0, :pads] = f.pad, 0
    positions = counted(mask) + f.first if f.takes("positions") else None
    whole = f.run(ids, mask=mask, **({} if positions is None else {"positions": positions}))
    for end, logits in through(f, ids, [7, 1, 1, 1], positions, mask):
        places = slice(end - logits.shape[1], end)
        real = mask[:, places] == 1
        yield f.apart(whole[:, places][real], logits[real])
