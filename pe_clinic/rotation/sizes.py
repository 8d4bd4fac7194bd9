"""What the parameters of a maker say: sizes that stay, a part of a head, by how much longer texts shall be."""

import inspect
import re

from ..calling.names import role_in_rotations
from .forms import named_parameters

FACTOR = r"((rope|ntk|yarn|linear|pos(ition)?|context|scal(e|ing)|interpolat(e|ion)|extension)_?)*factor"
SWITCH = r"(^|_)(use|enable|do|apply|type|mode|kind|method|yarn|ntk|dynamic|scal(ed|ing)|config|strategy)(_|$)"
# A length that was, such as original_max_len, or that is longer than ours, stays what it is by default.
WAS = r"orig|old|train|base_|initial"
PART = r"(rot(ary|ated|ate)?|rope)_?n?(dims?|size)|n_rot|d_rope"
LONG = 4096


def size_role(p):
    """What its name tells: a rotary_embedding that is a whole number is no table."""
    role = role_in_rotations(p.name)
    return None if role == "table" and p.annotation in (int, "int") else role


def is_meant(p):
    """Is its default to be kept: an axis such as seq_dim=2, sizes of several axes, a length that was, or a long one?"""
    if type(p.default) is not int:
        return isinstance(p.default, (tuple, list))
    return -5 < p.default < 5 or (role_in_rotations(p.name) == "max_len" and (p.default > LONG or was(p)))


def was(p):
    """The length of texts in training, by default?"""
    return type(p.default) is int and bool(re.search(WAS, p.name))


def is_part(p):
    """How many columns of a head turn, in one word?"""
    return bool(re.fullmatch(PART, p.name))


def takes_a_part(thing):
    """Is it told both how wide a head is and how much of it turns?"""
    every = named_parameters(thing) if isinstance(thing, type) else ()
    parts = [is_part(p) for p in every if role_in_rotations(p.name) == "d_model"]
    return any(parts) and not all(parts)


def is_factor(p):
    """By how much longer texts shall be than those of training."""
    off = p.default is None and "float" in str(p.annotation)  # scaling: Optional[float] = None
    return bool(re.fullmatch(FACTOR, p.name) or (off and re.fullmatch(r"(\w+_)?scal(e|ing)", p.name)))


def factor_of(file, path):
    """(name, value) of the factor that a class or a function is made with here; None where a switch may turn it off."""
    thing, owner, _ = file.resolve(path)
    every = [p for one in (thing, *([file.resolve(owner)[0]] if owner else [])) for p in named_parameters(one)]
    usual = {inspect.Parameter.empty: 2.0, None: 1.0}
    factors = [(p.name, usual.get(p.default, p.default)) for p in every if is_factor(p)]
    off = any(re.search(SWITCH, p.name) and (p.default is p.empty or not p.default or isinstance(p.default, str))
              for p in every if not is_factor(p))  # fmt: skip
    return next(((n, v) for n, v in factors if isinstance(v, (int, float)) and not off), None)
