"""What each parameter of a rotation is for: told by its name, and by what its code does with it."""

import re

from ..calling.declared import ADDED, is_start
from ..calling.names import is_table, role_in_rotations
from ..calling.parameters import source_of

NO_VECTOR = re.compile("len|size|pos|mask|num|dim|scale")  # q_len and key_padding_mask are none
OF_KERNELS = "(s|in|input_|vec_)"  # sq and sk, input_q and input_k
HELPER = r"rot(ate|ated)?_?(half|halves|every|pairs?|neighbou?rs|adjacent|interleaved?|even|odd|two|alternate)"
OF_BEFORE = r"(past_)?kv_?caches?"
SIZES = ("d_model", "max_len", "config", "positions", "base")  # roles of what tables are made of
HALVED = r"\bt\[\.\.\., *(:|0::2|::2)|, *\w+ = t\.shape\b"
# Roles that x itself answers.
OF_X = {"max_len", "d_model", "heads", "batch", "base", "device", "dtype", "value", "sections", "axis"}


def role_of_parameter(function, parameter):
    """Its name's role; a theta that nobody raises to a power is no base, but an angle."""
    if parameter.name in ("theta", "thetas") and parameter.default is parameter.empty:
        powers = rf"pow(?:er)?\(\s*{parameter.name}\s*,|log\(\s*{parameter.name}\s*\)|\b{parameter.name}\)*\s*\*\*"
        powers += rf"|\b[A-Z]\w{{2,}}\([^()\n]*\b{parameter.name}\b"  # or a class is made of it
        return "base" if re.search(powers, source_of(function)) else "table"
    if parameter.default is None and re.fullmatch(OF_BEFORE, parameter.name):
        return None  # keys and values, and no tables
    is_value = re.match(r"x?v(alues?)?(_|$)", parameter.name.lower())
    told = "table" if _is_angle(function, parameter) else role_in_rotations(shortened(parameter.name))
    told = None if is_turned(function, parameter.name) else told
    told = "start" if told == "positions" and is_start(function, parameter.name) else told
    told = "positions" if told == "max_len" and _picks_rows(function, parameter.name) else told
    told = told or _whole(function, parameter)
    is_value = is_value or _is_unread_time(function, parameter.name)
    flag = parameter.annotation in (bool, "bool") or (told in (None, "kind") and is_switch(function, parameter.name))
    return "value" if is_value else "flag" if flag else told


def is_turned(function, name):
    """Is a t what is turned, and no time?"""
    return name == "t" and bool(re.search(HALVED, source_of(function)))


def _is_unread_time(function, name):
    """A time that no line reads: the rows follow their places, and times are for others of the same family."""
    code = source_of(getattr(function, "forward", function))
    return bool(re.fullmatch(r"ts?|times?(tamps?)?", name)) and len(re.findall(rf"\b{name}\b", code)) == 1


def _picks_rows(function, name):
    """Does a place, such as token_position, stand where rows of kept waves are picked? Or is a seq the times?"""
    code = source_of(getattr(function, "forward", function))
    if name == "seq":  # a length is not divided, and has no dtype
        return bool(re.search(r"\bseq (/|\*) |\bseq\.(type|to|float)\(", code)) and "range(seq" not in code
    return "pos" in name.lower() and bool(re.search(rf"(cos|sin|cis|freq|emb)\w*\[{name}\]", code))


def _whole(function, parameter):
    """Of a required whole number of another language: "start" where a row of positions is added to it, or a length."""
    if parameter.annotation not in (int, "int") or parameter.default is not parameter.empty:
        return None
    code = source_of(getattr(function, "forward", function))
    counted = re.search(rf"arange\([^()\n]*\b{parameter.name}\b", code)
    if re.search(ADDED.format(parameter.name), code):
        return "start"
    return "max_len" if counted or len(re.findall(rf"\b{parameter.name}\b", code)) == 1 else None


def _is_angle(function, parameter):
    """Is it a required pos whose own cosine and sine are taken, with nothing done to it before but a change of axes?"""
    name, code = parameter.name, source_of(function)
    waves = all(re.search(rf"\b{name}\.{w}\(|\b{w}\(\s*{name}\s*\)", code) for w in ("cos", "sin"))
    remade = re.findall(rf"(?m)^\s*{name}\s*=\s*(.*)", code)
    axes = rf"{name}(\[[^]]*\]|\.(unsqueeze|to|float|view|reshape)\([^()]*\))*\s*(#.*)?"
    return parameter.default is parameter.empty and waves and all(re.fullmatch(axes, one) for one in remade)


def is_switch(thing, name):
    """Does the code read it as a condition, and so as True or False?"""
    return bool(re.search(rf"\bif (not )?(self\.)?{name}\s*(:|and|or|else)", source_of(thing)))


def shortened(name):
    """cos_table and cos_theta are cos, and sincos holds both."""
    name = re.sub(r"(?i)^(cos|sin)(ines?|es)?_?m?_?(thetas?|phi|omega|angles?)$", r"\1", name)
    return re.sub(r"(?i)(?<=\w)_?(tables?|lut)$", "", re.sub(r"(?i)sin_?cos|cos_?sin", "sin_cos", name))


def the_x(names, roles):
    """The first parameter that may be turned, such as a first v; a t beside tables is no time."""
    other = {"table", "positions", "start", "std", *OF_X}
    other -= {"value"} & {roles[name] for name in names[:1]}
    plain = [n for n in names if roles[n] not in other] or [n for n in names if roles[n] == "positions"]
    return tuple((plain or names)[:1])


def is_compared(function, p):
    """A seq_len=None that the code compares as it is, or a scale=1 whose axes it counts: both would stop there."""
    is_number = type(p.default) in (int, float)
    code = source_of(getattr(type(function), "forward", function)) if is_number or p.default is None else ""
    made = rf"(?m)\b{p.name} is |not {p.name}\b|^\s*{p.name} *="
    if is_number:
        return bool(re.search(rf"\b{p.name}\.(ndim|dim\(\)|shape)", code))
    return bool(re.search(rf"\b{p.name} *[<>]", code)) and not re.search(made, code)


def query_and_key(names):
    """The names of q and k, wherever they stand; () where there are not these two."""
    names = [n for n in names if not NO_VECTOR.search(n.lower())]
    q = [n for n in names if re.match(rf"x?q|{OF_KERNELS}q$", n.lower())]
    is_key = rf"k(ey)?s?(_|$)|xk|{OF_KERNELS}k$"
    k = [n for n in names if re.match(is_key, n.lower()) or role_in_rotations(n) == "key"]
    if k and not q and k[0] in names[1:]:  # x and key, as some call them
        q = [name for name in names[: names.index(k[0])] if not is_table(name)]
    return (q[0], k[0]) if q and k else ()
