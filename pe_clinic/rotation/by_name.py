"""Diagnose a rotation by its name in a file: of all ways to call it the one that does best."""

import re
from dataclasses import replace
from itertools import chain, product

from ..calling.declared import WIDTH_LAST, axes_said
from ..calling.parameters import source_of
from ..sandbox.guard import Failed
from ..sandbox.state import preserved
from ..saying.result import Diagnosis
from .axes import SAID as AXES
from .axes import SHARED, of_axes
from .candidates import candidates, whole
from .diagnose import diagnose_as
from .factors import by_factor, factor_of, takes_a_part
from .fitting import judged
from .flat import COLUMNS, MORE, flat_rotators, of_lists, otherwise, together
from .further import STILL, asked_further
from .layouts import FEWER, FOUR
from .made_rows import of_the_whole
from .maker import twice_as_wide
from .numbers_in import other_widths
from .promised import behind_a_flag
from .said import anew, as_said, first_tried, three_said, unfinished, width_of_tables
from .ways import ways
from .workshop import Workshop

# Findings that say little: another way to call it may say more.
VAGUE = {
    *("no-rotation", "keys-unlike", "rotation-shape", "raises", "unknown-frequencies", "zero-frequencies"),
    *("heads-for-sequence", "batch-for-sequence", "positions-lost", "multiplied-by-table", "complex"),
}
WIDTH = 64
OVER_HEAD = {"proportional", "partial-over-head-dim"}  # exponents over head_dim: seen where a part turns


def diagnose_by_name(file, path):
    """(Diagnosis, the call in words) of what ``path`` names, of all ways to call it the best; or None."""
    file = whole(file)
    thing = file.resolve(path)[0]
    best = by_factor(best_of(file, path), factor_of(file, path), thing, lambda factor: best_of(file, path, factor))
    if best and best[0].verdict.main_right and takes_a_part(thing):
        other = best_of(file, path, part=True)
        if other and OVER_HEAD & {*f"{other[0].convention}".split(), *(f.id for f in other[0].findings)}:
            return other
    return best


def best_of(file, path, factor=None, part=False, half=False):
    outcomes = []
    try:
        tried, running, width = _that_run(file, path, factor, part, half)
    except Failed as failed:
        return Diagnosis(False, (failed.finding,)), path
    made = Workshop(file, width, factor, part, half=half)
    if not running and (cut := of_the_whole(tried, lambda rows: ways(replace(made, long=rows), path), width)):
        return Diagnosis(False, (cut,), kind="rotation"), tried[0].said
    source = source_of(thing := file.resolve(path)[0])
    for rotator in running or [anew(one, ways(made, path)) for one in tried[:1]]:
        diagnosis = diagnose_as(rotator, width)
        if COLUMNS in rotator.said and (re.search(WIDTH_LAST, source) or VAGUE & {f.id for f in diagnosis.findings}):
            rotator = tried[0]  # its axes stand otherwise
            diagnosis = diagnose_as(rotator, width)
        diagnosis = judged(behind_a_flag(diagnosis, rotator, width, file.source), rotator, width, source, thing)
        if AXES in rotator.said and diagnosis.verdict.good:
            diagnosis = of_axes(diagnosis, SHARED in rotator.said)
        diagnosis = as_said(diagnosis, rotator, width, thing, file.source)
        outcomes.append((asked_further(diagnosis, rotator, width, lambda: ways(made, path)), rotator.said))
        if diagnosis.verdict.good:
            break  # of other axes, what a batch or a cache shows might not be seen
    return min(outcomes, key=lambda outcome: _rank(outcome[0]), default=None)


def _rank(diagnosis: Diagnosis):
    ids = {finding.id for finding in diagnosis.findings if finding.kind != "note"}
    return diagnosis.verdict.rank, bool(STILL & ids), len(VAGUE & ids), len(ids)


def _that_run(file, path, factor, part, half):
    """(rotators as they were tried first, those that give something, the width of a head)."""
    thing, first, stopped = file.resolve(path)[0], [], None
    widths = [WIDTH, *other_widths(WIDTH, thing, *(maker for _, maker in candidates(file, {path})))]
    for width in widths:
        try:
            found = list(ways(Workshop(file, width, factor, part, half=half), path))
        except Failed as failed:
            stopped = stopped or failed
            continue  # it may have few pairs
        first = first or [rotator for way in found[:1] for rotator in first_tried(way)]
        with preserved(0, traced=False):  # once for some hundred first looks
            groups = _groups(found, axes_said(thing), three_said(thing, file.source), file.source, width)
            running = next(filter(None, (_running(group, width) for group in groups)), [])
            if width == WIDTH and not running:
                first = unfinished(found, width) or first
                widths += [own for own in width_of_tables(first, WIDTH) if own not in widths]
        if running:
            return first, running, width
    if stopped and not first:
        raise stopped
    return first, [], WIDTH


def _groups(found, told, three, source, width):
    """The rotators of each way and layout, group by group: the first group of which any gives something is taken.

    Tables that the code lays out get other axes where nothing runs without, or not in the layout that is ``told``.
    """
    bent = [replace(way, bent=way) for way in found if way.lays_out]
    yield _in(three, found)
    for some in (found, bent) if bent else ():
        yield _in([layout for layout in FOUR if layout.axes == told], some)
    if bent and told:
        yield from _in_each_layout(found, told, ())
        yield from _in_each_layout(bent + found, told)
    else:
        yield from _in_each_layout(found, told)
        yield from _in_each_layout(bent, told)
    yield _in(FOUR, twice_as_wide(found, width, source))


def _in(layouts, some):
    return [way.rotators(layout) for layout, way in product(layouts, some)]


def _in_each_layout(found, told, fewer=FEWER):
    """Group by group, for x with as many axes as can be."""
    one, lists = [way for way in found if not way.found.pair], [*map(of_lists, found)]
    yield [[together(way)] for way in one if "qkv" in "".join(way.found.vectors)]
    if len(told or ()) < 3 and any(way.found.positions in way.found.names[:1] for way in found):  # places come first
        yield _in((*FEWER[0], *FOUR), found)
    else:
        yield _in([layout for layout in FOUR if layout.axes == told], found)
        yield _in(FOUR, found)
    yield from (flat_rotators(some) for some in (found, lists))
    yield from (_in(layouts, found) for layouts in fewer)
    yield from (_in(layouts, lists) for layouts in (FOUR, *fewer))
    yield [[together(way)] for way in one if not told]  # whose axes are told takes no other tensor, but may give one
    others = [o for way in one if way.found.names for o in otherwise(way) if not told or MORE in o.said]
    yield [chain.from_iterable(_in(FOUR + sum(fewer, ()), others))]


def _running(group, width):
    """Each way's first rotator that gives something: of those with other shapes of positions, one that heeds them."""
    running = []
    for tried in map(iter, group):
        if first := next((rotator for rotator in tried if rotator.runs(width)), None):
            heeds = first.runs(width, apart=True)
            running.append(first if heeds else next((one for one in tried if one.runs(width, apart=True)), first))
    return running
