"""A whole attention layer: with one vector at every place, a score may depend on the distance alone."""

import re
from contextlib import suppress
from functools import partial

import torch
from torch.nn.functional import scaled_dot_product_attention
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


class Scores(TorchFunctionMode):
    """``seen`` (7, 7): what a softmax, or PyTorch's attention, got for the last head."""

    def __torch_function__(self, function, types, arguments=(), named=None):
        score = arguments[0] if getattr(function, "__name__", "") == "softmax" and arguments else torch.ones(1)
        if function is scaled_dot_product_attention and len(arguments) > 1:
            q, k = (tensor.reshape(-1, *tensor.shape[-2:])[-1] for tensor in arguments[:2])
            score = q @ k.mT
        if score.shape[-2:] == (7, 7):
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
    past = [seen.diagonal(-n) for n in range(1, 6)]  # by distance
    size, spread = torch.cat(past).abs().max(), max((one - one[0]).abs().max() for one in past)
    alike = torch.cat(past).std() < 1e-5 * size
    said = "with one vector at 7 places, places 1 to 3 and the places before have the scores "
    said += ", ".join(f"{one:.4g}" for one in past[0][:3])
    wrong = size.isfinite() and (alike or spread > 1e-3 * size)
    return MISTAKES["scores-not-relative"].found(said + (", and so have all" if alike else "")) if wrong else None


def _scores(workshop, name, thing):
    names, x = workshop.file.names, torch.randn(64).expand(1, 7, 64)
    rope = next((workshop.made(n)[1] for n, t in names.items() if type(t) is type and looks_like_rotation(t, n)), None)
    handed = {p.name: rope for p in named_parameters(thing) if rope is not None and re.fullmatch(ROPE, p.name)}
    layer = workshop.filled(Value(name, lambda s: partial(thing, **handed)), thing, handed).give(workshop.setting)
    known = {"positions": torch.arange(7)[None], "start": 0, "mask": None, "table": rope}
    given, scores = {}, Scores()
    for p in named_parameters(layer):
        role = role_in_rotations(p.name)
        if role == "table" and (rope is None or not re.fullmatch(ROPE, p.name)):
            raise Unknown(p.name)  # without it nothing is turned
        if role in ("table", "positions") or p.default is p.empty:
            given[p.name] = known.get(role, x)
    with suppress(RuntimeError), torch.no_grad(), scores:  # it may view back to a width that is none here
        layer.eval()(**given)
    return scores.seen
