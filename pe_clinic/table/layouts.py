"""Which column holds which wave: sine and cosine in turn, in halves, exchanged, one of them twice or negative."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..saying.mistake import Mistake
from ..saying.words import row

SWAPPED = Mistake(
    "swapped",
    "Sine and cosine have changed places.",
    "The slices 0::2 and 1::2, or the two branches of an if, were exchanged.",
    "even columns hold the sine, odd columns the cosine",
)
ONE_WAVE = Mistake(
    "one-wave",
    "Both columns of a pair hold the same wave.",
    "One of two lines was copied and its function left as it was. With one wave alone, p and -p, or p and π - p, look "
    "alike, and a shift is no rotation.",
    "even columns hold the sine, odd columns the cosine",
)
MINUS = Mistake(
    "minus",
    "One of the two waves is negative.",
    "Positions counted backwards turn the sine over, and a derivative gives a minus to one of the two.",
    "the angle is pos times the frequency, both positive; sin and cos are stored as they are",
)
OVERWRITTEN = Mistake(
    "overwritten-columns",
    "One wave was written over the other.",
    "Both lines write to one slice, 0::2 or 1::2: the second overwrites the first, and the other columns stay empty.",
    "pe[:, 0::2] = sin, and pe[:, 1::2] = cos",
)
EMPTY = Mistake(
    "empty-columns",
    "Every other column is empty.",
    "One of the two lines that fill the table is missing, or writes elsewhere.",
    "pe[:, 0::2] = sin, and pe[:, 1::2] = cos",
)
HALVES = Mistake(
    "halves",
    "All sines, then all cosines: the halves convention.",
    "The columns of the paper's table in another order (Marian, Pegasus, "
    "TensorFlow's tutorial); to a linear layer, order is arbitrary. "
    "A checkpoint expects the one that it was trained with.",
    "for the paper's own order let them take turns: sin, cos, sin, cos",
    "tensorflow/text/issues/1122",
    kind="convention",
)
TENSOR2TENSOR = Mistake(
    "tensor2tensor",
    "All sines, then all cosines, with tensor2tensor's frequencies: its convention.",
    "All sines, then all cosines, and k is divided by d/2 - 1, so that the last pair turns at exactly 1/10000 "
    "(tensor2tensor, fairseq, Whisper, DDPM).",
    "for the paper's own table use the exponent 2k/d and let sine and cosine take turns",
    "hojonathanho/diffusion/issues/15",
    kind="convention",
)
TENSOR2TENSOR_FREQUENCY = Mistake(
    "tensor2tensor-frequency",
    "tensor2tensor's frequencies, in the paper's order of columns.",
    "k was divided by d/2 - 1, as tensor2tensor does; its columns, though, are all sines, then all cosines.",
    "the exponent is 2k/d",
    "hojonathanho/diffusion/issues/15",
)


def sine(sine, cosine):
    return sine


def cosine(sine, cosine):
    return cosine


def minus_sine(sine, cosine):
    return -sine


def minus_cosine(sine, cosine):
    return -cosine


def nothing(sine, cosine):
    return 0 * sine


@dataclass(frozen=True)
class Layout:
    """What ``even`` and ``odd`` columns of the paper's order hold; ``halves``: all even ones, then all odd ones."""

    name: str
    even: Callable
    odd: Callable
    halves: bool = False
    mistake: Mistake | None = None
    rare: bool = False

    @property
    def cosine_first(self):
        return self.even is cosine

    @property
    def all_sines(self):
        """Does row 0 hold nothing but zeros, as the sine of 0?"""
        return {self.even, self.odd} <= {sine, minus_sine, nothing}

    def _of_columns(self, d, what):
        return np.array([what(self.odd if j % 2 else self.even) for j in range(d)])

    def waving(self, d):
        """Which of d columns, in the paper's order, hold a wave at all?"""
        return self._of_columns(d, lambda wave: wave is not nothing)

    def sines(self, d):
        """Which hold a sine, of either sign?"""
        return self._of_columns(d, lambda wave: wave in (sine, minus_sine))

    def signs(self, d):
        """1 or −1 for each."""
        return self._of_columns(d, lambda wave: -1 if wave in (minus_sine, minus_cosine) else 1)

    def waves(self, angles):
        """From the angles (…, columns) in the paper's order to the waves, in that order."""
        return self.mixed(np.sin(angles), np.cos(angles))

    def mixed(self, sines, cosines):
        """The same from the sine and the cosine of every angle."""
        even = np.arange(sines.shape[-1]) % 2 == 0
        return np.where(even, self.even(sines, cosines), self.odd(sines, cosines))

    def arranged(self, table):
        """The columns of ``table`` from the paper's order to that of this layout."""
        return np.concatenate([table[..., 0::2], table[..., 1::2]], axis=-1) if self.halves else table

    def in_turn(self, table):
        """Undoes `arranged`."""
        if not self.halves:
            return table
        result, middle = np.empty_like(table), (table.shape[-1] + 1) // 2
        result[..., 0::2], result[..., 1::2] = table[..., :middle], table[..., middle:]
        return result

    def place(self, j, d):
        """Where column ``j`` of the paper's order stands in a table of width ``d``."""
        return j // 2 + (j % 2) * ((d + 1) // 2) if self.halves else j


PAPER = Layout("sin, cos in turn", sine, cosine)
LAYOUTS = (
    PAPER,
    Layout("all sines, then all cosines", sine, cosine, halves=True),
    Layout("cos, sin in turn", cosine, sine, mistake=SWAPPED),
    Layout("all cosines, then all sines", cosine, sine, halves=True),
    Layout("the sine", sine, sine, mistake=ONE_WAVE, rare=True),
    Layout("the cosine", cosine, cosine, mistake=ONE_WAVE, rare=True),
    Layout("minus the sine", minus_sine, cosine, mistake=MINUS, rare=True),
    Layout("minus the cosine", sine, minus_cosine, mistake=MINUS, rare=True),
    Layout("the cosine, and nothing", cosine, nothing, mistake=OVERWRITTEN, rare=True),
    Layout("nothing, and the sine", nothing, sine, mistake=OVERWRITTEN, rare=True),
    Layout("nothing, and the cosine", nothing, cosine, mistake=EMPTY, rare=True),
    Layout("the sine, and nothing", sine, nothing, mistake=EMPTY, rare=True),
)


def seen_halves(match, tables):
    """Which columns hold which wave."""
    layout, d = match.hypothesis.layout, tables[0].d_model
    middle = (d + 1) // 2
    return (
        f"at d_model = {d} columns 0 to {middle - 1} hold the {layout.even.__name__}s, "
        f"columns {middle} to {d - 1} the {layout.odd.__name__}s"
    )


def seen(match, tables):
    """What shows the mistake of a layout."""
    layout, values = match.hypothesis.layout, tables[0].values
    if layout.mistake is SWAPPED:
        return f"column 0 runs {row(values[:, 0])}: a cosine"
    if layout.mistake in (OVERWRITTEN, EMPTY):
        filled = 0 if layout.odd is nothing else 1
        wave = (layout.odd if filled else layout.even).__name__
        return f"column {filled} holds the {wave}, column {1 - filled} is all zero, and so it goes on"
    if layout.even is layout.odd:
        return f"columns 0 and 1 both hold {layout.name}: row 1 is {row(values[1])}"
    return f"every other column is {layout.name}: row 1 is {row(values[1])}"
