"""By how much longer texts shall be than those of training: a parameter, where it is on."""

import re

from ..calling.inputs import SCALED
from ..calling.lines import constant
from ..calling.names import role_in_rotations
from .forms import named_parameters

FACTOR = r"((rope|ntk|yarn|linear|pos(ition)?|context|scal(e|ing)|interpolat(e|ion)|extension)_?)*factor"
SETTINGS = r"rope_(scaling|param|config)|scaling_(config|dict)"  # a dictionary
MORE = {"scaling": constant(SCALED), "patch": constant((1, 2, 2))}  # of a video
PART = r"(rot(ary|ated|ate)?|rope)_?n?(dims?|size)|n_rot|d_rope"
SWITCH = r"(^|_)(use|enable|do|apply|type|mode|kind|method|yarn|ntk|dynamic|scal(ed|ing)|config|strategy)(_|$)"
BANDS = {name: constant(value) for name, value in SCALED.items() if name not in ("factor", "rope_theta")}


def of_bands(p):
    """What a required low_freq_factor, beta_fast and the like are given; None of all else."""
    return next((v for name, v in BANDS.items() if p.name.endswith(name)), None) if p.default is p.empty else None


def is_factor(p):
    """By how much longer texts shall be than those of training."""
    off = p.default is None and "float" in str(p.annotation)  # scaling: Optional[float] = None
    off = off or (type(p.default) is float and p.default == 1)
    return bool(re.fullmatch(FACTOR, p.name) or (off and re.fullmatch(r"(\w+_)?scal(e|ing)", p.name)))


def size_role(p):
    """What its name tells: a rotary_embedding that is a whole number is no table."""
    if p.name == "patch_size" and p.default is p.empty and p.annotation not in (int, "int"):
        return "patch"
    role = "scaling" if re.search(SETTINGS, p.name) and p.default is p.empty else role_in_rotations(p.name)
    return None if role == "table" and p.annotation in (int, "int") else role


def factor_of(file, path):
    """(name, value) of the factor that a class or a function is made with here; None where a switch may turn it off."""
    thing, owner, _ = file.resolve(path)
    every = [p for one in (thing, *([file.resolve(owner)[0]] if owner else [])) for p in named_parameters(one)]
    factors = [(p.name, 2.0 if p.default is p.empty else p.default or 1.0) for p in every if is_factor(p)]
    off = any(re.search(SWITCH, p.name) and (p.default is p.empty or not p.default or isinstance(p.default, str))
              for p in every if not is_factor(p))  # fmt: skip
    return next(((n, v) for n, v in factors if isinstance(v, (int, float)) and not off), None)


def scales_of(thing):
    """The numbers by which positions may be scaled, by default or as they are given here."""
    every = [p for p in named_parameters(thing) if re.search("scal|factor", p.name)]
    given = [2.0 if p.default is p.empty and is_factor(p) else p.default for p in every]
    return [n for n in given if type(n) in (int, float)]


def is_part(p):
    """How many columns of a head turn, in one word?"""
    return bool(re.fullmatch(PART, p.name))


def takes_a_part(thing):
    """Is it told both how wide a head is and how much of it turns?"""
    every = named_parameters(thing) if isinstance(thing, type) else ()
    parts = [is_part(p) for p in every if role_in_rotations(p.name) == "d_model"]
    return any(parts) and not all(parts)
