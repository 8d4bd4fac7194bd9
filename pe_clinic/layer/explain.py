"""What was seen of a layer, in findings: each explainer looks at one side of it, and all of them are heard."""

import numpy as np

from ..sandbox.traces import traces_findings
from ..saying.words import show
from ..side_effects import ROUNDING
from ..table.look import Tables
from . import behaviour, catalogue, dropout, registering
from .combining import TOLERANCE
from .factors import with_factors
from .otherwise import of_a_pair, of_features, of_rows_before, of_turning, of_weights
from .subject import MAX_LEN
from .sums import OTHER_SHAPE, SOME_SHAPES


def explain(seen):
    """The findings, the layer's own mistakes first. Chance and half precision leave nothing else to be read."""
    if seen.awake and seen.awake.id == "not-repeatable":
        return [seen.awake]
    if seen.how.pattern != "encoding" and any(response.dtype in ROUNDING for response in seen.responses.values()):
        return of_dtype(seen)
    if seen.learned and seen.how.pattern in ("position", "encoding", "never-added", "no-slice"):
        return [catalogue.LEARNED.found(f"it holds the parameter {seen.learned}")]
    if seen.how.pattern == "unknown" and (other := next(filter(None, (look(seen) for look in OTHERWISE)), None)):
        return other
    if pair := of_a_pair(seen):
        return pair
    return [finding for explainer in EXPLAINERS for finding in explainer(seen)]


def of_the_sum(seen):
    """How x and the table are combined, and whether the table is right."""
    findings = [*seen.about_sum, *seen.about_table]
    scaled = of_parameters(seen)[:1] == [catalogue.LEARNED_SCALE.found(f"trained: {', '.join(seen.trained)}")]
    if scaled:  # by how much is told by training
        return [finding for finding in findings if finding.id != "scaled"]
    return with_factors(seen.how, findings, seen.tables)


def of_every_shape(seen):
    """The sum must hold at every shape, not only at the one looked at first."""
    table_reads = isinstance(seen.tables, Tables) and not {"not-repeatable", "unlisted", "permuted"} & {
        finding.id for finding in seen.about_table
    }
    if seen.rows is None or not table_reads:
        return []
    whole = seen.responses.get((2, MAX_LEN))
    # Its own rows, where it shows them all: those of a longer table may be others.
    table = whole.out[0] - seen.how.a * whole.x[0] if whole and whole.fits else seen.rows
    for response in (*seen.responses.values(), seen.zeros):
        if not response.fits:
            finding = response.finding or OTHER_SHAPE.found(f"{response.call} gave the shape {response.out.shape}")
            return [SOME_SHAPES.found(f"{finding.evidence}; other shapes work")]
        length = min(response.x.shape[1], len(table))
        rest = (response.out - seen.how.a * response.x)[:, :length]
        off = np.abs(rest - table[:length]).max()
        if off > 10 * TOLERANCE:
            near = [pos for pos in range(1, len(table)) if np.allclose(table[pos], rest[0, 0], atol=1e-3)]
            first = f": its first token gets the row of position {near[0]}" if near else ""
            return [SOME_SHAPES.found(f"for {response.call} the sum is off by up to {show(off)}{first}")]
    return []


def of_memory(seen):
    return [catalogue.REMEMBERS.found(seen.remembers)] if seen.remembers else []


def of_eval(seen):
    return [seen.awake] if seen.awake else []


def of_x(seen):
    changed = next((response for response in seen.responses.values() if response.changed_x), None)
    return [catalogue.IN_PLACE.found(f"after {changed.call} x is not what it was")] if changed else []


def of_parts(seen):
    parts = max(response.parts for response in seen.responses.values())
    return [catalogue.SEVERAL.found(f"it returns {parts} things; one of them has the shape of x")] if parts > 1 else []


def of_parameters(seen):
    return registering.of_training(seen.trained)


def of_the_end(seen):
    return behaviour.past_the_end(seen.past, seen.rows, seen.how.a) if seen.past and not of_every_shape(seen) else []


def of_gradient(seen):
    return [catalogue.GRADIENT.found(seen.gradient)] if seen.gradient else []


def of_training(seen):
    return dropout.of_training(seen.training, seen.rows[:-1], seen.how.a) if seen.training else []


def of_place(seen):
    return registering.of_place(seen.stays)


def of_dtype(seen):
    return behaviour.of_dtype(response.dtype for response in seen.responses.values() if response.out is not None)


def of_precision(seen):
    return [catalogue.AUTOCAST.found(seen.rounded)] if seen.rounded else []


def notes(seen):
    return list({note.id: note for a, b in seen.traces for note in traces_findings(a, b)}.values())


OTHERWISE = (of_turning, of_weights, of_rows_before, of_features)  # what is no layer that adds a table
EXPLAINERS = (
    of_the_sum, of_every_shape, of_memory, of_eval, of_x, of_parts, of_parameters, of_the_end, of_gradient, of_training,
    of_place, of_dtype, of_precision, notes,
)  # fmt: skip
