"""Judge x + pe, whose shapes may not even fit: which row of the table does each token get, where, and why?"""

from dataclasses import dataclass
from functools import cache

import numpy as np
import torch

from pe_clinic import Diagnosis, Finding
from pe_clinic.sandbox import Failed, run

from ..judges import Function, close, pages
from ..judges.known import NOTHING, Known
from ..judges.written import remarked
from .exercise import random_tensor

SHAPES = ((2, 3), (3, 2), (1, 5), (4, 1), (2, 8), (4, 4))  # (batch, length); the table has 8 rows, and 6 columns
MAX_LEN, D_MODEL = 8, 6
X = {shape: random_tensor(n, *shape, D_MODEL) for n, shape in enumerate(SHAPES)}
PE = random_tensor(99, 1, MAX_LEN, D_MODEL)
RIGHT = {shape: X[shape] + PE[:, : shape[1]] for shape in SHAPES}
PAGE = pages(__file__, globals())
SPOKEN_FOR = {"no-function", "in-place", "none", "chance"}  # there is no sum to look at


@dataclass(frozen=True)
class Adding:
    """Judge add(x, pe). Of what is ``known``, a wrong function is named when it gives the same sums and stops at the
    same shapes; for others, what the rows show."""

    known: Known = NOTHING

    def __call__(self, answer):
        examples = [(X[shape], PE) for shape in SHAPES]
        diagnosis = Function(lambda x, pe: x + pe[:, : x.shape[1]], examples, Known(errors=self.known.errors))(answer)
        if diagnosis.ok or not callable(answer) or diagnosis.findings[0].id in SPOKEN_FOR:
            return diagnosis
        sums = _sums.__wrapped__(answer)
        if all(isinstance(result, str) for result in sums.values()):  # any two that always stop are alike
            return diagnosis
        says = next((says for slip, says in self.known.mistakes if _alike(sums, _sums(slip))), None)
        says = says or _factors(sums) or _rows_in_words(sums) or _right_at_some(sums)
        if not says:
            return diagnosis
        finding = Finding("rows", says, _evidence(sums))
        return remarked(Diagnosis(False, (finding,)), answer)


@cache
def _sums(add):
    """{shape: what ``add`` gives there}; kept for the mistakes, of which there are many."""
    return {shape: _sum(add, shape) for shape in SHAPES}


def _sum(add, shape):
    """What ``add`` returns, or in a text why it stops there."""
    try:
        result = run("", add, X[shape].clone(), PE.clone())
    except Failed as failed:
        return "an error, " + failed.finding.evidence.removeprefix(" raised ").partition(" (line ")[0]
    return result.detach() if isinstance(result, torch.Tensor) else f"{type(result).__name__}, no tensor"


def _alike(sums, others):
    return all(_same(sums[shape], others[shape]) for shape in SHAPES)


def _same(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str)
    return close(a, b, 1e-4)


def _rows(result, shape):
    """The row of the table that each token got, as an array (batch, length); None where something else was added."""
    if isinstance(result, str) or result.shape != X[shape].shape:
        return None
    far, row = torch.cdist((result - X[shape]).flatten(0, 1).double(), PE[0].double()).min(1)
    return row.view(shape).numpy() if bool((far < 1e-3).all()) else None


def _evidence(sums):
    """Two of the shapes that go wrong, in words; first those where it shows which rows were taken."""
    off = [shape for shape in SHAPES if not _same(sums[shape], RIGHT[shape])]
    off.sort(key=lambda shape: (isinstance(sums[shape], str), _rows(sums[shape], shape) is None))
    return "; ".join(f"batch {s[0]}, length {s[1]}: {_in_words(sums[s], s)}" for s in off[:2])


def _in_words(result, shape):
    if isinstance(result, str):
        return result
    if result.shape != X[shape].shape:
        return f"x is {tuple(X[shape].shape)}, the result {tuple(result.shape)}"
    rows = _rows(result, shape)
    if rows is None:
        return "what is added is no row of the table"
    samples = [f"sample {n} gets rows {' '.join(map(str, row))}" for n, row in enumerate(rows[:2])]
    return f"{', '.join(samples)}; right is {' '.join(map(str, range(shape[1])))}"


def _factors(sums):
    """a·x + c·pe, with other numbers than 1 and 1, the same at every shape."""
    found = set()
    for shape, result in sums.items():
        pe = PE[:, : shape[1]]
        if isinstance(result, str) or result.shape not in (X[shape].shape, pe.shape):
            return None
        parts = torch.stack([X[shape].flatten(), pe.expand_as(X[shape]).flatten()], 1).double()
        seen = result.double().expand_as(X[shape]).reshape(-1, 1)
        factors = torch.linalg.lstsq(parts, seen).solution
        if not close(parts @ factors, seen, 1e-3):
            return None
        found.add(tuple(round(factor, 2) + 0.0 for factor in factors.flatten().tolist()))
    if len(found) != 1 or found == {(1.0, 1.0)}:
        return None
    ((a, c),) = found
    return {
        a == 0: "The encoding alone comes back; x is lost.",
        c == 0: "x comes back as it was: the encoding is not added.",
    }.get(True, f"It gives {a:g} · x {'-+'[c > 0]} {abs(c):g} · pe; asked is x + pe.")


def _rows_in_words(sums):
    found = [_rows(result, shape) for shape, result in sums.items() if not isinstance(result, str)]
    if not found or any(rows is None for rows in found):
        return None
    shifts = {int(shift) for rows in found for shift in (rows - np.arange(rows.shape[1])).flat}
    says = PAGE["rows"].holding(found, shifts)
    return says and says.format(min(shifts))


def _right_at_some(sums):
    right = [shape for shape in SHAPES if _same(sums[shape], RIGHT[shape])]
    if right:
        where = ", ".join(f"length {length} (batch {batch})" for batch, length in sorted(right, key=lambda s: s[1]))
        return f"Of the shapes tried it is right at {where} only; asked is every length up to max_len, in every batch."
    for shape, result in sums.items():
        if not isinstance(result, str) and result.ndim == 3 and result.shape[1] != shape[1] == 1:
            cut = "the part of pe that is added has to have one row for each token, pe[:, :x.shape[1]]."
            return f"One token goes in, and {result.shape[1]} come out: {cut}"
    return None
