"""Tables of real positions, asked for in fine steps: no whole turn of a fast column is lost there."""

import re

import numpy as np

from ..law.exponents import EXPONENTS
from ..law.powers import USUAL_BASES, Power
from ..sandbox.guard import Failed, watch
from ..sandbox.values import to_array
from ..saying.words import show
from .alterations import name
from .hypothesis import Hypothesis
from .layouts import LAYOUTS
from .look import asker
from .search import Match
from .words import found

STEPS = 4.0 ** np.arange(8, -17, -1)  # the finest at which an angle is clear says most
WIDTH = 16
NUMBER = r"(?<![\w.])\d+\.?\d*(?:e-?\d+)?"


def rates_between(call):
    """(radians a position, is it a sine) of each column of what ``call`` gives; None of what is no such wave."""
    rates, waves = np.full(WIDTH, np.nan), None
    for step in STEPS:
        try:
            value = watch("", call.give, {"max_len": 3, "d_model": WIDTH, "step": step}).value
            rows = to_array("", value)[0].reshape(3, WIDTH)
        except (Failed, NotImplementedError, ValueError):
            return None
        waves = np.abs(rows[0]) < 1e-3
        if not (waves | (np.abs(rows[0] - 1) < 1e-3)).all():
            return None
        angle = np.where(waves, np.arcsin(np.clip(rows[1], -1, 1)), np.arccos(np.clip(rows[1], -1, 1)))
        next_one = np.where(waves, np.sin(2 * angle), np.cos(2 * angle))
        clear = (angle > 0.1) & (angle < 0.7) & (np.abs(rows[2] - next_one) < 1e-3)
        rates = np.where(clear, angle / step, rates)
    return None if np.isnan(rates).any() else (rates, waves)


def of_real_positions(call, table, source):
    """Findings where the columns of ``call`` follow a law that whole positions hide; else ()."""
    rates, waves = rates_between(call) or (None, None)
    for layout in (layout for layout in LAYOUTS if not layout.rare) if rates is not None else ():
        if (waves != layout.arranged(layout.parts(WIDTH)[0] == 1)).any():
            continue
        logs = np.log(layout.in_turn(rates))
        for exponent in EXPONENTS:
            powers = exponent.formula(np.arange(WIDTH), WIDTH, 3)
            slope, start = np.polyfit(powers, logs, 1) if np.ptp(powers) else (0, np.inf)
            if np.abs(logs - slope * powers - start).max() > 2e-3:
                continue
            base = next((b for b in USUAL_BASES if abs(slope - np.log(b)) < 2e-3), None)
            if base and abs(start) < 2e-3:
                law = Hypothesis(Power(exponent, base, inverted=True), layout)
                return name(Match(law, (1.0,)), [asker(table)(5, 8)[0]])
            ends = 2 * np.pi / rates[0], 2 * np.pi / rates[WIDTH // 2 - 1]
            if exponent.tensor2tensor and layout.usual_halves and all(_written(end, source) for end in ends):
                said = f"the periods go from {show(ends[0])} to {show(ends[1])}, each so many times the one before"
                return [found("wavelengths", f"at d_model = {WIDTH} {said}")]
    return ()


def _written(period, source):
    """Does the source hold this period, or its frequency?"""
    numbers = {float(n) for n in re.findall(NUMBER, source)}
    return any(abs(n * period - 1) < 2e-3 or abs(n / period - 1) < 2e-3 for n in numbers)
