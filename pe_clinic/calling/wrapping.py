"""For what could not be called: lines for --make that may do, the likeliest first, tried as they would be pasted."""

import itertools
import re
import time

from ..sandbox.guard import Failed, describe, run
from ..sandbox.origin import of_a_library
from ..sandbox.state import loaded_torch
from .calling import LETTERS
from .frames import FRAMES, GUESSES, Guess, Line, angles, takes_a_table, vectors_of
from .inputs import alternatives, asked_of_self, configurations, namespace
from .names import role_of
from .offers import ALWAYS, MADE, offered, role_in
from .parameters import arguments_of

SECONDS = 8.0  # for all trials together
MOST = 6  # lines that run, of which the best is shown
SIZES = {"max_len": 4096, "d_model": 64, "head_dim": 64, "heads": 8, "length": 6}
METHODS = r"^(forward|__call__|call)$|rot|rope|appl|bias|alibi|slope|mask|encod|embed|get|table|pos"


def wrappers(file, path, kind, standard=False):
    """(lines, error): lines for --make about ``path`` that give what a ``kind`` has to give, at most `MOST`.

    ``standard``: the file makes no tables, so that the paper's own are no guess. Where no line does, ``error`` is that
    with which most of the calls stopped, with its line of the file; else "".
    """
    if kind not in MADE:
        return _expressions(file, path, kind), ""
    return run("the search for a line", _running, file, path, kind, standard)


def _running(file, path, kind, standard):
    end, found, errors = time.monotonic() + SECONDS, [], []
    for line in (line for width in _widths(file, kind) for line in _every(file, path, kind, standard, width, errors)):
        if time.monotonic() > end or len(found) == MOST or (found and ", head_dim=" in line.text):
            break
        try:
            fits = FRAMES[kind].fits(file.written(line.text).give(SIZES))
        except Exception as error:
            errors.append(error)
            continue
        found += [line] if fits else []
    return found, "" if found else _most(errors)


def _widths(file, kind):
    """None for any head_dim; then the widths that stand at the top of the file, for code that knows one alone."""
    told = {n for name, n in file.names.items() if type(n) is int and role_of(name) == "d_model"}
    return [None, *sorted(n for n in told if 2 <= n <= 1024 and n % 2 == 0 and n != 64)] if kind == "rope" else [None]


def _every(file, path, kind, standard, width, errors):
    """Every `Line` about ``path``; ``errors`` takes those of objects that cannot be made."""
    for head, target, arguments in _targets(file, path, kind):
        try:
            file.written(head[0] or "None").give(SIZES)
        except Exception as error:
            errors.append(error)
            continue
        yield from _lines(file, kind, head, target, arguments, standard, width)


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
    own = [tb for tb in _walk(error.__traceback__) if not of_a_library(tb.tb_frame.f_code.co_filename)]
    own = own[-1:] if own and own[-1].tb_frame.f_code.co_filename != "--make" else []
    return (type(error), own[0].tb_lineno) if own else None


def _walk(tb):
    while tb:
        yield tb
        tb = tb.tb_next


def _targets(file, path, kind):
    """((how an object is made, or "", what was guessed), what is called, its arguments): of a function, a method."""
    thing, owner, rest = file.resolve(path)
    name = rest or path.rpartition(".")[2]
    if isinstance(thing, type) or rest:
        cls, names = (thing, _methods(thing)) if not rest else (file.resolve(owner)[0], [rest])
        owner = owner if rest else path
        for made in _made(file, owner, cls, kind):
            for method in names:
                called = "made" if method in ("forward", "__call__") else f"made.{method}"
                yield made, called, _without_self(arguments_of(getattr(cls, method, None)))
    elif owner and [a.parameter.name for a in arguments_of(thing) or []][:1] == ["self"]:
        arguments = _without_self(arguments_of(thing))
        for made in _made(file, owner, file.resolve(owner)[0], kind):
            yield made, f"made.{name}", arguments
        for self in ("None", namespace(asked_of_self(thing)).text):
            yield ("", ("self",)), f"{path}({self}, ", arguments
    elif callable(thing):
        yield ("", ()), path, arguments_of(thing) or []


def _without_self(arguments):
    return [a for a in arguments or [] if a.parameter.name != "self"]


