"""What a table may have been through beside its exponent, its layout and its first position; and every alteration.

`ALTERATIONS` is the catalogue: for each the entry that a hypothesis gives it, what shows it in this very table, and
in which order it is said. A hypothesis builds the table that they give together.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from ..law.exponents import PAPER
from ..law.formula import PAPER_BASE
from ..saying.mistake import Mistake
from ..saying.words import row, show
from . import layouts
from .frequencies import base_in_words, frequencies, of_exponent, other_cause
from .hypothesis import NO_TURN, THOUSAND

TRANSPOSED = Mistake(
    "transposed",
    "Rows and columns have changed places.",
    "The outer product was taken the other way round, or a transpose is left over.",
    "positions go down, columns go across: pos[:, None] * frequency[None, :]",
)
INVERTED = Mistake(
    "inverted-frequency",
    "The frequencies grow where they should fall.",
    "The minus in exp(-ln 10000 · 2k/d) was lost, or pos was multiplied by 10000^(2k/d) where it should be divided.",
    "divide pos by 10000^(2k/d), or multiply it by exp(-ln(10000) · 2k/d); not both",
    "harvardnlp/annotated-transformer/issues/131",
)
WRONG_BASE = Mistake(
    "wrong-base",
    "The base is not 10000.",
    "A digit was lost or added. The exponent k/d, without its 2, gives the same table as base 100 = √10000, "
    "and log10 in place of ln the same as base 54.6.",
    "use 10000 and the exponent 2k/d",
    "maxjcohen/transformer/issues/62",
)
SIZE_AS_BASE = Mistake(
    "size-as-base",
    "The base changes with the size of the table.",
    "A size was taken for the 10000, often as base = max_len. The row of one and the same position then differs from "
    "table to table, and a longer one cannot stand in for a shorter.",
    "use 10000, whatever the sizes are",
)
TURNED = Mistake(
    "turned",
    "Every angle is multiplied by a number.",
    "Degrees for radians, a 2π that belongs to other formulas, or positions scaled to lie between 0 and 1.",
    "the angle is pos times the frequency, in radians",
)
ZERO_ROW = Mistake(
    "zero-first-row",
    "Row 0 is all zero.",
    "A habit from padding: the first row was kept free. In the paper's table position 0 is a token like any other, "
    "and its cosines are 1.",
    "fill row 0 as well; keep padding out by a mask",
    "kaushalshetty/Positional-Encoding/issues/1",
)
TIMES_1000 = Mistake(
    "times 1000",
    "Every position is multiplied by 1000: a time between 0 and 1, as diffusion models count it.",
    "A model whose time runs from 0 to 1, such as FLUX, keeps the frequencies that were made for 1000 steps.",
    "for whole positions leave the factor out",
    "black-forest-labs/flux/blob/main/src/flux/modules/layers.py",
    kind="convention",
)
SCALED = Mistake(
    "scaled",
    "The whole table is multiplied by a number.",
    "Often √d_model or its inverse landed on the table; in the paper √d_model belongs to the embedding.",
    "leave the sines and cosines between -1 and 1",
    "nicklashansen/dreamer4/pull/4",
)


@dataclass(frozen=True)
class Alteration:
    """``entry(hypothesis)``: its `Mistake`, or None; ``seen(match, tables)``: where the tables show it."""

    entry: Callable
    seen: Callable


def _turned_back(match, tables):
    T, d = tables[0].max_len, tables[0].d_model
    return f"{tables[0].call} gave the shape ({d}, {T}), expected ({T}, {d})"


def _base(match, tables):
    h = match.hypothesis
    return f"the frequencies fit base {base_in_words(h.base)}: {frequencies(match, tables)}{other_cause(h)}"


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


def _is_time(h):
    """In halves, as all diffusion models have them, 1000 is the number of their steps; elsewhere it is a mistake."""
    return h.turn is THOUSAND and h.layout.halves and h.place.mistake is None


def _only_zeros_anyway(h):
    return h.layout.all_sines and h.place.mistake is None


def _angle_times(match, tables):
    return f"every angle is {match.hypothesis.turn.name} times the angle that it should be"


def _size(match, tables):
    return f"the frequencies fit base {match.hypothesis.size_as_base.name}: {frequencies(match, tables)}"


def _if(condition, entry):
    return lambda h: entry if condition(h) else None


ALTERATIONS = (  # in the order in which they are said
    Alteration(_if(lambda h: h.transposed, TRANSPOSED), _turned_back),
    Alteration(lambda h: h.exponent.mistake, of_exponent),
    Alteration(
        _if(lambda h: h.exponent.tensor2tensor and not h.layout.halves, layouts.TENSOR2TENSOR_FREQUENCY), frequencies
    ),
    Alteration(_if(lambda h: h.inverted, INVERTED), frequencies),
    Alteration(_if(lambda h: h.base != PAPER_BASE, WRONG_BASE), _base),
    Alteration(_if(lambda h: h.size_as_base is not None, SIZE_AS_BASE), _size),
    Alteration(_if(lambda h: h.turn is not NO_TURN and not _is_time(h), TURNED), _angle_times),
    Alteration(lambda h: h.layout.mistake, layouts.seen),
    Alteration(
        _if(lambda h: h.zero_row and not _only_zeros_anyway(h), ZERO_ROW),
        lambda match, tables: f"row 0 is {row(tables[0].values[0])}; cos 0 is 1",
    ),
    Alteration(lambda h: h.place.mistake, lambda match, tables: match.hypothesis.place.seen(match, tables)),
    Alteration(_if(lambda h: abs(h.scale - 1) > 1e-3, SCALED), _scales),
    Alteration(
        _if(lambda h: h.layout.halves and h.exponent.tensor2tensor, layouts.TENSOR2TENSOR),
        lambda match, tables: frequencies(match.but(turn=NO_TURN), tables),
    ),
    Alteration(_if(lambda h: h.layout.halves and not h.exponent.tensor2tensor, layouts.HALVES), layouts.seen_halves),
    Alteration(_if(_is_time, TIMES_1000), lambda match, tables: "every angle is 1000 times the angle that it would be"),
)


def title(mistake, hypothesis):
    """Base 100 is the root of 10000, and so what is left when the 2 of the exponent is forgotten: both are said."""
    if mistake is WRONG_BASE and hypothesis.exponent is PAPER and math.isclose(hypothesis.base, 100, rel_tol=1e-4):
        return "The base is not 10000, or the 2 of the exponent is missing."
    return mistake.title
