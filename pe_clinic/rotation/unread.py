"""What a module that attends requires and never reads: cosines and sines, or positions."""

import re

import torch

from ..calling.names import ATTENDS, ROTATES, SURE, is_table, role_in_rotations
from ..calling.parameters import source_of
from .forms import named_parameters, parameters_of
from .recognise import code_of
from .words import wrong

MAY_STAND = r"nope|no[_ ]?rope|not? (be )?(used|needed|read)|unused|ignor|compat|placeholder|context|memory|cross"


def diagnose_unread(name, cls):
    """(Diagnosis, the call in words) of what forward takes and no line reads; None where words tell why, or else."""
    if not issubclass(cls, torch.nn.Module):
        return None
    for mistake, names in (("tables-unread", _tables(cls)), ("positions-ignored", _places(cls))):
        if names and _never_read(cls, names):
            said = f"forward takes {' and '.join(names)}, and no line of it reads them"
            return wrong(mistake, said), f"{name}.forward"
    return None


def _tables(cls):
    return [name for name in parameters_of(cls.forward).names if is_table(name, SURE)]


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
