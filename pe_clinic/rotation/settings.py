"""What settings ask for and code does not do: one base for longer texts, a scaling, a configuration's base, a dtype."""

import inspect
import re
from dataclasses import replace

from ..calling.declared import takes_a_grid
from ..calling.inputs import SCALED
from ..calling.names import role_in_rotations
from ..calling.parameters import source_of
from ..sandbox.guard import first_look
from .by_name import best_of, diagnose_by_name
from .candidates import whole
from .factors import SETTINGS, is_factor, size_role
from .forms import named_parameters
from .obeyed import unheard
from .orders import asked_with, in_both_orders
from .words import instead, wrong

NTK, LLAMA = r"(?i)ntk|neural tangent", r"(?i)llama_?-?3|low_freq"
FACTOR = r"(?i)alpha|scale|ratio|s"
OLD = r"orig|old|train|base|^max|pretrain"
LAWS = {
    "NTK-aware scaling": ("s^(d / (d − 2))", lambda s: s),
    "dynamic NTK scaling": ("(s · s − s + 1)^(d / (d − 2))", lambda s: s * s - s + 1),
    "NTK scaling as Qwen's": ("(2s − 1)^(d / (d − 2))", lambda s: 2 * s - 1),
}
CAST = r"type_as\((self\.)?\w*freq|dtype=(self\.)?\w*freq\w*\.dtype|freq\w*\)?\.to\((self\.)?dtype"
ROUNDED = ("half-angles", "half-positions", "half-frequencies")  # of what takes the dtype of the model
SCALINGS = {"low_freq_factor": "Llama 3.1", "beta_fast": "YaRN"}


def of_one_base(name, thing):
    """(Diagnosis, the call in words) of a function that makes one base for longer texts; None of all else."""
    code, every = source_of(thing), named_parameters(thing)
    roles = {p.name: _role(p) for p in every}
    told = [role for role in roles.values() if role in ("dict", "factor", "max_len")]
    if takes_a_grid(thing) or not re.search(f"{NTK}|{LLAMA[4:]}", code) or "d_model" not in roles.values() or not told:
        return None
    lengths = sorted((n for n, role in roles.items() if role == "max_len"), key=lambda n: not re.search(OLD, n))

    def base(times, width=64):
        given = {"d_model": width, "base": 10000.0, "factor": float(times), "dict": {**SCALED, "factor": times}}
        sized = dict(zip(lengths, (4096, 4096 * times), strict=False))
        known = {p.name: sized.get(p.name, given.get(roles[p.name], p.default)) for p in every}
        return None if inspect.Parameter.empty in known.values() else first_look(lambda: float(thing(**known)))

    seen, call = {(s, d): base(s, d) for s in (2, 4, 8) for d in (64, 128)}, f"{name}({', '.join(roles)})"
    if None in seen.values():
        return None
    if "dict" in told and re.search(LLAMA, code) and seen[8, 64] != 10000:
        said = f"of base 10000, 64 columns and factor 8 it makes {seen[8, 64]:.4g}"
        return wrong("one-base-for-all", said), call
    if "dict" not in told and re.search(NTK, code) and ("factor" in told or len(lengths) == 2):
        for law, (words, scale) in LAWS.items():
            if all(abs(seen[s, d] / (10000 * scale(s) ** (d / (d - 2))) - 1) < 1e-4 for s, d in seen):
                said = f"for 2, 4 and 8 times the length, scale s, it is base · {words}"
                return wrong("ntk-base", said, convention=law), call
        each = ((s, seen[s, 64], 10000 * s ** (64 / 62)) for s in (4, 8))
        said = ", ".join(f"{one:.0f} for {s} times the length, not {right:.0f}" for s, one, right in each)
        return wrong("base-not-ntk", f"of base 10000, 64 columns it makes {said}"), call
    return None


def _role(p):
    if re.search(SETTINGS, p.name):
        return "dict"
    if is_factor(p) or re.fullmatch(FACTOR, p.name) or re.search(r"scal(e|ing)_?factor", p.name):
        return "factor"
    return role_in_rotations(p.name)


def with_betas_exchanged(outcome, file, name, look):
    """An ``outcome``; where an assertion stops a function, and not with its two betas exchanged, that mistake."""
    thing, first = file.names.get(name), outcome[0].findings[:1] if outcome else ()
    every = [p for p in named_parameters(thing) if p.default is not p.empty]
    betas = [p for p in every if re.search(r"beta_?(fast|slow)$", p.name)]
    if len(betas) != 2 or isinstance(thing, type) or "AssertionError" not in "".join(f.evidence for f in first):
        return outcome
    given = {betas[0].name: betas[1].default, betas[1].name: betas[0].default}
    other = asked_with(look, file, name, **given)
    if not other or not other[0].verdict.good:
        return outcome
    shown = ", ".join(f"{n}={value:g}" for n, value in given.items())
    said = f"{first[0].evidence}; with {shown} it is {other[0].convention or 'right'}"
    return wrong("betas-exchanged", said), other[1]


def as_settings_ask(outcome, file, name, thing, look):
    """An ``outcome`` of ``look`` that is good, unless a scaling by default, or what settings hold, has no effect."""
    if not outcome or not outcome[0].verdict.good:
        return outcome
    diagnosis, call = outcome
    made, does = named_parameters(thing), diagnosis.convention or "the paper's rotation"
    for p in made:
        given = p.default if isinstance(p.default, dict) else source_of(thing) if size_role(p) == "scaling" else ()
        asked = [words for key, words in SCALINGS.items() if key in given]
        off = given.get("factor") == 1 if isinstance(given, dict) else re.search(r"type['\"]", f"{given}")
        if len(asked) == 1 and not off and asked[0] not in does:
            said = f"{p.name} asks for {asked[0]} scaling; what is seen: {does}"
            return instead(diagnosis, "not-scaled", said), call
    if not (setting := unheard(outcome, file, name, thing, look)):
        return outcome
    said = f"{setting.name} = {setting.value:g} stands in {setting.holder}; with {setting.other:g} nothing changes"
    return instead(diagnosis, setting.mistake, f"{said}; seen: {does}", *diagnosis.findings), call


def as_in_half(outcome, file, name, thing):
    """An ``outcome`` that is right of a class, with what is rounded where the model, or its dtype, is bfloat16."""
    plain = outcome and outcome[0].verdict.main_right and outcome[0].convention in (None, "half-split")
    told = plain and isinstance(thing, type) and re.search(CAST, source_of(thing))
    half = best_of(whole(file), name, half=True) if told else None
    for finding in [f for f in half[0].findings if f.id in ROUNDED][:1] if half else ():
        rounds = f"{finding.title[0].lower()}{finding.title[1:]}"
        title = f"It is exact in a float32 model only: in a bfloat16 one {rounds}"
        usage = (*outcome[0].usage, replace(finding, kind="usage", title=title))
        return replace(outcome[0], ok=False, usage=usage), outcome[1]
    return outcome


def with_other_settings(outcome, file, name, thing):
    """An ``outcome``, and what other settings of the same code show."""
    outcome = as_settings_ask(outcome, file, name, thing, diagnose_by_name)
    outcome = with_betas_exchanged(outcome, file, name, diagnose_by_name)
    return in_both_orders(as_in_half(outcome, file, name, thing), file, name, diagnose_by_name)
