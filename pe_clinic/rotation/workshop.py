"""A file in which things are made: its classes, with the sizes that their parameters' names ask for."""

import re
from dataclasses import dataclass, is_dataclass, replace

import torch

from ..calling.file import File
from ..calling.inputs import NONE, OF_AXES, OF_ROLE, configurations, words_compared_with
from ..calling.lines import SIZES, Call, Value, constant
from ..calling.names import ROTATES, role_in_rotations
from ..calling.parameters import Argument
from ..sandbox.guard import run
from .configs import configuration, given_to, own_class
from .factors import MORE, RATES, is_factor, is_part, of_bands, size_role
from .forms import named_parameters
from .layouts import told_by_code
from .standard import paper_rates

GIVEN = {**OF_ROLE, **MORE, "dtype": NONE, "table": NONE, "offset": constant(0), "start": constant(0)}
WAS = r"orig|old|train|base_|initial"  # of a length that keeps its default, as one does that is longer than ours
OF_HEADS = r"head_dim|d_head|rope|nope|rank|^(qk|v|rot)_"  # small sizes within a layer
ALLOWED = r"(?:\b{0} not|\bassert {0}) in [(\[{{](?:\d, *)*(\d),?[)\]}}]"
LONG = 4096


class Unknown(Exception):
    """A required parameter whose name says nothing."""


@dataclass(frozen=True)
class Workshop:
    """A file, and the width of a head for which its classes and its tables are made."""

    file: File
    head_dim: int = 64
    factor: float | None = None  # for longer texts; None: 2 where there is no default
    part: bool = False  # shall half of a head's columns turn, where a parameter says how many?
    heads: int = 1
    long: int = LONG
    half: bool = False  # is the model in bfloat16?

    @property
    def setting(self):
        return {"d_model": self.head_dim, "max_len": self.long}

    def filled(self, target, function, but=()):
        """The `Call` of ``target`` that gives its parameters the sizes that their names ask for, or `Unknown`."""
        arguments, by_order, every = [], self._by_order(function, but), named_parameters(function)
        for p in every:
            role = by_order.get(p.name, size_role(p))
            told = None if p.name in but else self.told(p)
            if p.name in but or not (told or self._needs(p, role, every) or (role == "config" and p is every[0])):
                continue
            known = told or self.sets(p) or role in GIVEN or role in ("config", "sections")
            if not known and not own_class(self.file, p):
                raise Unknown(p.name)
            arguments.append((p.name, told or self._value(p, role)))
        return Call(target, tuple(arguments))

    def told(self, p):
        """A value before all others, or None: of the numbers that the code allows the last, as of 3 or 4 axes."""
        allowed = re.search(ALLOWED.format(p.name), self.file.source) if p.default is p.empty else None
        return constant(int(allowed[1])) if allowed else of_bands(p)

    def _needs(self, p, role, every):
        required = {size_role(one) for one in every if one.default is one.empty}
        meant = role not in SIZES or is_meant(p) or (p.default is None and role in required)  # a width of its own
        meant = meant or (role == "max_len" and any(was(one) and type(one.default) is int for one in every))  # a ratio
        meant = meant or (self.heads > 1 and bool(re.search(OF_HEADS, p.name)) and p.default in range(33))
        return p.default is p.empty or self.sets(p) or not meant or Argument(p, None).wants_a_gpu

    def _value(self, p, role):
        if self.sets(p) or (self.part and is_part(p)):
            return constant((self.factor or 2.0) if self.sets(p) else self.head_dim // 2)
        if role == "config":
            return self.made_up(p)
        if role == "table" and re.fullmatch(RATES, p.name.lower()):
            return Value(p.name, lambda setting: paper_rates(self.head_dim).float())
        if role in (None, "table") and own_class(self.file, p):
            return self.of_a_head(own_class(self.file, p).__name__)
        if role == "dtype" and (self.half or p.annotation in (str, "str")):
            return constant(torch.bfloat16 if self.half else "float32")
        sized = [n * (1 + ("dim" in p.name)) for n in OF_AXES.give(self.setting)]  # pairs, or columns
        return (GIVEN | {"heads": constant(self.heads), "sections": constant(sized)})[role]

    def _by_order(self, function, but):
        """Roles for sizes whose names, of another language, tell none: a width, then a length."""
        every = [p for p in named_parameters(function) if p.default is p.empty]
        told = {p.name: size_role(p) for p in every}
        unknown = [p.name for p in every if told[p.name] is None and p.name not in but]
        missing = [size for size in ("d_model", "max_len") if size not in told.values()]
        are_sizes = all(p.annotation in (p.empty, int, "int") for p in every if p.name in unknown)
        fits = are_sizes and missing[:1] == ["d_model"] and len(unknown) <= len(missing)
        return told_by_code(function) | (dict(zip(unknown, missing, strict=False)) if fits else {})

    def sets(self, p):
        """Is it a factor that gets a value here?"""
        return is_factor(p) and (p.default is p.empty or self.factor is not None)

    def made_up(self, p):
        """The settings that the file holds, with the sizes of this workshop; or an object with what it asks of them."""
        name, made = configuration(self.file, p)
        if made is None:
            return configurations(self.file.source, p.name)[0]
        changes = {n: new for n, old in given_to(made).items() if (new := self._in_config(n, old)) is not None}
        is_dict = isinstance(made, dict)
        if is_dataclass(made):
            made = replace(made, **changes)
        else:
            (made if is_dict else vars(made)).update(changes)
        text = ", ".join([name] * is_dict + [f"{k}={v}" for k, v in changes.items()])
        return Value(f"{'dict' if is_dict else name}({text})", lambda setting: made)

    def of_a_head(self, name):
        """An object of a class of the file, made for one head, such as its rotation."""
        one = replace(self, head_dim=self.head_dim // self.heads, heads=1)
        call = one.filled(self.file.named(name), self.file.resolve(name)[0])
        return Value(call.shown(**one.setting), lambda setting: call.give(one.setting))

    def _in_config(self, name, value):
        if type(value) is not int:
            words = words_compared_with(self.file.source, name) if isinstance(value, str) else ()
            return next((word for word in words if re.search(ROTATES, word.lower())), None)
        length = None if value >= LONG or re.search(WAS, name) else LONG
        return {"d_model": self.head_dim, "heads": self.heads, "max_len": length}.get(role_in_rotations(name))

    def made(self, path):
        """(the call, the object) of a class, in eval mode; `Failed` or `Unknown` where there is none."""
        call = self.filled(self.file.named(path), self.file.resolve(path)[0])

        def make():
            thing = call.give(self.setting)
            half = thing.bfloat16() if self.half and isinstance(thing, torch.nn.Module) else thing
            return half.eval() if isinstance(thing, torch.nn.Module) else thing

        return call, run(call.shown(**self.setting), make)


def is_meant(p):
    """Is its default to be kept: an axis such as seq_dim=2, sizes of several axes, a length that was, or a long one?"""
    if type(p.default) is not int:
        return isinstance(p.default, (tuple, list, float))
    return -5 < p.default < 5 or (role_in_rotations(p.name) == "max_len" and (p.default > LONG or was(p)))


def was(p):
    """The length of texts in training?"""
    return (p.default is p.empty or type(p.default) is int) and bool(re.search(WAS, p.name))
