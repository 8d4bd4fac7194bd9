"""From a name in anyone's file to ways of calling the rotation behind it, with the tables that stand beside it."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import torch

from ..calling.inputs import NONE, asked_of_self, namespace
from ..calling.lines import with_argument
from ..calling.names import role_in_rotations
from ..sandbox.guard import Failed, run
from .asking import Rotator
from .forms import USUAL, Form, Parameters, parameters_of, query_and_key, takes_tables
from .layouts import HEADS_LAST, in_layout
from .plain import is_plain, method_of, of_plain
from .standard import applied
from .tables import Maker, Unknown, as_tuple

# Shapes in which tables (length, width) are handed over: as they are, and with axes of 1 for batch and heads.
SHAPES = ((), (None,), (None, None), (None, slice(None), None), (slice(None), None), (slice(None), None, None))
POSITIONS = (lambda p, batch: p, lambda p, batch: p[None], lambda p, batch: p.expand(batch, -1))
STARTS = (lambda p, batch: int(p[0]), lambda p, batch: p[:1].expand(batch))


@dataclass(frozen=True)
class Way:
    """A function that turns x, what its parameters are for, and whose tables it is handed."""

    said: str
    function: Callable
    found: Parameters
    maker: Maker | None = None

    @property
    def form(self):
        return Form(self.found.pair, "positions" if self.maker else self.found.takes)

    def rotators(self, layout):
        """For x of four axes, in every shape of the tables and of the positions, of a function of x in ``layout``."""
        places = STARTS if self.form.takes == "start" else POSITIONS if self.form.takes else POSITIONS[:1]
        said = self.said if layout.plain else f"{self.said}, x of shape {layout.words}"
        for shape, place in product(SHAPES if self.maker else SHAPES[:1], places):
            yield Rotator(self.rotate(layout, shape, place), self.form, said)

    def rotate(self, layout, shape, place):
        def call(tensors, positions):
            return self.call(layout, shape, place, tensors, positions)

        rotate = in_layout(call, layout, self.found.pair)
        rotate.of_plain = is_plain(self.function)
        return rotate

    def call(self, layout, shape, place, tensors, positions):
        found, x = self.found, tensors[0]
        if not found.names:
            return self.function(*tensors, positions)
        given = dict(zip(found.vectors, tensors, strict=True))
        given |= {name: _of_x(role, layout, x) for name, role in found.sizes}
        batch = layout.size(x, "batch")
        at = place(positions, batch) if "length" in layout.axes else int(positions[0])
        if self.maker and found.required and found.takes == "positions":
            # It picks the rows itself: the tables are handed over whole.
            tables = self.maker.up_to(int(positions.max()), x)
            given[found.positions] = at
        elif self.maker:
            tables = self.maker.at(positions, x)
            given |= {found.positions: 0} if found.required else {}
        elif found.positions:
            given[found.positions] = at
        return self.function(**given, **(_tables(found.tables, tables, shape, x.dtype) if self.maker else {}))

    def together(self):
        """For code that turns q and k in one tensor (batch, length, 3, heads, head_dim): a `Rotator` of q and k."""
        place = STARTS[0] if self.form.takes == "start" else POSITIONS[0]

        def turn(tensors, positions):
            qkv = torch.stack((*tensors, torch.zeros_like(tensors[0])), 2)
            out = self.call(HEADS_LAST, (), place, [qkv], positions)
            return out[:2] if isinstance(out, (tuple, list)) else (out[:, :, 0], out[:, :, 1])

        form = Form(True, self.form.takes)
        return Rotator(in_layout(turn, HEADS_LAST, True), form, f"{self.said}, q and k in one tensor")

    def of_lists(self):
        return Way(f"{self.said}, lists in place of tensors", of_plain(self.function, True), self.found, self.maker)


def _of_x(role, layout, x):
    sizes = {"max_len": "length", "heads": "heads", "batch": "batch"}
    read = {"d_model": x.shape[-1], "device": x.device, "dtype": x.dtype}
    return layout.size(x, sizes[role]) if role in sizes else read[role] if role in read else USUAL[role]


def _tables(wanted, tables, shape, dtype):
    """From table parameters to tensors; cosines and sines in the dtype of x, which is how a model keeps them."""
    parts = [(part.to(dtype) if _are_waves(part) else part)[shape or ...] for part in as_tuple(tables)]
    if len(wanted) == 1:
        return {wanted[0]: type(tables)(parts) if isinstance(tables, (tuple, list)) else parts[0]}
    if len(parts) == 1 and len(wanted) == 2 and not parts[0].is_complex():
        parts = parts[0].chunk(2, dim=-1)  # sines and cosines, side by side
    return dict(zip(wanted, parts, strict=True))


def _are_waves(table):
    """Cosines and sines, and not angles, whose rounding would count; nor complex numbers."""
    return not table.is_complex() and bool(table.abs().max() < 1.01)


def ways(workshop, path):
    """Every `Way` of what ``path`` names: a function, a class, a method, or a maker of tables beside a rotation."""
    thing, owner, _ = workshop.file.resolve(path)
    if isinstance(thing, type):
        yield from _of_class(workshop, path)
        return
    for function in _functions(workshop, path, thing, owner):
        found = parameters_of(function)
        if found.tables and found.vectors and not found.unknown:
            yield from _with_tables(workshop, path, function)
            continue
        try:
            appliers = list(_appliers(workshop, path)) if _makes(found) else []  # a maker, for another to apply
        except Failed:
            if len(found.names) > 1:
                raise
            appliers = []
        yield from appliers or ([] if found.unknown else [_as_it_is(path, function)])


def _as_it_is(said, function):
    found = parameters_of(function)
    return Way(f"{said}({', '.join(found.names)})", function, found)


def _makes(found):
    sized = found.vectors[:1] and role_in_rotations(found.vectors[0]) in ("d_model", "max_len")
    return bool(sized) and not found.pair and not found.tables


def _functions(workshop, path, thing, owner):
    """``thing``; of a method, the bound methods of an object of its class, of None, or of what it asks of self."""
    if not owner or next(iter(inspect.signature(thing).parameters), None) != "self":
        yield thing
        return
    try:
        yield getattr(workshop.made(owner)[1], path.rpartition(".")[2])
    except (Failed, Unknown, NotImplementedError):
        for value in (NONE, namespace(asked_of_self(thing))):
            yield with_argument(workshop.file.named(path), value).give(workshop.setting)


def _with_tables(workshop, path, function, only=None):
    found = parameters_of(function)
    for maker in workshop.makers(found.tables, {path}, only):
        yield Way(f"{path} with {maker.name}", function, found, maker)


def _appliers(workshop, maker):
    """Functions of the file that take tables, with those of the one ``maker`` that is asked for; or a right one."""
    own = [name for name, thing in workshop.file.names.items() if name != maker and _applies(thing)]
    for other in own:
        yield from _with_tables(workshop, other, workshop.file.names[other], only=maker)
    for made_by in () if own else workshop.makers(("cos", "sin"), only=maker):
        said = f"the tables of {maker}, applied as they are laid out"
        yield Way(said, applied(made_by), Parameters(("x",), (), "positions", "positions", names=("x", "positions")))


def _applies(thing):
    if isinstance(thing, type) or not callable(thing) or not takes_tables(thing):
        return False
    found = parameters_of(thing)
    return bool(found.tables and found.vectors) and not found.unknown


def _of_class(workshop, path):
    """Of an object of the class; `Failed` says why there is none."""
    try:
        call, thing = workshop.made(path)
    except Unknown:
        return
    said = call.shown(**workshop.setting)
    if hasattr(thing, "rotate_queries_or_keys"):
        yield _as_it_is(f"{said}.rotate_queries_or_keys", thing.rotate_queries_or_keys)
    elif isinstance(thing, torch.nn.Module) and _gives_tables(thing, workshop.head_dim):
        yield from _appliers(workshop, path)
    elif isinstance(thing, torch.nn.Module):
        yield _as_it_is(said, thing)
    elif method := method_of(thing, workshop.file.names):
        yield _as_it_is(f"{said}.{method.__name__}", method)


def _gives_tables(module, head_dim):
    """Does calling it give cosines and sines, for another function to apply?"""
    found = parameters_of(module)
    if not found.names or query_and_key(found.names):
        return not found.names
    x = torch.zeros(1, 2, 5, head_dim)
    given = {found.vectors[0]: x, **{n: 5 for n in found.names[1:] if role_in_rotations(n) == "max_len"}}
    if found.positions:
        given[found.positions] = torch.arange(5)[None] if "ids" in found.positions else torch.arange(5)
    try:
        value = as_tuple(run("the first call", lambda: module(**given)))
    except (Failed, NotImplementedError):
        return role_in_rotations(found.names[0]) == "max_len"
    tensors = all(isinstance(part, torch.Tensor) for part in value)
    return tensors and (len(value) == 2 or value[0].is_complex() or value[0].shape != x.shape)
