"""Half precision: where frequencies, positions, angles or tables were rounded. Every way is built and compared."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import torch

from .entry import Entry, thread
from .frequencies import paper
from .model import Model
from .structures import RIGHT

DTYPES = {"bfloat16": torch.bfloat16, "float16": torch.float16}
WHY = "bfloat16 keeps 8 bits of a number, float16 11: after 256, or 2048, positions that are neighbours become one."
FREQUENCIES = Entry(
    "half-frequencies",
    "The frequencies are rounded to half precision.",
    "Each is off by up to a 500th of itself, and the error grows with the position. A model that is cast as a whole "
    "(model.half(), .bfloat16()) casts its buffers too.",
    "compute the angles in float32, and keep the frequencies out of casts (register_buffer casts along)",
    thread("EleutherAI/gpt-neox#1003"),
)
POSITIONS = Entry(
    "half-positions",
    "The positions are rounded to half precision.",
    WHY,
    "positions.float() * frequencies, and cast the cosines",
    thread("nkalyanv99/UNI-D2#6"),
)
ANGLES = Entry(
    "half-angles",
    "The angles are rounded to half precision.",
    WHY + " The product of position and frequency is worse still.",
    "positions.float() * frequencies.float(), and cast the cosines",
    thread("EleutherAI/gpt-neox#1003"),
)
TABLES = Entry(
    "half-tables",
    "Cosines and sines are rounded to half precision, though x is float32.",
    "Each number of a pair is off by up to a 500th; lengths change a little.",
    "keep the tables in float32, and cast them to x's dtype where they are used",
)
OF_X = Entry(
    "dtype-of-x",
    "Angles are computed in the dtype of x.",
    "Right for float32; for x in half precision positions and angles are rounded to 8 or 11 bits. " + WHY,
    "compute cosines and sines in float32, and cast them to x.dtype afterwards",
    thread("huggingface/transformers#29285"),
)


@dataclass(frozen=True)
class Rounded:
    """Cosine and sine of every column, rounded on the way as PyTorch would."""

    dtype: torch.dtype
    rates: torch.Tensor  # (d,) positive, in float64
    sign: np.ndarray
    steps: tuple[bool, bool, bool, bool]  # are frequency, position, product, table rounded?

    def __call__(self, positions):
        def at(step, tensor):
            return tensor.to(self.dtype).double() if self.steps[step] else tensor

        pos = at(1, torch.as_tensor(np.array(positions), dtype=torch.float64))
        angles = at(2, pos[:, None] * self.rates)
        return at(3, angles.cos()).numpy(), at(3, angles.sin()).numpy() * self.sign


def _frequencies(dtype, r, measured):
    """Paper's frequencies, exact and rounded, and rounded at each step of their formula; and the measured ones."""
    k = torch.arange(0, r, 2)
    exact = torch.as_tensor(paper(r // 2))
    power = 10000.0 ** (k.to(dtype) / r)
    yield False, exact
    yield True, exact.to(dtype).double()
    yield True, (1.0 / power).double()
    yield True, (1.0 / power.double()).to(dtype).double()
    yield True, torch.exp(k.to(dtype) * -(np.log(10000.0) / r)).double()
    if measured is not None:
        rounded = torch.as_tensor(measured).to(dtype).double()
        if np.abs(rounded.numpy() / paper(r // 2) - 1).max() < 0.02:
            yield True, rounded


def _layouts(near):
    """Layouts and directions that the matrix of position 1 roughly has, and the angles it shows."""
    d = near.matrices.shape[1]
    one = near.matrices[1]
    for build, direction in product(RIGHT.values(), (1, -1)):
        shape = build(d)
        rate = paper(d // 2)[shape.table]
        sign = direction * shape.sign
        j = np.arange(d)
        cos, sin = one[j, j], one[shape.partner, j]
        if max(np.abs(cos - np.cos(rate)).max(), np.abs(sin - sign * np.sin(rate)).max()) < 0.02:
            measured = np.array([np.arctan2(sign * sin, cos)[shape.table == k].mean() for k in range(d // 2)])
            yield shape, sign, measured


def rounded_model(near, seen, which, tolerance=1.5e-3):
    """(model, findings) of the first rounding that gives all that was seen, or None."""
    for shape, sign, measured in _layouts(near):
        tried = [
            (sum(steps) + rough, name, rates, (rough, *steps))
            for name, dtype in DTYPES.items()
            for rough, rates in _frequencies(dtype, near.matrices.shape[1], measured)
            for steps in product((False, True), repeat=3)
            if rough or any(steps)
        ]
        for _, name, rates, steps in sorted(tried, key=lambda one: one[0]):
            table = rates[torch.as_tensor(shape.table)]
            model = _model(shape, sign, Rounded(DTYPES[name], table, sign, (False, *steps[1:])))
            if _gives(model, near, seen, which, tolerance):
                return model, _name(name, steps, rates, measured)
    return None


def _model(shape, sign, cos_sin):
    d = len(sign)
    return Model(shape.partner, paper(d // 2)[shape.table] * sign, np.zeros(d), np.ones(d), cos_sin=cos_sin)


def _gives(model, near, seen, which, tolerance):
    # A number that lies between two of the dtype may be rounded either way.
    wrong = np.abs(near.matrices - model.matrices(np.arange(len(near.matrices)))) > 1e-4
    if wrong.sum() > wrong[:, 0].size / 50:
        return False
    probes = seen.responses("far")
    for probe in probes.values():
        x = probe.x[which]
        wrong = np.abs(probe.out[which] - model.apply(x, probe.positions)) > tolerance * (1 + np.abs(x).max())
        if wrong.mean() > 0.01:
            return False
    return True


def _name(name, steps, rates, measured):
    frequency, position, angle, table = steps
    findings = []
    if angle or (frequency and position):
        findings.append(ANGLES.found(f"every angle that was seen is one that {name} gives"))
    elif position:
        findings.append(POSITIONS.found(f"every row that was seen is turned by its position rounded to {name}"))
    elif frequency:
        exact = paper(len(rates))
        k = int(np.abs(rates.numpy() / exact - 1).argmax())
        findings.append(FREQUENCIES.found(
            f"pair {k} turns {rates[k].item():.6g} radians a step, the paper's {exact[k]:.6g}: a number of {name}"
        ))  # fmt: skip
    if table:
        findings.append(TABLES.found(f"every cosine and sine that was seen is a number of {name}"))
    return tuple(findings)
