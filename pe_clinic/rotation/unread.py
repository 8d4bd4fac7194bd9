"""Attention that is handed cosines and sines, or angles, and reads them nowhere: what its text alone tells."""

import re

import torch

from ..calling.names import ATTENDS, SURE, is_table
from ..calling.parameters import source_of
from ..saying.result import Diagnosis
from .forms import named_parameters
from .recognise import code_of
from .words import MISTAKES

ON_PURPOSE = r"(?i)nope|no_?(rope|rotary)|not? (be )?(used|needed|read)|unused|ignor|compat|placeholder|interface|consisten|\bpass\b"
OTHERS = r"(?i)context|memory|encoder|cross"  # of texts without a common order
ELSEWHERE = r"kwargs|locals\(|raise notimpl"


def unread(cls):
    """The `Diagnosis` of a module with attention whose forward never names the tables that it requires; else None."""
    if not isinstance(cls, type) or not issubclass(cls, torch.nn.Module) or re.search(ON_PURPOSE, source_of(cls)):
        return None
    names, code = [p.name for p in named_parameters(cls.forward) if p.default is p.empty], code_of(cls.forward)
    tables = [name for name in names if is_table(name, SURE)]
    attends = re.search(ATTENDS, code) or "multiheadattention(" in code_of(cls)
    read = any(len(re.findall(rf"\b{name.lower()}\b", code)) != 1 for name in tables)
    if not tables or read or not attends or re.search(OTHERS, " ".join(names)) or re.search(ELSEWHERE, code):
        return None
    found = MISTAKES["tables-unread"].found(f"forward takes {' and '.join(tables)}, and no line of it reads them")
    return Diagnosis(False, (found,), kind="rotation")
