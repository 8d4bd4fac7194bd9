"""How rotations are called: which parameter takes x, or q and k, which the positions, the tables, the sizes of x."""

import inspect
import re
from dataclasses import dataclass

import torch

from ..calling.declared import is_start
from ..calling.names import SURE, VALUES, is_table, role_in_rotations
from ..calling.parameters import source_of
from ..sandbox.guard import Failed
from ..sandbox.mistakes import found

WRAP = "wrap it: lambda x, positions: …, with x of shape (batch, heads, length, head_dim)"
NO_VECTOR = re.compile("len|size|pos|mask|num|dim|scale")  # q_len and key_padding_mask are none
OF_KERNELS = "(s|in|input_|vec_)"  # sq and sk, input_q and input_k
# Roles that x itself answers.
OF_X = {"max_len", "d_model", "heads", "batch", "base", "device", "dtype", "value", "sections"}
USUAL = {role: VALUES[role] for role in ("base", "mask", "flag", "dropout", "std")}  # what others are given


@dataclass(frozen=True)
class Form:
    """How ``rotate`` takes x and positions: by the ``names`` of its parameters, or by place where there are none."""

    pair: bool  # q and k in, and a pair out
    takes: str | None  # "positions", "start" for the first position as a whole number, or None
    names: tuple[str, ...] = ()

    def call(self, rotate, tensors, positions):
        """``rotate`` on one tensor, or on q and k; positions an int64 tensor (length,)."""
        given = [*tensors, *{"positions": [positions], "start": [int(positions[0])]}.get(self.takes, ())]
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
    roles = {p.name: _role(function, p) for p in every}
    vectors = query_and_key(names) or _x([p.name for p in every if p.default is p.empty] or names, roles)
    rest = [p for p in every if p.name not in vectors]
    tables = tuple(p.name for p in rest if roles[p.name] == "table" and type(p.default) not in (int, float))
    places = [p for p in rest if roles[p.name] in ("positions", "start")]
    chosen = next(iter([p for p in places if p.default is p.empty] or places), None)
    compared = [p for p in rest if roles[p.name] == "max_len" and _is_compared(function, p)]
    left = [p for p in rest if (p.default is p.empty or p in compared) and p is not chosen and p.name not in tables]
    sizes = tuple((p.name, roles[p.name]) for p in left if roles[p.name] in OF_X | {*USUAL})
    unknown = tuple(p.name for p in left if p.name not in dict(sizes))
    if not chosen and len(unknown) == 1 and not tables and roles[unknown[0]] in (None, "ids"):
        chosen, unknown = next(p for p in left if p.name == unknown[0]), ()
    takes = chosen and ("start" if roles[chosen.name] == "start" else "positions")
    required = bool(chosen) and chosen.default is chosen.empty
    return Parameters(vectors, tables, chosen and chosen.name, takes, required, sizes, unknown, tuple(names))


def _is_compared(function, p):
    """A seq_len=None that the code compares with a number as it is: None stops there."""
    code = source_of(getattr(type(function), "forward", function)) if p.default is None else ""
    made = rf"(?m)\b{p.name} is |not {p.name}\b|^\s*{p.name} *="
    return bool(re.search(rf"\b{p.name} *[<>]", code)) and not re.search(made, code)


def named_parameters(function):
    return [p for p in _parameters(function) or () if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def _parameters(function):
    """None where there is no signature."""
    try:
        function = function.forward if isinstance(function, torch.nn.Module) else function
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None


def _role(function, parameter):
    """Its name's role; a theta that nobody raises to a power is no base, but an angle."""
    if parameter.name in ("theta", "thetas") and parameter.default is parameter.empty:
        powers = rf"pow(?:er)?\(\s*{parameter.name}\s*,|log\(\s*{parameter.name}\s*\)|\b{parameter.name}\)*\s*\*\*"
        return "base" if re.search(powers, source_of(function)) else "table"
    is_value = re.match(r"x?v(alues?)?(_|$)", parameter.name.lower())
    told = "table" if _is_angle(function, parameter) else role_in_rotations(_shortened(parameter.name))
    told = "start" if told == "positions" and is_start(function, parameter.name) else told
    return "value" if is_value else "flag" if parameter.annotation in (bool, "bool") else told


def _is_angle(function, parameter):
    """Is it a required pos whose own cosine and sine are taken, with nothing done to it before but a change of axes?"""
    name, code = parameter.name, source_of(function)
    waves = all(re.search(rf"\b{name}\.{w}\(|\b{w}\(\s*{name}\s*\)", code) for w in ("cos", "sin"))
    remade = re.findall(rf"(?m)^\s*{name}\s*=\s*(.*)", code)
    axes = rf"{name}(\[[^]]*\]|\.(unsqueeze|to|float|view|reshape)\([^()]*\))*\s*(#.*)?"
    return parameter.default is parameter.empty and waves and all(re.fullmatch(axes, one) for one in remade)


def _shortened(name):
    """cos_table is cos, and sincos holds both."""
    return re.sub(r"(?i)(?<=\w)_?(tables?|lut)$", "", re.sub(r"(?i)sin_?cos|cos_?sin", "sin_cos", name))


def _x(names, roles):
    """The first parameter that may be turned, such as a first v; a t beside tables is no time."""
    other = {"table", "positions", "start", *OF_X}
    other -= {"value"} & {roles[name] for name in names[:1]}
    plain = [n for n in names if roles[n] not in other] or [n for n in names if roles[n] == "positions"]
    return tuple((plain or names)[:1])


def query_and_key(names):
    """The names of q and k, wherever they stand; () where there are not these two."""
    names = [n for n in names if not NO_VECTOR.search(n.lower())]
    q = [n for n in names if re.match(rf"x?q|{OF_KERNELS}q$", n.lower())]
    is_key = rf"k(ey)?s?(_|$)|xk|{OF_KERNELS}k$"
    k = [n for n in names if re.match(is_key, n.lower()) or role_in_rotations(n) == "key"]
    if k and not q and k[0] in names[1:]:  # x and key, as some call them
        q = [name for name in names[: names.index(k[0])] if not is_table(name)]
    return (q[0], k[0]) if q and k else ()


def takes_tables(function, words=SURE):
    """Is there a table beside something to turn?"""
    found = parameters_of(function)
    turned = [n for n in found.names if role_in_rotations(n) not in ("table", "d_model", "max_len", "base")]
    return bool(turned) and any(is_table(_shortened(name), words) for name in found.tables)


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
