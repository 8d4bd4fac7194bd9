"""The text through a cache: token by token, in pieces, longer, far from 0, and padded. Each gives changes."""

from contextlib import nullcontext, suppress

import torch

from .call import Refused
from .layers import layers_of, only
from .padded import counted
from .subject import differs


def generates(f):
    """A cache comes back; or the model keeps one by itself: a step from a later place knows what came before it."""

    def after(ids):
        f.step(ids[:, :4], caching=True)
        return f.step(f.ids[:, 4:5], start=4, caching=True)[0]

    with suppress(Refused):
        if f.takes("cache") and f.step(f.ids[:, :4], caching=True)[1] is not None:
            return True
        return f.takes("start") and differs(f.apart(after(f.ids), after(f.text(seed=5))))
    return False


def through(f, ids, sizes, positions=None, mask=None):
    """Pairs (end, logits) of the text in pieces of these sizes; none where no cache comes back."""
    cache, at, parts = None, 0, []
    for size in sizes:
        cuts = {"mask": (mask, slice(at + size)), "positions": (positions, slice(at, at + size))}
        given = {name: each[:, cut] for name, (each, cut) in cuts.items() if each is not None}
        logits, cache = f.step(ids[:, at : at + size], cache=cache, start=at, caching=True, **given)
        if cache is None and not f.takes("start"):
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
    """The fault of a cache, and what tells it, in words: other ids that give the same, or what a step sees."""
    if "recurrent" in f.kinds:
        return "state-disagrees", ""
    ids = f.text(f.fits(10))
    n, sizes = ids.shape[1], [6] + [1] * (ids.shape[1] - 6)
    plain = torch.arange(n).expand(2, n) + f.first
    for off in (None, 1, -1, 2) if f.takes("positions") and n > 7 else ():
        later = torch.full_like(plain, f.first) if off is None else plain + off
        tried = through(f, ids, sizes, torch.where(plain - f.first < 6, plain, later))
        pairs = zip(through(f, ids, sizes), tried, strict=False)
        if not any(differs(f.apart(a, b)) for (_, a), (_, b) in pairs):
            return ("cache-restarts", "") if off is None else ("cache-off-by", f" (the same as ids {off:+d})")
    with suppress(Refused):
        return _of_a_step(f, ids[:1])
    return "cache-disagrees", ""


def _of_a_step(f, ids):
    """As `which`, by the first layer alone: does the last of single steps see all kept tokens, and their order?"""
    n, layers = ids.shape[1], layers_of(f.model)

    def unnoticed(changed):
        """Does a change move the last place of the whole text, and not the last step?"""
        steps = (through(f, each, [1] * n)[-1][1] for each in (ids, changed))
        whole = (f.run(each)[:, -1:] for each in (ids, changed))
        return differs(f.apart(*whole)) and not differs(f.apart(*steps))

    with only(layers, 0) if layers else nullcontext():
        for place in range(n - 1):
            changed = ids.clone()
            changed[0, place] = next(each for each in f.tokens if each not in ids[0])
            if unnoticed(changed):
                return "cache-unseen", f" (at place {n - 1}, the token of place {place} is not seen)"
        order = [n - 3, *range(1, n - 3), 0, n - 2, n - 1]
        if unnoticed(ids[:, order]):
            return "cache-restarts", " (in single steps, tokens may change places unnoticed)"
    return "cache-disagrees", " (each step sees all kept tokens)"


def in_pieces_fault(f):
    return "state-in-pieces" if "recurrent" in f.kinds else "cache-in-pieces", ""


def one_padded(f):
    """Row 0 has three pads on the left; a prompt, then three steps, against the same rows at once: the real places.

    Ids that count the ones of the mask are given where the model takes ids; it also has to count by itself.
    """
    ids, pads = f.text(10), 3
    mask = torch.ones_like(ids)
    ids[0, :pads], mask[0, :pads] = f.pad, 0
    for own in [{"positions": counted(mask) + f.first}] * f.takes("positions") + [{}]:
        with suppress(Refused):
            whole = f.run(ids, mask=mask, **own)
            for end, logits in through(f, ids, [7, 1, 1, 1], mask=mask, **own) if f.fits(10) == 10 else ():
                places = slice(end - logits.shape[1], end)
                real = mask[:, places] == 1
                yield f.apart(whole[:, places][real], logits[real])
