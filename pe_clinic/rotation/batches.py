"""A batch, and where a call begins: each row has its own positions or start, and one token may stand behind a cache."""

import inspect
import re
from functools import partial

import torch

from ..calling import past
from ..calling.declared import of_rows
from ..calling.parameters import source_of
from .made_rows import ROWS, every_turned, fitting, turned
from .said import ALLOWED
from .seen import alike
from .words import MISTAKES

FLAT = r"\b{}\s*(\.(flatten\(\)|(view|reshape)\(\s*-1\s*\)|squeeze\(0\))|\[0\])"
MANY = r"(offset|start|position|len|length)s$"


def of_one_example(rotator, way, layout, width):
    """The `Finding` where positions of a batch go by the first row, or stop where ids are flattened or allowed."""
    places = way.found.positions if way.found.takes == "positions" else "positions" if way.maker else ""
    if not places or layout.axes[:1] != ("batch",):
        return None
    own, x = way.with_whole_tables(), torch.randn(2, 3, 5, width)  # or else its maker is asked
    both, alone = fitting(every_turned(own, layout, x, ROWS, ROWS), x), rotator.one_by_one(x, rows=ROWS)
    said = f"{way.said}, x of a batch of 2 and {places} of shape (2, 5)"
    as_one = turned(rotator.by(place=lambda p, b: ROWS.clone()), x, ROWS)
    given = way.found.positions if way.found.required or not way.maker else None
    if given and not (as_one and fitting([as_one], x)) and re.search(ALLOWED.format(given), way.code):
        return MISTAKES.found("positions-of-one-example", f"{said}, which its text allows, gives nothing of x's shape")
    if both and alone:
        if any(alike(out, alone) for out in both):
            return None
        single = fitting(every_turned(own, layout, x[:1], ROWS[:1], ROWS[:1]), x[:1])
        if single and not any(alike(out, [part[:1] for part in alone]) for out in single):
            said = f"{way.said}, {places} of shape (1, 5) handed over, turns x otherwise than by the rows of 2 to 6"
            return MISTAKES.found("positions-otherwise", said)
        return MISTAKES.found("positions-of-one-example", f"{said} is turned by other positions than its own")
    flat = "ids" in places and re.search(FLAT.format(places), way.code)
    if flat and not both and every_turned(own, layout, x[1:], ROWS[1:], ROWS[1:]):
        return MISTAKES.found("positions-of-one-example", f"{said} stops; with one example it does not")
    return None


def of_own_start(rotator, way, layout, width):
    """The `Finding` where rows of a batch do not turn from their own starts on, which may be given; else None."""
    if way.found.takes != "start" or layout.axes[:1] != ("batch",):
        return None
    name, told = way.found.positions, of_rows(way.function, way.found.positions)
    if not (told or re.search(MANY, name) or _annotated(way.function, name)):
        return None
    stopped = False
    for batch, length in ((3, 1), (2, 5), (5, 5)):
        x, starts = torch.randn(batch, 3, length, width), 4 + 3 * torch.arange(batch)
        outs, alone = (
            every_turned(way, layout, x, starts),
            rotator.one_by_one(x, rows=starts[:, None] + torch.arange(length)),
        )
        if not alone:
            return None
        said = f"{way.said}, x of shape {tuple(x.shape)} and {name} of shape ({batch},), "
        if outs and not any(alike(out, alone, 1e-3) for out in outs):
            shape = tuple(outs[0][0].shape)
            said += "turns rows otherwise than alone" if shape == x.shape else f"gave the shape {shape}"
            return MISTAKES.found("start-of-rows", said)
        stopped = stopped or not outs
    return MISTAKES.found("start-of-rows", f"{said}stops") if stopped and told else None


def of_the_past(rotator, way, layout, width):
    """The `Finding` where one token beside what is kept is turned as the first; else None."""
    name = not way.maker and not way.found.takes and past.parameter_of(way.function)
    if not name or len(layout.axes) < 3:
        return None

    def ask(which, x, **kept):
        given = [x.clone() for _ in way.found.vectors]
        return way.given(**kept).rotator(layout).turn(given, torch.arange(x.shape[2]))[which]

    x = torch.randn(1, past.LENGTH, past.LENGTH + 1, width)
    counts = re.fullmatch(past.COUNTED, name)  # beside a number k may hold every key, from the first on
    for which in range(1 if counts else rotator.count):
        if past.ignored(partial(ask, which), name, x, x[:, :, -1:]):
            said = f"the last of {past.LENGTH + 1} tokens, alone with {name}, is turned as without"
            return past.IGNORED.found(f"{way.said}: {'of k ' * which}{said}")
    return None


def _annotated(function, name):
    """A whole number, or a tensor that is no scalar."""
    function = getattr(function, "forward", function)
    told = f"{inspect.signature(function).parameters[name].annotation}"
    scalar = re.search(r"(?i)scalar|\b(0|zero)-?d", source_of(function))
    return bool(not scalar and re.search(r"\bint\b", told) and re.search("Tensor|[Aa]rray", told))
