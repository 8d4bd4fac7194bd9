"""Lines for a table or a layer: a function or a class called with the sizes, and guesses for what nobody knows."""

import itertools
import re
import time

from ..sandbox.guard import Failed, OutOfTime, limited
from .calling import LETTERS
from .inputs import alternatives
from .lines import GUESSES, Guess, Line
from .parameters import arguments_of
from .readings import of_calls
from .targets import by_rank, guessed_in, without_self, written

SECONDS = 8.0  # for all trials together
LONGEST = 4.0  # for one of them
MOST = 2  # lines that run


def expressions(file, path):
    """Lines that give a table or a layer, at most `MOST`."""
    end, found = time.monotonic() + SECONDS, []
    for line in _of_sizes(file, path):
        if time.monotonic() > end or len(found) == MOST:
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
    arguments = [a for a in arguments_of(thing) or [] if a.required or a.role in ("max_len", "d_model")]
    missing = [Guess(size) for size in ("max_len", "d_model") if size not in {a.role for a in arguments}]
    letters = [a for a in arguments if a.parameter.name.lower() in LETTERS]
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
