"""Do calls agree with calls before them, with neighbours in the batch, and with shorter texts? Each gives changes."""

import math
from contextlib import nullcontext, suppress

import torch

from . import padded
from .call import Refused
from .layers import NOISE, layers_of, only
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
    """Each row in its place, beside other tokens."""
    for other in (f.ids.flip(1), f.text(seed=3)):
        for n in range(2):
            rows = torch.where(torch.arange(2)[:, None] == n, f.ids, other)
            yield f.apart(f.base[n : n + 1], f.run(rows)[n : n + 1])


def alone(f):
    return [f.apart(f.base[n : n + 1], f.run(f.ids[n : n + 1])) for n in range(2)]


def uneven(f):
    """The fault when places between a changed token and a moved place stay, and others for another changed token."""
    layers = layers_of(f.model) if not f.causal else []
    for index in range(-1, len(layers) if f.fits(64) > 15 else -1):
        try:
            with only(layers, index) if index >= 0 else nullcontext():
                one, other = (_reached(f, before) for before in (0, 3))
        except Refused:  # layers of other widths cannot be left out
            continue
        place = len(one) // 2
        if (one[3:] == other[:-3]).all():
            continue
        for side, name in ((one[place + 1 :], "places-mixed"), (one[:place].flip(0), "future-leak")):
            if (side == 1).any() and (side[: int((side == 1).nonzero().max())] == 0).any():
                return name
    return ""


def _reached(f, before):
    """For each place of a text of one token: 1 when a change near its middle moves it, 0 when none does, else -1."""
    changes = torch.stack([f.after_change(64, before, seed)[0] for seed in range(4)]).amax(dim=0)
    return torch.where(changes > 10 * TOLERANCE, 1, torch.where(changes < NOISE, 0, -1))


def leaks(f):
    return f.moved[0] < f.moved[1] or bool(f.moved[0] and uneven(f))


def leak(f):
    return uneven(f) or "future-leak", ""


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


def taken(f):
    return any(each is not None for each in f.effects.values())


def ignored(f):
    """Are ids, which the model takes, without effect in one that has positions?"""
    return taken(f) and not f.ids_used and (f.absolute or (f.generates and f.acting))


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
    if math.inf in padded.changes(f):
        return "nan-on-the-left", ""
    if not f.absolute:
        return "left-padding-relative", ""
    return "needs-position-ids" if f.takes("positions") else "pad-on-the-right", ""
