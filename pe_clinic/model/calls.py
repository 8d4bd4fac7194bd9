"""Do calls agree with calls before them, with neighbours in the batch, and with shorter texts? Each gives changes."""

import math
from contextlib import suppress

import torch

from .call import Refused
from .subject import TOLERANCE, differs


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


def of_batch(f):
    """Do other rows change a row, or does the place that it has among them?"""
    other = f.apart(f.base, f.run(f.ids.flip(0)).flip(0))
    mixed = next(neighbours(f))
    return ("row-place", "") if differs(other) and not differs(mixed) else ("neighbours", "")


def gaps(f):
    """In a model that sees what comes later, are there places between changed ones that do not change at all?"""
    change, place = f.after_change(16)
    changed = (~(change <= TOLERANCE)).nonzero().flatten().tolist()
    between = change[changed[0] : changed[-1] + 1] if changed else change[:0]
    return always(f) if changed and changed[0] < place and bool((between == 0).any()) else []


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
