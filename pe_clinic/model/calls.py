"""Do calls agree? With themselves, with calls before them, with neighbours in the batch; and who sees the future."""

from dataclasses import dataclass

import torch

from .subject import TOLERANCE, Measured, Seen, largest


def look_at_calls(subject):
    """`Measured` changes; the first that is one makes all other numbers meaningless."""
    ids, run, apart = subject.text(), subject.run, subject.apart
    base = run(ids)
    if not base.logits.isfinite().all():
        return [Measured("not-finite", float("inf"), "the first call")]
    again = apart(base, run(ids))
    torch.manual_seed(1)
    one = run(ids)
    torch.manual_seed(1)
    by_chance = not Measured("state", apart(one, run(ids)), "")
    found = [Measured("chance" if by_chance else "state", again, "the same call, twice")]
    run(subject.text(subject.fits(40)))
    found.append(Measured("state", apart(base, run(ids)), "after a call with a longer text"))
    if subject.takes("positions"):
        run(ids, positions=(subject.limit or 4096) + 500 + torch.arange(ids.shape[1]).expand(ids.shape))
        found.append(
            Measured("state", apart(base, run(ids)), "after a call with positions beyond the configured length")
        )
    if subject.takes("cache"):
        run(ids, caching=True)
        found.append(Measured("state", apart(base, run(ids)), "after a call with a cache"))
    changed = run(torch.stack([ids[0], ids[1].flip(0)]))
    moved = apart(base.logits[:1], changed.logits[:1]) if isinstance(changed, Seen) else None
    found.append(Measured("neighbours", moved, "row 0, with another text in row 1"))
    alone = [apart(base.logits[n : n + 1], run(ids[n : n + 1])) for n in range(2)]
    found.append(Measured("neighbours", largest(*alone), "a row alone and in a batch of two"))
    if subject.ones(ids):
        found.append(
            Measured("mask-of-ones", apart(base, run(ids, **subject.ones(ids))), "with and without a mask of ones")
        )
    return found


@dataclass(frozen=True)
class Order:
    """``back`` and ``ahead``: how many places before and after a changed token moved, of those that there are.

    ``generates``: a cache comes back, or the model keeps one and takes the place to begin at.
    """

    back: int
    ahead: int
    generates: bool

    @property
    def causal(self):
        return self.back == 0


def look_at_order(subject):
    """The `Order`, and `Measured` changes of it."""
    ids = subject.text(subject.fits(16), rows=1)
    place, other = ids.shape[1] // 2, ids.clone()
    other[0, place] = next(each for each in subject.tokens if each != ids[0, place])
    whole, changed = subject.run(ids), subject.run(other)
    difference = (whole.logits - changed.logits).abs().amax(dim=-1)[0]
    moved = ~(difference <= TOLERANCE * subject.scale)
    cached = subject.run(ids[:, :4], caching=True) if subject.takes("cache") else None
    generates = subject.takes("start") or getattr(cached, "cache", None) is not None
    order = Order(int(moved[:place].sum()), int(moved[place + 1 :].sum()), generates)
    if order.back:
        part = "future-leak" if order.back < order.ahead else "not-causal" if generates else None
        return order, [
            Measured(
                part, difference[:place].max().item() / subject.scale, f"{order.back} places before a changed token"
            )
        ] if part else []
    cuts = [subject.apart(whole.logits[:, :end], subject.run(ids[:, :end])) for end in {2, place, ids.shape[1] - 1}]
    return order, [Measured("length", largest(*cuts), "the beginning alone and in the whole text")]
