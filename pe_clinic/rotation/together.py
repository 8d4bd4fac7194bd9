"""Rotations by several axes, a `Rotator` for each: which columns of x follow it, and what all are together."""

import re
from dataclasses import replace

import torch

from ..sandbox.guard import run
from .diagnose import diagnose_as
from .maker import as_tuple
from .words import MISTAKES, wrong
from .workshop import Unknown

NUMBERS = {2: "two axes", 3: "three axes", 4: "four axes"}
LEAST = 6  # no known design gives one axis this many times fewer columns than another


def together(axes, width, of_places=False):
    """The `Diagnosis` of the worst axis.

    It is a mistake if two axes turn the same column, if one turns none, or if it turns only one column of a pair.
    """
    columns = [run("axis by axis", _moved, rotator, width) for rotator in axes]
    if not any(map(len, columns)):
        raise Unknown("x of another layout")
    if of_places and len(columns[0]) == width and not any(map(len, columns[1:])):
        raise Unknown("positions of as many samples, of which x has the first")
    count = sum(map(len, columns))
    least = max(*map(len, columns), width / 4) / LEAST
    if len(torch.cat(columns).unique()) < count or any(len(c) < least or len(c) % 2 for c in columns):
        said = "; ".join(f"axis {n} moves {len(c)} of {width} columns" for n, c in enumerate(columns))
        return wrong("axes-mixed", said)
    if mixed := next(filter(None, (_shares_a_pair(*each, width) for each in zip(axes, columns, strict=True))), None):
        x = torch.ones(1, 1, 2, width)
        if not torch.allclose(axes[0].turn([x] * axes[0].count, torch.zeros(2, dtype=torch.int64))[0], x, atol=1e-4):
            raise Unknown("places that do not begin at 0, as from -1 to 1")
        return wrong("pairs-of-two-axes", mixed)
    every = [diagnose_as(_of_columns(*each, width), len(each[1])) for each in zip(axes, columns, strict=True)]
    every = [replace(each, findings=tuple(replace(f, evidence=f"axis {n}: {f.evidence}") for f in each.findings))
             for n, each in enumerate(every)]  # fmt: skip
    twice = [f.evidence for each in every for f in each.findings if f.id == "frequencies-shared"]
    if 0 < len(twice) < len(axes):  # the pairs of another axis follow this one, too
        return wrong("axes-mixed", twice[0])
    if len(twice) == len(axes) and all(f"{e.convention}".startswith("half-split") for e in every):
        # w0, w0, w1, w1, …: the order that neighbours need
        said = [re.search(r"axis \d: .*step: (\S+), \1,.*", evidence) for evidence in twice]
        if all(said):
            return wrong("layouts-mixed-repeated", f"{said[0][0]}: each frequency serves two pairs")
    worst = max(every, key=lambda diagnosis: diagnosis.verdict.rank)
    if not worst.verdict.good and (shared := diagnose_as(_one_by_one(axes), width)).verdict.good:
        every, worst = [shared], shared  # the pairs of one rotation are shared out, as by M-RoPE
    words = " / ".join(dict.fromkeys(each.convention or "the paper's" for each in every))
    words = [words, NUMBERS[len(axes)], f"{count} of {width} columns" * (count < width)]
    if worst.verdict.id == "table-right":  # its line would not say that there are several
        said = "; ".join(f"axis {n} turns {len(c)} columns" for n, c in enumerate(columns))
        worst = replace(worst, ok=False, findings=(MISTAKES.found("axes-apart", said), *worst.findings))
    return replace(worst, convention=", ".join(filter(None, words))) if worst.verdict.good else worst


def _moved(rotator, width):
    """The columns of x that follow the positions, int64 (columns,)."""
    given = [torch.ones(1, 1, 6, width)] * rotator.count
    turned, still = (rotator.turn(given, n * torch.arange(6))[0] for n in (1, 0))
    return (turned != still)[0, 0].any(0).nonzero()[:, 0]


def _shares_a_pair(rotator, columns, width):
    """What is seen where a column that follows an axis is turned with one that does not; else ""."""
    units = [torch.eye(width)[:, None, None].expand(-1, 1, 6, -1).contiguous()] * rotator.count
    enters = run("axis by axis", rotator.turn, units, torch.arange(6))[0][:, 0, 1:]
    enters = enters.abs().amax(1)[:, columns] > 1e-6  # which columns enter those of the axis
    enters[columns] = False
    if not enters.any():
        return ""
    other, own = enters.nonzero()[0].tolist()
    said = f"column {columns[own]} follows one axis, and column {other}, with which it is turned, another"
    return f"{said}: the pair gets two different angles"


def _of_columns(rotator, columns, width):
    """The rotation of these columns alone, beside zeros."""
    unit = torch.eye(width)[columns]

    def rotate(*given):
        whole = [x @ unit.to(x.dtype) for x in given[: rotator.count]]
        out = tuple(part[..., columns] for part in as_tuple(rotator.rotate(*whole, *given[rotator.count :])))
        return out if rotator.form.pair else out[0]

    return replace(rotator, rotate=rotate, plain=rotator.plain)


def _one_by_one(axes):
    """The rotation by the same position on all axes, which turn columns of their own."""
    first = axes[0]

    def rotate(*given):
        turned = given[: first.count]
        for axis in axes:
            turned = as_tuple(axis.rotate(*turned, *given[first.count :]))[: first.count]
        return turned if first.form.pair else turned[0]

    return replace(first, rotate=rotate, plain=first.plain)
