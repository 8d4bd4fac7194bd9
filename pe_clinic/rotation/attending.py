"""A whole attention layer, asked what it is not told by its parts: one new token beside kept keys; a relative shift."""

import re
from dataclasses import replace
from itertools import product

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from ..calling.names import role_in_rotations
from ..calling.parameters import source_of
from ..model.call import CACHES
from ..sandbox.guard import Failed, run
from ..saying.result import Diagnosis, Finding
from .candidates import whole
from .forms import named_parameters, query_and_key
from .recognise import is_attention
from .words import MISTAKES
from .workshop import Unknown, Workshop

LENGTH = 7
ROWS = r"(?i)(r|rel|relative|pos|positional|position)(_?(pos\w*|emb\w*|enc\w*|r|k|table))?$"
RELATIVE = r"(?i)shift|rel(ative)?_?pos|relative"
CAUSAL = r"(?i)causal|triu\(|\bmems?\b|decoder|autoregressive|subsequent|skew"
SOFTMAX = {torch.softmax, nn.functional.softmax, torch.Tensor.softmax}


class Scores(TorchFunctionMode):
    """Keeps what goes into a softmax over as many keys as there are queries: (…, queries, keys)."""

    def __init__(self):
        self.kept = []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if function in SOFTMAX:
            dim = (kwargs or {}).get("dim", args[1] if len(args) > 1 else -1)
            keys = args[0].detach().movedim(dim, -1)
            queries = [n for n, size in enumerate(keys.shape[:-1]) if size == LENGTH]
            if keys.shape[-1] == LENGTH and queries:
                self.kept.append(keys.movedim(queries[-1], -2))
        return function(*args, **(kwargs or {}))


def diagnose_attending(file, path):
    """(Diagnosis, the call in words) of the attention layer ``path``; None where nothing can be asked."""
    if not is_attention(file.resolve(path)[0]):
        return None
    try:
        layer, width = _made(file, path)
        kept = _beside_kept(layer, path, width)
        if kept and not kept[0].ok:
            return kept
        return _of_shift(layer, path, width, whole(file).source) or kept
    except (Failed, Unknown, NotImplementedError):
        return None


def _made(file, path):
    workshop = Workshop(whole(file), heads=2)
    layer = workshop.made(path)[1].double()
    with torch.no_grad():
        for n, p in enumerate(layer.parameters()):
            if not p.any():  # what begins at zero shows nothing
                p.copy_(torch.randn(p.shape, generator=torch.Generator().manual_seed(n)))
    return layer, workshop.head_dim


def _asked(layer, x, rows=None, **more):
    """forward's answer for x, or the same x as query, key and value, and rows for distances; `Unknown` of all else."""
    required = [p.name for p in named_parameters(layer) if p.default is p.empty]
    given = {}
    for name in required:
        value = role_in_rotations(name) == "value" or name.startswith("v")
        if re.fullmatch(ROWS, name) and rows is not None:
            given[name] = rows
        elif name in (*required[:1], *query_and_key(required)) or value:
            given[name] = x
        elif role_in_rotations(name) == "mask" or "mask" in name:
            given[name] = None
        elif name not in more:
            raise Unknown(name)
    with torch.no_grad():
        return layer(**{**given, **more})


