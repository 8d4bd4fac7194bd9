"""Positions that are handed to a table: what a call makes of them, and what it gives for another order."""

import re

import numpy as np

from .as_told import LENGTH, WIDTH, differ, numbers_of
from .sandbox.guard import attempt, run
from .sandbox.mistakes import MISTAKES
from .sandbox.state import loaded_torch

RANGE = r"\b(\w+)=((?:torch|numpy)\.arange\(max_len\))(?=[,)])"
LATER, MIXED = [2, 3, 4, 5], [3, 1, 2, 0]


def written_into(reading, file):
    """The `Finding` where positions are other numbers after the call than before; else None."""
    for name, row in re.findall(RANGE, reading.call.text):
        at = loaded_torch().arange(LENGTH) if row.startswith("torch") else np.arange(LENGTH)
        for given in (at * 1, at * 1.0):  # an array of whole numbers takes no fractions
            line = file.written(reading.call.text.replace(row, "at"))
            attempt(run, "it", line.give, {"max_len": LENGTH, "d_model": WIDTH, "at": given})
            if (given != at).any():
                said = f"{name} = 0, 1, 2, … is {', '.join(map(str, given[:3].tolist()))}, … after the call"
                return MISTAKES.found("positions-written", said)
    return None


def in_order(reading, file):
    """The `Finding` where a position gets another row beside others than in their usual order."""
    for name, row in re.findall(RANGE, reading.call.text):
        usual, again = (numbers_of(file, reading.call.text, seed=seed) for seed in (0, 1))
        if np.ndim(usual) != 2 or differ(usual, again):
            return None  # dropout, in a module that nobody has put to eval
        others = [numbers_of(file, reading.call.text.replace(row, f"{row}[{at}]")) for at in (LATER, MIXED)]
        if isinstance(others[0], str) and np.shape(others[1]) == (4, WIDTH) and not differ(others[1], usual[:4]):
            said = f"{name} = {MIXED} gives rows 0 to 3 in their order; {LATER} stops"
            return MISTAKES.found("positions-apart, at its number", said)
        for places, other in zip((LATER, MIXED), others, strict=True):
            if np.shape(other) == (4, WIDTH) and differ(other, usual[places]):
                said = f"{name} = {places}: a position gets another row than among 0 to {LENGTH - 1}"
                return MISTAKES.found("positions-apart", said)
    return None
