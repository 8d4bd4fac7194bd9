"""Which kind of thing is this: a rotation, a bias, a model, positions, or something else, a table or a layer?"""

import contextlib
import importlib
import inspect
import re
from dataclasses import replace

from .bias.buckets import buckets_of, has_buckets
from .bias.diagnose import diagnose_alibi
from .bias.forms import bias_of, is_bias, of_line
from .bias.inside import adds_bias, in_part, inside
from .bias.signatures import calls_of, reading_of, unknown_in
from .bias.vectors import has_vectors, vectors_of
from .bias.windows import has_windows, windows_of
from .calling.frames import width_of
from .calling.loading import CouldNotRun, said
from .learned_times import learned_times
from .positions.recognise import makes_positions, speaks_of_ids
from .rotation.by_name import diagnose_by_name
from .rotation.diagnose import diagnose_rope
from .rotation.forms import parameters_of
from .rotation.named import of_rotation
from .rotation.plain import known_as_plain
from .rotation.recognise import is_attention, looks_like_rotation
from .sandbox.guard import Failed, attempt, run
from .sandbox.state import loaded_torch

NOT_KNOWN = "and what to give is not known"
WRAP_BIAS = "gives no bias for heads and a length"
HOW = "wrap it in a function of attention_mask, document_ids, cu_seqlens, or past_length and length"
MADE = "made_here"  # what a line of the user's made, among the names of the file
LARGE = {"max_len": 4096, "d_model": 64, "head_dim": 64}
BIASES = ("t5", has_buckets, buckets_of), ("window", has_windows, windows_of), ("vectors", has_vectors, vectors_of)
LATE = {"model": "model.diagnose", "positions": "positions.diagnose"}


def kind_of(thing, name, of_class=False):
    """ "rope", for a class only where it is asked for, or "alibi", where name and parameters say so; else None."""
    if is_bias(thing, name):
        return "alibi"
    return "rope" if (of_class or not isinstance(thing, type)) and looks_like_rotation(thing, name) else None


def makes_own_tables(file, name):
    """Does the name of another function, class or method of the file speak of tables for a rotation?"""
    others = [other for other, thing in file.names.items() if callable(thing) and other != name]
    classes = [file.names[other] for other in (*others, name) if isinstance(file.names.get(other), type)]
    methods = [name for cls in classes for name, thing in vars(cls).items() if callable(thing)]
    methods = [n for n in methods if not re.search("rot|apply|turn", n) and n != name.rpartition(".")[2]]
    return any(re.search("rope|rotary|freq|cos|sin|cis", other.lower()) for other in (*others, *methods))


def of_name(file, name, kind=None):
    """(Diagnosis, kind, the call in words) of what ``name`` names in the file; None where it is a table or a layer.

    ``kind`` decides where names do not tell. `CouldNotRun` says what of the file can be looked at instead.
    """
    try:
        thing = file.resolve(name)[0]
    except KeyError:
        return None
    if kind in LATE:
        return _late(file, name, thing, kind)
    if kind in ("table", "layer") or not callable(thing):
        return None
    if kind is None and (told := learned_times(file, name)):
        return told
    for room, has, of in BIASES if kind in (None, "alibi") else ():
        if has(thing, name) and (told := of(file, name)):
            return in_part(file, name, told[0], room, told[1])
    if kind in (None, "alibi") and adds_bias(thing) and (told := inside(file, name)):
        return told
    if kind == "alibi" or (kind is None and is_bias(thing, name)):
        whole = kind is None and isinstance(thing, type) and is_attention(thing)
        with contextlib.suppress(*[CouldNotRun] * whole):
            if found := reading_of(calls_of(file, name)):
                return in_part(file, name, diagnose_alibi(bias_of(found.call)), "alibi", found)
        if whole:
            return of_rotation(file, name, thing, kind)
        if kind is None:
            unknown = ", ".join(unknown_in(thing))
            raise CouldNotRun(f"{name} needs {unknown}, {NOT_KNOWN}" if unknown else f"{name} {WRAP_BIAS}")
        return diagnose_alibi(thing), "alibi", f"{name}(heads, length)"
    if kind is None and makes_positions(thing, name):
        return _late(file, name, thing, "positions")
    if kind is None and speaks_of_ids(thing, name):
        raise CouldNotRun(f"{name} makes position ids, and what its parameters take is not known", HOW)
    return of_rotation(file, name, thing, kind)


def of_expression(file, text, kind):
    """As `of_name`, of the line that the user wrote: of x and positions a rotation, of heads and a length a bias."""
    make = file.written(text).give
    small = None if kind else attempt(run, text, make, {**LARGE, "max_len": 96})  # a loop fills a large one in seconds
    if small is not None and _kind_made(small) is None:
        return None
    try:
        thing = run(text, make, LARGE)
    except (Failed, NotImplementedError) as problem:
        if kind in ("rope", "alibi"):
            raise CouldNotRun(said(problem)) from None
        return None
    kind = kind or _kind_made(thing)
    if kind in LATE:
        return _late(file, text, thing, kind)
    if file.library is not loaded_torch() and inspect.isfunction(thing):
        thing = known_as_plain(thing)  # of NumPy's code no gradient is asked
    if kind == "alibi":
        return diagnose_alibi(of_line(thing, text) if _kind_made(thing) == kind else thing), "alibi", text
    if kind == "rope":
        here = replace(file, names={**file.names, MADE: thing})  # x of every layout is tried, as of what is made here
        if not inspect.isfunction(thing) and (outcome := diagnose_by_name(here, MADE)):
            return outcome[0], "rope", outcome[1].replace(MADE, text)
        return diagnose_rope(thing, width_of(thing)), "rope", text
    return None


def _kind_made(thing):
    names = parameters_of(thing).names if callable(thing) and not isinstance(thing, type) else ()
    if names == ("heads", "length"):
        return "alibi"
    if makes_positions(thing, getattr(thing, "__name__", "")):
        return "positions"
    made = type(thing)
    return "rope" if names[-1:] == ("positions",) or looks_like_rotation(made, made.__name__) else None


def _late(file, name, thing, kind):
    """Rooms that are loaded only when they are asked for: whole models, and makers of position ids."""
    room = importlib.import_module(f".{LATE[kind]}", __package__)
    call = name
    if kind == "model" or isinstance(thing, type):
        from .made import made_from

        thing, call = made_from(file, name, thing)
    return getattr(room, f"diagnose_{kind}")(thing), kind, call
