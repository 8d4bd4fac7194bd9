"""Ways through functions that apply tables: those of a file, and of a class that makes the tables itself."""

import inspect
import re

import torch

from ..calling.parameters import source_of
from ..sandbox.guard import Failed
from .axes import said_of
from .factors import scales_frequencies
from .fitting import CASTS, ELSEWHERE, lays_out, lines_elsewhere, looks_at
from .forms import Parameters, parameters_of, takes_tables
from .layouts import rows_said
from .maker import as_tuple, widened
from .plain import is_plain
from .standard import ALONE, LAID_OUT, applied
from .tables import makers
from .way import Way
from .workshop import Unknown

PLAIN = Parameters(("x",), (), "positions", "positions", names=("x", "positions"))


def with_tables(workshop, path, function, only=None):
    found = parameters_of(function)
    for maker in makers(workshop, found.tables, {path}, only):
        if ALONE in maker.name and rows_said(function, found.tables):
            continue  # its text asks for a row for each position
        if not maker.own and len(found.tables) == 1 and _is_too_wide(workshop, maker, found.tables[0], function):
            continue
        rest = lines_elsewhere(workshop.file, function, maker.source) if maker.own else ""
        own = maker.own and lays_out(function, found.tables, rest) and not re.search(ELSEWHERE, rest)
        kept = maker.own and not is_plain(function) and not re.search(CASTS, lines_elsewhere(workshop.file, function))
        for each in filter(None, (maker, widened(maker, rest))):
            yield Way(f"{path} with {each.name}", function, found, each, own, kept)
        if not looks_at(function, found.tables):
            return  # with other tables it would do the same


def _is_too_wide(workshop, maker, table, function):
    """Does the code take the width of a table for that of what it turns, and is a head narrower?"""
    reads = rf"\brot\w*\s*=\s*{table}\.(shape\[|size\()(1|-1)[\])]"
    if not re.search(reads, source_of(function)):
        return False
    made = maker.at(torch.arange(2), torch.zeros(1, 1, 2, workshop.head_dim))
    return as_tuple(made)[0].shape[-1] > workshop.head_dim


def appliers(workshop, maker):
    """Functions of the file that take tables, with those of the one ``maker`` that is asked for; or a right one."""
    file = workshop.file
    own = {name: thing for name, thing in file.names.items() if name != maker and applies(thing)}
    own |= _of_a_class(workshop, maker)
    of_xpos = [f for f in own.values() if "scale" in parameters_of(f).names]
    if any(m.lengths for _ in of_xpos[:1] for m in makers(workshop, ("cos", "sin"), only=maker)):
        own = {}  # a usual scale of 1 would hide that of the class
    for other, function in own.items():
        yield from with_tables(workshop, other, function, only=maker)
    for made_by in () if own else makers(workshop, ("cos", "sin"), only=maker):
        yield Way(f"the tables of {maker}{said_of(made_by.at)}, {LAID_OUT}", applied(made_by), PLAIN)


def _of_a_class(workshop, path):
    """The functions, or the methods of an object, by which a class that makes tables applies them, by name."""
    cls = workshop.file.resolve(path)[0]
    kept = vars(cls) if isinstance(cls, type) else {}
    found = {n: f.__func__ for n, f in kept.items() if isinstance(f, staticmethod)}
    methods = [n for n, f in kept.items() if inspect.isfunction(f) and n[:2] != "__" and takes_tables(f)]
    try:
        made = workshop.made(path)[1] if methods else None
        found |= {n: getattr(made, n) for n in methods}
    except (Failed, Unknown, NotImplementedError):
        pass  # what it makes is asked for by the caller, and tells why there is none
    return {f"{path}.{n}": f for n, f in found.items() if applies(f)}


def applies(thing):
    if isinstance(thing, type) or not callable(thing) or not takes_tables(thing) or scales_frequencies(thing):
        return False
    found = parameters_of(thing)
    of_places = "pos" in "".join(found.vectors)  # frequencies at positions make tables, and turn nothing
    return bool(found.tables and found.vectors) and not (found.unknown or of_places)