def _methods(cls):
    own = [name for base in cls.__mro__ if not base.__module__.startswith(("torch", "builtins")) for name in vars(base)]
    named = [name for name in dict.fromkeys(own) if re.search(METHODS, name) and callable(getattr(cls, name, None))]
    return sorted(named, key=lambda name: name not in ("forward", "__call__"))


def _made(file, path, cls, kind):
    """How an object of the class may be made, and for which parameters that is a guess."""
    sizes = ("d_model", "max_len", "heads")
    arguments = [a for a in arguments_of(cls) or [] if a.required or role_in(kind, a) in sizes]
    options = []
    for a in arguments:
        role = role_in(kind, a)
        told = [c.text for c in configurations(file.source, a.parameter.name)] if role == "config" else ()
        told = [re.sub(r"(heads?)=1\b", r"\1=heads", text) for text in told] if kind == "alibi" else told
        options.append(told or MADE[kind].get(role) or GUESSES)
    for way in itertools.islice(_by_rank(options), 24):
        text = f"{path}({_written(arguments, way)})"
        yield text, _guessed(arguments, way)


def _guessed(arguments, values):
    return tuple(a.parameter.name for a, value in zip(arguments, values, strict=True) if isinstance(value, Guess))


def _lines(file, kind, head, target, arguments, standard, width):
    """Every line that calls ``target`` with what its parameters may get."""
    made, guessed = head
    frame = FRAMES[kind]
    vectors = vectors_of([a.parameter.name for a in arguments]) if kind == "rope" else ()
    needed = [a for a in arguments if a.required or a.parameter.name in vectors or role_in(kind, a) in ALWAYS[kind]]
    options = [offered(file, kind, a, vectors) for a in needed]
    tables = kind == "rope" and any(takes_a_table(a.parameter.name) for a in needed)
    ways = frame.ways(len(vectors), file.library is loaded_torch())
    for way in _by_rank([range(len(ways)), range(len(angles)) if tables else (0,), *options]):
        arrange, laid, *values = way
        written = _written(needed, values)
        call = f"{target}{written})" if target.endswith(", ") else f"{target}({written})"
        text = frame.line(call, made, ways[arrange], angles[laid], len(vectors), width)
        one_by_one = file.library is not loaded_torch() and not ways[arrange].p.startswith("positions") and not tables
        whole = kind == "alibi" or one_by_one or (arrange < 4 and (standard or not tables))
        yield Line(text, (*guessed, *_guessed(needed, values)), whole)


def _written(arguments, values):
    return ", ".join(a.written(value) for a, value in zip(arguments, values, strict=True))


def _by_rank(options, most=20_000):
    """The choices of one from each of ``options``, those with many firsts first."""
    ways = itertools.islice(itertools.product(*map(enumerate, options)), most)
    for way in sorted(ways, key=lambda way: sum(n for n, _ in way)):
        yield [value for _, value in way]


def _expressions(file, path, kind):
    """Lines for a table or a layer, with guesses for what nobody knows."""
    from .readings import of_calls

    end, found = time.monotonic() + SECONDS, []
    for line in _of_sizes(file, path):
        if time.monotonic() > end or len(found) == 2:
            return found
        try:
            found += [line] if next(iter(of_calls(file, [file.written(line.text)])), None) else []
        except (Failed, NotImplementedError):
            continue
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
    forward = _without_self(arguments_of(getattr(thing, "forward", None)))[1:] if isinstance(thing, type) else ()
    more = [a for a in forward if a.required]
    given = [[*(() if a.role else GUESSES), *(_of_x(v.text) for v in alternatives(a, True, file))] for a in more]
    for way in itertools.islice(_by_rank(options), 120):
        made = f"{path}({_written(arguments, way)})"
        yield Line(made, _guessed(arguments, way))
        for values in itertools.islice(_by_rank(given), 12) if more else ():
            text = f"lambda x, made={made}: made(x, {_written(more, values)})"
            yield Line(text, _guessed([*arguments, *more], [*way, *values]))


def _of_x(text):
    return re.sub(r"\bd_model\b(?!=)", "x.shape[2]", re.sub(r"\bmax_len\b(?!=)", "x.shape[1]", text))
