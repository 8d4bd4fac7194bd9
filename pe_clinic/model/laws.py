"""The laws of a model: calls that must agree. Each says which, how their difference is measured, and whom it binds."""

import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from . import cached, calls, far, half, padded
from .call import Refused
from .catalogue import HIDES
from .subject import TOLERANCE

SECONDS = 120  # for all laws of a slow model


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


IDS, BOTH = ("positions",), ("mask", "positions")
PADS = "real places, with pads on the {} and without"
LAWS = (
    Law("not-finite", "the first call", lambda f: [f.apart(f.base, f.base)]),
    Law(calls.by_chance, "the same call, twice", lambda f: [f.apart(f.base, f.run(f.ids))]),
    Law(
        "fast-path",
        "the same call, with gradients and without",
        lambda f: [f.apart(f.base, f.run(f.ids, gradients=True))],
        lambda f: not f.last_only,
    ),
    Law("state", "after a call with a longer text", lambda f: calls.after(f, f.text(f.fits(40)))),
    Law(
        "state",
        "after a call with positions beyond the configured length",
        lambda f: calls.after(f, f.plain[0], positions=calls.far_ids(f)),
        takes=IDS,
    ),
    Law("state", "after a call with a cache", lambda f: calls.after(f, f.ids, caching=True), takes=("cache",)),
    Law("neighbours", "a row beside one text and beside another", calls.neighbours),
    Law("row-place", "a row alone, and in a batch of two", calls.alone),
    Law("padded-neighbours", "a row beside a padded one and a full one", padded.neighbours, padded.masked),
    Law("mask-of-ones", "with and without a mask of ones", padded.with_ones, padded.masked),
    Law(calls.leak, "places before a changed token", calls.before_a_change, calls.leaks),
    Law("not-causal", "places before a changed token", calls.before_a_change, lambda f: f.moved[0] and f.generates),
    Law("length", "the beginning alone and in the whole text", calls.prefixes, lambda f: f.causal),
    Law("ids-ignored", "all ids shifted, every second, another last one: no change", calls.always, calls.ignored, IDS),
    Law("ids-by-default", "ids that count up, and none", calls.by_default, calls.used),
    Law("ids-of-first-place", "another id for the last place: no change", calls.always, calls.first_only),
    Law("ids-of-one-row", "rows with ids of their own, together and alone", calls.own_rows, calls.used),
    Law(cached.which, "token by token through the cache, and the whole text", cached.token_by_token, calls.writes),
    Law(cached.in_pieces_fault, "in pieces through the cache, and the whole text", cached.in_pieces, calls.writes),
    Law("cache-overflows", "a longer text through the cache, and at once", cached.longer, calls.writes, times=10),
    Law("cache-shifted", "ids that begin far from 0, through the cache and at once", cached.shifted, calls.used),
    Law("cache-one-position", "a padded row through the cache, and at once", lambda f: f.padded_steps),
    Law(lambda f: (f.far[0], f.far[2]), "", lambda f: [f.far[1]] if f.far else []),
    Law(padded.seen, "other tokens in the pads", padded.by_tokens, padded.masked),
    Law("right-padding", PADS.format("right"), lambda f: padded.changes(f, left=False), padded.masked),
    Law("left-padding", PADS.format("left, ids"), lambda f: padded.changes(f, with_ids=True), padded.masked, BOTH),
    Law(calls.unpadded, PADS.format("left"), padded.changes, padded.masked),
    Law("documents-seen", "behind one document and behind another", padded.other_document, takes=("documents",)),
    Law("documents-run-on", "the second document, packed and alone", padded.packed, padded.packs),
    Law("half-precision", "far places with weights in bfloat16", half.in_half, far.placeable),
    Law("angles-under-autocast", "far places under autocast", half.under_autocast, far.placeable),
    Law(lambda f: ("beyond-refused", f"{f.limit}"), "position ", far.refused),
    Law(far.lost, "in no checkpoint: ", far.emptied),
    Law("state", "the first call and the last", lambda f: [f.apart(f.base, f.run(f.ids))]),
)


def broken(facts):
    """{the fault's id: evidence} of the laws that do not hold; one that hides all others ends the list."""
    found = {}
    end = time.monotonic() + SECONDS
    for law in LAWS:
        if time.monotonic() > end:
            return found | {"out-of-time": f"{SECONDS} seconds had passed before {law.where.strip()}"}
        if (each := law.broken(facts)) is not None:
            found.setdefault(*each)
            if "all" in HIDES[each[0]]:
                break
    return found
