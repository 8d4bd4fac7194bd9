"""Every alteration of a table: its name, what shows it in this very table, in the order in which they are said.

A `Hypothesis` builds the table that they give together; `parts` reads it back as mistakes and conventions.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from ..law.formula import PAPER_BASE, shown
from ..law.powers import NO_TURN
from ..saying.words import row, show
from . import layouts
from .frequencies import frequencies, is_base_100, of_exponent, other_cause
from .words import MISTAKES, found

REST = {  # what agrees with the paper where nothing but conventions was found
    "halves": "; the rest agrees: the frequencies, where positions begin, the signs",
    "tensor2tensor": "; the rest agrees: base 10000, where positions begin, the signs",
}


@dataclass(frozen=True)
class Alteration:
    """``id(hypothesis)``: the id of its mistake, "" or False for none; ``seen(match, tables)``: what shows it."""

    id: Callable
    seen: Callable


def _turned_back(match, tables):
    T, d = tables[0].max_len, tables[0].d_model
    return f"{tables[0].call} gave the shape ({d}, {T}), expected ({T}, {d})"


def _base(match, tables):
    law = match.hypothesis.law
    return f"the frequencies fit base {shown(law.base)}: {frequencies(match, tables)}{other_cause(law)}"


def _scales(match, tables):
    a, b = match.scales[:2]
    if math.isclose(a, b, rel_tol=2e-3):
        return f"every cell is {show(a)} times what it should be"
    one, two = tables[0].d_model, tables[1].d_model
    text = f"every cell is {show(a)} times what it should be at d_model = {one}, {show(b)} times at {two}"
    for what, power in (("√d_model", 0.5), ("1/√d_model", -0.5), ("d_model", 1), ("1/d_model", -1)):
        if all(math.isclose(s, t.d_model**power, rel_tol=2e-3) for s, t in zip(match.scales, tables, strict=True)):
            return f"{text}: {what}"
    return text


def _first_position(match, tables):
    h = match.hypothesis
    first = int(h.zero_row)
    position = show(h.place.positions(tables[0].max_len)[first])
    return f"row {first} holds the angles of position {position}: {row(tables[0].values[first])}"


def _unturned(match, tables):
    h = match.hypothesis
    said = frequencies(replace(match, hypothesis=replace(h, law=replace(h.law, turn=NO_TURN))), tables)
    return said if h.law.turn is NO_TURN else f"divided by {h.law.turn.name}, {said}"


ALTERATIONS = (  # in the order in which they are said
    Alteration(lambda h: h.transposed and "transposed", _turned_back),
    Alteration(lambda h: h.law.exponent.mistake, of_exponent),
    Alteration(
        lambda h: h.law.exponent.tensor2tensor and not h.layout.halves and "tensor2tensor-frequency", frequencies
    ),
    Alteration(lambda h: h.law.inverted and "inverted-frequency", frequencies),
    Alteration(lambda h: h.law.base != PAPER_BASE and not h.has_own_base and "wrong-base", _base),
    Alteration(
        lambda h: h.law.size_as_base and "size-as-base",
        lambda match, tables: (
            f"the frequencies fit base {match.hypothesis.law.size_as_base}: " + frequencies(match, tables)
        ),
    ),
    Alteration(
        lambda h: h.law.turn is not NO_TURN and not h.is_time and not h.has_own_base and h.law.turn.mistake,
        lambda match, tables: f"every angle is {match.hypothesis.law.turn.name} times the angle that it should be",
    ),
    Alteration(lambda h: h.layout.mistake, layouts.seen),
    Alteration(
        lambda h: h.zero_row and (h.place.mistake or not h.layout.all_sines) and "zero-first-row",
        lambda match, tables: f"row 0 is {row(tables[0].values[0])}; cos 0 is 1",
    ),
    Alteration(lambda h: h.place.mistake, _first_position),
    Alteration(lambda h: abs(h.scale - 1) > 1e-3 and "scaled", _scales),
    Alteration(
        lambda h: h.layout.usual_halves and h.law.exponent.tensor2tensor and not h.is_wavelengths and "tensor2tensor",
        _unturned,
    ),
    Alteration(
        lambda h: h.is_wavelengths and "wavelengths",
        lambda match, tables: f"the waves are from 1 to {shown(match.hypothesis.law.base)} positions long",
    ),
    Alteration(lambda h: h.layout.usual_halves and not h.law.exponent.tensor2tensor and "halves", layouts.seen_halves),
    Alteration(
        lambda h: h.is_time and "times 1000",
        lambda match, tables: f"every angle is {match.hypothesis.law.turn.name} times the angle that it would be",
    ),
    Alteration(
        lambda h: h.is_index and "times π",
        lambda match, tables: f"every angle is π times pos / {shown(match.hypothesis.law.base)}^(2k/d)",
    ),
)


def parts(hypothesis):
    """(id, seen) of the mistakes and conventions that a hypothesis is made of, in the order of `ALTERATIONS`."""
    return [(name, alteration.seen) for alteration in ALTERATIONS if (name := alteration.id(hypothesis))]


def name(match, tables):
    """One finding for each mistake or convention in ``match``, seen in ``tables``."""
    named = parts(match.hypothesis)
    alone = all(MISTAKES[id].kind == "convention" for id, _ in named) and not match.hypothesis.has_own_base
    return [_said(id, match, tables, seen(match, tables) + (REST.get(id, "") if alone else "")) for id, seen in named]


def _said(id, match, tables, evidence):
    if match.hypothesis.layout.cosine_first and id in REST:
        return found(f"{id}, cosine first", evidence)
    law, shape, sizes = match.hypothesis.law, tables[0].shape, zip(match.scales, tables, strict=True)
    if id == "scaled" and all(math.isclose(s, (2 / t.d_model) ** 0.5, rel_tol=1e-3) for s, t in sizes):
        return found("unit rows", evidence)
    if id == "transposed" and len(shape) == 3 and shape[0] == 1:
        return found("channels first", f"{tables[0].call} gave the shape {shape}")
    if id in ("times 1000", "times π"):
        of_base = "" if law.base == PAPER_BASE else f", base {shown(law.base)}"
        title = MISTAKES[id].title.replace("1000", law.turn.name)
        return found(id, evidence, id=f"times {law.turn.name}{of_base}", title=title)
    if id == "turned" and "max_len" in law.turn.name:
        return found("turned, by the length", evidence)
    if id == "wrong-base" and is_base_100(law):
        return found(id, evidence, title="The base is not 10000, or the 2 of the exponent is missing.")
    return found(id, evidence)
