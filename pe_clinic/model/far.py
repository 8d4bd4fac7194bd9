"""Far positions: within the configured length, beyond it, in half precision and under autocast."""

import contextlib
import copy
import math
from dataclasses import replace

import torch

from .call import Refused
from .layers import first_input
from .subject import TOLERANCE

SPAN = 8  # tokens in a shifted text
FLOAT32 = 3e-3  # of the effect of other ids: what float32 angles of thousands of radians may miss
ROUGH = 0.02  # mean error, in standard deviations, that half precision must exceed far away, and by 4 times the near one


def look_at_far(f):
    """(fault, change, the places), or None: a shifted text stays, and one token has another row at each place."""
    if not f.ids_used:
        return _in_a_text(f) if f.absolute else None
    limit = min(f.limit or 4096, 1 << 17)
    return _single(f, limit) if f.absolute else _shifted(f, limit) or (_beyond(f, limit) if f.limit else None)


def which(f):
    return f.far[0], f.far[2]


def refused(f):
    """Are positions at the configured length refused?"""
    if not f.limit or f.limit > 1 << 17:
        return []
    if f.ids_used:
        seen = f.placed(f.ids[:1, :2], torch.tensor([[f.limit, f.limit + 1]]))
    else:
        seen = f.attempt(f.text(f.limit + 1, rows=1)) if f.absolute and f.limit <= 1024 else True
    return [math.inf] if seen is None else []


