"""What each parameter of a maker of position ids takes: told by its name, or by what the code asks of it."""

import inspect
import re
from types import SimpleNamespace

from ..calling.parameters import source_of

ROLES = {  # the first that fits
    "flag": r"^(reset|use|return)_|_loss$",
    "ends": r"cu_?(seq_?)?lens?(_|$)|^cumulative_(\w+_)?lengths?$",
    "parts": r"^(cp|context_parallel|world)_(world_)?size$",
    "part": r"^((cp|context_parallel)_)?rank$",
    "grid": r"^((image|video)_)?grid(_thw)?$",
    "heights": r"^grid_hs$",
    "widths": r"^grid_ws$",
    "which": r"^(vision|image|video)_(idx|index)$",
    "times": r"^t_(index|idx)$|^frame_times$",
    "temporal": r"^temp\w*_(merge|patch)_size$",
    "spatial": r"^(spatial_)?merge_size$",
    "interval": r"^((time|frame|temporal)_)?interval$",
    "seconds": r"seconds?_per_(grid|frame)",
    "rate": r"^(tokens|position_id)_per_seconds?$",
    "separator": r"^(sep|separator|eo[dst]|bos|boundary|delimiter)_(token(_id)?|id)$|^(token_id|separator|sep|eo[sd])$",
    "pad": r"^pad(ding)?(_token)?_(idx|id|index)$",
    "starts": r"^(doc|document|segment|seq|sequence)_(starts|boundaries)$|^(starts|boundaries)$",
    "past": r"^past(?!_key_values$|_position)(_|$)|^(kv_)?cache_?(len|length|pos)|offset$|^(start|st)(_pos\w*|_idx)?$",
    "mask": r"^(attention_|padding_|attn_)?mask$",
    "documents": r"^(doc|document|seg|segment|seq|sequence)_(ids?|idx)$|^(doc|document|seg|segment)s$",
    "lengths": r"^(\w+_)?(lens|lengths)$|^seqlens$",
    "length": r"^((seq|q|new|sequence)_?)?(len|length)$|^num_tokens$",
    "batch": r"^(batch(_size)?|bsz|bs)$",
    "device": r"^device$",
    "tokens": r"^(input_|token_|src_)?(ids|tokens)$|^(x|data|inputs?)$",
}
OPTIONAL = ("tokens", "batch", "device")  # handed over where they have no default
ON = re.compile(r"reset_pos")  # a switch without which nothing is to be seen


class Unknown(Exception):
    """Nobody knows what a required parameter is for."""


def role(name):
    """The role that the name of a parameter tells; None where it tells nothing."""
    return next((role for role, words in ROLES.items() if re.search(words, name.lower())), None)


def parameters_of(function):
    """{parameter: (role or {attribute: role}, has it no default?)} of what has a name; None tells nothing."""
    told = {}
    for p in inspect.signature(function).parameters.values():
        if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            named = "flag" if isinstance(p.default, bool) else role(p.name)
            told[p.name] = named or _object(function, p.name), p.default is p.empty
    return told


def roles_in(told):
    """All roles of `parameters_of`, those of attributes too."""
    return {one for role, _ in told.values() for one in (role.values() if isinstance(role, dict) else [role])} - {None}


def arguments(told, given):
    """Arguments by name for ``given`` {role: value}: what has a default and no value keeps it."""
    made = {}
    for name, (role, required) in told.items():
        if isinstance(role, dict):
            made[name] = SimpleNamespace(**{each: given.get(inner, True) for each, inner in role.items()})
        elif role in given and (role not in OPTIONAL or required):
            made[name] = given[role]
        elif role == "flag" and (required or ON.search(name)):
            made[name] = True
        elif required:
            raise Unknown(name)
    return made


def _object(function, name):
    """{attribute: role} of what the code asks of ``name``; None where that tells nothing: switches are on."""
    source, found = source_of(function), {}
    for each in re.findall(rf"\b{name}\.(\w+)\b(?!\()", source):
        found[each] = role(each)
    for each in re.findall(rf"\bgetattr\(\s*{name}\s*,\s*['\"](\w+)['\"]", source):
        found[each] = role(each) or "flag"
    return found if found and all(found.values()) else None
