"""A whole attention layer: with one vector at every place, a score may depend on the distance alone."""

import re
from contextlib import suppress
from functools import partial

import torch
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from ..calling.lines import Value
from ..calling.names import ROTATES, role_in_rotations
from ..calling.parameters import source_of
from ..sandbox.guard import Failed, run
from .forms import named_parameters
from .recognise import looks_like_rotation
from .words import MISTAKES
from .workshop import Unknown, Workshop

ROPE = r"(rope|rotary)(_(pos_?)?(emb\w*|encoding|module|layer))?"  # a parameter that is handed the rotation
SWITCHED = r"\bif\b.*(\.|use_)\w*(rope|rotary|pos)"  # nobody knows whether it is on
KNOWN = {"positions": torch.arange(7)[None], "start": 0, "mask": None}


class Scores(TorchFunctionMode):
    """``seen`` (7, 7): what a softmax, or PyTorch's attention, got for the last head."""

    seen = None

    def __torch_function__(self, function, types, arguments=(), named=None):
        score = arguments[0] if getattr(function, "__name__", "") == "softmax" and arguments else None
        if function is functional.scaled_dot_product_attention and len(arguments) > 1:
            q, k = (tensor.reshape(-1, *tensor.shape[-2:])[-1] for tensor in arguments[:2])
            score = q @ k.mT
        if score is not None and score.shape[-2:] == (7, 7):
            self.seen = score.double().reshape(-1, 7, 7)[-1]
        return function(*arguments, **(named or {}))


def about_scores(file, name, thing):
    """The finding for an attention layer with RoPE whose scores do not follow the distance; else None."""
    source = source_of(thing).lower()
    if not re.search(rf"{ROTATES}|rotate_half", source) or re.search(SWITCHED, source):
        return None
    try:
        seen = run(name, _scores, Workshop(file), name, thing)
    except (Failed, Unknown, NotImplementedError):
        return None
    past = [] if seen is None else [seen.diagonal(-n) for n in range(1, 6)]  # by distance
    if not past or not (spread := max((one - one[0]).abs().max() for one in past)).isfinite():
        return None
    said = "with one vector at 7 places the scores of places 1 to 3 with the place before are "
    said += ", ".join(f"{one:.4g}" for one in past[0][:3])
    alike = torch.cat(past).std() < 1e-5 * torch.cat(past).abs().max()
    wrong = alike or spread > 1e-3 * torch.cat(past).abs().max()
    return MISTAKES["scores-not-relative"].found(said + (", and so are all" if alike else "")) if wrong else None


def _scores(workshop, name, thing):
    file, x = workshop.file, torch.randn(64).expand(1, 7, 64)
    ropes = [n for n, t in file.names.items() if isinstance(t, type) and looks_like_rotation(t, n)]
    rope = workshop.made(ropes[0])[1] if ropes else None
    handed = {p.name: rope for p in named_parameters(thing) if rope is not None and re.fullmatch(ROPE, p.name)}
    call = workshop.filled(Value(name, lambda setting: partial(thing, **handed)), thing, handed)
    layer, given = call.give(workshop.setting).eval(), {}
    for p in named_parameters(layer):
        role = role_in_rotations(p.name)
        if role == "table" and (rope is None or not re.fullmatch(ROPE, p.name)):
            raise Unknown(p.name)  # without it nothing is turned
        if role in ("table", "positions") or p.default is p.empty:
            given[p.name] = {**KNOWN, "table": rope}.get(role, x)
    scores = Scores()
    with suppress(RuntimeError), torch.no_grad(), scores:  # it may view back to a width that is none here
        layer(**given)
    return scores.seen
