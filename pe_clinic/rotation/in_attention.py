"""A whole attention layer: with one vector at every place, its scores must follow the distance."""

import re
from dataclasses import replace

import torch
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from ..calling.lines import Value
from ..calling.names import ROTATES, role_in_rotations
from ..calling.parameters import source_of
from ..sandbox.guard import Failed, run
from ..saying.result import Diagnosis
from .forms import named_parameters
from .recognise import looks_like_rotation
from .words import MISTAKES
from .workshop import Unknown, Workshop

LENGTH = 7
SWITCHED = r"\bif\b.*\.\w*(rope|rotary|pos)"  # if config.use_rope: nobody knows whether it is on
ROPE = r"(rope|rotary)(_(pos_?)?(emb\w*|encoding|module|layer))?"  # a parameter that is handed the rotation
SOFTMAX = (functional.softmax, torch.softmax, torch.Tensor.softmax)


class Scores(TorchFunctionMode):
    """Keeps what goes into a softmax, or the products of what goes into PyTorch's attention: (length, length)."""

    seen = None

    def __torch_function__(self, function, types, arguments=(), named=None):
        score = arguments[0] if function in SOFTMAX and arguments else None
        if function is functional.scaled_dot_product_attention and len(arguments) > 1:
            q, k = (tensor[0].reshape(-1, *tensor.shape[-2:])[-1] for tensor in arguments[:2])
            score = q @ k.T
        if score is not None and score.shape[-2:] == (LENGTH, LENGTH):
            self.seen = score.detach().double().reshape(-1, LENGTH, LENGTH)[-1]
        return function(*arguments, **(named or {}))


def in_attention(file, name, thing):
    """(Diagnosis, "rope", the call in words), where the scores of an attention layer with RoPE are wrong; else None."""
    source = source_of(thing).lower()
    if not re.search(rf"{ROTATES}|rotate_half", source) or re.search(SWITCHED, source):
        return None
    rotations = [n for n, t in file.names.items() if isinstance(t, type) and looks_like_rotation(t, n)]
    workshop = Workshop(file)
    try:
        rope = workshop.made(rotations[0])[1] if rotations else None
        if any(not p.default and re.search(ROTATES, p.name) for p in named_parameters(thing)):
            return None  # a switch, and it is off
        names = [p.name for p in named_parameters(thing) if rope is not None and re.fullmatch(ROPE, p.name)]
        call = workshop.filled(file.named(name), thing, names)
        given = [(n, Value(rotations[0], lambda setting: rope)) for n in names]
        call = replace(call, arguments=(*call.arguments, *given))
        scores = run(name, lambda: _scores(call.give(workshop.setting).eval(), rope))
    except (Failed, Unknown, NotImplementedError):
        return None
    finding = _judged(scores)
    return finding and (Diagnosis(False, (finding,), kind="rotation"), "rope", f"{call.shown(**workshop.setting)}(x)")


def _scores(layer, rope):
    x = torch.randn(64, generator=torch.Generator().manual_seed(0)).expand(1, LENGTH, 64)
    given, known = {}, {"positions": torch.arange(LENGTH)[None], "start": 0, "mask": None}
    for p in named_parameters(layer):
        role = role_in_rotations(p.name)
        if rope is not None and re.fullmatch(ROPE, p.name):
            given[p.name] = rope
        elif role == "positions" or (p.default is p.empty and role in known):
            given[p.name] = known[role]
        elif p.default is p.empty and (not given or role in ("x", "key") or re.match("v(al|$)", p.name)):
            given[p.name] = x
        elif p.default is p.empty or re.search(f"{ROTATES}|freq|cos", p.name):
            raise Unknown(p.name)  # without it nothing may be turned
    with torch.no_grad(), Scores() as scores:
        try:
            layer(**given)
        except Exception:  # such as a view back to the width, of sizes that do not fit together
            if scores.seen is None:
                raise
    return scores.seen


def _judged(scores):
    """The finding for scores (length, length); None where they follow the distance, or were not seen."""
    if scores is None:
        return None
    past = [scores.diagonal(-n) for n in range(1, LENGTH - 1)]  # by distance
    size = scores.tril()[scores.tril().abs() < 1e4].abs().max()
    said = f"with one vector at {LENGTH} places the scores of places 1 to 3 with the one before are "
    said += ", ".join(f"{one:.4g}" for one in past[0][:3])
    if any((one - one[0]).abs().max() > 1e-3 * size for one in past):
        return MISTAKES["attention-not-relative"].found(said)
    alike = torch.stack([one[0] for one in past])
    return MISTAKES["attention-blind"].found(f"{said}, and so are all others") if alike.std() < 1e-4 * size else None
