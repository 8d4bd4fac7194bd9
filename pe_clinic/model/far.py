"""Far positions: within the configured length and beyond it, and after the meta device."""

import contextlib
import copy
import math
from dataclasses import replace

import torch

from .call import Refused
from .layers import first_input
from .subject import TOLERANCE

SPAN = 8  # tokens in a shifted text
EDGES = (99, 127, 199, 255, 511, 700, 999, 1023, 1500, 2045, 2500, 4000, 4093, 8100)
FLOAT32 = 3e-3  # of the effect of other ids: what float32 angles of thousands of radians may miss
FILLS = (("_init_weights", True), ("reset_parameters", False), ("reset_buffers", False))  # True: of the whole model


def look_at_far(f):
    """(fault, change, the places), or None: a shifted text stays, and one token has another row at each place."""
    if not f.ids_used:
        return _in_a_text(f) if f.absolute else None
    limit, span = min(f.limit or 4096, 1 << 17), 1 if f.absolute else SPAN
    step, edges = max(1, span - 2), [n + more for n in (*EDGES, limit // 2, limit - 2) for more in (0, 1)]
    starts = sorted({n for n in (*range(0, 520, step), *edges) if f.first <= n <= limit - span})
    further = (limit - span // 2, limit + SPAN, limit + SPAN + 1, 2 * limit - span // 2, 2 * limit + 1)
    for places in (starts + [*further] * bool(f.limit), starts):
        if (rows := rows_at(f, places, span)) is not None:
            return _one_row_each(rows, places) if f.absolute else _one_row(f, rows, places, limit)
    return None


def rows_at(f, places, span, step=1):
    """Logits (places, …) of ``span`` tokens that begin at each place; None when refused."""
    ids = f.text(span, rows=1).expand(len(places), span).clone()
    seen = f.placed(ids, torch.tensor(places)[:, None] + step * torch.arange(span))
    return None if seen is None else seen.flatten(1)


def _one_row_each(rows, places):
    bad = [place for place, row in zip(places, rows, strict=True) if not row.isfinite().all()]
    if bad:
        return "positions-nan", math.inf, f"one token at position {bad[0]}"
    same = (torch.cdist(rows, rows, p=torch.inf) < 1e-6 * rows.std()).triu(1).nonzero().tolist()
    if not same:
        return None
    name = "clamped" if any(places[m] == places[n] + 1 for n, m in same) else "wrapped"
    where = f"positions {places[same[0][0]]} and {places[same[0][1]]} give one token the same"
    return f"positions-{name}", math.inf, where


def _one_row(f, rows, places, limit):
    """How changes go on with the distance tells the fault; scaling that begins at the limit is none."""
    changes = torch.nan_to_num((rows - rows[:1]).abs().amax(dim=1) / f.scale, nan=torch.inf)
    wrong = (changes > max(TOLERANCE, FLOAT32 * (f.effects["stride"] or 0.0))).nonzero().flatten().tolist()
    if not wrong:
        return None
    begin, within = places[wrong[0]], (wrong[2:] or wrong[-1:])[0]  # a text that begins behind the first wrong place
    if not rows.isfinite().all():
        name = "positions-nan"
    elif begin < SPAN - 1:
        name = "not-relative"
    elif f.apart(rows[within : within + 1], rows_at(f, [places[within]], SPAN, step=0)) < TOLERANCE:
        name = "positions-clamped"
    elif len(wrong) < 0.9 * (len(places) - wrong[0]):
        name = "positions-wrapped"
    elif begin <= limit - SPAN:
        name = "angles-rounded"
    else:
        return None
    return name, changes[wrong[0]].item(), f"the text at positions {begin}, {begin + 1}, … and at 0, 1, …"


def _in_a_text(f):
    """One token repeated, beyond the configured length if that is possible: each place has a row of its own."""
    beyond = [f.limit + 9] if f.limit and f.limit <= 1024 else []
    for length in (*beyond, f.fits(300), f.fits(40)):
        with contextlib.suppress(Refused):
            rows = first_input(f, f.text(1, rows=1).expand(1, length).contiguous())
            return None if rows is None else _one_row_each(rows, range(length))
    return None


def refused(f):
    """Are positions at the configured length refused?"""
    if not f.limit or f.limit > 1 << 17:
        return []
    if f.ids_used:
        return [math.inf] if rows_at(f, [f.limit], 1) is None else []
    return [math.inf] if f.absolute and f.limit <= 1024 and _stops_at(f, f.text(f.limit + 1, rows=1)) else []


def _stops_at(f, ids):
    """In one call, also of a model that gives the last place only."""
    try:
        f.step(ids)
    except Refused:
        return True
    return False


def placeable(f):
    return f.ids_used or (f.absolute and not f.takes("positions"))


def lost(f):
    """The fault's id, and the buffers that no checkpoint holds."""
    names = [f"{name}.{n}" for name, each in f.model.named_modules() for n in sorted(each._non_persistent_buffers_set)]
    return "lost-on-meta", ", ".join(each.strip(".") for each in names)


def emptied(f):
    """The first call after a loader made the model on the meta device: what no checkpoint holds is left to chance."""
    twin, names = copy.deepcopy(f.model), lost(f)[1].split(", ")
    with torch.no_grad():
        for name, buffer in twin.named_buffers():
            buffer.fill_(7) if name in names else None
        for module in twin.modules():
            for fill, whole in FILLS:
                with contextlib.suppress(Exception):
                    getattr(twin, fill)(module) if whole else getattr(module, fill)()
        twin.load_state_dict(f.model.state_dict())
    return [f.apart(f.base, replace(f, model=twin).run(f.ids))]
