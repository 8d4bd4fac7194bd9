"""Explain the matrices of the first positions: structure, law of the pairs, where they begin, how long they are."""

from dataclasses import dataclass, replace

import numpy as np

from ..saying.result import Finding
from .columns import planes, read_columns
from .entry import Entry
from .frequencies import law_of, paper
from .model import Model, compare_near
from .structures import RIGHT, structure_of

ADDED = Entry(
    "added-to-x",
    "Sines and cosines are added to x: RoPE multiplies.",
    "RoPE turns queries and keys; it adds nothing. Adding a table is the sinusoidal encoding, before the first layer.",
    "x1 cos − x2 sin, x1 sin + x2 cos",
)
OVERWRITTEN = Entry(
    "overwritten",
    "The second line of the rotation reads what the first has overwritten.",
    "x1 = x1 cos − x2 sin, and then x2 = x2 cos + x1 sin, takes the new x1 where the old one is meant.",
    "compute both from the old two, and write afterwards; x1.clone() keeps the old one",
)
SCALED = Entry(
    "rotation-scaled",
    "The rotation also changes lengths.",
    "A rotation keeps lengths; the scores are divided by √d once, in attention.",
    "return the turned x without a factor",
)
ALL_ZERO = Entry(
    "zero-frequencies",
    "Nothing turns: every frequency is 0, or every angle that of position 0.",
    "A buffer of frequencies that was never filled, or positions that are all 0: order is not seen at all.",
    "print the frequencies, and the positions, where the cosines are taken",
    "ByteDance-Seed/VeOmni/issues/414",
)
NO_FORMULA = Entry(
    "unknown-frequencies",
    "The pairs turn by no known law.",
    "Their rates are no powers of one base. A buffer that was never filled, or loaded from elsewhere, looks like this.",
    "compute them where the module is made: base ** (-torch.arange(0, d, 2) / d)",
    "huggingface/transformers/issues/45902",
)
UNLISTED = Entry(
    "no-rotation",
    "This is not RoPE's rotation.",
    "None of the known mistakes gives these numbers.",
    "compare one pair of columns at position 1 with x1 cos 1 − x2 sin 1, x1 sin 1 + x2 cos 1",
)


@dataclass(frozen=True)
class First:
    """What the first positions show: a `Model` to compare the rest with, findings, and conventions that do no harm."""

    model: Model | None
    findings: tuple[Finding, ...] = ()
    conventions: tuple[str, ...] = ()
    layout: str | None = None


def explain_first(near):
    """The `First` of one `Near`."""
    if np.abs(near.added).max() > 1e-5:
        return _added(near)
    return understood(near) or _overwritten(near) or First(None, (UNLISTED.found(facts(near)),))


def understood(near):
    """The `First` that a rotation of pairs gives, or what is left of one; None where there is none."""
    start = near.matrices[0]
    found = _explain(near, near.matrices, None)
    if found is None and _orthogonal(start):
        # Only S(m, n) = A_m A_nᵀ reaches a score: what is done to every row alike, such as another order, is undone.
        found = _explain(near, near.matrices @ start.T, start)
    return found


