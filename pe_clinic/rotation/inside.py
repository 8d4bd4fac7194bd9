"""The rotation inside a whole attention layer, read where its queries meet its keys.

Each sample holds one vector, at every position alike. So all its queries are equal before they turn, and all its keys:
what differs between two rows of what the scores are made of is the rotation.
"""

import contextlib
import re
from dataclasses import dataclass, field, replace

import torch

from ..sandbox.guard import Failed, run
from ..saying.result import Diagnosis
from .asking import Rotator
from .candidates import whole
from .diagnose import diagnose_as
from .forms import Form
from .maker import Maker
from .scores import Meeting, Met, arguments_for, may_be_off, rotation_for, tables_of
from .tables import makers
from .way import handed
from .words import MISTAKES
from .workshop import Unknown, Workshop

LONGEST = 600
ASKED = f"a whole layer is asked for {LONGEST} positions at most"
SAID = "{}(x), its queries and keys read where they meet"


@dataclass(frozen=True)
class Inside:
    """A layer that attends, and the matrices by which its queries and keys turn, kept for each length."""

    layer: torch.nn.Module
    width: int
    maker: Maker | None = None
    rotation: dict = field(default_factory=dict)  # by the parameter of forward that is handed it
    kept: dict = field(default_factory=dict)

    def turns(self, length):
        """(heads, length, head_dim, head_dim), of queries and of keys: row @ matrix is the row as it is turned."""
        if length > LONGEST:
            raise ValueError(ASKED)
        if length not in self.kept:
            self.kept[length] = [_matrices(rows) for rows in self.met(length)]
        return self.kept[length]

    def met(self, length):
        samples = self.width
        x = torch.randn(samples, 1, self.width, generator=torch.Generator().manual_seed(0)).double()
        x = x.expand(-1, length, -1)
        stopped = ValueError("no queries of the length of x meet keys")
        for given in (x.transpose(0, 1), x):  # the sequence first, or batch first: whose error is told
            try:
                return self.meeting(given, length, samples)
            except Exception as problem:
                stopped = problem
        with contextlib.suppress(Exception):  # with a batch of one
            alone = zip(*(self.meeting(one, length, 1) for one in x.split(1)), strict=True)
            alone = [torch.cat(rows) for rows in alone]
            if all(torch.allclose(rows, rows[:, :, :1].expand_as(rows)) for rows in alone):
                return alone  # nothing turns, which tells why others stop
        raise stopped

    def meeting(self, x, length, samples):
        """Queries and keys of one call; an error where none meet."""
        try:
            with torch.no_grad(), Meeting(samples, length):
                self.layer(**arguments_for(self.layer, x, torch.arange(length)), **self.rotation, **self.tables(length))
        except Met as met:
            return met.args
        raise ValueError("no queries of the length of x meet keys")

    def tables(self, length):
        """Those that forward asks for, of the one of the file that makes them."""
        wanted, x = tables_of(self.layer) if self.maker else (), torch.zeros(length, self.width).double()
        return handed(wanted, self.maker.at(torch.arange(length), x), (), torch.float64) if wanted else {}

    def rotate(self, q, k):
        turned = []
        for x, matrices in zip((q, k), self.turns(q.shape[2]), strict=True):
            heads = torch.arange(x.shape[1]) % len(matrices)
            turned.append(torch.einsum("bhld,hlde->bhle", x.double(), matrices[heads]).to(x.dtype))
        return tuple(turned)


def _matrices(rows):
    """From (samples, heads, length, head_dim): what takes the row at position 0 to each other; or ValueError."""
    rows = rows.transpose(0, 1)  # (heads, samples, length, head_dim)
    back = torch.linalg.pinv(rows[:, :, 0])
    turned = back @ rows.flatten(2)
    never = torch.eye(rows.shape[-1], dtype=rows.dtype) - back @ rows[:, :, 0]  # what keys of a low rank do not reach
    off = (rows[:, :, 0] @ turned - rows.flatten(2)).abs().max(), (rows @ never[:, None]).abs().max()
    if max(off) > 1e-3 * rows.abs().max():
        raise ValueError("a row is not the first one turned")
    return turned.unflatten(2, rows.shape[2:]).transpose(1, 2) + never[:, None]


def diagnose_inside(file, path):
    """(Diagnosis, the call in words) of the rotation inside the attention layer ``path``; None where none is seen."""
    found = _inside(Workshop(whole(file), heads=2), path)
    if found and found[0].verdict.id == "not-run":  # the width of a head may be a parameter of its own
        return _inside(Workshop(whole(file)), path) or found
    return found


def _inside(workshop, path):
    try:
        layer = workshop.made(path)[1].double()
        tables, rotation = tables_of(layer), rotation_for(workshop, layer)
        of_a_head = replace(workshop, head_dim=workshop.head_dim // workshop.heads, heads=1)
        maker = next(iter(makers(of_a_head, tables, {path})), None) if tables else None
        inside = Inside(layer, workshop.head_dim, maker, rotation)
        met = run(SAID.format(path), inside.turns, 5)
    except (Failed, Unknown, NotImplementedError) as problem:
        own = isinstance(problem, Failed) and re.search(r"\(line \d+ of (?!_matrices|met)", problem.finding.evidence)
        return (Diagnosis(False, (problem.finding,)), SAID.format(path)) if own else None
    diagnosis = diagnose_as(Rotator(inside.rotate, Form(True, None), plain=True), met[0].shape[-1])
    if any(finding.id == "zero-frequencies" for finding in diagnosis.findings):
        if may_be_off(type(layer), rotation):
            return None
        diagnosis = replace(diagnosis, findings=(MISTAKES["turned-elsewhere"].found(diagnosis.findings[0].evidence),))
    findings = tuple(finding for finding in diagnosis.findings if ASKED not in finding.evidence)
    return replace(diagnosis, findings=findings), SAID.format(path)
