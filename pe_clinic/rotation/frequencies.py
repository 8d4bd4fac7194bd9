"""Code that gives frequencies alone, or is handed some, for others to make the tables."""

import re

from ..calling.names import role_in_rotations
from ..calling.parameters import source_of
from .forms import parameters_of

RATES = r"(inv_?|base_)?(freqs?|frequenc(y|ies))"
GIVES = r"(?m)^\s*return\b.*\binv_freq\w*\b"  # frequencies, for whoever makes the tables
ANGLES = r"return \(?\w*(freqs|angles)\b"


def gives_frequencies(thing):
    """Or, as an object of a class, angles, whose cosines and sines are left to others."""
    code = source_of(thing)
    if not isinstance(thing, type):
        return bool(re.search(GIVES, code)) or scales_frequencies(thing)
    return "inv_freq" in code and bool(re.search(ANGLES, code)) and not re.search(r"\b(sin|cos)\(", code)


def scales_frequencies(function):
    """Is a function handed frequencies, to give others for longer texts?"""
    names, code = parameters_of(function).names, source_of(function)
    roles = {role_in_rotations(name) for name in names[1:]}
    scales = re.search(r"(?i)factor|scal|wavelen|ramp", code) and not re.search(r"\b(cos|sin|polar)\(", code)
    return bool(names and re.fullmatch(RATES, names[0].lower()) and scales) and not roles & {"x", "positions", "key"}
