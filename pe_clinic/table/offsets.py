"""Does a table with an offset, as a decoder asks for it step by step, begin at that row of the whole table?"""

from dataclasses import replace

import numpy as np

from ..calling.calling import left_out
from ..calling.lines import constant
from ..sandbox.guard import attempt, run
from ..sandbox.values import as_numbers
from .diagnose import diagnose_table
from .words import found

OFFSET, ROWS, WIDTH = 3, 8, 8


def with_an_offset(reading):
    """The `Diagnosis` of a reading as a table; of a good one that of its optional offset, where it counts backwards."""
    diagnosis, call = diagnose_table(reading.table), reading.call
    others = left_out(call, {"max_len": ROWS, "d_model": WIDTH})[1] if diagnosis.verdict.good else ()
    for a in (a for a in others if a.role == "offset"):
        later = replace(call, arguments=(*call.arguments, a.with_value(constant(OFFSET))))
        whole, moved = (_rows(one, rows) for one, rows in ((call, ROWS), (later, ROWS - OFFSET)))
        if whole is None or moved is None or moved.shape != (ROWS - OFFSET, WIDTH) or len(whole) != ROWS:
            continue
        back = np.allclose(np.abs(moved[: OFFSET + 1]), np.abs(whole[OFFSET::-1]), atol=1e-5)
        if back and not np.allclose(moved, whole[OFFSET:], atol=1e-5):
            shown = ", ".join(f"{value:.4g}" for value in moved[0])
            said = f"with {a.name}={OFFSET} the first row is {shown}: that of position −{OFFSET}"
            return diagnosis.mistaken(found("offset-subtracted", said), *diagnosis.findings)
    return diagnosis


def _rows(call, rows):
    """(rows, WIDTH) as numbers; None where nothing of that kind came."""
    setting = {"max_len": rows, "d_model": WIDTH}
    values = attempt(lambda: as_numbers(run(call.shown(**setting), call.give, setting)))
    return None if values is None or values.size != rows * WIDTH else values.reshape(rows, WIDTH)
