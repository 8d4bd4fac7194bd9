"""The factor by which texts grow longer than those of training, and code that gives frequencies alone."""

import re
from dataclasses import replace

import torch

from ..calling.beside import kind_of
from ..calling.inputs import SCALED
from ..calling.lines import constant, expression
from ..calling.names import role_in_rotations
from ..calling.parameters import source_of
from ..law.mistakes import MISTAKES as LAWS
from .forms import named_parameters, parameters_of

FACTOR = r"(((rope|ntk|yarn|linear|pos(ition)?|context|scal(e|ing)|interpolat(e|ion)|extension)_?)*factor"
FACTOR += r"|(condense_)?ratio)"
SETTINGS = r"rope_(scaling|param|config)|scaling_(config|dict)"  # a dictionary
MORE = {"scaling": constant(SCALED), "patch": constant((1, 2, 2))}  # of a video
MORE |= {"unit": constant(1), "side": expression("min(max_len, 33)")}  # of a picture: its patches are squared
MORE["device"] = expression('torch.device("cpu")', torch=torch)  # which a table that is kept may be compared with
PART = r"(rot(ary|ated|ate)?|rope)_?n?(dims?|size)|n_rot|d_rope"
SWITCH = r"(^|_)(use|enable|do|apply|type|mode|kind|method|yarn|ntk|dynamic|scal(ed|ing)|config|strategy)(_|$)"
BANDS = {name: constant(value) for name, value in SCALED.items() if name not in ("factor", "rope_theta")}


def of_bands(p):
    """What a required low_freq_factor, beta_fast and the like are given; None of all else."""
    return next((v for name, v in BANDS.items() if p.name.endswith(name)), None) if p.default is p.empty else None


def is_factor(p):
    """Is a parameter the factor by which texts grow longer than those of training?"""
    off = p.default is None and "float" in str(p.annotation)  # scaling: Optional[float] = None
    off = off or (type(p.default) is float and p.default == 1)
    return bool(re.fullmatch(FACTOR, p.name) or (off and re.fullmatch(r"(\w+_)?scal(e|ing)", p.name)))


def size_role(p):
    """The role that a parameter's name tells; a rotary_embedding that is a whole number is no table."""
    if p.default is p.empty and (kind := kind_of(p.name)) in ("patch", "side"):
        return "unit" if kind == "patch" and p.annotation in (int, "int") else kind
    role = "scaling" if re.search(SETTINGS, p.name) and p.default is p.empty else role_in_rotations(p.name)
    return None if role == "table" and p.annotation in (int, "int") else role


def factor_of(file, path):
    """(name, value) of the factor that a class or a function is made with here; None where a switch may turn it off."""
    thing, owner, _ = file.resolve(path)
    every = [p for one in (thing, *([file.resolve(owner)[0]] if owner else [])) for p in named_parameters(one)]
    factors = [(p.name, 2.0 if p.default is p.empty else p.default or 1.0) for p in every if is_factor(p)]
    off = any(re.search(SWITCH, p.name) and (p.default is p.empty or not p.default or isinstance(p.default, str))
              for p in every if not is_factor(p))  # fmt: skip
    return next(((n, v) for n, v in factors if isinstance(v, (int, float)) and (v == 1 or not off)), None)


def scales_of(thing):
    """The numbers by which positions may be scaled, by default or as they are given here."""
    every = [p for p in named_parameters(thing) if re.search("scal|factor", p.name)]
    given = [2.0 if p.default is p.empty and is_factor(p) else p.default for p in every]
    return [n for n in given if type(n) in (int, float)]


def is_part(p):
    """Is a parameter the number of columns of a head that turn, such as rotary_dim?"""
    return bool(re.fullmatch(PART, p.name))


def takes_a_part(thing):
    """Is a class told both how wide a head is and how many of its columns turn?"""
    every = named_parameters(thing) if isinstance(thing, type) else ()
    parts = [is_part(p) for p in every if role_in_rotations(p.name) == "d_model"]
    return any(parts) and not all(parts)


RATES = r"((base|orig\w*)_)?(inv_?|i)?freq(s|uenc(y|ies))?|inv_f"
GIVES = r"(?m)^\s*return\b.*\binv_freq\w*\b"  # frequencies, for whoever makes the tables
ANGLES = r"return \(?\w*(freqs|angles)\b"


