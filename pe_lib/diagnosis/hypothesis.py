"""A hypothesis is a list of mistakes, precise enough to build the table that they would give.

The diagnosis names a mistake only when the table built from it agrees with the one that was looked at.
"""

from dataclasses import dataclass, replace

import numpy as np

PAPER_BASE = 10000.0
LN = np.log(PAPER_BASE)


def _pair(j):
    return j - j % 2  # 2k for both columns of pair k


# From a mistake's id to the exponent that it gives column j of a row of width d, in a table of T rows. A name with a
# space is rare, and tried only when no other fits.
EXPONENTS = {
    "paper": lambda j, d, T: _pair(j) / d,
    "doubled-column": lambda j, d, T: 2 * j / d,
    "doubled-pair": lambda j, d, T: 2 * _pair(j) / d,
    "own-odd-exponent": lambda j, d, T: j / d,
    "no-exponent": lambda j, d, T: 0 * j,
    # tensor2tensor divides k by (number of pairs - 1), so that the last pair turns at exactly 1 / base.
    "tensor2tensor": lambda j, d, T: _pair(j) / max(2 * (d // 2) - 2, 1),
    "tensor2tensor-doubled": lambda j, d, T: 2 * _pair(j) / max(2 * (d // 2) - 2, 1),
    # Not in the list of common mistakes, but seen: another divisor, or pairs counted from 1.
    "divided by d_model - 1": lambda j, d, T: _pair(j) / (d - 1),
    "divided by d_model + 1": lambda j, d, T: _pair(j) / (d + 1),
    "divided by max_len": lambda j, d, T: _pair(j) / T,
    "divided by 512": lambda j, d, T: _pair(j) / 512,
    "pairs counted from 1": lambda j, d, T: (_pair(j) + 2) / d,
    # // in place of /: the slope ln(10000)/d becomes a whole number, which at common widths is 0 or 1.
    # (ln(10000) // d_model is 0 from d_model 10 on: there it is the mistake "no-exponent".)
    "ln(10000) // d_model": lambda j, d, T: _pair(j) * (LN // d) / LN,
    "-ln(10000) // d_model": lambda j, d, T: _pair(j) * -(-LN // d) / LN,
    "-ln(10000) / d_model // 2": lambda j, d, T: _pair(j) * -(-LN / d // 2) / LN,
    "-ln(10000) / (d_model / 2) // 2": lambda j, d, T: _pair(j) / 2 * -(-LN / d // 2) / LN,
}
UNLISTED_EXPONENTS = tuple(name for name in EXPONENTS if " " in name)
UNLISTED_IDS = {name: "truncated-exponent" for name in EXPONENTS if "//" in name} | {
    "ln(10000) // d_model": "no-exponent"
}

# What pos is multiplied by before the frequency is applied, in a table of T rows.
TURNS = {
    "": lambda T: 1.0,
    "2π": lambda T: 2 * np.pi,
    "π": lambda T: np.pi,
    "π/180 (degrees)": lambda T: np.pi / 180,
    "180/π": lambda T: 180 / np.pi,
    "2": lambda T: 2.0,
    "1/2": lambda T: 0.5,
    "1/max_len": lambda T: 1 / T,
    "1/(max_len - 1)": lambda T: 1 / (T - 1),
    "2π/max_len": lambda T: 2 * np.pi / T,
    "2π/(max_len - 1)": lambda T: 2 * np.pi / (T - 1),
}


@dataclass(frozen=True)
class Hypothesis:
    exponent: str = "paper"
    base: float = PAPER_BASE
    inverted: bool = False
    swapped: bool = False
    halves: bool = False
    start: float = 0
    turn: str = ""
    zero_row: bool = False
    transposed: bool = False
    scale: float = 1.0

    def column_frequencies(self, d_model, max_len):
        """Radians per position of each column, in the paper's order of columns."""
        exponent = EXPONENTS[self.exponent](np.arange(d_model), d_model, max_len)
        return TURNS[self.turn](max_len) * self.base ** (exponent if self.inverted else -exponent)

    def angles(self, max_len, d_model):
        return (np.arange(max_len)[:, None] + self.start) * self.column_frequencies(d_model, max_len)

    def build(self, max_len, d_model):
        """The table (max_len, d_model) that these mistakes give, before any transposition."""
        return self.finish(self.angles(max_len, d_model))

    def finish(self, angles):
        """From the angle of each cell, in the paper's order of columns, to the table."""
        sines = np.arange(angles.shape[1]) % 2 == (1 if self.swapped else 0)
        table = np.where(sines, np.sin(angles), np.cos(angles))
        if self.zero_row:
            table[0] = 0
        return self.scale * (to_halves(table) if self.halves else table)

    def ids(self):
        """The mistakes and conventions that this hypothesis is made of, the most telling first."""
        convention = "tensor2tensor" if self.halves and self.exponent.startswith("tensor2tensor") else "halves"
        named = (
            (self.transposed, "transposed"),
            (self.exponent in UNLISTED_EXPONENTS, UNLISTED_IDS.get(self.exponent, "other-exponent")),
            (self.exponent == "tensor2tensor-doubled", "doubled-pair"),
            (self.exponent.startswith("tensor2tensor") and not self.halves, "tensor2tensor-frequency"),
            (self.exponent in ("doubled-column", "doubled-pair", "own-odd-exponent", "no-exponent"), self.exponent),
            (self.inverted, "inverted-frequency"),
            (self.base != PAPER_BASE, "wrong-base"),
            (bool(self.turn), "turned"),
            (self.swapped, "swapped"),
            (self.zero_row, "zero-first-row"),
            (self.start == 1, "starts-at-one"),
            (self.start not in (0, 1), "position-offset"),
            (abs(self.scale - 1) > 1e-3, "scaled"),
            (self.halves, convention),
        )
        return tuple(name for holds, name in named if holds)

    def but(self, **changes):
        return replace(self, **changes)


def to_halves(table):
    """All even columns, then all odd ones."""
    return np.concatenate([table[..., 0::2], table[..., 1::2]], axis=-1)


def from_halves(table):
    """The columns back in turn; undoes `to_halves`."""
    result = np.empty_like(table)
    middle = (table.shape[-1] + 1) // 2
    result[..., 0::2], result[..., 1::2] = table[..., :middle], table[..., middle:]
    return result
