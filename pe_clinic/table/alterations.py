"""What else a table may have been through: mistakes that change its angles, its rows, its size or its cells' order.

Each is one entry: its words, how it is known in a hypothesis, and what shows it in this very table.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from ..saying.mistake import Mistake
from ..saying.words import row, show
from .exponents import PAPER, PAPER_BASE
from .frequencies import base_in_words, frequencies, other_cause
from .hypothesis import NO_TURN, THOUSAND


@dataclass(frozen=True, kw_only=True)
class Alteration(Mistake):
    """``holds(hypothesis)``: is it one of its mistakes? ``seen(match, tables)``: where do the tables show it?"""

    holds: Callable
    seen: Callable


def _turned_back(match, tables):
    T, d = tables[0].max_len, tables[0].d_model
    return f"{tables[0].call} gave the shape ({d}, {T}), expected ({T}, {d})"


def _first_row(match, tables):
    first = 1 if match.hypothesis.zero_row else 0
    position = show(first + match.hypothesis.start)
    return f"row {first} holds the angles of position {position}: {row(tables[0].values[first])}"


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
    return h.turn is THOUSAND and h.layout.halves and h.start == 0


TRANSPOSED = Alteration(
    "transposed",
    "Rows and columns have changed places.",
    "The outer product was taken the other way round, or a transpose is left over.",
    "positions go down, columns go across: pos[:, None] * frequency[None, :]",
    holds=lambda h: h.transposed,
    seen=_turned_back,
)
INVERTED = Alteration(
    "inverted-frequency",
    "The frequencies grow where they should fall.",
    "The minus in exp(-ln 10000 · 2k/d) was lost, or pos was multiplied by 10000^(2k/d) where it should be divided.",
    "divide pos by 10000^(2k/d), or multiply it by exp(-ln(10000) · 2k/d); not both",
    "harvardnlp/annotated-transformer/issues/131",
    holds=lambda h: h.inverted,
    seen=frequencies,
)
WRONG_BASE = Alteration(
    "wrong-base",
    "The base is not 10000.",
    "A digit was lost or added. The exponent k/d, without its 2, gives the same table as base 100 = √10000, "
    "and log10 in place of ln the same as base 54.6.",
    "use 10000 and the exponent 2k/d",
    "maxjcohen/transformer/issues/62",
    holds=lambda h: h.base != PAPER_BASE,
    seen=_base,
)
SIZE_AS_BASE = Alteration(
    "size-as-base",
    "The base changes with the size of the table.",
    "A size was taken for the 10000, often as base = max_len. The row of one and the same position then differs from "
    "table to table, and a longer one cannot stand in for a shorter.",
    "use 10000, whatever the sizes are",
    holds=lambda h: h.size_as_base is not None,
    seen=lambda match, tables: (
        f"the frequencies fit base {match.hypothesis.size_as_base.name}: {frequencies(match, tables)}"
    ),
)
TURNED = Alteration(
    "turned",
    "Every angle is multiplied by a number.",
    "Degrees for radians, a 2π that belongs to other formulas, or positions scaled to lie between 0 and 1.",
    "the angle is pos times the frequency, in radians",
    holds=lambda h: h.turn is not NO_TURN and not _is_time(h),
    seen=lambda match, tables: f"every angle is {match.hypothesis.turn.name} times the angle that it should be",
)
ZERO_ROW = Alteration(
    "zero-first-row",
    "Row 0 is all zero.",
    "A habit from padding: the first row was kept free. In the paper's table position 0 is a token like any other, "
    "and its cosines are 1.",
    "fill row 0 as well; keep padding out by a mask",
    "kaushalshetty/Positional-Encoding/issues/1",
    holds=lambda h: h.zero_row and not (h.layout.all_sines and h.start == 0),
    seen=lambda match, tables: f"row 0 is {row(tables[0].values[0])}; cos 0 is 1",
)
STARTS_AT_ONE = Alteration(
    "starts-at-one",
    "The positions begin at 1.",
    "arange(1, max_len + 1), or a cumulative sum of ones, as in the code of DETR.",
    "the first position is 0: arange(max_len)",
    "facebookresearch/detr/blob/main/models/position_encoding.py",
    holds=lambda h: h.start == 1,
    seen=_first_row,
)
OFFSET = Alteration(
    "position-offset",
    "The positions begin elsewhere.",
    "Some libraries leave the first positions to padding.",
    "the first position is 0: arange(max_len)",
    holds=lambda h: h.start not in (0, 1),
    seen=_first_row,
)
TIMES_1000 = Alteration(
    "times 1000",
    "Every position is multiplied by 1000: a time between 0 and 1, as diffusion models count it.",
    "A model whose time runs from 0 to 1, such as FLUX, keeps the frequencies that were made for 1000 steps.",
    "for whole positions leave the factor out",
    "black-forest-labs/flux/blob/main/src/flux/modules/layers.py",
    kind="convention",
    holds=_is_time,
    seen=lambda match, tables: "every angle is 1000 times the angle that it would be",
)
SCALED = Alteration(
    "scaled",
    "The whole table is multiplied by a number.",
    "Often √d_model or its inverse landed on the table; in the paper √d_model belongs to the embedding.",
    "leave the sines and cosines between -1 and 1",
    "nicklashansen/dreamer4/pull/4",
    holds=lambda h: abs(h.scale - 1) > 1e-3,
    seen=_scales,
)

BEFORE = (TRANSPOSED,)  # said before what the exponents and the layout bring, and after it
OF_ANGLES = (INVERTED, WRONG_BASE, SIZE_AS_BASE, TURNED)
OF_TIME = (TIMES_1000,)  # said after the layout
OF_ROWS = (ZERO_ROW, STARTS_AT_ONE, OFFSET, SCALED)


def title(mistake, hypothesis):
    """Base 100 is the root of 10000, and so what is left when the 2 of the exponent is forgotten: both are said."""
    if mistake is WRONG_BASE and hypothesis.exponent is PAPER and math.isclose(hypothesis.base, 100, rel_tol=1e-4):
        return "The base is not 10000, or the 2 of the exponent is missing."
    return mistake.title
