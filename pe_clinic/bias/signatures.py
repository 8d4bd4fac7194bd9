"""Find ALiBi's bias in anyone's file: functions, methods and modules, whole biases and slopes alone."""

import inspect
from contextlib import suppress
from dataclasses import dataclass
from itertools import product

from ..calling.inputs import asked_of_self, configurations, namespace
from ..calling.lines import GUESSES, Call, Line, attribute
from ..calling.loading import CouldNotRun, said
from ..calling.parameters import arguments_of, is_method, required_of
from ..calling.targets import CALLED_AS_ITSELF, methods_of
from ..sandbox.guard import Failed, first_look, run
from ..sandbox.values import as_numbers
from .forms import as_bias, changes_scores, gives_slopes
from .given import GIVEN, OTHERWISE, kept_by, makes_slopes, of_config, role, slopes_of, window_of

METHODS = r"^(forward|__call__)$|bias|alibi|slope|mask|score|^(apply|build|get|make|compute|create)$"
FIRST = {"heads": 4, "length": 5}  # of the first look
ALWAYS = "heads", "max_len", "queries", "buckets", "farthest"  # handed over, default or not


@dataclass(frozen=True)
class Found:
    """The call that gives a bias, the method that gives it where the class has a forward, and how that stopped."""

    call: Call
    part: str = ""
    stopped: str = ""

    @property
    def shown(self):
        return self.call.shown(heads=8, length=6, causal=False, bidirectional=True)


def unknown_in(thing):
    """The names of required parameters that nobody can fill, beside others."""
    required = [a.name for a in required_of(thing) if a.name != "self"]
    return [name for name in required if role(name) not in (*GIVEN, "config", "window")] if len(required) > 1 else []


def found_in(calls, look):
    """(what ``look`` sees of it, `Found`) for each call of which it sees anything; `CouldNotRun` where all stop."""
    nothing, stopped = True, ""
    for call, part in calls:
        try:
            seen = look(call)
        except (Failed, NotImplementedError, ValueError) as stop:
            stopped = stopped or ("" if part or isinstance(stop, ValueError) else said(stop))
            continue
        if seen is not None:
            nothing = False
            yield seen, Found(call, part, stopped)
    if stopped and nothing:
        raise CouldNotRun(stopped)


def reading_of(calls):
    """What is `Found` first that gives a bias or slopes, one of zeros last; `CouldNotRun` where all stop, or None.

    None, too, where only a part of a class gives one, and the class something else for the same sizes.
    """
    zeros, others = None, []

    def tells(call):
        value = run(call.shown(heads=4, length=5), as_bias, call, FIRST)
        if value is not None:
            return as_numbers(value).any()
        others.append({given.text for _, given in getattr(call, "arguments", ())})

    for told, found in found_in(calls, tells):
        if told:
            of_sizes = any(handed and handed <= {*FIRST} for handed in others)
            return None if found.part and of_sizes else found
        zeros = zeros or found
    return zeros


def calls_of(file, path, given=GIVEN):
    """(a call, the method that it calls beside a forward, or ""): of a function, a class, a method."""
    thing, owner, _ = file.resolve(path)
    target = file.named(path)
    if isinstance(thing, type):
        names = methods_of(thing, METHODS)
        for made in map(kept_by, ways(file, target, thing, given)):
            for method in names:
                plain = method in CALLED_AS_ITSELF and any("__call__" in vars(cls) for cls in thing.__mro__)
                part = method if not plain and names[0] in CALLED_AS_ITSELF else ""
                called = made if plain else attribute(made, method)
                skip = int(not isinstance(inspect.getattr_static(thing, method), (staticmethod, classmethod)))
                yield from ((call, part) for call in ways(file, called, getattr(thing, method), given, skip))
        return
    calls = []
    if changes_scores(thing):
        numbers = [name for name, n in file.names.items() if type(n) is int and role(name) == "heads"]
        calls = [file.with_numbers(path, {name: "heads"}) for name in numbers]
    elif owner and is_method(thing):
        objects = [*map(kept_by, ways(file, file.named(owner), file.resolve(owner)[0], given))]
        for made in objects:
            calls += ways(file, attribute(made, path.rpartition(".")[2]), thing, given, skip=1)
        own = any(first_look(made.give, FIRST) for made in objects)
        if not (own or makes_slopes(file.resolve(owner)[0], asked_of_self(thing))):  # which would not be seen
            itself = (None, namespace(asked_of_self(thing), file.source, value=of_config))
            calls += ways(file, target, thing, given, skip=1, first=(itself,))
    else:
        calls += ways(file, target, thing, given, slopes="slope" in path.lower() or gives_slopes(thing))
    yield from ((call, "") for call in calls)


def ways(file, target, function, known=GIVEN, skip=0, slopes=False, first=()):
    """Calls with what the names of the parameters ask for; none where a required one says nothing."""
    arguments = arguments_of(function)[skip:]
    required = [a for a in arguments if a.required]
    told = [(a, role(a.name)) for a in arguments]
    if [a.name for a in required] == ["m", "n"]:  # of a square's sides; m alone is a slope
        told = list(zip(required, ("queries", "max_len"), strict=True))
    alone = not {"max_len", "queries", "scores", "x"} & {of for _, of in told}
    told = [(a, "max_len" if alone and of == "window" else of) for a, of in told]
    told = [(a, "heads" if slopes and (required == [a] or of == "max_len") else of) for a, of in told]  # of no length
    options = {r: dict.fromkeys((known[r], *more)) for r, more in OTHERWISE.items() if any(of == r for _, of in told)}
    dtypes = [("dtype",)] * any(of == "dtype" and a.parameter.default is None for a, of in told)  # none may stop it
    switches = ("causal", "both") if known is not GIVEN else ()
    for also, *values in product([(), *dtypes], *options.values()):
        given, bound = {**known, **dict(zip(options, values, strict=True))}, []
        for a, of in told:
            if of == "config":
                given["config"] = configurations(file.source, a.name, of_config)[0]
            if of == "slopes" and given[of] is GIVEN[of]:
                given["slopes"] = slopes_of(file)
            if of == "window":
                given["window"] = window_of(function, a)
            if a.required and of not in given and None not in given:
                return
            wanted = of in (*ALWAYS, *also, *switches) or (of == "offset" and type(a.parameter.default) is int)
            wanted = wanted or (of == "window" and a.parameter.default in (None, -1, 0))
            if a.required or wanted or a.wants_a_gpu:
                bound.append(a.with_value(given.get(of) or given[None]))
        yield Call(target, (*first, *bound))


def guessed(file, path):
    """The first line for --make that gives a bias, where what nobody knows gets a guess; [] without one."""
    names = tuple(unknown_in(file.resolve(path)[0]))
    for guess in GUESSES if names else ():
        with suppress(CouldNotRun):
            if found := reading_of(calls_of(file, path, {**GIVEN, None: file.written(guess)})):
                return [Line(f"lambda heads, length: {found.call.text}", names)]
    return []
