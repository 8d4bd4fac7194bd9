"""The tables that a rotation is handed: what makers in the file give, or, where there is none, the standard ones."""

import contextlib
import re
from dataclasses import replace

import numpy as np
import torch

from ..calling.lines import Value, constant
from ..calling.names import role_in_rotations
from ..calling.parameters import source_of
from ..calling.picking import most_telling
from ..sandbox.guard import Failed, run
from .axes import by_positions, said_of
from .candidates import are_angles, candidates, hinted, matrices, of_half, promises_tables
from .factors import RATES, without_factor
from .fitting import as_wanted
from .forms import named_parameters
from .layouts import widths_by_code
from .maker import Maker, are_scaled, are_tables, are_waves, as_tuple, by_length, row_of, rows
from .standard import of_scaled, paper_rates, standard
from .workshop import Unknown, was

WAVES = r"\b(cos|sin|polar)\("  # frequencies that are kept say nothing of the waves of a forward that stopped
TIMES = ("positions", "max_len", "shape")  # roles; of two parameters that nobody knows, the second is such a one
# x of this length, for makers that look at its shape: they read the length along one of these axes.
SHAPES_OF_X = ((1, -1, 1), (1, 1, -1), (1, -1), (-1, 1), (-1, 1, 1), (-1,))


def makers(workshop, wanted, but=(), only=None):
    """Every `Maker` of the file for the table parameters ``wanted``; that of the name ``only``, whatever it is.

    Where the file makes none, the standard ones; none where a maker's tables cannot be had; `Failed` where it stops.
    """
    found, in_doubt, failures = [], bool(only), []
    for name, thing in candidates(workshop.file, but, only):
        made, failed = [], []
        try:
            made = _makers_of(of_half(workshop, name, thing), name, thing, wanted)
        except (Failed, Unknown, NotImplementedError) as problem:
            failed = [problem] if isinstance(problem, Failed) else []
        found += made
        if not made and promises_tables(thing, name, but):
            in_doubt, failures = True, failures + failed
    if failures and not found:
        raise most_telling(failures)
    found = found or ([] if in_doubt else list(of_any_name(workshop, wanted, but)))
    return found or ([] if in_doubt else standard(wanted, paper_rates(workshop.head_dim), "standard tables ({})"))


def of_any_name(workshop, wanted, but):
    """Of functions and classes whose names tell nothing, those that give cosines and sines, angles, or e^(iθ)."""
    names = workshop.file.names if len(wanted) < 3 else {}
    own = [name for name, thing in names.items() if getattr(thing, "__module__", "") == names.get("__name__")]
    for name in (name for name in own if name not in but and callable(names[name])):
        with contextlib.suppress(Failed, Unknown, NotImplementedError):
            for maker in _makers_of(workshop, name, names[name], wanted):
                made = as_tuple(maker.at(torch.arange(5), torch.zeros(1, 1, 5, workshop.head_dim)))
                if are_waves(made) if len(wanted) == 2 else are_angles(made, workshop.head_dim):
                    yield maker


