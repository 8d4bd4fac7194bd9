"""What becomes of a rotation in a model in half precision, whose numbers take the model's dtype along."""

import re
from dataclasses import replace

from ..calling.parameters import source_of
from .by_name import best_of
from .candidates import whole
from .rounding import ANGLES, FREQUENCIES, POSITIONS

# Positions, or frequencies, in the dtype of the model; and what becomes of them there.
CAST = r"type_as\((self\.)?\w*freq|dtype=(self\.)?\w*freq\w*\.dtype|freq\w*\)?\.to\((self\.)?dtype"
ROUNDED = (ANGLES.id, POSITIONS.id, FREQUENCIES.id)


def as_in_half(outcome, file, name, thing):
    """An ``outcome`` that is right of a class, with what is rounded where the model, or its dtype, is bfloat16."""
    if not outcome or not outcome[0].verdict.main_right or not re.search(CAST, source_of(thing)):
        return outcome
    half = best_of(whole(file), name, half=True) if isinstance(thing, type) else None
    for finding in [f for f in half[0].findings if f.id in ROUNDED][:1] if half else ():
        title = f"It is exact in a float32 model only: {finding.title[0].lower()}{finding.title[1:]}"
        usage = (*outcome[0].usage, replace(finding, kind="usage", title=title))
        return replace(outcome[0], ok=False, usage=usage), outcome[1]
    return outcome
