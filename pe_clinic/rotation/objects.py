"""Objects of a class: made of tables, or made to give them."""

import inspect

import torch

from ..calling.names import SURE, is_table, role_in_rotations
from ..sandbox.guard import Failed, run
from .forms import named_parameters, parameters_of, query_and_key
from .maker import as_tuple


def made_of_tables(cls):
    """The parameters of a class's objects, where all are tables; else []."""
    every = named_parameters(cls) if isinstance(cls, type) else []
    told = (is_table(p.name, SURE) and p.default is p.empty and p.annotation not in (int, "int") for p in every)
    return every if all(told) else []


def of_its_tables(cls, method):
    """``method`` as a function of the tables, and nothing else, of which an object of its class is made; or None."""
    made_of = made_of_tables(cls)
    own, *rest = inspect.signature(method).parameters.values() if made_of else [None]
    if not own or own.name != "self":
        return None

    def turn(**given):
        made = cls(**{p.name: given.pop(p.name) for p in made_of})
        return getattr(made, method.__name__)(**given)

    turn.__wrapped__ = cls  # its source is that of the class
    turn.__signature__ = inspect.Signature([p.replace(kind=p.KEYWORD_ONLY) for p in (*rest, *made_of)])
    return turn


def gives_tables(module, head_dim):
    """Does calling it give cosines and sines, for another function to apply?"""
    found = parameters_of(module)
    if not found.names or query_and_key(found.names):
        return not found.names
    if "pos" in found.vectors[0] and role_in_rotations(found.vectors[0]) == "positions":
        return not found.unknown  # a forward of positions turns nothing
    x = torch.zeros(1, 2, 5, head_dim)
    given = {found.vectors[0]: x, **{n: 5 for n in found.names[1:] if role_in_rotations(n) == "max_len"}}
    if found.positions:
        given[found.positions] = torch.arange(5)[None] if "ids" in found.positions else torch.arange(5)
    try:
        value = as_tuple(run("the first call", lambda: module(**given)))
    except (Failed, NotImplementedError):
        return role_in_rotations(found.names[0]) == "max_len"
    tensors = all(isinstance(part, torch.Tensor) for part in value)
    if not tensors or len(value) == 2 or value[0].is_complex():
        return tensors
    return value[0].shape != x.shape and bool(value[0].any())  # of x = 0 a rotation makes 0
