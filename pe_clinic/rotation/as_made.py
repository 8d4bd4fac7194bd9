"""An attention layer as its file writes and makes it: what it takes and never reads, and whether it stops.

It is made of its own settings, and asked with x alone and with a longer context.
"""

import re
from dataclasses import dataclass
from itertools import product

import torch
from torch import nn

from ..calling.names import ATTENDS, ROTATES, SURE, is_table, role_in_rotations
from ..calling.parameters import source_of
from ..sandbox.guard import Failed, run
from ..saying.result import Diagnosis
from .candidates import whole
from .forms import named_parameters, parameters_of
from .recognise import code_of
from .roles import query_and_key
from .words import MISTAKES, wrong
from .workshop import Unknown, Workshop

LENGTHS, OTHERS = (7, 16, 49), (4, 11)
CONTEXT = r"(encoder|enc|cross|kv|key_value)_?(hidden_)?(states?|outputs?|out|input|x)|context|memory|cond"
SHAPES = r"raised (RuntimeError: .*(must match|izes? of tensor|0-dimensional)|IndexError: index).*\(line \d+ of "
MAY_STAND = r"nope|no[_ ]?rope|not? (be )?(used|needed|read)|unused|ignor|compat|placeholder|context|memory|cross"


class AsItIs(Workshop):
    """A workshop that keeps all settings and defaults as they are."""

    def _needs(self, p, role, every):
        return p.default is p.empty

    def _in_config(self, name, value):
        return None


@dataclass(frozen=True, eq=False)
class Asked:
    """A layer, and x for it."""

    layer: nn.Module
    path: str
    x: torch.Tensor

    def given(self):
        """What forward requires, where that is x, or x as query, key and value, and positions; else None."""
        required = [p.name for p in named_parameters(self.layer) if p.default is p.empty]
        vectors = {*required[:1], *query_and_key(required), *(n for n in required if re.match("v(alues?)?$", n))}
        others = [name for name in required if name not in vectors]
        takes_ids = required and role_in_rotations(required[0]) == "ids"
        if not required or takes_ids or any(role_in_rotations(name) != "positions" for name in others):
            return None
        at = torch.arange(self.x.shape[1])[None].expand(len(self.x), -1)
        return {name: self.x if name in vectors else at for name in required}

    def stop(self, **more):
        """The words of an error of shapes in the file's own lines; None of another error, "" where it runs."""
        shown = f"{self.path}, with its own settings, called with x of shape {tuple(self.x.shape)}"
        shown += "".join(f" and {name} of shape {tuple(one.shape)}" for name, one in more.items())
        try:
            with torch.no_grad():
                run(shown, lambda: self.layer(**self.given(), **more))
        except (Failed, NotImplementedError) as problem:
            said = problem.finding.evidence if isinstance(problem, Failed) else ""
            return said if re.search(SHAPES, said) else None
        return ""


def diagnose_as_made(file, path):
    """(what stops it with x alone, or ""; the `Diagnosis` of a context of another length, or None)."""
    stopped = {asked: asked.stop() for asked in _asked(file, path)}
    asked = next((one for one, said in stopped.items() if said == ""), None)
    if not asked:
        stops = [said for said in stopped.values() if said]  # with x of another width it stops otherwise
        return (stops[0] if len(stops) >= len(LENGTHS) else ""), None
    for p in named_parameters(asked.layer):
        if p.default is None and re.fullmatch(CONTEXT, p.name) and asked.stop(**{p.name: asked.x}) == "":
            longer = (asked.stop(**{p.name: torch.randn(2, n, asked.x.shape[2])}) for n in OTHERS)
            if said := next(filter(None, longer), ""):
                return "", Diagnosis(False, (MISTAKES["context-length"].found(said),), kind="attention")
    return "", None


def _asked(file, path):
    """The layer with x of each width that a projection takes, and some lengths; none where forward requires more."""
    try:
        layer = AsItIs(whole(file), heads=2).made(path)[1].float()
    except (Failed, Unknown, NotImplementedError):
        return []
    widths = dict.fromkeys(m.in_features for m in layer.modules() if isinstance(m, nn.Linear))
    every = [Asked(layer, path, torch.randn(2, *sizes)) for sizes in product(LENGTHS, widths)]
    return [asked for asked in every if asked.given()]


def diagnose_unread(name, cls):
    """(Diagnosis, the call in words) of what forward takes and no line reads; None where words tell why, or else."""
    if not issubclass(cls, torch.nn.Module):
        return None
    tables = [name for name in parameters_of(cls.forward).names if is_table(name, SURE)]
    for mistake, names in (("tables-unread", tables), ("positions-ignored", _places(cls))):
        if names and _never_read(cls, names):
            said = f"forward takes {' and '.join(names)}, and no line of it reads them"
            return wrong(mistake, said), f"{name}.forward"
    return None


def _places(cls):
    """The positions that a module requires whose forward calls a rotation."""
    turns = re.search(rf"({ROTATES})\w*\(", code_of(cls.forward))
    required = [p.name for p in named_parameters(cls.forward) if p.default is p.empty] if turns else []
    return [name for name in required if role_in_rotations(name) == "positions"]


def _never_read(cls, names):
    code = code_of(cls.forward)
    read = any(len(re.findall(rf"\b{name.lower()}\b", code)) != 1 for name in names)
    attends = re.search(ATTENDS, code) or "multiheadattention(" in code_of(cls)
    other = read or not attends or re.search(rf"{MAY_STAND}|kwargs|raise notimpl", source_of(cls).lower())
    return not other