def _overwritten(near):
    """The second line of the rotation reads what the first has just written into x."""
    d = near.matrices.shape[1]
    positions = np.arange(len(near.matrices))
    for build in RIGHT.values():
        shape = build(d)
        rate = paper(d // 2)[shape.table] * shape.sign
        right = Model(shape.partner, rate, np.zeros(d), np.ones(d)).matrices(positions)
        for sign in (-1, 1):
            first = shape.sign == sign  # the columns that are written first
            written = np.where(first, right, np.eye(d))
            built = np.where(first, right, written @ np.where(first, np.eye(d), right))
            if np.abs(built - near.matrices).max() < 1e-4:
                j = int(np.flatnonzero(~first)[0])
                said = f"at position 1 column {j} is {near.matrices[1, j, j]:.4g} times itself; cos 1 is 0.5403"
                return First(None, (OVERWRITTEN.found(said),))
    return None


def _orthogonal(matrix):
    return np.abs(matrix @ matrix.T - np.eye(len(matrix))).max() < 1e-4


def _added(near):
    p, j = np.unravel_index(np.abs(near.added).argmax(), near.added.shape)
    evidence = f"for x = 0 it gives {near.added[p, j]:.4g} in column {j} at position {p}"
    still = np.abs(near.matrices - np.eye(near.matrices.shape[1])).max() < 1e-4
    evidence += "; x itself comes back as it was" if still else ""
    rest = () if still else explain_first(replace(near, added=near.added * 0)).findings
    return First(None, (ADDED.found(evidence), *rest))


def _explain(near, matrices, outward):
    d = matrices.shape[1]
    inward, columns = None, read_columns(matrices)
    if columns is None and outward is not None and (inward := planes(matrices)) is not None:
        columns = read_columns(inward.T @ matrices @ inward)
    if columns is None or columns.rest > 0.1:
        return None
    if not columns.turned.any():
        return _still(near, columns, d)
    structure = structure_of(columns)
    for needs_law in (True, False):
        found = [_structured(near, columns, structure, inward, outward, needs_law)] if structure else []
        if not found or not found[0] or found[0].findings:  # another order of the pairs may explain it all
            found.append(_any_pairs(near, columns, inward, outward, needs_law))
        found = [one for one in found if one]
        if found:
            return min(found, key=lambda one: bool(one.findings))
    return None


def _still(near, columns, d):
    model = Model(columns.partner, columns.rate, columns.phase, columns.size)
    findings = [ALL_ZERO.found(f"x comes back as it was at positions 0 to {len(near.matrices) - 1}")]
    if np.ptp(columns.size) < 1e-4 and abs(columns.size[0] - 1) > 1e-4:
        findings.append(_scaled(columns.size[0], d))
    return First(model, tuple(findings))


def _structured(near, columns, structure, inward, outward, needs_law):
    """A known arrangement of the pairs, in the order of the tables."""
    d, r = len(columns.rate), structure.r
    size = columns.size[:r].mean()
    if np.ptp(columns.size[:r]) > 1e-4 * size:
        return None
    loose = 30.0 if inward is not None else 1.0
    law = law_of(structure.rates, r, d, size, loose)
    if law is None and (law := law_of(-structure.rates, r, d, size, loose)):  # so fast that the sign is in doubt
        structure = replace(structure, direction=-structure.direction, rates=-structure.rates)
    if law is None and needs_law:
        return None
    if law is None:
        law_findings = (NO_FORMULA.found(_rates(structure.rates)),)
        rates = structure.rates
    else:
        law_findings, rates = law.findings, law.rates
    sign = structure.sign * structure.shape.turned
    rate = np.zeros(d)
    rate[:r] = rates[structure.shape.table] * sign
    partner = columns.partner.copy()
    partner[:r] = structure.shape.partner
    return _finish(near, columns, rate, partner, structure, law, law_findings, inward, outward)


def _finish(near, columns, rate, partner, structure, law, law_findings, inward, outward):
    findings, conventions = [], []
    if structure.mistake:
        findings.append(structure.mistake.found(_shape_evidence(columns)))
    findings += law_findings
    size = columns.size.copy()
    r = structure.r
    factor = size[:r].mean()
    rest_scaled = r == len(rate) or abs(size[r:].mean() - factor) < 1e-4
    scale = law.scale if law else 1.0
    if abs(factor / scale - 1) > 2e-5:
        findings.append(_scaled(factor, len(rate), rest_scaled))
    size = np.where(np.arange(len(rate)) < r, factor, size)
    size[np.abs(size - 1) < 1e-5] = 1.0
    phase = columns.phase.copy()
    start = _start(columns.phase, rate)
    if start:
        phase = start * rate
    elif start is None:
        conventions.append("other coordinates")
    relative = 2e-7 if law and law.exact else 3e-6
    model = Model(partner, rate, phase, size, inward, outward, relative=relative)
    if not compare_near(model, near):
        return None
    if inward is not None or (outward is not None and not _permutation(outward)):
        conventions = ["other coordinates"]
    elif outward is not None:
        conventions.append("permuted")
    elif structure.layout == "halves":
        conventions.insert(0, "half-split")
    if structure.direction < 0 and "other coordinates" not in conventions:
        conventions.append("reversed")
    if start:
        conventions.append("shifted")
    return First(model, tuple(findings), tuple(conventions), structure.layout)


def _any_pairs(near, columns, inward, outward, needs_law):
    """Pairs in an order of their own: any two columns, each pair turned by one of the rates of a law."""
    d = len(columns.rate)
    j = np.arange(d)
    turned = columns.turned
    opposite = np.abs(np.angle(np.exp(1j * (columns.rate + columns.rate[columns.partner])))) < 1e-5
    if (columns.partner[columns.partner] != j)[turned].any() or not opposite[turned].all():
        return None
    if np.ptp(columns.size[turned]) > 1e-4:
        return None
    firsts = np.flatnonzero(turned & (j < columns.partner))
    speeds = np.abs(columns.rate[firsts])
    order = np.argsort(-speeds, kind="stable")
    r = 2 * len(firsts)
    law = law_of(speeds[order], r, d, columns.size[firsts].mean(), 30.0 if inward is not None else 1.0)
    if law is None:
        return None if needs_law or r < d else First(None, (NO_FORMULA.found(_rates(speeds[order])),))
    rate = np.zeros(d)
    rate[firsts[order]] = law.rates * np.sign(columns.rate[firsts[order]])
    rate[columns.partner[firsts]] = -rate[firsts]
    backward = columns.rate[firsts] > 0
    start = _start(columns.phase, rate)
    size = columns.size.mean() if abs(columns.size.mean() - 1) > 1e-5 else 1.0
    phase = start * rate if start else columns.phase
    relative = 2e-7 if law.exact else 3e-6
    model = Model(columns.partner, rate, phase, np.full(d, size), inward, outward, relative=relative)
    if not compare_near(model, near):
        return None
    dense = inward is not None or start is None or (outward is not None and not _permutation(outward))
    conventions = ["other coordinates"] if dense else ["permuted"]
    if not dense and backward.all():
        conventions.append("reversed")
    if start:
        conventions.append("shifted")
    scaled = [] if abs(size / law.scale - 1) < 2e-5 else [_scaled(size, d)]
    return First(model, (*law.findings, *scaled), tuple(conventions))


def _start(phase, rate):
    """The position that position 0 is taken for; 0.0 where it is 0, None where no one position fits all pairs."""
    on = np.abs(rate) > 0
    if np.abs(phase).max() < 1e-5:
        return 0.0
    order = np.argsort(np.abs(rate[on]))
    phases, rates = phase[on][order], rate[on][order]
    start = phases[0] / rates[0]
    for phi, w in zip(phases, rates, strict=True):
        start += np.angle(np.exp(1j * (phi - start * w))) / w
    start = round(start) if abs(start - round(start)) < 1e-3 else start
    return start if np.abs(np.angle(np.exp(1j * (phases - start * rates)))).max() < 1e-4 else None


def _permutation(matrix):
    return bool((np.isclose(matrix, 0, atol=1e-5) | np.isclose(matrix, 1, atol=1e-5)).all())


def _scaled(size, d, all_columns=True):
    names = {"√d": d**0.5, "1/√d": d**-0.5, "d^(1/4)": d**0.25, "d^(−1/4)": d**-0.25}
    name = next((f", which is {n} for d = {d}" for n, value in names.items() if abs(size / value - 1) < 1e-4), "")
    return SCALED.found(f"at position 0 every column is {size:.4g} times what it should be{name}")


def _shape_evidence(columns):
    """Column by column, at position 1, what the first pair does."""
    parts = []
    for j in (0, 1, len(columns.rate) // 2):
        if columns.turned[j]:
            other = f"turned with column {columns.partner[j]}, {columns.rate[j]:+.4g} radians a step"
        else:
            other = "not turned"
        parts.append(f"column {j} is {other}")
    return "; ".join(parts)


def _rates(rates):
    expected = paper(len(rates))
    shown = [f"{rate:.4g} ({want:.4g} in the paper)" for rate, want in list(zip(rates, expected, strict=True))[:4]]
    return "radians a step, pair by pair: " + ", ".join(shown) + (", …" if len(rates) > 4 else "")


def facts(near):
    """Numbers about matrices that no hypothesis gives."""
    start, one = near.matrices[0], near.matrices[1]
    d = len(start)
    said = []
    if np.abs(start - np.eye(d)).max() > 1e-4:
        said.append(f"position 0 does not leave x as it is (column 0 of the first unit vector is {start[0, 0]:.4g})")
    lengths = np.linalg.norm(one, axis=1)
    if np.ptp(lengths) > 1e-4 or abs(lengths[0] - 1) > 1e-4:
        said.append(f"at position 1 unit vectors have lengths between {lengths.min():.4g} and {lengths.max():.4g}")
    elif not _orthogonal(one):
        said.append("at position 1 right angles do not stay right angles")
    partners = np.abs(one - np.diag(np.diag(one))).argmax(axis=0)
    said.append(
        f"at position 1 column 0 is {one[0, 0]:.4g} times itself, {one[partners[0], 0]:+.4g} times column {partners[0]}"
    )
    return "; ".join(said)
