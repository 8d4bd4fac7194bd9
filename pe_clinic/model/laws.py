"""The laws of a model: calls that must agree. Each says which, how their difference is measured, and whom it binds."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import torch

from . import cached, far, padded
from .call import Refused
from .catalogue import HIDES
from .subject import TOLERANCE, differs


@dataclass(frozen=True)
class Law:
    """``where``: the calls that must agree. ``changes(facts)``: by how much they do not; None where one is refused.

    ``id``: the fault when they differ, or a function of the facts. ``when(facts)``: whom the law binds; ``takes``: the
    roles without which nothing can be measured. ``times``: float32's noise grows so much in a long sum.
    """

    id: str | Callable
    where: str
    changes: Callable
    when: Callable = lambda f: True
    takes: tuple = ()
    times: float = 1.0

    def broken(self, facts):
        """(the fault's id, evidence), or None: the law holds, or does not bind this model."""
        change = None
        with suppress(Refused):
            if not facts.takes(*self.takes) or not self.when(facts):
                return None
            for each in self.changes(facts):
                change = max((n for n in (change, each) if n is not None), default=None)
        if change is None or change <= self.times * TOLERANCE:
            return None
        name, more = (self.id, "") if isinstance(self.id, str) else self.id(facts)
        size = "" if change == math.inf else f": the logits differ by {change:.2g} of their standard deviation"
        return name, self.where + more + size


def after(f, ids, **given):
    """The first call once more, after another one."""
    with suppress(Refused):
        f.step(ids, **given)
    return [f.apart(f.base, f.run(f.ids))]


def by_chance(f):
    """Does the difference go away when the random numbers are the same?"""
    seen = []
    for _ in range(8):
        torch.manual_seed(1)
        seen.append(f.run(f.ids))
    return ("state" if any(differs(f.apart(seen[0], each)) for each in seen) else "chance"), ""


def neighbours(f):
    yield f.apart(f.base[:1], f.run(torch.stack([f.ids[0], f.ids[1].flip(0)]))[:1])
    for n in range(2):
        yield f.apart(f.base[n : n + 1], f.run(f.ids[n : n + 1]))


def before_a_change(f):
    """At the places before a changed token: nothing, in a causal model, however long the text."""
    for length in (16, 90) if f.causal else (16,):
        change, place = f.after_change(length)
        yield change[:place].max().item()


def prefixes(f):
    ids = f.text(f.fits(16), rows=1)
    whole = f.run(ids)
    for end in {2, ids.shape[1] // 2, ids.shape[1] - 1}:
        yield f.apart(whole[:, :end], f.run(ids[:, :end]))


def own_rows(f):
    """Rows with position ids of their own, together and alone."""
    ids, plain = f.plain
    rows = torch.stack([plain[0] + 3, plain[1] * 2]) + f.first
    together = f.placed(ids, rows)
    for n in range(2 if together is not None else 0):
        yield f.apart(together[n : n + 1], f.placed(ids[n : n + 1], rows[n : n + 1]))


def ignored(f):
    """Are ids without effect in a model that has positions?"""
    return not f.ids_used and (f.absolute or (f.generates and f.acting))


def always(_):
    return [math.inf]


def by_default(f):
    ids, plain = f.plain
    return [f.apart(f.placed(ids, plain + f.first), f.run(ids, **f.ones(ids)))]


def first_only(f):
    return f.ids_used and not differs(f.effects["last"])


def used(f):
    return f.ids_used


def writes(f):
    return f.causal and f.generates


def far_ids(f):
    return (f.limit or 4096) + 500 + f.plain[1]


def unpadded(f):
    """The fault when pads on the left change the text and no ids are given: only usage in an absolute model."""
    if not f.absolute:
        return "left-padding-relative", ""
    return "needs-position-ids" if f.takes("positions") else "pad-on-the-right", ""


BOTH = ("mask", "positions")
PADS = "real places, with pads on the {} and without"
LAWS = (
    Law("not-finite", "the first call", lambda f: [f.apart(f.base, f.base)]),
    Law(by_chance, "the same call, twice", lambda f: [f.apart(f.base, f.run(f.ids))]),
    Law("state", "after a call with a longer text", lambda f: after(f, f.text(f.fits(40)))),
    Law("state", "after a call with positions beyond the configured length",
        lambda f: after(f, f.plain[0], positions=far_ids(f)), takes=("positions",)),
    Law("state", "after a call with a cache", lambda f: after(f, f.ids, caching=True), takes=("cache",)),
    Law("neighbours", "a row alone, and with other neighbours in the batch", neighbours),
    Law("mask-of-ones", "with and without a mask of ones", padded.with_ones, padded.masked),
    Law("future-leak", "places before a changed token", before_a_change, lambda f: f.moved[0] < f.moved[1]),
    Law("not-causal", "places before a changed token", before_a_change, lambda f: f.moved[0] and f.generates),
    Law("length", "the beginning alone and in the whole text", prefixes, lambda f: f.causal),
    Law("ids-ignored", "all ids shifted, every second, another last one: no change", always, ignored, ("positions",)),
    Law("ids-by-default", "ids that count up, and none", by_default, used),
    Law("ids-of-first-place", "another id for the last place: no change", always, first_only),
    Law("ids-of-one-row", "rows with ids of their own, together and alone", own_rows, used),
    Law(cached.which, "token by token through the cache, and the whole text", cached.token_by_token, writes),
    Law("cache-in-pieces", "in pieces through the cache, and the whole text", cached.in_pieces, writes),
    Law("cache-overflows", "a longer text through the cache, and at once", cached.longer, writes, times=10),
    Law("cache-shifted", "ids that begin far from 0, through the cache and at once", cached.shifted, used),
    Law("cache-one-position", "a padded row through the cache, and alone", cached.one_padded, writes, BOTH),
    Law(lambda f: (f.far[0], f.far[2]), "", lambda f: [f.far[1]] if f.far else []),
    Law(padded.seen, "other tokens in the pads", padded.by_tokens, padded.masked),
    Law("right-padding", PADS.format("right"), lambda f: padded.changes(f, left=False), padded.masked),
    Law("left-padding", PADS.format("left, ids"), lambda f: padded.changes(f, with_ids=True), padded.masked, BOTH),
    Law(unpadded, PADS.format("left"), padded.changes, padded.masked),
    Law("documents-seen", "behind one document and behind another", padded.other_document, takes=("documents",)),
    Law("documents-run-on", "the second document, packed and alone", padded.packed, padded.packs),
    Law("half-precision", "far places with weights in bfloat16", far.in_half, far.placeable),
    Law("angles-under-autocast", "far places under autocast", far.under_autocast, far.placeable),
    Law(lambda f: ("beyond-refused", f"{f.limit}"), "position ", far.refused),
    Law(far.lost, "in no checkpoint: ", far.emptied),
    Law("state", "the first call and the last", lambda f: [f.apart(f.base, f.run(f.ids))]),
)


def broken(facts):
    """{the fault's id: evidence} of the laws that do not hold; one that hides all others ends the list."""
    found = {}
    for law in LAWS:
        if (each := law.broken(facts)) is not None:
            found.setdefault(*each)
            if "all" in HIDES[each[0]]:
                break
    return found
