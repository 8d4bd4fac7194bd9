"""A file in which things are made: its classes, with the sizes that their parameters' names ask for."""

from dataclasses import dataclass

import torch

from ..calling.file import File
from ..calling.inputs import NONE, OF_ROLE, configurations
from ..calling.lines import SIZES, Call, constant
from ..calling.names import role_in_rotations
from ..sandbox.guard import run
from .forms import named_parameters

GIVEN = {**OF_ROLE, "device": NONE, "dtype": NONE, "table": NONE, "offset": constant(0), "start": constant(0)}


class Unknown(Exception):
    """A required parameter whose name says nothing."""


@dataclass(frozen=True)
class Workshop:
    """A file, and the width of a head for which its classes and its tables are made."""

    file: File
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
