"""What kind of thing a learner's function returned, and whether it uses what it was given."""

import dis
import inspect
import types

import numpy as np

from pe_clinic import Finding
from pe_clinic.sandbox import Failed, run, watch

from .amounts import is_bool
from .comparing import copied, near, numbers
from .known import pages


def returns_nothing(tried):
    """Not a reason among others: nothing is left to look at."""
    missing = [result is None for result in tried.results]
    if all(missing):
        fix = "return the value in place of printing it" if tried.printed else "end it with a return"
        title = "The function prints and returns nothing." if tried.printed else "The function returns nothing."
        return Finding("none", title, fix=fix)
    if any(missing):
        return Finding("none", "On one of its ways the function ends without a return.", tried.evidence)
    return None


KIND = pages(__file__, globals())["a result"]


def another_kind(tried):
    return KIND.holding(tried.results)


def returns_several(tried):
    tuples = all(isinstance(result, tuple) for result in tried.results)
    if tuples and not any(isinstance(want, tuple) for want in tried.expected):
        if all(len(result) == 1 for result in tried.results):
            return "A tuple of one comes back: a comma stands at the end of the return."
        if len({len(result) for result in tried.results}) == 1:
            return f"{len(tried.results[0])} things come back, in a tuple; one is asked for."
    return None


def depends_on_chance(tried):
    """Random numbers begin anew for each call; here they begin elsewhere."""
    call = lambda seed: watch("the function", tried.answer, *map(copied, tried.examples[tried.off]), seed=seed)  # noqa: E731
    try:
        one, two = call(1).value, call(2).value
    except (Failed, NotImplementedError):
        return None
    a, b = numbers(one), numbers(two)
    if a is not None and b is not None and not (a.shape == b.shape and np.array_equal(a, b, equal_nan=True)):
        return (
            "It gives another result when it is called again with the same arguments: random numbers are drawn in it,"
            " an empty array is not filled, or something is kept from call to call."
        )
    return None


def _calls(tried, place):
    """The arguments of each call of the function at ``place`` of the first example; None where the answer raises."""
    calls = []

    def spy(*arguments, **named):
        calls.append(arguments)
        return tried.examples[0][place](*arguments, **named)

    try:
        run("the function", tried.answer, *(spy if n == place else copied(a) for n, a in enumerate(tried.examples[0])))
    except (Failed, NotImplementedError):
        return None
    return calls


def never_calls(tried):
    """An argument that is a function, and is never called."""
    for place, part in enumerate(tried.examples[0]):
        if callable(part) and _calls(tried, place) == []:
            name = parameters(tried.answer)[place : place + 1] or ["its function"]
            return f"It never calls {name[0]}: what it answers cannot depend on it."
    return None


def called_once(tried):
    """For a test that has to call its function twice: on what it was given, and on that in another order."""
    places = [n for n, part in enumerate(tried.examples[0]) if callable(part)]
    calls = _calls(tried, places[0]) if places else None
    if calls is None or len(calls) != 1 or not all(map(is_bool, tried.results)):
        return None
    name, given = (parameters(tried.answer) or ["f"])[places[0]], tried.examples[0][1 - places[0]]
    which = "as it was" if near(numbers(calls[0][0]), numbers(given)) else "in another order"
    return f"{name} is called once, on x {which}: both sides have to come from {name}, of x as it was and of x moved."


def unused_argument(tried):
    if not isinstance(tried.answer, (types.FunctionType, types.MethodType)):
        return None  # a callable object may answer, or raise, anything
    code = tried.answer.__code__
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        return None
    read = {step.argval for step in dis.get_instructions(code) if not step.opname.startswith("STORE")}
    read |= {name for step in dis.get_instructions(code) if isinstance(step.argval, tuple) for name in step.argval}
    unused = [name for name in parameters(tried.answer) if name not in read and name not in code.co_cellvars]
    if len(unused) == 1:
        return f"It never uses its argument {unused[0]}."
    return f"It never uses its arguments {' and '.join(unused)}." if unused else None


def changes_its_argument(tried):
    if tried.changed:
        return "It changes what it was given, so that what is computed from it later is wrong: make a new array."
    return None


def parameters(function):
    """The names of a function's parameters, none where they cannot be told."""
    try:
        return list(inspect.signature(function).parameters)
    except Exception:  # a callable object may raise anything
        return []
