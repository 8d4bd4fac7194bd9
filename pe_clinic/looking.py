"""Look at what a name in anyone's file is: load the file, try the calls, and keep the best diagnosis."""

import contextlib
import re
from dataclasses import replace

from .as_told import of_ids
from .asked import Outcome, Question
from .calling.axes import axis_said
from .calling.calling import with_dropout
from .calling.declared import gives_waves
from .calling.file import opened
from .calling.finding_names import the_name
from .calling.loading import CouldNotRun, said
from .calling.parameters import source_of
from .calling.places import beside, in_its_code
from .calling.suggesting import nothing_in, of_names, of_the_code
from .in_context import in_context
from .recognising import may_turn
from .sandbox.guard import Failed, guarded
from .sandbox.state import loaded_torch
from .saying.catalogue import Finding
from .saying.result import Diagnosis

# In a name: without one of these, code for NumPy alone does not wait until torch is loaded.
NO_TABLE = ("alibi", "slope", "bucket", "rope", "rotary", "rotat", "freq", "precompute", "cos", "sin(", "pos_id",
            "position_id", "relative", "window")  # fmt: skip
UNKNOWN = {"unlisted", "other-frequencies", "not-repeatable", "other-addition", "shape", "other-shape", "one-row"}


def look_at(question: Question) -> Outcome:
    """The `Outcome` of a `Question`; one that could not be run says why, and a line to paste that was tried."""
    try:
        outcome = _look(question)
    except CouldNotRun as problem:
        title = f"{problem}" if f"{problem}".endswith("?") else f"{problem}."
        outcome = Outcome(Diagnosis(False, (Finding("not-run", title, fix=problem.fix, kind="not-run"),)))
    if outcome.diagnosis.verdict.id == "not-run":
        from .calling.pasting import with_a_line

        outcome = _with_model(outcome, question) or with_a_line(outcome, question, _look)
    if outcome.kind != "model":
        return replace(outcome, diagnosis=outcome.diagnosis.expecting(question.expect))
    from .model.diagnose import as_expected

    return replace(outcome, diagnosis=as_expected(outcome.diagnosis, question.expect))


def _look(question):
    last = question.kind == "model" and not question.name  # of a model's file, the last module is the whole
    name = question.name if question.make or last else the_name(question.file, question.name)
    file = opened(question, question.make or name)
    if last and not question.make:
        from .whole_models import last_in

        name = last_in(file)
    try:
        if not (found := _as_named(file, question, name)):
            found = _best(file, _readings(file, question, name), question.layout)
            found = _as_rotation(file, question, name, found) or found
        diagnosis = in_its_code(found.diagnosis, file, name) if name else found.diagnosis
        return replace(found, diagnosis=diagnosis, note=file.note, name=name)
    except NotImplementedError as error:
        raise CouldNotRun(said(error)) from None
    except CouldNotRun as problem:
        note = f" ({file.note})" if file.note else beside(f"{problem}", file, name)
        raise CouldNotRun(f"{problem}{note}", problem.fix or of_names(f"{problem}", file.source)) from None


def _as_named(file, question, name):
    """The `Outcome` of what its name, its parameters or --kind tell to be no table and no layer; else None."""
    may_be = loaded_torch() or question.kind or any(word in name.lower() for word in NO_TABLE)
    if question.kind in ("table", "layer") or not (may_be or gives_waves(file.names.get(name))):
        return None
    from .kinds import of_expression, of_name

    found = of_expression(file, question.make, question.kind) if question.make else of_name(file, name, question.kind)
    return found and Outcome(*found)


def _as_rotation(file, question, name, found):
    """The `Outcome` as a rotation of what was seen to turn x, whatever its name; None where nothing was."""
    if question.kind or question.make or not may_turn(found, source_of(file.names.get(name))):
        return None
    from .kinds import of_name

    with contextlib.suppress(CouldNotRun):
        return Outcome(*of_name(file, name, "rope"))
    return None


def _with_model(outcome, question):
    """``outcome`` with a command that looks at the whole model; None where it names none that runs."""
    if question.kind or not (question.make or question.name) or not loaded_torch():
        return None
    from .whole_models import offered

    return offered(outcome, question)


def _readings(file, question, name):
    """The readings as a table or a layer; `CouldNotRun` with what to mend, or a line to paste, where there are none."""
    from .calling.readings import of_calls, readings

    mend = ""
    try:
        found = list(of_calls(file, [file.written(question.make)]) if question.make else readings(file, name))
    except KeyError:
        raise CouldNotRun(f"{question.path} has no {name}") from None
    except TypeError as error:
        why = str(error)
    except (Failed, NotImplementedError) as problem:
        why, mend = said(problem), problem.finding.fix if isinstance(problem, Failed) else ""
    else:
        if found := [reading for reading in found if question.kind in (None, reading.kind)]:
            return found
        why = nothing_in(file, question.make or name)
    missing = re.search(r"the module (\w+) is not found", file.note)
    if missing and "NameError" in why:
        mend = f"install {missing[1]}, or write what it does without it"
    raise CouldNotRun(why, mend or of_the_code(why, file.source))


def _best(file, readings, layout):
    """The first reading that is right or a convention, as the file sees it; else the one of which most is known."""
    outcomes = []
    for reading in readings[:6]:
        try:
            found = guarded(reading.shown, _diagnose, file, reading, layout, seconds=3600)
        except (Failed, NotImplementedError) as problem:
            raise CouldNotRun(said(problem)) from None
        diagnosis = in_context(found, reading, file)
        outcomes.append(Outcome(diagnosis, reading.kind, reading.shown))
        if diagnosis.verdict.good or found.verdict.good:
            return outcomes[-1]
    return min(outcomes, key=lambda o: (o.diagnosis.verdict.rank, any(f.id in UNKNOWN for f in o.diagnosis.findings)))


def _diagnose(file, reading, layout):
    if reading.kind == "table":
        from .table.offsets import with_an_offset

        return with_an_offset(reading)
    from . import diagnose_layer

    # Told nothing, it finds out the layout; where the code names its axes, it has to keep to them.
    layout = (axis_said(file, reading.call) == "batch" or None) if layout is None else layout
    diagnosis = diagnose_layer(with_dropout(reading), layout)
    return of_ids(diagnosis) if "(ids" in reading.shown else diagnosis
