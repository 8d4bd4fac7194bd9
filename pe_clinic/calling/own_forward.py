"""A class whose method turns by tables that come from outside: does its own forward, which is called first, run?"""

from contextlib import suppress

from ..sandbox.guard import Failed, first_look, run
from ..sandbox.state import loaded_torch
from .loading import CouldNotRun
from .parameters import required_of

WIDTH = 64


def forward_stops(file, name):
    """Does the forward of a module that takes one argument stop for positions, a length, and x of every shape?"""
    torch, thing = loaded_torch(), file.names.get(name)
    if not torch or not isinstance(thing, type) or "forward" not in vars(thing):
        return False
    made = first_look(thing, WIDTH)
    if not isinstance(made, torch.nn.Module) or len(required_of(made.forward)) != 1:
        return False
    two = torch.arange(5).repeat(2, 1)
    for given in (two, two[0], 5, torch.zeros(2, 5, WIDTH), torch.zeros(2, 3, 5, WIDTH)):
        with suppress(Failed, CouldNotRun):
            run(f"{name}({WIDTH})", made, given)
            return False
    return True
