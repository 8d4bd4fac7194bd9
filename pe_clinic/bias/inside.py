"""The bias that is one part of a class: what comes to its softmax where x is zero, or what one of its methods gives."""

import re
from contextlib import suppress
from dataclasses import replace

import torch

from ..calling.lines import Value
from ..calling.loading import CouldNotRun
from ..calling.names import ROTATES
from ..calling.parameters import arguments_of
from ..rotation.attending import diagnose_attending
from ..rotation.recognise import code_of
from ..rotation.scores import Scores
from ..sandbox.guard import attempt, run
from .diagnose import diagnose_alibi, with_more
from .forms import bias_of
from .given import GIVEN, X
from .signatures import calls_of, reading_of
from .words import MISTAKES, wrong

SOFTMAX = "softmax|scaled_dot_product_attention"
# What else tells places apart before the scores.
PLACES = r"conv|shift|\.roll\(|cumsum|lstm|gru\(|embedding\(|pos\w* = nn\.param|torch\.log\("


def adds_bias(thing):
    """Has its code, or a class's parents', a softmax, and speaks of slopes, of no rotation? Is none handed in?"""
    own = [cls for cls in thing.__mro__ if cls.__module__ == thing.__module__] if isinstance(thing, type) else []
    handed = not own and any(re.search("alibi|bias", a.name.lower()) for a in arguments_of(thing))
    code = "" if handed else " ".join(map(code_of, own or [thing]))
    return bool(re.search(SOFTMAX, code) and re.search("alibi|slope", code)) and not re.search(ROTATES, code)


def inside(file, path):
    """(`Diagnosis`, "alibi", the call in words); None where no scores are seen."""
    thing = file.resolve(path)[0]
    of_class = isinstance(thing, type)
    calls = calls_of(file, path, {**GIVEN, **dict.fromkeys(("x", "scores", "vectors") if of_class else (), X)})
    with suppress(CouldNotRun):
        if found := reading_of((at_softmax(call), part) for call, part in calls if not part):
            diagnosis = diagnose_alibi(bias_of(found.call))
            if mixed := of_class and not re.search(PLACES, code_of(thing)) and _apart(found.call):
                known = tuple(finding for finding in diagnosis.findings if finding.id != "no-alibi")
                diagnosis = with_more(replace(diagnosis, findings=known), [MISTAKES.found("mixed-heads", mixed)])
            if of_class and (diagnosis.verdict.good or all("slope" in f.id for f in diagnosis.findings)):
                others = _of_others(found.call) if diagnosis.verdict.good else []
                diagnosis = with_more(diagnosis, _rewards(found.call) or others)
            return with_more(diagnosis, [MISTAKES.found("at-softmax", "")]), "alibi", found.shown
    return None


def _apart(call):
    """What is seen where tokens that are alike meet themselves with unlike scores, beside the bias; else ""."""
    setting = {"heads": 8, "length": 6, "kept": {}}
    zeros, alike = (attempt(run, call.text, call.give, setting | {"alike": n}) for n in (0.0, 1.0))
    if zeros is None or alike is None or alike.dtype.itemsize < 4:
        return ""
    own = (alike - zeros)[0].diagonal()
    seen = f"of six tokens that are alike one meets itself with {own.min():.3g}, another with {own.max():.3g}"
    return seen if own.max() - own.min() > 2e-5 + 1e-4 * own.abs().max() else ""


def _rewards(call):
    """A finding where what meets the softmax is larger for keys behind the query than for its own; else none."""
    scores = attempt(run, call.text, call.give, {"heads": 8, "length": 6, "kept": {}})
    behind = scores is not None and (scores - scores.diagonal(0, -2, -1)[..., None]).triu(1).nan_to_num(0.0).max()
    seen = f"a key behind the query gets up to {behind:.3g} more than the query's own, and nothing hides it"
    return [MISTAKES.found("later-rewarded", seen)] if behind > 1e-4 else []


