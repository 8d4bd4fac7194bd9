"""Which names of a file may make tables, and what the file defines although it could not be loaded as a whole."""

import ast
import inspect
import re
from dataclasses import replace
from itertools import product

import torch

from ..calling.alone import run_alone, statements
from ..calling.declared import gives_waves
from ..calling.names import SURE, is_table, role_in_rotations
from ..calling.parameters import source_of
from ..sandbox.guard import Failed, first_look, run
from .forms import named_parameters, parameters_of, takes_tables
from .maker import as_tuple
from .plain import over_tensors
from .recognise import code_of, is_attention, takes_sizes
from .roles import query_and_key

SURELY = ("rope", "rotary", "freq", "cos", "sin", "cis", "theta", "omega", "phase")  # such names make tables, or turn
HINTS = (*SURELY, "angle", "precompute", "cache", "emb", "table")
BY_TWOS = r"arange\([^\n]*, *(step *= *)?2\b|:: *2\b|\b2(\.0?)? *\* *\w*arange|// *2"


def hinted(name, words=HINTS):
    return any(word in name.lower() for word in words)


def candidates(file, but, only=None):
    """Names of the file that may make tables; ``only`` this one, whatever it is called."""
    for name, thing in list(file.names.items()):
        wanted = name == only or (only is None and name not in but and hinted(name))
        own = not getattr(thing, "__module__", "").startswith("torch")
        if wanted and own and callable(thing) and not made_of_tables(thing) and (only or not is_attention(thing)):
            yield name, thing


def promises_tables(thing, name, but):
    """Does its name promise tables, where it is no code that only turns, nor a class of what is asked about alone?"""
    if isinstance(thing, type) and [f"{name}.{n}" in but for n in vars(thing) if n[0] != "_"] == [True]:
        return False
    found = parameters_of(thing)
    only_turns = takes_tables(thing) or (not isinstance(thing, type) and found.vectors == found.names)
    return hinted(name, (*SURELY, "precompute")) and not only_turns


def of_half(workshop, name, thing):
    """For what counts every column, and is made with half of a head's width where the file makes it: for that width."""
    halved = re.search(rf"(?<!class )\b{name}\([^()\n]*// *2\b", workshop.file.source)
    by_ones = re.search(r"arange\(", source_of(thing)) and not re.search(BY_TWOS, source_of(thing))
    return replace(workshop, head_dim=workshop.head_dim // 2) if halved and by_ones else workshop


def is_step(thing):
    """Does it weave three axes into one, or make a cosine and a sine for each column of x, be they pairs or not?"""
    found, code = parameters_of(thing), source_of(thing)
    if [role for _, role in found.sizes] == ["sections"]:
        return len(found.names) == 2 and not re.search(r"(cos|sin|exp|polar)\(", code_of(thing))
    told = len(found.names) == 1 and re.search(rf"\b{found.names[0]}\.(shape|size)", code)
    if len(found.names) == 1 and getattr(first_look(thing, 0.5), "shape", ()) == (2, 2):
        return True  # of an angle the matrix for one pair
    return bool(told) and gives_waves(thing) and not re.search(BY_TWOS, code)


def whole(file):
    """The file with what was left out when it was taken alone; functions of NumPy's code take tensors."""
    return replace(file, names=over_tensors({**_left_out(file), **file.names}))


def _left_out(file):
    body = statements(file.source) or ()
    defined = [node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    found = {}
    for name in (name for name in defined if name not in file.names and hinted(name, SURELY)):
        try:
            found[name] = run(name, run_alone, file.source, name, file.path or "<file>")[name]
        except (Failed, NotImplementedError):
            continue
    return found


def made_of_tables(cls):
    """The parameters of a class's objects, where all are tables; else []."""
    every = named_parameters(cls) if isinstance(cls, type) else []
    told = (is_table(p.name, SURE) and p.default is p.empty and p.annotation not in (int, "int") for p in every)
    return every if all(told) else []


def of_its_tables(cls, method):
    """``method`` as a function of the tables, and nothing else, of which an object of its class is made; or None."""
    made_of = made_of_tables(cls)
    own, *rest = inspect.signature(method).parameters.values() if made_of else [None]
    if not own or own.name != "self":
        return None

    def turn(**given):
        made = cls(**{p.name: given.pop(p.name) for p in made_of})
        return getattr(made, method.__name__)(**given)

    turn.__wrapped__ = cls  # its source is that of the class
    turn.__signature__ = inspect.Signature([p.replace(kind=p.KEYWORD_ONLY) for p in (*rest, *made_of)])
    return turn


def gives_tables(module, head_dim):
    """Does calling it give cosines and sines, for another function to apply?"""
    found = parameters_of(module)
    if not found.names or query_and_key(found.names):
        return not found.names
    if "pos" in found.vectors[0] and role_in_rotations(found.vectors[0]) == "positions":
        return not found.unknown  # a forward of positions turns nothing
    given = {n: 5 for n in found.names[1:] if role_in_rotations(n) == "max_len"}
    at = torch.arange(5)[None] if found.positions and "ids" in found.positions else torch.arange(5)
    places = (at, at.expand(3, 1, 5)) if found.positions else (at,)  # of M-RoPE three axes
    places = (0,) if found.takes == "start" else places
    for x, each in product((torch.zeros(1, 2, 5, head_dim), torch.zeros(5, 2, head_dim)), places):  # a server's last
        named = {**given, found.vectors[0]: x, **({found.positions: each} if found.positions else {})}
        if value := first_look(lambda named=named: as_tuple(module(**named))):
            break
    else:
        return role_in_rotations(found.names[0]) in ("max_len", "positions")
    tensors = all(isinstance(part, torch.Tensor) for part in value)
    if not tensors or len(value) == 2 or value[0].is_complex():
        return tensors
    return value[0].shape != x.shape and bool(value[0].any())  # of x = 0 a rotation makes 0


def makes_by_method(method, head_dim):
    """Does a method of an object that is no module make tables, by its sizes, or of x and positions?"""
    found = parameters_of(method)
    if any(re.search(rf"\b{name}\[\.\.\.,", source_of(method)) for name in found.vectors):
        return False  # t[..., :half]: whatever it is called, it is turned
    return takes_sizes(found, method.__name__) or (found.positions and gives_tables(method, head_dim))


def are_angles(made, width):
    """One tensor for each pair, angles or e^(iθ), that turns nothing at position 0 and other positions differently?"""
    row = made[0].flatten(1) if len(made) == 1 and made[0].ndim > 1 and len(made[0]) == 5 else None
    if row is None or row.shape[1] not in (width // 2, width):
        return False
    return torch.equal(row[0], torch.full_like(row[0], int(row.is_complex()))) and not torch.equal(row[1], row[2])


def matrices(asked, width):
    """A matrix for each place, where one place, whichever it is, gets one for a head, and place 0 turns nothing."""
    made = first_look(lambda: [torch.as_tensor(asked(place)) for place in (0, 3, 5)])
    if made and {m.shape for m in made} == {(width, width)} and torch.equal(made[0].float(), torch.eye(width)):
        yield lambda places, x: torch.stack([torch.as_tensor(asked(int(place))) for place in places])
