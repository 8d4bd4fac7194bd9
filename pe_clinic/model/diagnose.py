"""`diagnose_model`: look at a model of tokens from outside, explain, and say."""

from torch import nn

from ..saying.result import Diagnosis
from .call import Refused
from .catalogue import HIDES, MISTAKES
from .facts import Facts
from .keeping import copy_of, quietly
from .laws import broken
from .preparing import subject_of
from .words import listed, untried, words_for


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
        kind = type(model).__name__
        return not_run(f"diagnose_model takes a torch module, such as one that build() gives, and this is a {kind}")
    try:
        twin = copy_of(model)
    except Exception as error:
        return not_run(f"the model cannot be copied: {type(error).__name__}: {error}")
    try:
        with quietly():
            facts = subject_of(twin, Facts)
            return say(explain(facts), words_for(facts), expect)
    except Refused as error:
        return not_run(f"model(ids) raised {error}")


def not_run(what, kind="model"):
    return Diagnosis(False, (MISTAKES["raises"].found("", title=what),), kind=kind)


def say(findings, words, expect, kind="model"):
    """The `Diagnosis`. ``expect``: words that `.convention` must contain, with commas between them."""
    usage = tuple(each for each in findings if each.kind == "usage")
    others = tuple(each for each in findings if each.kind != "usage")
    seen = {each.strip().lower() for each in (words or "").split(",")}
    missing = [each.strip() for each in (expect or "").split(",") if each.strip() and each.strip().lower() not in seen]
    ok = all(each.kind == "note" for each in others) and not (usage and kind == "positions")
    if missing and ok:
        title = f"It is {words}; {', '.join(missing)} was not seen."
        ok, others = False, (MISTAKES["not-expected"].found(f"expected: {expect}; found: {words}", title=title),)
    return Diagnosis(ok, others, words, None, usage, kind)
