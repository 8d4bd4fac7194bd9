"""How rotations are called: which parameter takes x, or q and k, which the positions, the tables, the sizes of x."""

import inspect
from dataclasses import dataclass

import torch

from ..calling.names import SURE, VALUES, is_table, role_in_rotations
from ..calling.parameters import Argument
from ..sandbox.guard import Failed
from ..sandbox.mistakes import found
from .roles import OF_X, is_compared, query_and_key, role_of_parameter, shortened, the_x

WIDTHS = ("head_size", "head_dim", "rotary_dim", "rot_dim")  # None by default, and used as numbers
WRAP = "wrap it: lambda x, positions: …, with x of shape (batch, heads, length, head_dim)"
USUAL = {role: VALUES[role] for role in ("base", "mask", "flag", "dropout", "std")}  # what others are given
USUAL |= {"longest": 4096, "ones": torch.tensor(1.0)}


@dataclass(frozen=True)
class Form:
    """How ``rotate`` takes x and positions: by the ``names`` of its parameters, or by place where there are none."""

    pair: bool  # q and k in, and a pair out
    takes: str | None  # "positions", "start" for the first position as a whole number, or None
    names: tuple[str, ...] = ()

    def call(self, rotate, tensors, positions):
        """``rotate`` on one tensor, or on q and k; positions an int64 tensor (length,)."""
        given = [*tensors, int(positions[0]) if self.takes == "start" else positions][: len(tensors) + bool(self.takes)]
        return rotate(**dict(zip(self.names, given, strict=True))) if self.names else rotate(*given)

    @property
    def text(self):
        return f"rotate({', '.join(['q, k' if self.pair else 'x', *([self.takes] if self.takes else [])])})"


@dataclass(frozen=True)
class Parameters:
    """What the parameters of a rotation are for, by name; ``vectors`` are x, or q and k."""

    vectors: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    positions: str | None = None
    takes: str | None = None
    required: bool = False  # the positions
    sizes: tuple[tuple[str, str], ...] = ()  # of x, and what is usual, by name and role
    unknown: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def pair(self):
        return len(self.vectors) == 2


def parameters_of(function):
    """The `Parameters` of a function, a module or a class's instance."""
    every = named_parameters(function)
    names = [p.name for p in every]
    roles = {p.name: role_of_parameter(function, p) for p in every}
    vectors = query_and_key(names) or the_x([p.name for p in every if p.default is p.empty] or names, roles)
    rest = [p for p in every if p.name not in vectors]
    optional = (int, float, dict, *[type(None)] * ("base" in roles.values()))  # of a base it makes its own
    tables = tuple(p.name for p in rest if roles[p.name] == "table" and type(p.default) not in optional)
    places = [p for p in rest if roles[p.name] in ("positions", "start")]
    chosen = next(iter([p for p in places if p.default is p.empty] or places), None)
    if chosen and roles[chosen.name] == "positions":  # they may stand behind the end of x
        roles |= {p.name: "longest" for p in rest if roles[p.name] == "max_len" and "max" in p.name}
    roles |= {p.name: "ones" for p in rest if roles[p.name] == "std" and is_compared(function, p)}
    compared = [p for p in rest if roles[p.name] in ("max_len", "ones") and is_compared(function, p)]
    compared += [p for p in rest if Argument(p, None).wants_a_gpu or (p.default is None and p.name in WIDTHS)]
    left = [p for p in rest if (p.default is p.empty or p in compared) and p is not chosen and p.name not in tables]
    sizes = tuple((p.name, roles[p.name]) for p in left if roles[p.name] in OF_X | {*USUAL})
    unknown = tuple(p.name for p in left if p.name not in dict(sizes))
    if not chosen and len(unknown) == 1 and not tables and roles[unknown[0]] in (None, "ids"):
        chosen, unknown = next(p for p in left if p.name == unknown[0]), ()
    takes = chosen and ("start" if roles[chosen.name] == "start" else "positions")
    required = bool(chosen) and chosen.default is chosen.empty
    return Parameters(vectors, tables, chosen and chosen.name, takes, required, sizes, unknown, tuple(names))


def named_parameters(function):
    return [p for p in _parameters(function) or () if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def _parameters(function):
    """None where there is no signature."""
    try:
        function = function.forward if isinstance(function, torch.nn.Module) else function
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None


def takes_tables(function, words=SURE):
    """Is there a table beside something to turn?"""
    found = parameters_of(function)
    turned = [n for n in found.names if role_in_rotations(n) not in ("table", "d_model", "max_len", "base")]
    return bool(turned) and any(is_table(shortened(name), words) for name in found.tables)


def form_of(rotate):
    """The `Form` that the names of the parameters tell; `Failed` when ``rotate`` wants more than x and positions."""
    every, told = _parameters(rotate) or [], parameters_of(rotate)
    if not told.names:
        return Form(False, "positions")
    required = [p.name for p in named_parameters(rotate) if p.default is p.empty]
    wanted = [name for name in required if name not in told.vectors]
    if len(wanted) > 1 or told.unknown:
        said = f"it needs {', '.join(required)}; a rotation is called with x, or q and k, and positions"
        raise Failed(found("arguments", said, fix=WRAP))
    place = (wanted or [told.positions])[0]
    if place is None:
        more = len(told.names) == len(told.vectors) and any(p.kind is p.VAR_POSITIONAL for p in every)
        return Form(told.pair, "positions" if more else None)
    by_place = any(p.kind is p.POSITIONAL_ONLY for p in every)
    takes = "start" if role_in_rotations(place) == "start" else "positions"
    return Form(told.pair, takes, () if by_place else (*told.vectors, place))
