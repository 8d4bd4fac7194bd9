"""What a rotation promises beside x: positions that may be left out, and columns that come back as they were."""

import inspect
import re
from dataclasses import replace
from itertools import product

import torch

from ..calling.parameters import arguments_of, source_of
from ..sandbox.guard import Failed, first_look, run
from ..sandbox.mistakes import found
from .diagnose import diagnose_as
from .factors import size_role
from .layouts import FEWER, FOUR
from .maker import as_tuple
from .seen import alike
from .words import MISTAKES

PASSES = r"(?i)partial|_pass|_rest|nope|rot(ary)?_?(n?dims?|size)|first \w+ (dims|dimensions|columns|features|channels)"
WHOLE = "head|model|hid|emb"  # in the name of a width that all columns of x have


def left_out(rotator, way, layout, width):
    """The `Finding` where the code makes its own positions when none are given, and stops or turns all alike."""
    name = way.found.positions
    if way.maker or way.found.required or not name or not re.search(rf"\b{name} is (not )?None\b", way.code):
        return None
    stops = []
    for at, length in product((layout, *FOUR, *FEWER[0]), (5, 64)):  # a square and a cube may be wanted
        x, said = torch.ones(2, 3, length, width), f"{way.said} without {name}, x of shape {at.words},"
        without = way.without_positions().rotator(at)
        try:
            out = run(said, without.turn, [x.clone() for _ in way.found.vectors], torch.arange(length))[0]
        except (Failed, NotImplementedError) as stop:
            stops.append(stop.finding.evidence if isinstance(stop, Failed) else "ValueError")
            continue
        if getattr(out, "shape", None) == x.shape:
            if torch.allclose(out, out[:, :, :1], atol=1e-5):
                return MISTAKES.found("rows-alike-without", f"{said} turns all rows alike")
            x = torch.randn(2, 3, 5, width)
            outs = (rotator.turned(x), without.turned(x)) if at is layout else (None,)
            other = all(outs) and not alike(*outs)
            return MISTAKES.found("rows-otherwise-without", f"{said} turns otherwise than by 0 to 4") if other else None
    told = stops and not re.search("(Value|Assertion|Type)Error", stops[0])  # which are raised on purpose
    return MISTAKES.found("stops-without-positions", stops[0]) if told else None


def behind_a_flag(diagnosis, rotator, width, source):
    """``diagnosis``; without positions, where these are ignored and read only if a flag is set, as use_cache is."""
    way = rotator.way
    if "positions-ignored" not in {f.id for f in diagnosis.findings} or not way or way.maker or way.found.required:
        return diagnosis
    given = arguments_of(getattr(way.function, "forward", way.function))
    flags = [argument.name for argument in given if argument.parameter.default is False]
    reads = rf"if (?:self\.)?{{}}:[^\n]*\n[^\n]*\b{way.found.positions}\b"
    if not any(re.search(reads.format(flag), source) for flag in flags):
        return diagnosis
    return diagnose_as(way.without_positions().rotator(rotator.layout), width)


def base_unread(rotator, way, layout, width):
    """The `Finding` where another base turns, or makes tables, as the usual one does; else None."""
    if maker := way.maker or getattr(way.function, "maker", None):
        return _of_its_maker(maker.source, width)
    x, (name, default, functions) = torch.randn(2, 3, 5, width), _with_bases(way)
    outs = [rotator.by(way=replace(way, function=function)).turned(x) for function in functions]
    if outs and all(outs) and all(map(torch.equal, *outs)):
        said = f"{way.said}: {name}={7 * default:g} turns as {name}={default:g} does"
        return found("base-unread", said)
    return None


def _with_bases(way):
    """(its name, its default, the function with that and with another one) of a base that may be given."""
    of_class = isinstance(way.function, torch.nn.Module)
    asked = type(way.function) if of_class else way.function
    bases = _numbers(asked)
    if len(bases) != 1 or (of_class and not way.made_with):
        return "", 0, ()
    ((name, default),) = bases.items()
    both = ({name: default}, {name: 7 * default})
    if not of_class:
        return name, default, [way.given(**base).function for base in both]
    return name, default, [first_look(lambda base=base: asked(**{**way.made_with, **base})) for base in both]


def rest_lost(rotator, way, layout, width):
    """The `Finding` where the text tells that a part of a head turns, and the rest does not come back; or None."""
    if not re.search(PASSES, source_of(type(way.function)) + source_of(way.function)):
        return None
    made_for = [a.name for a in arguments_of(type(way.function)) or [] if size_role(a.parameter) == "d_model"]
    if made_for and all(re.search(WHOLE, name) for name in made_for):
        return None  # for the width of a whole head: a wider x was not promised
    x = torch.randn(rotator.count, 2, 3, 5, 2 * width)
    turn = lambda x: first_look(rotator.turn, [*x.clone()], torch.arange(5)) or ()  # noqa: E731
    for out, given, *parts in zip(turn(x), x, *map(turn, x.chunk(2, -1)), strict=False):
        halves = out.chunk(2, -1) if out.shape == given.shape else ()
        turns, stays = ([torch.allclose(*each, atol=1e-4) for each in zip(halves, of, strict=False)]
                        for of in (parts, given.chunk(2, -1)))  # fmt: skip
        if out.numel() == parts[0].numel() or (sum(turns) == 1 and not stays[turns.index(False)]):
            said = f"{way.said}: of x {2 * width} wide {width} columns turn, and the others are not those of x"
            return MISTAKES.found("rest-lost", said)
    return None


def _of_its_maker(maker, width):
    """The `Finding` where a function of sizes makes the same tables for another base; else None."""
    every = arguments_of(maker) if inspect.isfunction(maker) else []
    bases = _numbers(maker) if every else {}
    given = {a.name: {"d_model": width, "max_len": 8}.get(size_role(a.parameter)) for a in every if a.required}
    if len(bases) != 1 or None in given.values():
        return None
    ((name, default),) = bases.items()
    made = [first_look(lambda n=n: as_tuple(maker(**given, **{name: n * default}))) or () for n in (1, 7)]
    if made[0] and all(map(torch.is_tensor, sum(made, ()))) and all(map(torch.equal, *made)):
        said = f"{maker.__name__} makes the same tables for {name}={7 * default:g} as for {name}={default:g}"
        return found("base-unread", said)
    return None


def _numbers(function):
    """The defaults of the bases that it takes, by name."""
    every = [a for a in arguments_of(function) if a.role == "base"]
    return {a.name: a.parameter.default for a in every if type(a.parameter.default) in (int, float)}
