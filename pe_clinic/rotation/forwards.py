"""What the forward of an attention layer is handed: x, tables, a rotation; and may its rotation be off?"""

import re

import torch

from ..calling.names import role_in_rotations
from ..calling.parameters import source_of
from .forms import named_parameters, parameters_of
from .recognise import looks_like_rotation
from .roles import query_and_key
from .workshop import Unknown

PLACES = r"rop|rot|pos|freq|cos|sin|start|offset|cache|emb|pe\b"
ROPE = r"(rope|rotary)(_(pos_?)?(emb\w*|encoding|module|layer))?"  # a parameter that is handed the rotation


def tables_of(layer):
    return tuple(name for name in parameters_of(layer).tables if not re.fullmatch(ROPE, name))


def arguments_for(layer, x, length):
    """The arguments of forward: x, or the same x as query, key and value; no mask, positions from 0 on."""
    tables = tables_of(layer)
    required = [p.name for p in named_parameters(layer) if p.default is p.empty]
    names = [name for name in required if name not in tables and not re.fullmatch(ROPE, name)]
    vectors = {*names[:1], *query_and_key(names)}
    known = {"mask": None, "positions": torch.arange(length)[None], "start": 0, "value": x, "x": x, "flag": False}
    given = {}
    for name in names:
        role = role_in_rotations(name)
        if name not in vectors and role not in known and not name.startswith("v"):
            raise Unknown(name)
        given[name] = known.get(role, x) if name not in vectors else x
    return given


def rotation_for(workshop, layer):
    """The rotation for a parameter of forward that asks for one: an object of the one class of the file that is one."""
    wanted, names = [p.name for p in named_parameters(layer) if re.fullmatch(ROPE, p.name)], workshop.file.names
    code = source_of(type(layer))
    wanted = [name for name in wanted if not re.search(rf"\bif {name} is None", code)]  # it makes its own
    own = [n for n, t in names.items() if isinstance(t, type) and looks_like_rotation(t, n)] if wanted else []
    made = workshop.of_a_head(own[0]).give({}) if len(own) == 1 else None
    return dict.fromkeys(wanted, made.double().eval()) if isinstance(made, torch.nn.Module) else {}


def may_be_off(cls, handed):
    """Is a rotation, or what tells it the positions, left to who makes or calls the layer?"""
    every = [p for function in (cls.__init__, cls.forward) for p in named_parameters(function) if p.name not in handed]
    left = [p.name for p in every if p.default is None or p.default is False]
    configs = "|".join(p.name for p in every if role_in_rotations(p.name) == "config") or "no config"
    left += re.findall(rf"\b(?:{configs})\.((?:\w*_)?(?:rop|rot|pos)\w*)", source_of(cls))
    return bool(re.search(PLACES, " ".join(left)))
