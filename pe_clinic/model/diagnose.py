"""`diagnose_model`: look at a model of tokens from outside, explain, and say."""

import re
from dataclasses import replace

from torch import nn

from ..saying.result import Diagnosis
from ..saying.verdict import NUMBER
from .call import Refused
from .catalogue import HIDES, MISTAKES
from .keeping import copy_of, quietly
from .laws import broken
from .preparing import subject_of
from .words import listed, untried, words_for

KINDS = {"absolute", "relative", "none", "recurrent", "bidirectional"}


def explain(facts):
    """The findings: what hooks show, and each broken law, unless another one hides it. A mistake hides all notes."""
    found = {each.id: each for each in _inside(facts)}
    if not _alone(found):
        found |= {name: MISTAKES[name].found(evidence) for name, evidence in broken(facts).items()}
    found = _alone(found) or found
    hidden = {each for name in found for each in HIDES.get(name, ())}
    shown = [each for name, each in found.items() if name not in hidden]
    if any(each.kind == "mistake" for each in shown):
        return [each for each in shown if each.kind != "note"]
    left_out = [MISTAKES["not-tried"].found(words) for words in [untried(facts)] if words]
    return [*shown, *left_out, MISTAKES["invisible"].found("")]


def _alone(found):
    """The one finding that makes all others meaningless; {} without."""
    return next(({name: each} for name, each in found.items() if "all" in HIDES.get(name, ())), {})


def _inside(f):
    """What hooks show: rates, windows, and positions that nothing makes use of."""
    for rotary, (_, finding) in zip(f.rotary, f.laws, strict=True):
        if finding and (rotary.acts or finding.id == "frequencies-not-filled"):
            yield finding
        if rotary.twice:
            yield MISTAKES["rotated-twice"].found("half a turn of every pair at one place changes nothing")
    if f.misplaced:
        sees = [f"{each} tokens" if each else "everything" for each in f.misplaced[0][1:]]
        layers = listed([each[0] for each in f.misplaced])
        yield MISTAKES["window-not-as-configured"].found(f"layers {layers}: {sees[0]} seen, {sees[1]} configured")
    if f.idle:
        yield MISTAKES["positions-unused"].found("a rotary module, or a table of positions; no layer knows the order")


def diagnose_model(model, expect=None):
    """A `Diagnosis` of ``model(ids)`` or ``model(input_ids=…)``, which gives logits or an object with `.logits`.

    >>> diagnose_model(transformers.LlamaForCausalLM(config)).convention  # doctest: +SKIP
    'relative, rotary, base 10000'
    """
    if not isinstance(model, nn.Module):
        what, fix = _no_module(model)
        return not_run(what, fix=fix)
    try:
        twin = copy_of(model)
    except Exception as error:
        return not_run(f"the model cannot be copied: {type(error).__name__}: {error}")
    try:
        with quietly():
            facts = subject_of(twin)
            return say(explain(facts), words_for(facts), expect)
    except Refused as error:
        return not_run(f"model(ids) raised {error}")


def _no_module(thing):
    """(what this is in place of a module, what to do)."""
    if isinstance(thing, type):
        return f"{thing.__name__} is a class, and a module that it makes is wanted", f"make it: {thing.__name__}(…)"
    wrap = "wrap it in a class of nn.Module whose forward(self, ids) returns logits (batch, length, vocabulary)"
    return f"this is no torch module, but of type {type(thing).__name__}", wrap


def not_run(what, kind="model", fix=""):
    return Diagnosis(False, (MISTAKES["raises"].found("", title=what, fix=fix),), kind=kind)


def say(findings, words, expect, kind="model"):
    """The `Diagnosis`. ``expect``: words that `.convention` must contain, with commas between them."""
    usage = tuple(each for each in findings if each.kind == "usage")
    others = tuple(each for each in findings if each.kind != "usage")
    ok = all(each.kind == "note" for each in others) and not (usage and kind == "positions")
    return as_expected(Diagnosis(ok, others, words, None, usage, kind), expect)


def as_expected(found, expect):
    """``found``, if its `.convention` contains the words of ``expect``; a rotation may be there without being seen."""
    wanted, seen = (
        re.sub(NUMBER, lambda number: f"{float(number[0]):.6g}", words or "").lower().split(",")
        for words in (expect, found.convention)
    )
    seen = {each.strip() for each in seen}
    missing = [each.strip() for each in wanted if each.strip() and each.strip() not in seen]
    if not missing or not found.ok:
        return found
    title = f"It is {found.convention}, and not {', '.join(missing)}."
    if "relative" in seen and "rotary" not in seen and not KINDS & {*missing}:
        title = f"It is {found.convention}, and whether it is {', '.join(missing)} could not be seen."
    surprise = MISTAKES["not-expected"].found(f"expected: {expect}; found: {found.convention}", title=title)
    return replace(found, ok=False, findings=(surprise,))
