"""For what could not be called: lines for --make that may do, the likeliest first, tried as they would be pasted."""

import itertools
import re
import time
import traceback
from contextlib import suppress

from ..sandbox.guard import Failed, OutOfTime, describe, first_look, limited, run
from ..sandbox.origin import of_a_library
from ..sandbox.state import loaded_torch
from .calling import LETTERS
from .frames import turns
from .inputs import alternatives
from .lines import GUESSES, Guess, Line, by_rank
from .names import role_of
from .parameters import arguments_of, required_of
from .readings import of_calls
from .targets import guessed_in, lines, targets, without_self, written

SECONDS = 8.0  # for all trials together
LONGEST = 4.0  # for one of them, where a guess may ask for a huge table
MOST, FEW = 6, 2  # lines that run, of which the best is shown: of a rotation; of a table or a layer
SIZES = {"max_len": 4096, "d_model": 64, "head_dim": 64}


def wrappers(file, path, kind, standard):
    """(lines, error): lines for --make about ``path`` that give what a ``kind`` has to give, at most `MOST`.

    ``standard``: the file makes no tables, so that the paper's own are no guess. Where no line does, ``error`` is that
    with which most of the calls stopped, with its line of the file; else "".
    """
    if kind == "alibi":
        from ..bias.signatures import guessed

        return guessed(file, path), ""
    if kind != "rope":
        return expressions(file, path), ""
    return run("the search for a line", _running, file, path, standard)


def _running(file, path, standard):
    end, found, errors = time.monotonic() + SECONDS, [], []
    for line in (line for width in _widths(file) for line in _every(file, path, standard, width, errors)):
        if time.monotonic() > end or len(found) == MOST or (found and ", head_dim=" in line.text):
            break
        try:
            fits = turns(file.written(line.text).give(SIZES))
        except Exception as error:
            errors.append(error)
            continue
        found += [line] if fits else []
    return found, "" if found else _most(errors)


def _widths(file):
    """None for any head_dim; then the widths that stand at the top of the file, for code that knows one alone."""
    told = {n for name, n in file.names.items() if type(n) is int and role_of(name) == "d_model"}
    return [None, *sorted(n for n in told if 2 <= n <= 1024 and n % 2 == 0 and n != 64)]


def _every(file, path, standard, width, errors):
    """Every `Line` about ``path``; ``errors`` takes those of objects that cannot be made."""
    for head, target, arguments in targets(file, path):
        try:
            file.written(head[0] or "None").give(SIZES)
        except Exception as error:
            errors.append(error)
            continue
        yield from lines(file, head, target, arguments, standard, width)


def _most(errors):
    """The commonest of the errors of the file's own lines, in words; of a name that is not there, it alone."""
    own = [error for error in errors[:2000] if _place(error)]
    own = [e for e in own if type(e) in (NameError, AttributeError, UnboundLocalError)] or own
    if not own:
        return ""
    places = [_place(error) for error in own]
    often = max(dict.fromkeys(places), key=places.count)
    return describe(own[places.index(often)])


def _place(error):
    """(type, line) of the innermost line of the user's own; None where it is the line that was tried."""
    lines = [(frame.f_code.co_filename, n) for frame, n in traceback.walk_tb(error.__traceback__)]
    own = [(name, n) for name, n in lines if not of_a_library(name)]
    return (type(error), own[-1][1]) if own and own[-1][0] != "--make" else None


def expressions(file, path):
    """Lines that give a table or a layer, at most `FEW`."""
    end, found = time.monotonic() + SECONDS, []
    for line in _of_sizes(file, path):
        if time.monotonic() > end or len(found) == FEW:
            return found
        try:
            reading = limited(lambda line=line: next(iter(of_calls(file, [file.written(line.text)])), None), LONGEST)
        except (Failed, NotImplementedError, OutOfTime):  # a guess may ask for a huge table
            continue
        found += [line] if reading else []
    return found


def _of_sizes(file, path):
    """A function or a class called with the sizes; of a class whose forward takes more than x, the forward of x."""
    thing = file.resolve(path)[0]
    if not callable(thing):
        path, thing = type(thing).__name__, type(thing)
        if path not in file.names:
            return
    arguments = [a for a in arguments_of(thing) if a.required or a.role in ("max_len", "d_model")]
    missing = [Guess(size) for size in ("max_len", "d_model") if size not in {a.role for a in arguments}]
    letters = [a for a in arguments if a.name.lower() in LETTERS]
    guesses = {True: [*missing, *GUESSES], False: [*GUESSES, *missing]}
    options = [[v.text for v in alternatives(a, False, file)] or guesses[a in letters] for a in arguments]
    forward = without_self(arguments_of(getattr(thing, "forward", None)))[1:] if isinstance(thing, type) else ()
    more = [a for a in forward if a.required]
    given = [[*(() if a.role else GUESSES), *(_of_x(v.text) for v in alternatives(a, True, file))] for a in more]
    for way in itertools.islice(by_rank(options), 120):
        made = f"{path}({written(arguments, way)})"
        yield Line(made, guessed_in(arguments, way))
        for values in itertools.islice(by_rank(given), 12) if more else ():
            text = f"lambda x, made={made}: made(x, {written(more, values)})"
            yield Line(text, guessed_in([*arguments, *more], [*way, *values]))


def _of_x(text):
    return re.sub(r"\bd_model\b(?!=)", "x.shape[2]", re.sub(r"\bmax_len\b(?!=)", "x.shape[1]", text))


def forward_stops(file, name):
    """Does the forward of a module that takes one argument stop for positions, a length, and x of every shape?"""
    torch, thing, width = loaded_torch(), file.names.get(name), SIZES["d_model"]
    if not torch or not isinstance(thing, type) or "forward" not in vars(thing):
        return False
    made = first_look(thing, width)
    if not isinstance(made, torch.nn.Module) or len(required_of(made.forward)) != 1:
        return False
    two = torch.arange(5).repeat(2, 1)
    for given in (two, two[0], 5, torch.zeros(2, 5, width), torch.zeros(2, 3, 5, width)):
        with suppress(Failed):
            run("forward", made, given)
            return False
    return True
