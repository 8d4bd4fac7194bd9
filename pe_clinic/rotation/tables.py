"""The tables that a rotation is handed: what makers in the file give, or, where there is none, the standard ones."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch

from ..calling.inputs import NONE, OF_ROLE, configurations
from ..calling.lines import SIZES, Call, Value, constant
from ..calling.names import role_in_rotations
from ..calling.picking import most_telling
from ..sandbox.guard import Failed, run
from .candidates import HINTS, SURELY, candidates, hinted
from .forms import named_parameters, takes_tables
from .standard import paper_rates, standard

GIVEN = {**OF_ROLE, "device": NONE, "dtype": NONE, "table": NONE, "offset": constant(0), "start": constant(0)}
# x of this length, for makers that look at its shape: they read the length along one of these axes.
SHAPES_OF_X = ((1, -1, 1), (1, 1, -1), (1, -1), (-1, 1), (-1, 1, 1), (-1,))


class Unknown(Exception):
    """A required parameter whose name says nothing."""


@dataclass(frozen=True)
class Maker:
    """``at(positions, x)`` gives what the maker gives for these positions: a tensor, or a tuple of tensors."""

    name: str
    at: Callable

    def up_to(self, last, x):
        """The whole tables, from position 0 to ``last`` at least."""
        return self.at(torch.arange(_room(last)), x)


@dataclass(frozen=True)
class Workshop:
    """A file, and the width of a head for which its classes and its tables are made."""

    file: object
    head_dim: int = 64

    @property
    def setting(self):
        return {"d_model": self.head_dim, "max_len": 4096}

    def filled(self, target, function, but=()):
        """The `Call` of ``target`` that gives its parameters the sizes that their names ask for, or `Unknown`."""
        arguments = []
        for p in named_parameters(function):
            role = role_in_rotations(p.name)
            axis = type(p.default) is int and -5 < p.default < 5  # seq_dim=2 is no width
            if p.name in but or (p.default is not p.empty and (role not in SIZES or axis)):
                continue
            if role != "config" and role not in GIVEN:
                raise Unknown(p.name)
            value = configurations(self.file.source, p.name)[0] if role == "config" else GIVEN[role]
            arguments.append((p.name, value))
        return Call(target, tuple(arguments))

    def made(self, path):
        """(the call, the object) of a class, in eval mode; `Failed` or `Unknown` where there is none."""
        call = self.filled(self.file.named(path), self.file.resolve(path)[0])
        thing = run(call.shown(**self.setting), call.give, self.setting)
        return call, thing.eval() if isinstance(thing, torch.nn.Module) else thing

    def makers(self, wanted, but=(), only=None):
        """Every `Maker` of the file for the table parameters ``wanted``; that of the name ``only``, whatever it is.

        Where the file makes none, the standard ones; not where it has a maker that stops, whose `Failed` is raised, or
        that nobody knows how to call.
        """
        found, in_doubt, failures = [], bool(only), []
        for name, thing in candidates(self.file, but, only):
            try:
                made = self._makers_of(name, thing, wanted)
            except (Failed, Unknown, NotImplementedError) as problem:
                made, doubtful = [], hinted(name, SURELY) and not takes_tables(thing)
                in_doubt |= doubtful
                failures += [problem] if doubtful and isinstance(problem, Failed) else []
            found += made
        if failures and not found:
            raise most_telling(failures)
        return found or ([] if in_doubt else _standard(wanted, paper_rates(self.head_dim), "standard tables ({})"))

    def _makers_of(self, name, thing, wanted):
        """`Failed` where no way to call it comes to an end."""
        failures, ran = [], False
        for way in self._of_class(name) if isinstance(thing, type) else self._ways(self.file.named(name), thing):
            try:
                value = as_tuple(run(name, way, torch.arange(5), torch.zeros(1, 1, 5, self.head_dim)))
            except Failed as failed:
                failures.append(failed)
                continue
            if len(value) == 1 and _is_row(value[0], self.head_dim // 2):
                return _standard(wanted, value[0], f"the frequencies of {name} ({{}})")
            if _are_tables(value):
                return [Maker(f"the tables of {name}", way)]
            ran = True
        if failures and not ran:
            raise most_telling(failures)
        return []

    def _of_class(self, name):
        """Ways to ask an object for its tables: forward, or a method that speaks of them, or is called get."""
        thing = self.made(name)[1]
        own = [n for cls in type(thing).__mro__ if not cls.__module__.startswith("torch") for n in vars(cls)]
        methods = [n for n in own if n in ("forward", "__call__") or n.strip("_").startswith(("get", *HINTS))]
        for method in dict.fromkeys(methods):
            if callable(bound := getattr(thing, method, None)) and not isinstance(bound, type):
                yield from self._ways(Value(f"{name}.{method}", lambda s, b=bound: b), bound)
        for held in (n for n in (*vars(thing), *getattr(thing, "_buffers", ())) if hinted(n)):
            yield lambda positions, x, held=held: _rows(getattr(thing, held), positions, self.setting["max_len"])

    def _ways(self, target, function):
        """``at(positions, x)`` for each way that the parameters suggest: by positions, a length, an x of it."""
        every = named_parameters(function)
        roles = {p.name: role_in_rotations(p.name) for p in every}
        x = next((n for n, role in roles.items() if role == "x" or n == "x"), None)
        unknown = [p.name for p in every if p.default is p.empty and roles[p.name] is None and p.name != x]
        times = [n for n, role in roles.items() if role in ("positions", "max_len")] or unknown[:1]
        for n in times or [None]:
            call = self.filled(target, function, {x, n})

            def asked(time=None, like=None, n=n, call=call):
                more = [(name, constant(value)) for name, value in ((n, time), (x, like)) if name]
                return replace(call, arguments=(*call.arguments, *more)).give(self.setting)

            if n and roles[n] is None:
                yield _by_length(asked)
            if n and roles[n] != "max_len":
                for shape in ((), (None,)) if every[0].name == n else ((None,), ()):
                    yield lambda p, v, f=asked, shape=shape: f(p[shape], v)
            if n and roles[n]:
                yield _by_length(asked)
            for shape in SHAPES_OF_X if x and not n else ():
                yield _by_length(lambda n, v, f=asked, s=shape: f(None, v.new_zeros(*_sized(s, n), v.shape[-1])))
            if not x and not n:
                yield lambda positions, v, f=asked: _rows(f(), positions)


def _standard(wanted, rates, said):
    return [Maker(said.format(words), lambda p, x, m=make: m(p)) for words, make in standard(wanted, rates)]


def _sized(shape, length):
    return [length if n == -1 else n for n in shape]


def _room(last):
    return max(64, 1 << int(last + 1).bit_length())


def _by_length(make):
    """The rows of what ``make(length, x)`` gives for as many positions as are needed; the last few are kept."""
    kept = {}

    def at(positions, x):
        length = _room(positions.max())
        if (length, x.dtype) not in kept:
            kept[length, x.dtype] = make(length, x)
        return _rows(kept[length, x.dtype], positions, length)

    return at


def as_tuple(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _is_row(value, pairs):
    """A frequency for each pair?"""
    return isinstance(value, torch.Tensor) and value.shape == (pairs,) and value.is_floating_point()


def _are_tables(value):
    """For 5 positions: one tensor, complex, of angles or of both waves, or two real ones; not of zeros alone."""
    if len(value) not in (1, 2) or not all(isinstance(part, torch.Tensor) and part.any() for part in value):
        return False
    real = all(part.is_floating_point() for part in value)
    return 5 in value[0].shape[:-1] and value[0].shape == value[-1].shape and (real or len(value) == 1)


def _rows(value, positions, rows=None):
    """The rows of the given positions, along the first axis of ``rows`` of them, or the longest of the first axes."""
    found = []
    for table in as_tuple(value):
        if table.ndim == 1:
            return value  # one frequency for each pair
        axis = max(range(table.ndim - 1), key=lambda n: (table.shape[n] == rows, table.shape[n]))
        if int(positions.max()) >= table.shape[axis]:
            raise IndexError(f"The tables were made for {table.shape[axis]} positions.")
        found.append(table.index_select(axis, positions))
    return type(value)(found) if isinstance(value, (tuple, list)) else found[0]
