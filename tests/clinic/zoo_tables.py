"""Tables with chosen mistakes, written without pe_lib; right tables in many spellings stand in zoo/tables.md."""

import math
import re
from pathlib import Path

import torch
from bank.fresh import BLOCK, changed

RIGHT, *SECTIONS = BLOCK.split(Path(__file__).with_suffix(".md").read_text(encoding="utf-8"), 1)[1].split("\n## ")
RIGHT = RIGHT.removesuffix("```\n")
MISTAKES, RARE, OTHERS = (dict(re.findall(r"^- ([\w-]+): (`.+)$", section, re.M)) for section in SECTIONS)
CHANGES = MISTAKES | RARE | OTHERS
PLACES = {name: {*re.findall("`([^`]*)` → ", change)} for name, change in CHANGES.items()}
CONVENTIONS = {"halves", "tensor2tensor"}
WAVES = {name for name, places in PLACES.items() if places == PLACES["swapped"]}
# Pairs in which one mistake leaves nothing of the other to be seen; two changes of one place are none.
HIDDEN = [
    {"no-exponent", "inverted-frequency"},
    {"no-exponent", "wrong-base"},
    *({convention, wave} for convention in CONVENTIONS for wave in WAVES),
    {"no-exponent", "size-as-base"},
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
    return not PLACES[one] & PLACES[two] and not any({one, two} <= hidden for hidden in HIDDEN)


def wrong_table(*mistakes, half=torch.bfloat16, base=1000.0, scale=0.5):
    """A function(max_len, d_model) with all of ``mistakes``."""
    source, names = RIGHT, {"half": half, "other_base": base, "factor": scale}
    for mistake in mistakes:
        source, _ = changed(source, "", CHANGES[mistake])
    exec(source, names)
    return names["table"]


def textbook(max_len, d_model, dtype=torch.float32):
    """The tutorial's lines, with the cut that odd widths need."""
    pe = torch.zeros(max_len, d_model, dtype=dtype)
    position = torch.arange(0, max_len, dtype=dtype).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2).to(dtype) * (-math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term[: d_model // 2])
    return pe
