"""A whole attention layer, asked what none of its parts tells: a new token beside kept keys, and a relative shift."""

import re
from contextlib import suppress
from dataclasses import replace
from itertools import product

import torch
from torch import nn

from ..calling.names import role_in_rotations
from ..model.call import CACHES
from ..sandbox.guard import Failed, run
from ..saying.result import Diagnosis
from .candidates import whole
from .forms import named_parameters
from .recognise import code_of, is_attention, turns_inside
from .scores import ROWS, Scores, arguments_for
from .words import MISTAKES
from .workshop import Unknown, Workshop

LENGTH = 7
SHIFTS, RELATIVE = r"rel\w*shift|shift_right|skew", r"shift|skew|rel_?pos|relative"  # in code, in small letters
CAUSAL = r"(?i)causal|triu\(|\bmems?\b|decoder|autoregressive|subsequent|skew"
WORDS = "relative positions, as in Transformer-XL"


def diagnose_attending(file, path):
    """(Diagnosis, the call in words) of the attention layer ``path``; None where nothing can be asked."""
    thing = file.resolve(path)[0]
    if not is_attention(thing) or not issubclass(thing, nn.Module):
        return None
    workshop = Workshop(whole(file), heads=2)
    try:
        layer = workshop.made(path)[1].double()
        with torch.no_grad():
            for parameter in layer.parameters():
                if not parameter.any():  # what begins at zero shows nothing
                    parameter.copy_(_text(*parameter.shape))
            kept = _beside_kept(layer, path, workshop.head_dim)
            return kept if kept and not kept[0].ok else _of_shift(layer, path, workshop) or kept
    except (Failed, Unknown, NotImplementedError):
        return None


def _text(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(0)).double()


def _beside_kept(layer, path, width):
    """Does the last token, alone beside the keys that the others left, get what it gets in the whole text?"""
    every = [p.name for p in named_parameters(layer)]
    caches = [name for name in every[1:] if re.search(CACHES, name) and "pos" not in name]
    if len(caches) != 1:
        return None
    x, said = _text(1, LENGTH, width), f"{path}: {LENGTH - 1} tokens, then one with {caches[0]}"

    def asked(start, stop, **more):
        roles = {"start": start, "positions": torch.arange(start, stop)[None]}
        more |= {name: roles[role] for name in every if (role := role_in_rotations(name)) in roles}
        more |= dict.fromkeys({"use_cache", "return_cache"} & {*every}, True)
        given = arguments_for(layer, x[:, start:stop], torch.arange(start, stop)) | more
        out = run(said, lambda: layer(**given))
        return out if isinstance(out, tuple) else (out,)

    alone = []
    with suppress(Failed):
        text, kept = asked(0, LENGTH)[0][:, -1:], asked(0, LENGTH - 1)[1:]
        for one in (one for one in kept if isinstance(one, (tuple, list, dict))):
            alone += asked(LENGTH - 1, LENGTH, **{caches[0]: one})[:1]
    apart = [(one - text).abs().max().item() for one in alone if torch.is_tensor(one) and one.shape == text.shape]
    if not apart or min(apart) < 1e-4 * float(text.abs().max()):
        return (Diagnosis(True, kind="attention"), said) if apart else None
    seen = f"{said}: the last token differs by {min(apart):.2g} from what it gets in the whole text"
    return Diagnosis(False, (MISTAKES["kept-keys"].found(seen),), kind="attention"), said


def _of_shift(layer, path, workshop):
    """Does a score follow its two tokens and their distance alone, by what goes into the softmax?"""
    wants = any(re.fullmatch(ROWS, p.name) for p in named_parameters(layer) if p.default is p.empty)
    code, width = code_of(type(layer)), workshop.head_dim
    if turns_inside(type(layer)) or not re.search(RELATIVE, code) or not (wants or re.search(SHIFTS, code)):
        return None
    for length, turned in product((2 * LENGTH - 1, LENGTH) if wants else (1,), (False, True)):
        rows = _text(1, length, width)
        rows = (rows.transpose(0, 1) if turned else rows.expand(2, -1, -1)) if wants else None

        def scores(x, rows=rows, turned=turned):
            with Scores(LENGTH) as seen:
                layer(**arguments_for(layer, x.transpose(0, 1) if turned else x, torch.arange(LENGTH), rows))
            return seen.kept

        try:
            found = run(path, _off, scores, _text(2, LENGTH + 1, width))
        except Failed:
            continue
        return None if found is None else (_said(found, path, workshop.file.source), path)
    return None


def _off(scores, x):
    """(queries, keys): which scores change with another token, or as the text moves on; None where order is nothing."""
    plain, later = scores(x[:, :LENGTH]), scores(x[:, 1:])
    other, at = x[:, :LENGTH].clone(), LENGTH // 2
    other[:, at] = x[:, LENGTH]
    off = (scores(other) - plain).abs().amax(0).nan_to_num() > 1e-6
    off[at] = off[:, at] = False  # scores of this token
    off[:-1, :-1] |= (later[:, :-1, :-1] - plain[:, 1:, 1:]).abs().amax(0).nan_to_num() > 1e-6
    alike = scores(x[:, :1].expand(-1, LENGTH, -1))
    return off if (alike - alike[:, :1, :1]).abs().nan_to_num().max() > 1e-6 else None


def _said(off, path, source):
    seen = f"{path}, {LENGTH} queries and keys, scores as they come to the softmax: "
    i, j = [*off.nonzero().tolist(), (0, 0)][0]
    seen += f"that of query {i}, key {j} follows another token or distance" if off.any() else "each follows its own"
    mistake = MISTAKES["shift-rows" if off.tril().any() else "shift-ahead" if off.any() else "relative-rows"]
    masked = mistake.id == "shift-ahead" and re.search(CAUSAL, source)
    if mistake.id != "relative-rows" and not masked:
        return Diagnosis(False, (mistake.found(seen),), kind="attention")
    words = f"{WORDS}, under a causal mask" if masked else WORDS
    return Diagnosis(False, (replace(mistake.found(seen), kind="convention"),), words, kind="attention")