def _makers_of(workshop, name, thing, wanted):
    """`Failed` where no way to call it comes to an end."""
    failures, narrow, ran, is_class = [], [], False, isinstance(thing, type)
    for way in _of_class(workshop, name) if is_class else _ways(workshop, workshop.file.named(name), thing):
        try:
            value = as_tuple(run(name, way, torch.arange(5), torch.zeros(1, 1, 5, workshop.head_dim)))
        except Failed as failed:
            failures.append(failed)
            continue
        value = (torch.as_tensor(value[0]), *value[1:]) if isinstance(value[0], np.ndarray) else value  # frequencies
        row = row_of(value, workshop.head_dim // 2, re.fullmatch(RATES, "".join(wanted).lower()))
        stopped = row is not None and failures and re.search(WAVES, source_of(getattr(thing, "forward", None)))
        if row is not None and not stopped:
            return standard(wanted, row, f"the frequencies of {name} ({{}})", thing)
        if are_tables(value) and (not are_scaled(value) or (value[0].ndim == 2 and wanted == ("cos", "sin"))):
            at = of_scaled(way) if are_scaled(value) else as_wanted(way, value, wanted, thing, hinted(name))
            found = [Maker(f"the tables of {name}{said_of(way)}", at, thing, True, way, are_scaled(value))]
            if value[0].shape[-1] > 1:
                return found
            narrow = narrow or found  # pairs stand on another axis, or positions of a batch are wanted
        ran = ran or not stopped
    if failures and not ran:
        raise most_telling(failures)
    return narrow


def _of_class(workshop, name):
    """Ways to ask an object for its tables: forward, or a method that speaks of them, or what it keeps."""
    thing, unknown = workshop.made(name)[1], None
    own = [n for cls in type(thing).__mro__ if not cls.__module__.startswith("torch") for n in vars(cls)]
    called = [n for n in ("forward", "__call__") if n in own]  # what a user calls comes before its helpers
    for method in dict.fromkeys((*called, *(n for n in own if n.startswith("get") or hinted(n)))):
        if callable(bound := getattr(thing, method, None)) and not isinstance(bound, type):
            try:
                yield from _ways(workshop, Value(f"{name}.{method}", lambda s, b=bound: b), bound)
            except Unknown as problem:
                unknown = problem
    names = [n for n in (*vars(thing), *getattr(thing, "_buffers", ())) if hinted(n)]
    both = [next((n for n in names if re.search(wave, n.lower())), None) for wave in ("cos", "(?<!co)sin")]
    for held in ([both] if all(both) and both[0] != both[1] else []) + [[name] for name in names]:
        kept = tuple(getattr(thing, name) for name in held) if held[1:] else getattr(thing, held[0])
        yield lambda positions, x, kept=kept: rows(kept, positions, workshop.setting["max_len"])
    if unknown:
        raise unknown


def _ways(workshop, target, function):
    """``at(positions, x)`` for each way that the parameters suggest: by positions, a length, an x of it."""
    every = named_parameters(function)
    roles = {p.name: role_in_rotations(p.name) for p in every} | widths_by_code(function)
    x = next((n for n, role in roles.items() if role == "x" or n == "x"), None)
    needed = [p for p in every if p.default is p.empty and not workshop.told(p)]
    unknown = [p.name for p in needed if roles[p.name] is None and p.name != x]
    dtypes = [p.name for p in every if p.default is p.empty and roles[p.name] == "dtype" and p.annotation is not str]
    times = [p.name for p in every if roles[p.name] in TIMES and not was(p)] or unknown[1::-1]
    for n in times or [None]:
        try:
            call = workshop.filled(target, function, {x, n})
        except Unknown:
            if [n] == times[-1:] or not n:
                raise
            continue

        def asked(time=None, like=None, n=n, call=call):
            given = (n, time), (x, like), *((name, getattr(like, "dtype", None)) for name in dtypes)
            more = [(name, constant(value)) for name, value in given if name]
            made = replace(call, arguments=(*call.arguments, *more)).give(workshop.setting)
            guessed, width = roles.get(n, "") is None and len(unknown) == 2, workshop.head_dim
            if guessed and any(part.shape[-1:] not in ((width,), (width // 2,)) for part in as_tuple(made)):
                raise ValueError(f"The tables are not {width} wide.")  # the length was taken for the width
            return without_factor(made)

        yield from matrices(asked, workshop.head_dim) if n else ()
        if n and roles[n] is None:
            yield by_length(asked)
        if n and roles[n] == "shape":
            yield by_length(lambda length, v, f=asked: f((1, length), v))
        if n and roles[n] in ("positions", None):
            shapes = ((), (None,)) if every[0].name == n else ((None,), ())
            yield from by_positions(asked, shapes, re.search(rf"\b{n}\.dtype", source_of(function)))
        if n and roles[n] in ("positions", "max_len"):
            yield by_length(asked, max((2 * p.default for p in every if was(p) and type(p.default) is int), default=0))
        for s in SHAPES_OF_X if x and not n else ():
            yield by_length(lambda n, v, f=asked, s=s: f(None, v.new_zeros(*(n ** (m < 0) for m in s), v.shape[-1])))
        if not x and not n:
            yield lambda positions, v, f=asked: rows(f(), positions)
