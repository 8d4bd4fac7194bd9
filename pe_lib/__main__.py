"""Look at a table or a layer in anyone's file, and name what is wrong with it."""

import argparse
import dataclasses
import inspect
import json
import sys
from pathlib import Path

import torch

from .diagnosis import diagnose_layer, diagnose_table
from .diagnosis.calling import in_order
from .diagnosis.loading import CouldNotRun, expression, load, names_in, said
from .diagnosis.run import Failed, watch

RIGHT, WRONG, COULD_NOT_RUN = 0, 1, 2
NOTHING_SEEN = {"raises", "arguments", "too-slow", "no-function"}  # findings about code that never gave a value

EXAMPLES = """\
examples
  a function that returns the table:
      python -m pe_lib diagnose model.py:sinusoid_table
  a layer class; d_model, max_len and dropout are found among the usual parameter names:
      python -m pe_lib diagnose model.py:PositionalEncoding
  a class with other parameters; the expression may use d_model, max_len and all names in the file:
      python -m pe_lib diagnose model.py --make "PositionalEncoding(d_model, 0.1, max_len)"
  a layer for x of shape (sequence, batch, d_model):
      python -m pe_lib diagnose model.py:PositionalEncoding --sequence-first
  for another program:
      python -m pe_lib diagnose model.py:PositionalEncoding --json

exit status: 0 right, 1 not right, 2 could not run"""


def main(arguments=None):
    """Run the command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        subject, kind = _find(options)
        diagnosis = _diagnose(subject, kind, not options.sequence_first)
    except CouldNotRun as problem:
        print(
            json.dumps({"error": str(problem)}) if options.json else f"could not run: {problem}",
            file=sys.stdout if options.json else sys.stderr,
        )
        return COULD_NOT_RUN
    if options.json:
        findings = [dataclasses.asdict(finding) for finding in diagnosis.findings]
        print(
            json.dumps(
                {"ok": diagnosis.ok, "kind": kind, "convention": diagnosis.convention, "findings": findings},
                indent=2,
                ensure_ascii=False,
            )
        )
    else:
        print(f"{options.what}, looked at as a {kind}\n{diagnosis}")
    if diagnosis.findings and all(finding.id in NOTHING_SEEN for finding in diagnosis.findings):
        return COULD_NOT_RUN
    return RIGHT if diagnosis.ok else WRONG


def _parser():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m pe_lib", description="Positional encodings, looked at from outside."
    )
    commands = parser.add_subparsers(required=True, metavar="diagnose")
    diagnose = commands.add_parser(
        "diagnose",
        help="name what is wrong with a table or a layer",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=raw,
    )
    diagnose.add_argument("what", metavar="FILE.py:NAME", help="a Python file, and a function or class in it")
    diagnose.add_argument("--make", metavar="EXPRESSION", help="how to make it from d_model and max_len")
    diagnose.add_argument("--sequence-first", action="store_true", help="x is (sequence, batch, d_model)")
    diagnose.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _find(options):
    """A function of (max_len, d_model) and "table", or a maker of layers and "layer"."""
    file, _, name = options.what.rpartition(":") if ".py:" in options.what else (options.what, "", "")
    module = load(Path(file))
    if options.make:
        return _by_trial(expression(options.make, module), ("d_model", "max_len"))
    if not name:
        raise CouldNotRun(f"name a function or class: {file}:NAME; the file has {names_in(module)}")
    thing = module
    for part in name.split("."):
        if not hasattr(thing, part):
            raise CouldNotRun(f"{file} has no {name}; it has {names_in(module)}")
        thing = getattr(thing, part)
    if not callable(thing):
        raise CouldNotRun(f"{name} is a {type(thing).__name__}; a function or a class is wanted")
    if not isinstance(thing, type):
        return _by_trial(thing, ("max_len", "d_model"))
    if not issubclass(thing, torch.nn.Module):
        raise CouldNotRun(f"the class {name} is no torch.nn.Module; --make can say how to get a table from it")
    return _table_or_layer(thing)


def _by_trial(function, order):
    """What a function makes is known after one call: a table, or a layer."""
    sizes = {"d_model": 8, "max_len": 5}
    try:
        call = in_order(function, order)
        value = watch("the first call", call, *(sizes[name] for name in order)).value
    except (Failed, NotImplementedError) as problem:
        raise CouldNotRun(said(problem)) from None

    if isinstance(value, torch.nn.Module):
        return _table_or_layer(_reordered(call, order, ("d_model", "max_len")), type(value))
    return _reordered(call, order, ("max_len", "d_model")), "table"


def _table_or_layer(make, layer=None):
    """A module whose forward takes no input returns the table itself."""
    parameters = list(inspect.signature((layer or make).forward).parameters.values())[1:]
    if (
        any(p.default is p.empty or p.kind is p.VAR_POSITIONAL for p in parameters)
        or (layer or make).forward is torch.nn.Module.forward
    ):
        return make, "layer"
    call = in_order(make, ("d_model", "max_len"))
    return (lambda max_len, d_model: call(d_model, max_len)()), "table"


def _reordered(function, order, wanted):
    return function if order == wanted else lambda first, second: function(second, first)


def _diagnose(subject, kind, batch_first):
    try:
        return diagnose_layer(subject, batch_first) if kind == "layer" else diagnose_table(subject)
    except NotImplementedError as error:
        raise CouldNotRun(said(error)) from None


if __name__ == "__main__":
    sys.exit(main())
