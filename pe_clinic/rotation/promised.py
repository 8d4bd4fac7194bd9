"""What a rotation promises beside x: positions that may be left out, and columns that come back as they were."""

import inspect
import re
from dataclasses import replace
from itertools import product

import torch

from ..calling.parameters import arguments_of, source_of
from ..sandbox.guard import Failed, first_look, run
from .factors import size_role
from .layouts import FEWER, FOUR
from .maker import as_tuple
from .two_heads import ALL_NUMBERS
from .way import POSITIONS, STARTS
from .words import MISTAKES

PASSES = r"(?i)partial|_pass|_rest|nope|rot(ary)?_?(n?dims?|size)|first \w+ (dims|dimensions|columns|features|channels)"
WHOLE = "head|model|hid|emb"  # in the name of a width that all columns of x have


def left_out(rotator, way, layout, width):
    """The `Finding` where the code makes its own positions when none are given, and stops or turns all alike."""
    name, called = way.found.positions, getattr(way.function, "forward", way.function)
    if way.maker or way.found.required or not name or not re.search(rf"\b{name} is (not )?None\b", source_of(called)):
        return None
    without, stops = replace(way, found=replace(way.found, positions=None, takes=None)), []
    for at, length in product((layout, *FOUR, *FEWER[0]), (5, 64)):  # a square and a cube may be wanted
        x, said = torch.ones(2, 3, length, width), f"{way.said} without {name}, x of shape {at.words},"
        turn, given = without.rotate(at, (), lambda p, b: p), [x.clone() for _ in way.found.vectors]
        try:
            out = as_tuple(run(said, turn, *given))[0]
        except (Failed, NotImplementedError) as stop:
            stops.append(stop.finding.evidence if isinstance(stop, Failed) else "ValueError")
            continue
        if getattr(out, "shape", None) == x.shape:
            if torch.allclose(out, out[:, :, :1], atol=1e-5):
                return MISTAKES.found("rows-alike-without", f"{said} turns all rows alike")
            other = at is layout and _differ(rotator.turn, turn, torch.randn(rotator.count, 2, 3, 5, width))
            return MISTAKES.found("rows-otherwise-without", f"{said} turns otherwise than by 0 to 4") if other else None
    told = stops and not re.search("(Value|Assertion|Type)Error", stops[0])  # which are raised on purpose
    return MISTAKES.found("stops-without-positions", stops[0]) if told else None


def _differ(given, without, x):
    """Does x, or q or k, come otherwise from a call with positions 0, 1, … than from one without?"""
    calls = (lambda: given([*x.clone()], torch.arange(x.shape[-2]))), (lambda: as_tuple(without(*x.clone())))
    outs = [first_look(call) or () for call in calls]
    same_shape = [(a, b) for a, b in zip(*outs, strict=False) if getattr(a, "shape", 0) == getattr(b, "shape", 1)]
    return any(not torch.allclose(a, b, atol=1e-4) for a, b in same_shape)


def base_unread(rotator, way, layout, width):
    """The `Finding` where another base turns, or makes tables, as the usual one does; else None."""
    if maker := way.maker or getattr(way.function, "maker", None):
        return _of_its_maker(maker.source, width)
    place, outs = STARTS[0] if way.form.takes == "start" else POSITIONS[0], []
    x, (name, default, functions) = torch.randn(rotator.count, 2, 3, 5, width), _with_bases(way)
    for function in functions:
        turn = replace(way, function=function).rotate(layout, rotator.asked[2], place)
        outs.append(first_look(lambda turn=turn: as_tuple(turn(*x.clone(), torch.arange(5)))[0]))
    shapes = [getattr(out, "shape", None) for out in outs]
    if shapes == [x[0].shape] * 2 and torch.equal(*outs):
        said = f"{way.said}: {name}={7 * default:g} turns as {name}={default:g} does"
        return MISTAKES.found("base-unread", said)
    return None


def _with_bases(way):
    """(its name, its default, the function with that and with another one) of a base that may be given."""
    of_class, told = isinstance(way.function, torch.nn.Module), re.match(ALL_NUMBERS, way.said)
    asked = type(way.function) if of_class else way.function
    bases = [a for a in arguments_of(asked) or [] if a.role == "base" and type(a.parameter.default) in (int, float)]
    if way.maker or len(bases) != 1 or (of_class and not told):
        return "", 0, ()
    name, default = bases[0].name, bases[0].parameter.default
    both = ({name: default}, {name: 7 * default})
    if not of_class:
        return name, default, [lambda base=base, **named: way.function(**{**named, **base}) for base in both]
    sizes = {of: int(n) for of, n in re.findall(r"(\w+)=(\d+)", told[1])}
    return name, default, [first_look(lambda base=base: asked(**{**sizes, **base})) for base in both]


def rest_lost(rotator, way, layout, width):
    """The `Finding` where the text tells that a part of a head turns, and the rest does not come back; or None."""
    if not re.search(PASSES, source_of(type(way.function)) + source_of(way.function)):
        return None
    made_for = [a.name for a in arguments_of(type(way.function)) or [] if size_role(a.parameter) == "d_model"]
    if made_for and all(re.search(WHOLE, name) for name in made_for):
        return None  # for the width of a whole head: a wider x was not promised
    x, at = torch.randn(rotator.count, 2, 3, 5, 2 * width), [torch.arange(5)] * bool(rotator.form.takes)
    turn = lambda x: first_look(lambda: as_tuple(rotator.rotate(*x.clone(), *at))) or ()  # noqa: E731
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
    bases = [a for a in every if a.role == "base" and type(a.parameter.default) in (int, float)]
    given = {a.name: {"d_model": width, "max_len": 8}.get(size_role(a.parameter)) for a in every if a.required}
    if len(bases) != 1 or None in given.values():
        return None
    name, default = bases[0].name, bases[0].parameter.default
    made = [first_look(lambda n=n: as_tuple(maker(**given, **{name: n * default}))) or () for n in (1, 7)]
    if made[0] and all(map(torch.is_tensor, sum(made, ()))) and all(map(torch.equal, *made)):
        said = f"{maker.__name__} makes the same tables for {name}={7 * default:g} as for {name}={default:g}"
        return MISTAKES.found("base-unread", said)
    return None