def _beside_kept(layer, path, width):
    """Does the last token, alone beside the keys that the others left, get what it gets in the whole text?"""
    every = {p.name: p for p in named_parameters(layer)}
    caches = [n for n in [*every][1:] if re.search(CACHES, n) and "pos" not in n]
    if len(caches) != 1:
        return None
    use = {n: True for n in ("use_cache", "return_cache") if n in every}
    x = _text(1, LENGTH, width)
    said = f"{path}: {LENGTH - 1} tokens, then one with {caches[0]}"

    def outs():
        text, before = (_asked(layer, x[:, :n], **_places(every, 0, n), **use) for n in (LENGTH, LENGTH - 1))
        return (text[0], before[1:]) if isinstance(before, tuple) else (text, ())

    text, kept = run(said, outs)
    alone = []
    for one in (one for one in kept if one is not None and not torch.is_tensor(one)):
        try:
            given = {caches[0]: one, **_places(every, LENGTH - 1, LENGTH), **use}
            alone.append(run(said, lambda given=given: _asked(layer, x[:, -1:], **given))[0])
        except (Failed, Unknown, NotImplementedError, IndexError):
            continue
    alone = [one for one in alone if torch.is_tensor(one) and one.shape == text[:, -1:].shape]
    if not alone:
        return None
    off = min((one - text[:, -1:]).abs().max().item() for one in alone)
    if off < 1e-4 * float(text.abs().max()):
        return Diagnosis(True, kind="attention"), said
    evidence = f"{said}: the last token differs by {off:.2g} from what it gets in the whole text"
    return Diagnosis(False, (MISTAKES["kept-keys"].found(evidence),), kind="attention"), said


def _text(samples, length, width):
    return torch.randn(samples, length, width, generator=torch.Generator().manual_seed(0)).double()


def _places(every, start, stop):
    """The positions from ``start`` on, for the parameters that ask for them."""
    given = {"start": start, "positions": torch.arange(start, stop)[None]}
    return {name: given[role] for name in every if (role := role_in_rotations(name)) in given}


def _of_shift(layer, path, width, source):
    """Does a score follow its two tokens and their distance alone, by what goes into the softmax?"""
    if not re.search(RELATIVE, source_of(type(layer))):
        return None
    rows = any(re.fullmatch(ROWS, p.name) for p in named_parameters(layer) if p.default is p.empty)
    for length, turned in product((2 * LENGTH - 1, LENGTH) if rows else (1,), (False, True)):
        given = _text(1, length, width)
        given = (given.transpose(0, 1) if turned else given.expand(2, -1, -1)) if rows else None

        def scores(x, given=given, turned=turned):
            with Scores() as seen:
                _asked(layer, x.transpose(0, 1) if turned else x, given)
            return seen.kept[-1].flatten(0, -3)

        try:
            return run(path, _judged, scores, path, _text(2, LENGTH + 1, width), source)
        except Failed:
            continue
    return None


def _judged(scores, path, x, source):
    plain, later = scores(x[:, :LENGTH]), scores(x[:, 1:])
    other, at = x[:, :LENGTH].clone(), LENGTH // 2
    other[:, at] = x[:, LENGTH]
    off = (scores(other) - plain).abs().amax(0).nan_to_num() > 1e-6
    off[at] = off[:, at] = False  # a score of this token
    off[:-1, :-1] |= (later[:, :-1, :-1] - plain[:, 1:, 1:]).abs().amax(0).nan_to_num() > 1e-6
    alike = scores(x[:, :1].expand(-1, LENGTH, -1))
    said = f"{path}, the scores of {LENGTH} queries and keys as they come to the softmax"
    if (alike - alike[:, :1, :1]).abs().nan_to_num().max() < 1e-6:
        return None
    words = "relative positions, as in Transformer-XL"
    if not off.any():
        design = Finding("relative-rows", "Relative positions.", f"{said}: each follows its tokens and their distance")
        return Diagnosis(False, (replace(design, kind="convention"),), words, kind="attention"), path
    i, j = off.nonzero()[0].tolist()
    seen = f"{said}: that of query {i} and key {j} follows other tokens, or another distance, than its own"
    if off.tril().any():
        return Diagnosis(False, (MISTAKES["shift-rows"].found(seen),), kind="attention"), path
    ahead = MISTAKES["shift-ahead"]
    if re.search(CAUSAL, source):
        design = replace(ahead.found(seen), kind="convention")
        return Diagnosis(False, (design,), f"{words}, under a causal mask", kind="attention"), path
    return Diagnosis(False, (ahead.found(seen),), kind="attention"), path
