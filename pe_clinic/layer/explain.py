"""What was seen of a layer, in findings: each explainer looks at one side of it, and all of them are heard."""

from dataclasses import replace

import numpy as np

from ..sandbox.traces import traces_findings
from ..saying.words import show
from ..side_effects import ROUNDING
from ..table.look import Tables
from . import behaviour, dropout, training
from .combining import TOLERANCE
from .factors import with_factors
from .otherwise import OTHERWISE, of_a_pair, of_distances
from .picks import WITH_ROOM
from .subject import MAX_LEN
from .words import MISTAKES, found


def explain(seen):
    """The findings, the layer's own mistakes first. Chance and half precision leave nothing else to be read."""
    if seen.awake and seen.awake.id == "not-repeatable":
        return [seen.awake]
    if seen.how.pattern != "encoding" and any(response.dtype in ROUNDING for response in seen.responses.values()):
        return behaviour.of_dtype(seen)
    if seen.learned and seen.how.pattern in ("position", "encoding", "no-slice"):
        whole = seen.about_sum if seen.how.pattern == "no-slice" else ()
        others = [finding for explainer in (*EXPLAINERS, *OF_LEARNED) for finding in explainer(seen)]
        others = [finding for finding in others if finding not in whole and finding.id not in OF_A_FORMULA]
        others = [*{(finding.id, finding.title): finding for finding in others}.values()]  # the end is seen twice
        return [*others, seen.learned, *(replace(finding, kind="note") for finding in whole)]
    if seen.how.pattern == "unknown" and (other := next(filter(None, (look(seen) for look in OTHERWISE)), None)):
        return other
    if seen.how.pattern == "encoding" and (told := of_distances(seen)):
        return told
    if pair := of_a_pair(seen):
        return pair
    return [finding for explainer in EXPLAINERS for finding in explainer(seen)]


def of_the_sum(seen):
    """How x and the table are combined, and whether the table is right."""
    findings = [*seen.about_sum, *(() if seen.learned else seen.about_table)]  # learned rows have no formula
    if [f.id for f in training.of_training(seen.trained)] == ["learned-scale"]:  # by how much training tells
        return [finding for finding in findings if finding.id != "scaled"]
    return with_factors(seen.how, findings, seen.tables)


def of_every_shape(seen):
    """The sum must hold at every shape, not only at the one looked at first."""
    table_reads = isinstance(seen.tables, Tables) and not {"not-repeatable", "unlisted", "permuted"} & {
        finding.id for finding in seen.about_table
    }
    if seen.rows is None or not (table_reads or seen.learned):
        return []
    for response in (*seen.responses.values(), *seen.others):
        if not (response.fits or behaviour.refused(response)):
            finding = response.finding or found("other-shape", f"{response.call} gave the shape {response.out.shape}")
            if seen.about_sum or seen.about_table:  # it is right at no shape
                does = "stops" if response.finding else "gives another shape"
                return [found("some-shapes", finding.evidence, title=f"It {does} at some shapes of x.")]
            return [found("some-shapes", f"{finding.evidence}; other shapes work")]
    return _off_at_some_shape(seen)


def _off_at_some_shape(seen):
    """The first shape at which other rows are added than at the others."""
    whole = None if seen.how.pick is WITH_ROOM else seen.responses.get((2, MAX_LEN))
    # Its own rows, where it shows them all: those of a longer table may be others.
    table = whole.out[0] - seen.how.a * whole.x[0] if whole and whole.fits else seen.rows
    fitting = [r for r in (*seen.responses.values(), *seen.others) if r.fits]
    for response in fitting if table is not None else ():
        length = min(response.x.shape[1], len(table))
        rest = (response.out - seen.how.a * response.x)[:, :length]
        off = np.abs(rest - table[:length]).max()
        if off > 10 * TOLERANCE:
            near = [pos for pos in range(1, len(table)) if np.allclose(table[pos], rest[0, 0], atol=1e-3)]
            first = f": its first token gets the row of position {near[0]}" if near else ""
            said = f"for {response.call} the sum is off by up to {show(off)}{first}"
            alone = response.x.shape[1] == 1 and np.abs(rest).max() < TOLERANCE
            words = ", alone" if alone else ", at max_len" if MAX_LEN in response.x.shape[:2] else ""
            return [found(f"some-shapes{words}", said)]
    return []


def of_the_end(seen):
    asked = seen.past and seen.rows is not None and not of_every_shape(seen)
    return behaviour.past_the_end(seen.past, seen.rows, seen.how.a) if asked else []


def notes(seen):
    return list({note.id: note for a, b in seen.traces for note in traces_findings(a, b)}.values())


def _changed_x(seen):
    changed = [response.call for response in (*seen.responses.values(), *seen.others) if response.changed_x]
    return f"after {changed[0]} x is not what it was" if changed else ""


def _several(seen):
    parts = max(response.parts for response in seen.responses.values())
    return f"it returns {parts} things; one of them has the shape of x" if parts > 1 else ""


def _cut_off(seen):
    return "" if seen.trained or seen.learned.title != MISTAKES["learned"].title else seen.learned.evidence


def _alike(seen):
    """Learned rows that are no rows of positions: every token gets the first one."""
    rows = seen.rows[:MAX_LEN] if seen.rows is not None else ()
    return "the rows that it adds to x differ in nothing" if len(rows) > 2 and np.ptp(rows, axis=0).max() < 1e-6 else ""


def shown(mistake, evidence):
    """The explainer that finds ``mistake`` where ``evidence(seen)`` says something."""
    return lambda seen: [found(mistake, said)] if (said := evidence(seen)) else []


def kept(name):
    """The explainer that tells the finding which was ``name`` when the layer was looked at, if there is one."""
    return lambda seen: [getattr(seen, name)] if getattr(seen, name) else []


OF_A_FORMULA = {"sqrt-scale", "scaled-input", "autocast"}  # training finds its own scale, and seeds other rows
OF_LEARNED = (
    behaviour.last_row_again,
    kept("padding_row"),
    shown("rows-alike", _alike),
    shown("gradient, of rows", _cut_off),
)
EXPLAINERS = (
    of_the_sum,
    of_every_shape,
    behaviour.of_a_refusal,
    shown("remembers", lambda seen: seen.remembers),
    kept("awake"),
    shown("in-place", _changed_x),
    shown("tuple", _several),
    shown("gradient, of a number", lambda seen: ", ".join(seen.cut_off)),
    lambda seen: [] if seen.learned else training.of_training(seen.trained),
    of_the_end,
    shown("gradient", lambda seen: seen.gradient),
    lambda seen: dropout.of_training(seen.training, seen.rows[:-1], seen.how.a) if seen.training else [],
    kept("stays"),
    behaviour.of_dtype,
    kept("rounded"),
    notes,
)
