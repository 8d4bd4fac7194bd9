"""Look at a table, a layer, a rotation or a bias in anyone's file, which is run, and name what is wrong with it."""

import argparse
import dataclasses
import json
import re
import shlex
import sys
from pathlib import Path

KINDS = ("table", "layer", "rope", "alibi")
TOLD = ("alibi", "slope", "rope", "rotary", "rotat", "freq", "precompute")  # also by names of files without torch
EXAMPLES = """\
The file is run, as `python FILE` would run it: diagnose only what you would run. Of a notebook the code cells up to the
definition are run.

examples
  a function that returns the table:
      python -m pe_clinic model.py:sinusoid_table
  a layer class; d_model, max_len and dropout are found among the usual parameter names:
      python -m pe_clinic model.py:PositionalEncoding
  a method, a part of a model, a class in a notebook:
      python -m pe_clinic model.py:Transformer.pos_encoder
      python -m pe_clinic lesson.ipynb:PositionalEncoding
  a class with other parameters; the expression may use d_model, max_len, torch, numpy and all names in the file:
      python -m pe_clinic model.py --make "PositionalEncoding(d_model, 0.1, max_len)"
  x must be (sequence, batch, d_model), or (batch, sequence, d_model); told nothing, it says which the layer takes:
      python -m pe_clinic model.py:PositionalEncoding --sequence-first
      python -m pe_clinic model.py:PositionalEncoding --batch-first
  RoPE, with the maker of its tables in the same file, and ALiBi:
      python -m pe_clinic model.py:apply_rotary_emb
      python -m pe_clinic model.py:my_bias --kind alibi
  for another program:
      python -m pe_clinic model.py:PositionalEncoding --json

exit status: 0 the table is right, 1 it is not, 2 could not run"""