def _of_others(call):
    """Findings where a text, or a token before those that are hidden, comes otherwise beside other ones; else none."""
    at = torch.randn(3, 6, 1, generator=torch.Generator().manual_seed(0))
    setting, later = {"heads": 8, "length": 6, "kept": {}}, torch.cat((at[:, :-1], -at[:, -1:]), 1)

    def out(alike, whole=True):
        given = attempt(run, call.text, call.give, setting | {"alike": alike, "whole": whole})
        given = given[0] if isinstance(given, tuple) else given
        return given if isinstance(given, torch.Tensor) else None

    every, again, one, changed, scores = out(at), out(at), out(at[1:2]), out(later), out(at[:1], whole=False)
    if any(some is None for some in (every, again, one, changed)) or not torch.equal(every, again):
        return []
    if every.shape[:2] != (3, 6) or every.shape != changed.shape:
        return []
    if one.shape == every[1:2].shape and not torch.allclose(every[1:2], one, atol=1e-4):
        return [MISTAKES.found("texts-mixed", "the second of three texts comes otherwise than by itself")]
    above = scores[..., torch.ones(6, 6).triu(1) == 1] if getattr(scores, "shape", ())[-2:] == (6, 6) else None
    hidden = above is not None and bool((above < -1e3).all())
    if hidden and not torch.allclose(every[:, :-1], changed[:, :-1], atol=1e-4):
        return [MISTAKES.found("later-seen", "another last token changes what comes of those before it")]
    return []


def at_softmax(call):
    def give(setting):
        if setting.get("whole"):
            with torch.no_grad():
                return call.give(setting)
        with Scores(setting["length"], plain=True) as seen, torch.no_grad():
            call.give(setting)
        return getattr(seen, "kept", None)

    return Value(call.text, give, call.made, "its scores where they meet the softmax")


def in_part(file, name, diagnosis, room, found):
    """(``diagnosis``, ``room``, the call in words); a right part does not make the class right."""
    if diagnosis.verdict.main_right and "dtype=" in found.shown and found.stopped and "dtype=" not in found.stopped:
        return with_more(diagnosis, [MISTAKES.found("dtype-by-default", found.stopped)]), room, found.shown
    if found.part and diagnosis.verdict.good:
        whole = diagnose_attending(file, name)
        if whole and whole[0].verdict.id == "wrong":
            return whole[0], room, whole[1]
        if found.stopped and (later := _at_the_second_call(file, name)):
            return wrong("none-at-first", later), room, found.shown
        if found.stopped:
            said = diagnosis.verdict.line.removesuffix(".").lower()
            part = f"{name}.{found.part}"
            raise CouldNotRun(f"{found.stopped}; of {part} alone: {said}", f"{part} can be looked at by itself")
        if grown := _of_more_axes(file, name):
            return wrong("bias-shape", grown), room, found.shown
        diagnosis = replace(with_more(diagnosis, [MISTAKES.found("part", "")]), kind=f"bias of {name}.{found.part}")
    return diagnosis, room, found.shown


def _at_the_second_call(file, name):
    """What is seen, where forward gives None at first and a bias when the same object is called again; else ""."""
    for call, part in calls_of(file, name):
        setting = {"heads": 4, "length": 5, "kept": {}}
        both = [] if part else attempt(run, call.text, lambda call=call, s=setting: [call.give(s), call.give(s)])
        if both and both[0] is None and both[1] is not None:
            return f"{call.text} gave None at the first call, and a {type(both[1]).__name__} at the second"
    return ""


def _of_more_axes(file, name):
    """What is seen, where q, k and v of four axes give more of them; else ""."""
    for call, part in calls_of(file, name):
        asked = not part and "vectors" in call.made
        out = attempt(run, call.text, call.give, {"heads": 4, "length": 5, "kept": {}}) if asked else None
        out = out[0] if isinstance(out, tuple) else out
        if getattr(out, "ndim", 0) > 4:
            return f"{call.text}: q, k and v have four axes, and it gave the shape {tuple(out.shape)}"
    return ""
