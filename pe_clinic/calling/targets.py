"""What of a name can be called, and every line that calls it with what its parameters may get."""

import itertools
import re

from ..sandbox.state import loaded_torch
from .frames import line, ways
from .inputs import asked_of_self, configurations, namespace
from .lines import GUESSES, Guess, Line, by_rank
from .names import role_in_rotations
from .offers import ALWAYS, MADE, angles, offered, takes_a_table, vectors_of
from .parameters import arguments_of, is_method, source_of

SQUARE = r"meshgrid|broad_?cat|broadcast_to|expand\((\w+), ?\1\b"  # as many rows as columns
CALLED_AS_ITSELF = "forward", "__call__"
METHODS = r"^(forward|__call__|call)$|rot|rope|appl|bias|alibi|slope|mask|encod|embed|get|table|pos"


def targets(file, path):
    """((how an object is made, or "", what was guessed), what is called, its arguments): of a function, a method."""
    thing, owner, rest = file.resolve(path)
    name = rest or path.rpartition(".")[2]
    if isinstance(thing, type) or rest:
        owner, names = (owner, [rest]) if rest else (path, methods_of(thing, METHODS))
        cls = file.resolve(owner)[0]
        for made in _made(file, owner, cls):
            for method in names:
                called = "made" if method in CALLED_AS_ITSELF else f"made.{method}"
                yield made, called, without_self(arguments_of(getattr(cls, method, None)))
    elif owner and is_method(thing):
        arguments = without_self(arguments_of(thing))
        for made in _made(file, owner, file.resolve(owner)[0]):
            yield made, f"made.{name}", arguments
        for self in ("None", namespace(asked_of_self(thing)).text):
            yield ("", ("self",)), f"{path}({self}, ", arguments
    elif callable(thing):
        yield ("", ()), path, arguments_of(thing)


def without_self(arguments):
    return [a for a in arguments or [] if a.name != "self"]


def methods_of(cls, named):
    """The names of its methods that ``named`` fits, its own and its parents'; its forward comes first."""
    own = [name for base in cls.__mro__ if not base.__module__.startswith(("torch", "builtins")) for name in vars(base)]
    found = [n for n in dict.fromkeys(own) if re.search(named, n.lower()) and callable(getattr(cls, n, None))]
    return sorted(found, key=lambda name: name not in CALLED_AS_ITSELF)


def _made(file, path, cls):
    """How an object of the class may be made, and for which parameters that is a guess."""
    sizes = ("d_model", "max_len", "heads")
    arguments = [a for a in arguments_of(cls) if a.required or role_in_rotations(a.name) in sizes]
    options = []
    for a in arguments:
        role = role_in_rotations(a.name)
        told = [c.text for c in configurations(file.source, a.name)] if role == "config" else ()
        told = ("64",) if role == "max_len" and re.search(SQUARE, source_of(cls)) else told  # of a square's side
        options.append(told or MADE.get(role or a.role) or GUESSES)
    for way in itertools.islice(by_rank(options), 24):
        text = f"{path}({written(arguments, way)})"
        yield text, guessed_in(arguments, way)


def guessed_in(arguments, values):
    return tuple(a.name for a, value in zip(arguments, values, strict=True) if isinstance(value, Guess))


def lines(file, head, target, arguments, standard, width):
    """Every line that calls ``target`` with what its parameters may get."""
    made, guessed = head
    vectors = vectors_of([a.name for a in arguments])
    needed = [a for a in arguments if a.required or a.name in vectors or _always(a)]
    tables = any(takes_a_table(a.name) for a in needed)
    placed = tables or any(map(_always, needed))
    options = [offered(file, a, vectors, placed) for a in needed]
    arranged = ways(len(vectors), file.library is loaded_torch())
    for n, laid, *values in by_rank([range(len(arranged)), range(len(angles)) if tables else (0,), *options]):
        way = arranged[n]
        given = written(needed, values)
        call = f"{target}{given})" if target.endswith(", ") else f"{target}({given})"
        text = line(call, made, way, angles[laid], len(vectors), width)
        one_by_one = file.library is not loaded_torch() and not way.p.startswith("positions") and not tables
        whole = one_by_one or (n < 4 and (standard or not tables))
        yield Line(text, (*guessed, *guessed_in(needed, values)), whole)


def _always(argument):
    return role_in_rotations(argument.name) in ALWAYS


def written(arguments, values):
    return ", ".join(a.written(value) for a, value in zip(arguments, values, strict=True))
