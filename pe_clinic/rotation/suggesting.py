"""For a rotation that could not be called: a line for --make that runs, tried before it is shown."""

import shlex

from ..calling.inputs import NONE
from ..calling.lines import constant, variable
from ..sandbox.guard import Failed
from .asking import Rotator
from .by_name import WIDTH, runs
from .forms import Form, parameters_of
from .recognise import what_can_be_looked_at
from .workshop import Unknown, Workshop

TRIALS = (NONE, constant(1), constant(False), constant(True), constant(10000.0), variable("head_dim"), constant("a"))


def wrapper(file, path):
    """(a line to paste, what to do): a lambda with a guess for what nobody knows, or another name of the file."""
    thing = file.resolve(path)[0]
    if isinstance(thing, type) and _stops(file, path):
        return "", "mend the line that the error names: no object of the class could be made"
    found = parameters_of(thing)
    for value in TRIALS if found.unknown and found.vectors and not found.tables else ():
        given = {name: value for name in found.unknown}
        rotate = _filled(thing, found, {name: value.give({"head_dim": WIDTH}) for name in found.unknown})
        if runs(Rotator(rotate, Form(found.pair, "positions")), WIDTH):
            line = f"python -m pe_clinic {shlex.quote(file.path)} --make {shlex.quote(_written(path, found, given))}"
            return f"{line} --kind rope", "put what is meant in place of the guess"
    others = [name for name in what_can_be_looked_at(file.names) if name != path]
    like = f"; or give another part of the file: {', '.join(others)}" if others else ""
    return "", f"wrap it: def rotate(x, positions): …, which calls {path} and returns x of its shape{like}"


def _stops(file, path):
    try:
        Workshop(file).made(path)
    except Failed:
        return True
    except (Unknown, NotImplementedError):
        return False
    return False


def _filled(thing, found, values):
    def rotate(*given):
        places = {found.positions: given[-1]} if found.positions else {}
        return thing(**dict(zip(found.vectors, given, strict=False)), **places, **values)

    return rotate


def _written(path, found, given):
    tensors = ("q", "k") if found.pair else ("x",)
    arguments = dict(zip(found.vectors, tensors, strict=True)) | {name: value.text for name, value in given.items()}
    arguments |= {found.positions: "positions"} if found.positions else {}
    written = ", ".join(f"{name}={text}" for name, text in arguments.items())
    return f"lambda {', '.join(tensors)}, positions: {path}({written})"
