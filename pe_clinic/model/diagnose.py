"""`diagnose_model`: look at a model of tokens from outside, explain, and say."""

from dataclasses import dataclass, field
from itertools import pairwise

from torch import nn

from ..saying.result import Diagnosis
from .cache import look_at_cache
from .calls import Order, look_at_calls, look_at_order
from .catalogue import HIDES, MISTAKES
from .configured import compared
from .far import look_at_far
from .ids import Ids, look_at_ids
from .keeping import copy_of, quietly
from .layers import Layers, look_at_layers
from .padding import look_at_padding
from .rates import look_at_rotary
from .subject import Refused, differs, subject_of


@dataclass(frozen=True)
class Model:
    """All that was seen: ``measured`` changes, and what the model is made of. ``laws``: what `compared` says of each
    rotation. ``unrotated``: the configuration says that no layer rotates."""

    measured: tuple
    order: Order | None = None
    ids: Ids = field(default_factory=Ids)
    layers: Layers = field(default_factory=Layers)
    rotary: tuple = ()
    laws: tuple = ()
    unrotated: bool = False


def look(subject):
    """Run every experiment; the first that makes the others meaningless ends it."""
    measured = look_at_calls(subject)
    if any(measured[:1]) and measured[0].id == "not-finite":
        return Model(tuple(measured))
    ids, (order, more) = look_at_ids(subject), look_at_order(subject)
    layers, rotary = look_at_layers(subject, ids), look_at_rotary(subject)
    model = Model(
        (), order, ids, layers, rotary, tuple(compared(each, subject.call.model, subject.limit) for each in rotary)
    )
    absolute = "absolute" in kinds_of(model)
    measured += [*more, *ids.measured(absolute or (order.generates and any(each.acts for each in rotary)))]
    measured += look_at_cache(subject, order, ids.first) + look_at_far(subject, ids, absolute)
    measured += look_at_padding(subject, ids.first, absolute, layers.convolves and not order.causal)
    return Model(tuple(measured), order, ids, layers, rotary, model.laws)


def kinds_of(model):
    """Of "absolute", "relative" and "recurrent" those that hold; "none" for a model that has no positions."""
    acting = any(each.acts for each in model.rotary)
    inside = not model.layers.ids or any(map(all, zip(model.layers.grows, model.layers.ids, strict=True)))  # of a layer
    absolute = differs(model.layers.added) or (model.ids.used and differs(model.ids.shifted) and inside and not acting)
    relative = any(model.layers.positional) or (model.ids.used and not absolute)
    recurrent = (
        any(grows and not ids for grows, ids in zip(model.layers.grows, model.layers.ids, strict=True)) and not relative
    )
    return (
        ["absolute"] * bool(absolute)
        + ["relative"] * bool(relative)
        + ["none"] * (not absolute and not relative)
        + ["recurrent"] * recurrent
    )


def words_for(model):
    """What stands in `.convention`: "relative, rotary, base 10000, layers 3, 7 without positions"."""
    words, acting = (
        kinds_of(model),
        [(each, law[0]) for each, law in zip(model.rotary, model.laws, strict=True) if each.acts],
    )
    if "relative" in words and acting:
        words.append("rotary")
        for each, law in sorted(acting, key=lambda one: tuple(one[0].layers)):
            where = f" in layers {runs(each.layers)}" if len({law for _, law in acting}) > 1 and each.layers else ""
            words += [law + where] if law else []
    without = [n for n, has in enumerate(model.layers.positional) if not has]
    return ", ".join(
        dict.fromkeys(words + [f"layers {runs(without)} without positions"] * bool(without and "relative" in words))
    )


def runs(numbers):
    """Layer numbers as a reader writes them: "0, 1, 2", or "3, 7, … 31" for an even step."""
    steps = {b - a for a, b in pairwise(numbers)}
    return (
        f"{numbers[0]}, {numbers[1]}, … {numbers[-1]}"
        if len(numbers) > 3 and len(steps) == 1
        else ", ".join(map(str, numbers))
    )


def explain(model):
    """The findings: every change that no other one hides."""
    seen = [each for each in model.measured if each]
    alone = next((each for each in seen if "all" in HIDES[each.id]), None)
    if alone:
        return [MISTAKES[alone.id].found(alone.evidence)]
    found = {}
    for rotary, (_, mistake, evidence) in zip(model.rotary, model.laws, strict=True):
        if mistake and (rotary.acts or mistake == "frequencies-not-filled"):
            found.setdefault(mistake, evidence)
        if rotary.twice:
            found["rotated-twice"] = "half a turn of every pair at one place changes nothing"
        if rotary.autocast > 0.05:
            found["angles-under-autocast"] = f"cosines and sines of far positions change by {rotary.autocast:.2g}"
    idle = model.rotary and not any(each.acts for each in model.rotary) and not model.unrotated
    if kinds_of(model) == ["none"] and (idle or model.layers.table):
        found["positions-unused"] = "a rotary module, or a table of positions, and no layer knows the order"
    found |= {each.id: each.evidence for each in reversed(seen)}
    hidden = {each for name in found for each in HIDES[name]}
    return [MISTAKES[name].found(evidence) for name, evidence in found.items() if name not in hidden]


def diagnose_model(model, expect=None):
    """A `Diagnosis` of ``model(ids)`` or ``model(input_ids=…)``, which gives logits or an object with `.logits`.

    >>> diagnose_model(transformers.LlamaForCausalLM(config)).convention  # doctest: +SKIP
    'relative, rotary, base 10000'
    """
    if not isinstance(model, nn.Module):
        return not_run(f"diagnose_model takes a torch module, and this is a {type(model).__name__}")
    with quietly():
        subject = subject_of(copy_of(model))
        if isinstance(subject, Refused):
            return not_run(f"model(ids) raised {subject.error}")
        seen = look(subject)
    return say(explain(seen) or [MISTAKES["invisible"].found("")], words_for(seen), expect)


def not_run(what, kind="model"):
    return Diagnosis(False, (MISTAKES["raises"].found("", title=what),), kind=kind)


def say(findings, words, expect, kind="model"):
    """The `Diagnosis`. ``expect``: words that `.convention` must contain, with commas between them."""
    usage = tuple(each for each in findings if each.kind == "usage")
    others = tuple(each for each in findings if each.kind != "usage")
    seen = {each.strip().lower() for each in (words or "").split(",")}
    missing = [each.strip() for each in (expect or "").split(",") if each.strip() and each.strip().lower() not in seen]
    ok = all(each.kind == "note" for each in others)
    if missing and ok:
        title = f"It is {words}, and not {', '.join(missing)}."
        ok, others = False, (MISTAKES["not-expected"].found(f"expected: {expect}; found: {words}", title=title),)
    return Diagnosis(ok, others, words, None, usage, kind)