def fill(parser):
    """The parser's description, examples and arguments."""
    parser.description = __doc__
    parser.epilog = EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("what", metavar="FILE:NAME", help="a Python file or a notebook, which is run, and a name in it")
    parser.add_argument("--make", metavar="EXPRESSION", help="how to make it from d_model and max_len")
    layout = parser.add_mutually_exclusive_group()
    layout.add_argument("--sequence-first", action="store_true", help="x must be (sequence, batch, d_model)")
    layout.add_argument("--batch-first", action="store_true", help="x must be (batch, sequence, d_model)")
    parser.add_argument("--kind", choices=KINDS, help="what it is, where its name and parameters do not tell")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options):
    """Diagnose, and print what was found; returns the exit status."""
    from .sandbox.state import preserved

    with preserved(0):
        outcome = _outcome(options)
    _print(options, outcome)
    return outcome.diagnosis.verdict.status


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What was looked at, by which call, and the diagnosis of it."""

    diagnosis: object
    kind: str = ""
    call: str = ""
    note: str = ""


def _outcome(options):
    from .calling.loading import CouldNotRun

    try:
        return _look(options)
    except CouldNotRun as problem:
        from . import Diagnosis, Finding

        finding = Finding("not-run", f"{problem}.", fix=problem.fix, paste=problem.paste, kind="not-run")
        return Outcome(Diagnosis(False, (finding,)))


def _look(options):
    """Load the file, try the readings of the name, and keep the best diagnosis."""
    from .calling.inputs import Context
    from .calling.loading import CouldNotRun, load
    from .calling.readings import File

    path, _, name = _split(options.what)
    loaded = load(Path(path), options.make or name)
    layout = True if options.batch_first else False if options.sequence_first else None
    file = File(loaded.names, Context(loaded.source), layout)
    if outcome := _rotation_or_bias(options, loaded, name):
        return outcome
    try:
        return _best(file, _readings(options, file, loaded, path, name), loaded.note, layout)
    except CouldNotRun as problem:
        note = f" ({loaded.note})" if loaded.note else ""
        raise CouldNotRun(f"{problem}{note}", problem.paste, problem.fix) from None


def _rotation_or_bias(options, loaded, name):
    """An `Outcome` for what its name and parameters, or --kind, tell to be one. Both need torch, and are asked late."""
    from .calling.loading import CouldNotRun, said
    from .sandbox.state import loaded_torch

    told = any(word in name.lower() for word in TOLD)
    if not name or options.make or not (loaded_torch() or options.kind or told):
        return None
    from .kinds import rotation_or_bias

    try:
        found = rotation_or_bias(loaded.names, name, options.kind)
    except NotImplementedError as error:
        raise CouldNotRun(said(error)) from None
    return found and Outcome(found[0], found[1], found[2], loaded.note)


def _split(what):
    """ "a/model.py:Layer.part" as its file and its name."""
    for ending in (".py:", ".ipynb:"):
        if ending in what:
            file, _, name = what.rpartition(":")
            return file, ":", name
    return what, "", ""


def _readings(options, file, loaded, path, name):
    from .calling.loading import CouldNotRun, names_in, said
    from .calling.readings import of_texts, readings
    from .calling.suggesting import nothing_in, of_the_code, suggestion
    from .sandbox.guard import Failed

    if not name and not options.make:
        raise CouldNotRun(f"name a function or class: {path}:NAME; the file has {names_in(loaded)}")
    if options.make:
        try:
            compile(options.make, "--make", "eval")
        except SyntaxError as error:
            raise CouldNotRun(f"--make {options.make!r} is no expression: {error.msg}") from None
    mend = ""
    try:
        found = list(of_texts(file, [options.make]) if options.make else readings(file, name))
    except KeyError:
        raise CouldNotRun(f"{path} has no {name}; it has {names_in(loaded)}") from None
    except TypeError as error:
        why = str(error)
    except (Failed, NotImplementedError) as problem:
        why, mend = said(problem), problem.finding.fix if isinstance(problem, Failed) else ""
    else:
        found = [reading for reading in found if options.kind in (None, reading.kind)]
        if found:
            return found
        why = nothing_in(file, options.make or name)
    missing = re.search(r"the package (\w+) is not installed", loaded.note)
    if missing and "NameError" in why:
        mend = f"install {missing[1]}, or write what it does without it"
    if mend := mend or of_the_code(why, loaded.source):
        raise CouldNotRun(why, fix=mend)
    line = suggestion(file, name) if name and not options.make else ""
    paste = f"python -m pe_clinic {shlex.quote(path)} --make {shlex.quote(line)}" if line else ""
    raise CouldNotRun(why, paste, "" if paste else "say with --make how it is called, with d_model and max_len")


RANKS = ("right", "table-right", "convention", "wrong", "not-run")


def _best(file, readings, note, layout):
    """The first reading that is right or a convention; else the one of which most is known."""
    from .calling.loading import CouldNotRun, said
    from .sandbox.guard import Failed, guarded

    outcomes = []
    for reading in readings[:6]:
        try:
            diagnosis = guarded(reading.shown(), _diagnose, reading, layout, seconds=3600)
        except (Failed, NotImplementedError) as problem:
            raise CouldNotRun(said(problem)) from None
        outcomes.append(Outcome(diagnosis, reading.kind, reading.shown(), note))
        if diagnosis.verdict.id in RANKS[:3]:
            return outcomes[-1]
    return min(outcomes, key=lambda o: (RANKS.index(o.diagnosis.verdict.id), _unknown(o.diagnosis)))


def _unknown(diagnosis):
    return any(finding.id in ("unlisted", "not-repeatable", "other-addition") for finding in diagnosis.findings)


def _diagnose(reading, layout):
    if reading.kind == "table":
        from . import diagnose_table

        return diagnose_table(reading.table)
    from . import diagnose_layer

    # Told nothing, it finds out the layout; where the code names its axes, it has to keep to them.
    diagnosis = diagnose_layer(reading.layer, layout if layout is not None else reading.calls_x_batch_first() or None)
    if not reading.embeds_tokens or diagnosis.verdict.id != "table-right":
        return diagnosis
    # Where the embedding itself is, √d_model is the paper's.
    usage = tuple(finding for finding in diagnosis.usage if finding.id != "sqrt-scale")
    return dataclasses.replace(diagnosis, usage=usage, ok=not usage)


def _print(options, outcome):
    diagnosis = outcome.diagnosis
    if options.json:
        said = {
            "verdict": diagnosis.verdict.id,
            "line": diagnosis.verdict.line,
            **(
                {"error": diagnosis.verdict.line.removeprefix("Could not run: ")}
                if diagnosis.verdict.status == 2
                else {}
            ),
            "ok": diagnosis.ok,
            "kind": outcome.kind,
            "call": outcome.call,
            "note": outcome.note,
            "convention": diagnosis.convention,
            "findings": [dataclasses.asdict(finding) for finding in diagnosis.findings],
            "usage": [dataclasses.asdict(finding) for finding in diagnosis.usage],
        }
        print(json.dumps(said, indent=2, ensure_ascii=False))
        return
    lines = [outcome.note] if outcome.note else []
    if outcome.kind:
        lines.append(f"{options.what}: {outcome.call}, looked at as a {outcome.kind}")
    print("\n".join([*lines, str(diagnosis)]), file=sys.stderr if diagnosis.verdict.status == 2 else sys.stdout)