def gives_frequencies(thing):
    """Does a function give frequencies, or an object of a class angles, and leave cosines and sines to others?"""
    code = source_of(thing)
    if not isinstance(thing, type):
        return bool(re.search(GIVES, code)) or scales_frequencies(thing)
    return "inv_freq" in code and bool(re.search(ANGLES, code)) and not re.search(r"\b(sin|cos)\(", code)


def scales_frequencies(function):
    """Is a function handed frequencies, to give others for longer texts?"""
    names, code = parameters_of(function).names, source_of(function)
    roles = {role_in_rotations(name) for name in names[1:]}
    scales = re.search(r"(?i)factor|scal|wavelen|ramp", code) and not re.search(r"\b(cos|sin|polar)\(", code)
    return bool(names and re.fullmatch(RATES, names[0].lower()) and scales) and not roles & {"x", "positions", "key"}


def by_factor(best, factor, thing, ask):
    """The outcome ``best`` of a ``thing``, or what its ``factor`` (name, value) shows; ``ask(n)`` gives it another."""
    if (twice := _twice(best, *scales_of(thing))) or not best or not factor:
        return twice or best
    name, value = factor
    if value != 1 and best[0].verdict.good:
        other = ask(2 * value + 1)
        if other and (other[0].verdict.id, other[0].convention) == (best[0].verdict.id, best[0].convention):
            said = f"with {name}={value} and {name}={2 * value + 1} every pair turns alike"
            return replace(best[0], ok=False, convention=None, findings=(LAWS["factor-unused"].found(said),)), best[1]
    if value != 1 or not best[0].verdict.main_right:
        return best
    other = ask(2.0)  # by default it does nothing
    twice = _twice(other, 2.0)
    if twice or (other and "positions-whole" in {finding.id for finding in other[0].findings}):
        told = twice or other
        return told[0], f"{told[1]}, with {name}=2"
    return _named_ntk(best, other, f"{name}=2", source_of(thing))


def _named_ntk(best, other, said, source):
    """``best``; where the ``other``, with a factor, is faster, or linear scaling in a source of NTK, with that."""
    named = re.search("linear|interpolat", said) or re.search(r"(?i)\blinear\b(?!\()|\bntk_(factor|scal|alpha)", source)
    faster = [f for f in other[0].findings if f.id == "turned-twice"] if other and "factor" in said else []
    if faster and not re.search(r"(?i)\b(orig\w*|old|train\w*)\b[^\n/]{0,30} / ", source):  # a factor below 1
        finding = LAWS["multiplied-by-factor"].found(f"with {said} {faster[0].evidence}", kind="usage")
        return replace(best[0], ok=False, usage=(*best[0].usage, finding)), best[1]
    linear = re.search(r"linear scaling \S+", f"{other and other[0].convention}")
    if named or not linear or not re.search(r"(?i)ntk", source):
        return best
    finding = LAWS["linear-not-ntk"].found(f"with {said} every pair is slowed alike: {linear[0]}")
    return replace(best[0], ok=False, usage=(*best[0].usage, finding)), best[1]


def _twice(outcome, *times):
    """The mistake, where each pair is slowed by the square of one of the factors ``times``, or of 1 / it; or None."""
    seen = re.search(r"linear scaling ([\d.]+)", f"{outcome and outcome[0].convention}")
    slower = float(seen[1].rstrip(".")) if seen else 0.0
    for n in (n for n in times if 0 < n != 1 and abs(slower / max(n, 1 / n) ** 2 - 1) < 1e-3):
        found = LAWS["linear-twice"].found(f"with a factor of {n:g} every pair is {seen[1]} times slower")
        return replace(outcome[0], ok=False, convention=None, findings=(found,), usage=()), outcome[1]
    return None


def without_factor(made):
    """What comes beside a number that all is multiplied by, or beside its own angles; lists as tensors."""
    made = tuple(torch.tensor(p) if isinstance(p, list) else p for p in made) if isinstance(made, tuple) else made
    parts = [one for one in made if type(one) is not float] if isinstance(made, tuple) else ()
    if len(parts) == 2 and all(map(torch.is_tensor, parts)) and sorted(p.is_complex() for p in parts) == [False, True]:
        angles, waves = sorted(parts, key=torch.is_complex)
        if angles.shape == waves.shape and torch.allclose(angles.cos(), waves.real, atol=1e-3):
            parts = [waves]
    parts = [one for one in parts if not torch.is_tensor(one) or one.numel() > 1]
    return parts[0] if len(parts) == 1 else tuple(parts) or made
