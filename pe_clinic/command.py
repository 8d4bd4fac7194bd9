"""Look at a table, layer, rotation, bias, whole model or maker of position ids in a file, and name its mistakes."""

import argparse
import dataclasses
import re

KINDS = ("table", "layer", "rope", "alibi", "model", "positions")
EXAMPLES = """\
The file is run, as `python FILE` would run it: diagnose only what you would run. Of a notebook the code cells up to the
definition are run.

examples
  a function that returns the table, a layer class, a method, a part of a model, a class in a notebook:
      python -m pe_clinic model.py:sinusoid_table
      python -m pe_clinic model.py:PositionalEncoding
      python -m pe_clinic model.py:Transformer.pos_encoder
      python -m pe_clinic lesson.ipynb:PositionalEncoding
  a file with one function or class needs no name:
      python -m pe_clinic model.py
  a class with other parameters; the expression may use d_model, max_len, torch, numpy and all names in the file:
      python -m pe_clinic model.py --make "PositionalEncoding(d_model, 0.1, max_len)"
  a function of x, wrapped:
      python -m pe_clinic model.py --make "lambda x: add_positions(x, 0.1)"
  x must be (sequence, batch, d_model), or (batch, sequence, d_model); told nothing, it says which the layer takes:
      python -m pe_clinic model.py:PositionalEncoding --sequence-first
      python -m pe_clinic model.py:PositionalEncoding --batch-first
  RoPE, with the maker of its tables in the same file or standard tables; wrapped; and ALiBi:
      python -m pe_clinic model.py:apply_rotary_emb
      python -m pe_clinic model.py --kind rope --make "lambda x, positions: rotate(x, positions, 10000.0)"
      python -m pe_clinic model.py:my_bias --kind alibi
  a whole model of tokens, with its cache and its padding; and a function that makes position ids:
      python -m pe_clinic model.py:GPT --kind model
      python -m pe_clinic model.py --kind model --make "GPT(GPTConfig())"
      python -m pe_clinic model.py:make_position_ids --kind positions
  a design that is meant to be so:
      python -m pe_clinic model.py:apply_rotary_emb --expect "base 500000"
  for another program:
      python -m pe_clinic model.py:PositionalEncoding --json

exit status: 0 right, or a known convention; 1 not right, or not what was expected; 2 could not run"""
NAMED = {"rope": "a rotation", "alibi": "an ALiBi bias", "positions": "a maker of position ids", "t5": "a bias of T5"}
NAMED |= {"window": "a bias of windows", "vectors": "a maker of learned vectors"}
VERDICTS = {"32": ("Right", "The "), "33": ("A convention",), "31": ("Not ",), "35": ("Could not run",)}  # by colour


class Misused(Exception):
    """The command line itself cannot be understood."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Misused(message)


def fill(parser):
    """The parser's description, examples and arguments."""
    parser.description, parser.epilog = __doc__, EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("what", metavar="FILE[:NAME]", help="a file or a notebook, which is run, and a name in it")
    parser.add_argument("--make", metavar="EXPRESSION", help="how to make it; d_model and max_len may be used")
    layout = parser.add_mutually_exclusive_group()
    layout.add_argument("--sequence-first", action="store_true", help="x must be (sequence, batch, d_model)")
    layout.add_argument("--batch-first", action="store_true", help="x must be (batch, sequence, d_model)")
    parser.add_argument("--kind", choices=KINDS, help="what it is, where its name and parameters do not tell")
    parser.add_argument("--expect", metavar="DESIGN", help='the design that is meant, such as "base 500000"')
    parser.add_argument("--json", action="store_true", help="print JSON")


def answer(options):
    """(exit status, text, data for JSON) for the options: diagnose, whatever the file does."""
    from .asked import Question
    from .looking import look_at
    from .sandbox.state import preserved

    path, name = _split(options.what)
    layout = True if options.batch_first else False if options.sequence_first else None
    try:
        with preserved(0):
            outcome = look_at(Question(path, name, options.make, options.kind, layout, options.expect))
            return outcome.diagnosis.verdict.status, _text(options.what, outcome), _data(outcome)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        from .sandbox.guard import describe

        return stopped(f"{path} stopped the diagnosis: {describe(error)}")


def stopped(why):
    """As `answer`, for what ended before there was a diagnosis."""
    from .asked import Outcome
    from .saying.catalogue import Finding
    from .saying.result import Diagnosis

    outcome = Outcome(Diagnosis(False, (Finding("not-run", f"{why}.", kind="not-run"),)))
    return 2, str(outcome.diagnosis), _data(outcome)


def coloured(text):
    """``text`` for a terminal, with the line of the verdict in its colour."""
    lines = text.split("\n")
    for n, line in enumerate(lines[:2]):
        for colour, begins in VERDICTS.items():
            if line.startswith(begins):
                lines[n] = f"\033[1;{colour}m{line}\033[0m"
                return "\n".join(lines)
    return text


def _split(what):
    """ "a/model.py:Layer.part" as its file and its name."""
    found = re.fullmatch(r"(.*\.(?:py|ipynb)):(.*)", what, re.DOTALL)
    return (found[1], found[2]) if found else (what, "")


def _data(outcome):
    diagnosis = outcome.diagnosis
    verdict = diagnosis.verdict
    error = {"error": verdict.line.removeprefix("Could not run: ")} if verdict.status == 2 else {}
    return {
        **{"verdict": verdict.id, "line": verdict.line, **error, "ok": diagnosis.ok, "kind": outcome.kind},
        **{"call": outcome.call, "note": outcome.note, "convention": diagnosis.convention},
        "findings": [dataclasses.asdict(finding) for finding in diagnosis.findings],
        "usage": [dataclasses.asdict(finding) for finding in diagnosis.usage],
    }


def _text(what, outcome):
    """What was looked at, the verdict, the details; what the file kept from running comes last."""
    lines = []
    if outcome.kind:
        name = what if not outcome.name or ":" in what else f"{what}:{outcome.name}"
        kind = NAMED.get(outcome.kind, f"a {outcome.kind}")
        lines.append(f"{name}: {outcome.call}, looked at as {kind}")
    return "\n".join([*lines, str(outcome.diagnosis), *([f"Note: {outcome.note}"] if outcome.note else [])])
