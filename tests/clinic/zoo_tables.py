"""Tables with chosen mistakes, written without pe_lib, and right tables in many spellings."""

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


def loop(max_len, d_model):
    table = [[0.0] * d_model for _ in range(max_len)]
    for pos in range(max_len):
        for j in range(d_model):
            angle = pos / 10000 ** ((j - j % 2) / d_model)
            table[pos][j] = math.cos(angle) if j % 2 else math.sin(angle)
    return table


def textbook(max_len, d_model, dtype=torch.float32):
    """The tutorial's lines, with the cut that odd widths need."""
    pe = torch.zeros(max_len, d_model, dtype=dtype)
    position = torch.arange(0, max_len, dtype=dtype).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2).to(dtype) * (-math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term[: d_model // 2])
    return pe


def power(max_len, d_model):
    j = np.arange(d_model)
    angle = np.arange(max_len)[:, None] / np.power(10000, 2 * (j // 2) / d_model)
    angle[:, 0::2], angle[:, 1::2] = np.sin(angle[:, 0::2]), np.cos(angle[:, 1::2])
    return angle


def power32(max_len, d_model):
    w = (np.float32(10000) ** (-np.arange(0, d_model, 2, dtype=np.float32) / np.float32(d_model))).astype(np.float32)
    angle = np.arange(max_len, dtype=np.float32)[:, None] * w
    return np.stack([np.sin(angle), np.cos(angle)], axis=2).reshape(max_len, -1)[:, :d_model]


def complex_form(max_len, d_model):
    w = 10000 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    turned = torch.polar(
        torch.ones(max_len, len(w), dtype=torch.float64), torch.outer(torch.arange(max_len).double(), w)
    )
    return torch.view_as_real(turned).flip(-1).flatten(1)[:, :d_model]


BUILDERS = {
    "loop": lambda T, d: np.array(loop(T, d)), "textbook": textbook, "power": power, "power32": power32,
    "complex": complex_form, "textbook64": lambda T, d: textbook(T, d, torch.float64),
}  # fmt: skip

CONTAINERS = {
    "as it is": lambda t: t,
    "float64": lambda t: torch.as_tensor(np.asarray(t)).double(),
    "float32 NumPy": lambda t: np.asarray(t, dtype=np.float32),
    "float16": lambda t: torch.as_tensor(np.asarray(t)).half(),
    "float16 NumPy": lambda t: np.asarray(t, dtype=np.float16),
    "bfloat16": lambda t: torch.as_tensor(np.asarray(t)).bfloat16(),
    "lists": lambda t: np.asarray(t).tolist(),
    "tuple of rows": lambda t: tuple(np.asarray(t)),
    "list of tensors": lambda t: list(torch.as_tensor(np.asarray(t))),
    "leading axis": lambda t: t[None],
    "not contiguous": lambda t: torch.as_tensor(np.asarray(t)).t().contiguous().t(),
    "Fortran order": lambda t: np.asfortranarray(np.asarray(t)),
    "strided view": lambda t: np.repeat(np.asarray(t), 2, axis=1)[:, ::2],
    "asks for a gradient": lambda t: torch.nn.Parameter(torch.as_tensor(np.asarray(t))),
    "masked array": lambda t: np.ma.array(np.asarray(t)),
    "object dtype": lambda t: np.asarray(t).astype(object),
}