def _single(f, limit):
    edges = (99, 100, 127, 128, 199, 255, 256, 511, 512, 1000, 1023, 1024, limit // 2, limit - 2, limit - 1)
    places = sorted({place for place in (*range(70), *edges) if f.first <= place < limit})
    further = (limit, limit + 1, limit + 9, 2 * limit, 2 * limit + 1)
    places += [each for each in further if f.limit and _rows(f, [each]) is not None]
    rows = _rows(f, places)
    if rows is None:
        return None
    bad = [place for place, row in zip(places, rows, strict=True) if not row.isfinite().all()]
    return ("positions-nan", math.inf, f"one token at position {bad[0]}") if bad else _alike(rows, places)


def _rows(f, places):
    """Logits (places, vocabulary) of one token at each place; None when refused."""
    seen = f.placed(f.text(1, rows=1).expand(len(places), 1).clone(), torch.tensor(places)[:, None])
    return None if seen is None else seen[:, 0]


def _alike(rows, places):
    """Two places with the same row (places, …): neighbours, or further apart."""
    alike = torch.cdist(rows, rows, p=torch.inf) < 1e-6 * rows.std()
    same = [(n, m) for n, m in alike.nonzero().tolist() if n < m]
    if not same:
        return None
    name = "clamped" if any(places[m] == places[n] + 1 for n, m in same) else "wrapped"
    where = f"positions {places[same[0][0]]} and {places[same[0][1]]} give one token the same"
    return f"positions-{name}", math.inf, where


def _in_a_text(f):
    """One token repeated, beyond the configured length if that is possible: each place has a row of its own."""
    for length in ((f.limit + 9,) if f.limit and f.limit <= 1024 else ()) + tuple(map(f.fits, (300, 90, 40))):
        with contextlib.suppress(Refused):
            rows = first_input(f, f.text(1, rows=1).expand(1, length).contiguous())[0]
            return _alike(rows, range(len(rows)))
    return None


def _shifted(f, limit):
    edges = (700, 1000, 1021, 1500, 2045, 2500, 4000, 4093, 8100, limit - SPAN)
    starts = sorted({start for start in (*range(0, 520, SPAN - 2), 1, 2, *edges) if 0 <= start <= limit - SPAN})
    ids = f.text(SPAN, rows=1).expand(len(starts), SPAN).clone()
    seen = f.placed(ids, torch.tensor(starts)[:, None] + torch.arange(SPAN))
    if seen is None:
        return None
    rows = seen.flatten(1)
    changes = torch.nan_to_num((rows - rows[:1]).abs().amax(dim=1) / f.scale, nan=torch.inf)
    wrong = (changes > max(TOLERANCE, FLOAT32 * (f.effects["stride"] or 0.0))).nonzero().flatten().tolist()
    if not wrong:
        return None
    begin, after, end = starts[wrong[0]], len(starts) - wrong[0], changes[wrong[2:] or wrong]
    if not rows.isfinite().all():
        name = "positions-nan"
    elif begin < SPAN - 1:
        name = "not-relative"
    elif len(wrong) < 0.9 * after:
        name = "positions-wrapped"
    else:
        name = "positions-clamped" if end.max() - end.min() < 1e-3 * end.max() else "angles-rounded"
    return name, changes[wrong[0]].item(), f"the text at positions {begin}, {begin + 1}, … and at 0, 1, …"


def _beyond(f, limit):
    """Beyond the configured length: across its end, after it, and with all tokens at one place."""
    ids = f.text(SPAN, rows=1)

    def at(start, step=1):
        return f.placed(ids, start + step * torch.arange(SPAN)[None])

    near, across, beyond = at(0), at(limit - SPAN // 2), at(limit + SPAN)
    if across is None or beyond is None:
        return None
    where = f"the text at positions {limit + SPAN}, {limit + SPAN + 1}, … and at 0, 1, …"
    change = f.apart(near, beyond)
    if change == math.inf:
        return "positions-nan", change, where
    if change > 0.01 and f.apart(beyond, at(limit + SPAN, 0)) < TOLERANCE:
        return "positions-clamped", change, where
    if change < TOLERANCE < 0.01 < f.apart(near, across):
        where = where.replace(str(limit + SPAN), str(limit - SPAN // 2)).replace(str(limit + SPAN + 1), "…")
        return "positions-wrapped", f.apart(near, across), where
    return None


def placeable(f):
    return f.ids_used or (f.absolute and not f.takes("positions"))


def in_half(f):
    """With weights in bfloat16, and buffers as they are: positions must not be rounded to the dtype of the vectors."""
    twin = copy.deepcopy(f.model)
    for weight in twin.parameters():
        weight.data = weight.data.bfloat16() if weight.is_floating_point() else weight.data
    return _roughened(f, replace(f.call, model=twin).run, contextlib.nullcontext)


def under_autocast(f):
    return _roughened(f, f.run, lambda: torch.autocast("cpu", torch.bfloat16))


def _roughened(f, run, rounding):
    """The mean error that half precision makes of logits far away, where it is far larger than near; else nothing."""
    if f.ids_used:
        ids, starts = f.text(SPAN, rows=1).expand(3, SPAN), torch.tensor([[0], [3], [7]])
        far = 4000 if f.placed(ids[:1], 4020 + torch.arange(SPAN)[None]) is not None else (f.limit or 0) - 3 * SPAN
        near, far = ({"positions": starts + first + torch.arange(SPAN), **f.ones(ids)} for first in (f.first, far))
        parts = [(ids, near, slice(None)), (ids, far, slice(None))]
    else:
        ids = f.text(f.fits(300), rows=1)
        parts = [(ids, {}, slice(0, 64)), (ids, {}, slice(257, None))]
    errors = []
    for ids, given, cut in parts if ids.shape[1] == SPAN or ids.shape[1] > 257 else ():
        exact = f.run(ids, **given)
        with rounding():
            rough = run(ids, **given)
        errors.append(((exact - rough).abs()[:, cut] / f.scale).mean(dim=(1, 2)))
    return [errors[1].min().item()] if errors and errors[1].min() > max(ROUGH, 4 * errors[0].max()) else []


def _kept_nowhere(model):
    return [f"{name}.{n}".strip(".") for name, each in model.named_modules() for n in each._non_persistent_buffers_set]


def emptied(f):
    """The first call after a loader made the model on the meta device: what no checkpoint holds is left to chance."""
    names = set(_kept_nowhere(f.model))
    if not names:
        return []
    twin = copy.deepcopy(f.model)
    with torch.no_grad():
        for name, buffer in twin.named_buffers():
            buffer.fill_(7) if name in names else None
        for module in twin.modules():
            for fill, given in (("_init_weights", (module,)), ("reset_parameters", ()), ("reset_buffers", ())):
                owner = twin if fill == "_init_weights" else module
                with contextlib.suppress(Exception):
                    getattr(owner, fill)(*given)
        twin.load_state_dict(f.model.state_dict())
    return [f.apart(f.base, replace(f.call, model=twin).run(f.ids))]


def lost(f):
    return "lost-on-meta", ", ".join(sorted(_kept_nowhere(f.model)))
