"""Tables with chosen mistakes, written without pe_lib; right tables in many spellings stand in zoo/tables.md."""

import math

import numpy as np
import torch

EXPONENTS = {
    "doubled-column": lambda j, d: 2 * j / d,
    "doubled-pair": lambda j, d: 4 * (j // 2) / d,
    "own-odd-exponent": lambda j, d: j / d,
    "no-exponent": lambda j, d: (j // 2 * 2) // d,
    "tensor2tensor": lambda j, d: (j // 2) / (d // 2 - 1),
    "truncated-exponent": lambda j, d: (j // 2) * -(-math.log(10000.0) / d // 2) * 2 / math.log(10000.0),
    "other-exponent": lambda j, d: (j // 2 * 2) / (d - 1),
    "tiled-frequencies": lambda j, d: 2 * (j % -(-d // 2)) / d,
    "exponent-brackets": lambda j, d: j // 2 * 2 - math.log(d) / math.log(10000.0),
}
MISTAKES = [
    "doubled-column", "doubled-pair", "own-odd-exponent", "inverted-frequency", "no-exponent", "wrong-base", "swapped",
    "starts-at-one", "zero-first-row", "scaled", "transposed", "low-precision", "halves", "tensor2tensor",
    "odd-crash", "odd-width",
]  # fmt: skip
RARE = [
    "one-wave", "minus", "overwritten-columns", "empty-columns", "size-as-base", "turned", "position-offset",
    "truncated-exponent", "other-exponent", "exponent-brackets", "odd-differs",
    "tiled-frequencies",
]  # fmt: skip
CONVENTIONS = {"halves", "tensor2tensor"}
LAYOUTS = {"swapped", "one-wave", "minus", "overwritten-columns", "empty-columns"}
# Pairs in which one mistake leaves nothing of the other to be seen, or takes the same place in the formula.
HIDDEN = [
    {"doubled-column", "doubled-pair", "own-odd-exponent", "no-exponent"},
    {"doubled-column", "own-odd-exponent", "no-exponent", "tensor2tensor"},
    {"no-exponent", "inverted-frequency"},
    {"no-exponent", "wrong-base"},
    {"halves", "tensor2tensor"},
    {"halves", "swapped"},
    {"tensor2tensor", "swapped"},
    {"odd-crash", "odd-width", "odd-differs"},
    # One exponent stands in the formula, one base, one first position, one choice of waves.
    {*EXPONENTS},
    {"wrong-base", "size-as-base"},
    {"no-exponent", "size-as-base"},
    {"starts-at-one", "position-offset", "backwards"},
    {*LAYOUTS},
    *({convention, wave} for convention in CONVENTIONS for wave in LAYOUTS if wave != "swapped"),
    # Where odd columns are empty, nothing is seen of an exponent of their own, or that they have none.
    {"doubled-pair", "overwritten-columns"},
    {"own-odd-exponent", "overwritten-columns"},
    # With wrong brackets pair 0 turns by whole numbers, and the others hardly at all, whatever the base.
    {"exponent-brackets", "wrong-base"},
    {"exponent-brackets", "size-as-base"},
    {"exponent-brackets", "turned"},
    {"exponent-brackets", "inverted-frequency"},  # 10000^2 radians per position: float32 holds no angle of that size
    # 2π times a whole number of positions is no angle: every row is the same.
    {"no-exponent", "turned"},
    # A // makes a slope of ln(10000) that is the same for d and d - 1; of another base it makes another slope.
    {"truncated-exponent", "odd-differs"},
    {"truncated-exponent", "wrong-base"},
    {"truncated-exponent", "size-as-base"},
    {"tensor2tensor", "odd-differs"},  # d // 2 - 1 is the same for d and d - 1
    {"zero-first-row", "one-wave"},  # the sine of 0 is 0
]


def visible(one, two):
    return one != two and not any({one, two} <= hidden for hidden in HIDDEN)


def wrong_table(*mistakes, half=torch.bfloat16, base=1000.0, scale=0.5):
    """A function(max_len, d_model) with all of ``mistakes``."""
    has = set(mistakes).__contains__

    def function(max_len, d_model):
        if has("odd-crash") and d_model % 2:
            raise RuntimeError("The expanded size of the tensor (3) must match the existing size (4)")
        width = d_model + d_model % 2 if has("odd-width") else d_model
        d = d_model - d_model % 2 if has("odd-differs") else d_model
        L = base if has("wrong-base") else float(max_len) if has("size-as-base") else 10000.0
        exponent = next((EXPONENTS[m] for m in reversed(EXPONENTS) if has(m)), lambda j, d: 2 * (j // 2) / d)
        if has("tensor2tensor") and has("doubled-pair"):
            exponent = lambda j, d: 2 * (j // 2) / (d // 2 - 1)  # noqa: E731
        sign = 1 if has("inverted-frequency") else -1
        pos = np.arange(max_len) + has("starts-at-one") + 2 * has("position-offset")
        pos = pos[::-1].copy() if has("backwards") else pos
        columns = []
        for j in range(width):
            frequency = L ** (sign * exponent(j, d)) * (2 * math.pi if has("turned") else 1)
            angle = pos * frequency
            if has("low-precision"):
                angle = (torch.tensor(pos).to(half) * torch.tensor(frequency).to(half)).double().numpy()
            wave = np.sin(angle) if (j % 2 == 0 or has("one-wave")) != has("swapped") else np.cos(angle)
            wave = np.cos(angle) * (j % 2 == 0) if has("overwritten-columns") else wave
            columns.append(wave * (j % 2) if has("empty-columns") else -wave if has("minus") and j % 2 == 0 else wave)
        if has("halves") or has("tensor2tensor"):
            columns = columns[0::2] + columns[1::2]
        table = np.stack(columns, axis=1)
        if has("zero-first-row"):
            table[0] = 0
        if has("scaled"):
            table = scale * table
        return table.T if has("transposed") else table

    return function


def textbook(max_len, d_model, dtype=torch.float32):
    """The tutorial's lines, with the cut that odd widths need."""
    pe = torch.zeros(max_len, d_model, dtype=dtype)
    position = torch.arange(0, max_len, dtype=dtype).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2).to(dtype) * (-math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term[: d_model // 2])
    return pe
