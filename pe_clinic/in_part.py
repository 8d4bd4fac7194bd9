"""A bias that one method of a class gives, beside a forward: what may be said of the class."""

from dataclasses import replace

from .bias.diagnose import with_more
from .bias.signatures import calls_of
from .bias.words import MISTAKES
from .calling.loading import CouldNotRun
from .rotation.attending import diagnose_attending
from .sandbox.guard import Failed, run
from .saying.result import Diagnosis


def in_part(file, name, diagnosis, room, found):
    """(``diagnosis``, ``room``, the call in words); a right part does not make the class right."""
    if diagnosis.verdict.main_right and "dtype=" in found.shown and found.stopped and "dtype=" not in found.stopped:
        return with_more(diagnosis, [MISTAKES.found("dtype-by-default", found.stopped)]), room, found.shown
    if found.part and diagnosis.verdict.good:
        whole = diagnose_attending(file, name)
        if whole and whole[0].verdict.id == "wrong":
            return whole[0], room, whole[1]
        if found.stopped and (later := _at_the_second_call(file, name)):
            return Diagnosis(False, (MISTAKES.found("none-at-first", later),), kind="bias"), room, found.shown
        if found.stopped:
            said = diagnosis.verdict.line.removesuffix(".").lower()
            raise CouldNotRun(f"{found.stopped}; of {name}.{found.part} alone: {said}", f"look at {name}.{found.part}")
        diagnosis = replace(with_more(diagnosis, [MISTAKES.found("part", "")]), kind=f"bias of {name}.{found.part}")
    return diagnosis, room, found.shown


def _at_the_second_call(file, name):
    """What is seen, where forward gives None at first and a bias when the same object is called again; else ""."""
    for call, part in calls_of(file, name):
        setting = {"heads": 4, "length": 5, "kept": {}}
        try:
            first, second = (run(call.text, call.give, setting) for _ in range(2))
        except (Failed, NotImplementedError):
            continue
        if not part and first is None and second is not None:
            return f"{call.text} gave None at the first call, and a {type(second).__name__} at the second"
    return ""
