"""Which column holds which wave: sine and cosine in turn, in halves, exchanged, one of them twice or negative."""

from dataclasses import dataclass

import numpy as np

from ..saying.words import listed, row
from .words import MISTAKES

# How much of the sine and of the cosine of its angle a column holds.
SINE, COSINE, MINUS_SINE, MINUS_COSINE, NOTHING = (1, 0), (0, 1), (-1, 0), (0, -1), (0, 0)
NAMES = {SINE: "sine", COSINE: "cosine"}
WAVES = {"sin": SINE, "cos": COSINE, "-sin": MINUS_SINE, "-cos": MINUS_COSINE, "0": NOTHING}


@dataclass(frozen=True)
class Layout:
    """What ``even`` and ``odd`` columns of the paper's order hold; ``halves``: all even ones, then all odd ones."""

    name: str
    even: tuple[int, int]
    odd: tuple[int, int]
    mistake: str = ""  # its id in mistakes.md
    halves: bool = False
    rare: bool = False

    @property
    def cosine_first(self):
        return self.even == COSINE

    @property
    def usual_halves(self):
        return self.halves and not self.mistake

    @property
    def all_sines(self):
        """Does row 0 hold nothing but zeros, as the sine of 0?"""
        return self.even[1] == self.odd[1] == 0

    def parts(self, d):
        """(sine, cosine): how much of each every column holds, two arrays (d,) in the paper's order."""
        return np.array([self.odd if j % 2 else self.even for j in range(d)]).T

    def waves(self, angles):
        """From the angles (…, columns) in the paper's order to the waves, in that order."""
        sine, cosine = self.parts(angles.shape[-1])
        return sine * np.sin(angles) + cosine * np.cos(angles)

    def order(self, d):
        """The column of the paper's order that stands in each place, (d,)."""
        return np.r_[0:d:2, 1:d:2] if self.halves else np.arange(d)

    def places(self, d):
        """Where each column of the paper's order stands, (d,)."""
        return np.argsort(self.order(d))

    def arranged(self, table):
        """The columns of ``table`` from the paper's order to that of this layout."""
        return table[..., self.order(table.shape[-1])]

    def in_turn(self, table):
        """Undoes `arranged`."""
        return table[..., self.places(table.shape[-1])]


def layouts_of(effect):
    """The `Layout` of ``- made: columns NAME = EVEN, ODD``, each sin, cos, -sin, -cos or 0; perhaps in halves, too."""
    waves = [WAVES[wave] for wave in effect.formula.split(", ")]
    both = (False, True) if effect.kind == "columns or halves" else (False,)
    return [Layout(effect.name, *waves, effect.id, halves, effect.rare) for halves in both]


PAPER = Layout("sin, cos in turn", SINE, COSINE)
MADE = [layout for effect in MISTAKES.effects("columns") for layout in layouts_of(effect)]
LAYOUTS = (
    PAPER,
    Layout("all sines, then all cosines", SINE, COSINE, halves=True),
    *(layout for layout in MADE if not layout.rare),
    Layout("all cosines, then all sines", COSINE, SINE, halves=True),
    *sorted((layout for layout in MADE if layout.rare), key=lambda layout: layout.halves),
)


def seen_halves(match, tables):
    """Which columns hold which wave."""
    layout, d = match.hypothesis.layout, tables[0].d_model
    middle = (d + 1) // 2
    return (
        f"at d_model = {d} columns 0 to {middle - 1} hold the {NAMES[layout.even]}s, "
        f"columns {middle} to {d - 1} the {NAMES[layout.odd]}s"
    )


def seen(match, tables):
    """What shows the mistake of a layout."""
    layout, values = match.hypothesis.layout, tables[0].values
    if layout.mistake == "swapped":
        return f"column 0 runs {row(values[:, 0])}: a cosine"
    if NOTHING in (layout.even, layout.odd):
        filled = 0 if layout.odd == NOTHING else 1
        wave = NAMES[(layout.even, layout.odd)[filled]]
        return f"column {filled} holds the {wave}, column {1 - filled} is all zero, and so it goes on"
    places = layout.places(values.shape[1])
    if layout.even == layout.odd:
        return f"columns {places[0]} and {places[1]} both hold {layout.name}: row 1 is {row(values[1])}"
    negative = places[0 if min(layout.even) < 0 else 1 :: 2]
    return f"columns {listed(negative.tolist())} hold {layout.name}: row 1 is {row(values[1])}"
