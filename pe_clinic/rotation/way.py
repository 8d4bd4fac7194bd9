"""One way to call a function that turns x: where its positions, its tables and its sizes come from, in any layout."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import torch

from ..calling.inputs import OF_AXES
from ..calling.parameters import source_of
from ..sandbox.guard import Failed, run
from ..sandbox.mistakes import found
from ..times import REMARK
from .asking import Rotator
from .forms import USUAL, WRAP, Form, Parameters
from .layouts import in_layout, rows_said
from .maker import Maker, as_tuple, like
from .plain import is_plain
from .standard import ALONE

# Shapes in which tables (length, width) are handed over: as they are, and with axes of 1 for batch and heads.
SHAPES = ((), (None,), (None, None), (None, slice(None), None), (slice(None), None), (slice(None), None, None))
ALL_NUMBERS = r"[\w.]+\(((?:\w+=\d+(?:, )?)+)\)(?:\.\w+)?\("
POSITIONS = (lambda p, b: p, lambda p, b: p[None], lambda p, b: p.repeat(b, 1), lambda p, b: p.repeat(b, 1, 1))
STARTS = (lambda p, batch: int(p[0]), lambda p, batch: p[:1].repeat(batch))


@dataclass(frozen=True)
class Way:
    """A function that turns x, what its parameters are for, and whose tables it is handed."""

    said: str
    function: Callable
    found: Parameters
    maker: Maker | None = None
    lays_out: bool = False  # its own code gives the tables their axes: they are handed over as they are
    kept: bool = False  # are they kept in the dtype in which the file makes them?
    bent: object = None  # the `Way` whose tables get other axes, or another width, all the same

    @property
    def remarks(self):
        """The docstrings and comments of its code, and of the whole class where an object turns."""
        of = type(self.function) if isinstance(self.function, torch.nn.Module) else self.function
        return "\n".join(re.findall(REMARK, source_of(of)))

    @property
    def code(self):
        """The source of what is called."""
        return source_of(getattr(self.function, "forward", self.function))

    @property
    def made_with(self):
        """The sizes with which its object is made, by name; {} where it is made with more than whole numbers."""
        told = re.match(ALL_NUMBERS, self.said)
        return {name: int(n) for name, n in re.findall(r"(\w+)=(\d+)", told[1])} if told else {}

    @property
    def form(self):
        made_for_them = self.maker and not self.found.required and ALONE not in self.maker.name  # not of frequencies
        return Form(self.found.pair, "positions" if made_for_them else self.found.takes)

    def rotators(self, layout):
        """For x of four axes, in every shape of the tables and of the positions, of a function of x in ``layout``."""
        places = STARTS if self.form.takes == "start" else POSITIONS[: 4 if self.form.takes else 1]
        if re.search(rf"\b{self.found.positions}\[0\]", source_of(self.function)):  # of a batch the first example's
            places = (*places[1:], places[0])
        plain = not self.maker or (self.lays_out and not self.bent) or rows_said(self.function, self.found.tables)
        stay = self.bent and self.bent.maker is self.maker  # the rows on the first axis, if they can
        shapes = SHAPES[:1] if plain else (*SHAPES[4:], *SHAPES[1:4]) if stay else SHAPES
        for shape, place in product(shapes, places):
            yield self.rotator(layout, shape, place)

    def rotator(self, layout, shape=(), place=POSITIONS[0]):
        said = self.said + ("" if layout.plain else f", x of shape {layout.words}")
        usual = {name: USUAL[role] for name, role in self.found.sizes if role in USUAL}

        def call(tensors, positions):  # the numbers that it is handed count as its own: see `numbers_in`
            return self.call(layout, shape, place, tensors, positions, usual)

        rotate, plain = in_layout(call, layout, self.found.pair), is_plain(self.function)
        return Rotator(rotate, self.form, said, self, layout, shape, place, plain)

    def call(self, layout, shape, place, tensors, positions, usual=()):
        found, x = self.found, tensors[0]
        if not found.names:
            return self.function(*tensors, positions)
        given = dict(zip(found.vectors, tensors, strict=True))
        given |= {name: _of_x(role, layout, x) for name, role in found.sizes} | dict(usual)
        at = place(positions, layout.size(x, "batch")) if "length" in layout.axes else int(positions[0])
        if found.positions and (found.required or not self.maker):
            given[found.positions] = at
        if self.maker:
            dtype = None if self.kept else x.dtype
            given |= handed(found.tables, self.tables(positions, x), shape, dtype, self.function)
        out = self.function(**given)
        if found.pair and torch.is_tensor(out) and out.shape == (*x.shape[:-1], 2 * x.shape[-1]):
            return out.chunk(2, -1)  # q and k side by side
        return tuple(out.values()) if isinstance(out, dict) else out

    def tables(self, positions, x):
        """Its maker's rows for the positions, or whole tables where it picks the rows itself."""
        return self.maker.up_to(int(positions.max()), x) if self.found.required else self.maker.at(positions, x)

    def seen(self, said, layout, place, x):
        """In words: an error, or the shape of what comes of x (head_dim last, in the layout's own axes)."""
        try:
            out = run(said, self.call, layout, (), place, [x.clone() for _ in self.found.vectors], torch.arange(5))
            return f"{said} gave the shape {tuple(as_tuple(out)[0].shape)}"
        except Failed as failed:
            return failed.finding.evidence

    def given(self, **more):
        """The way that is also given these arguments, by name, in every call."""
        return replace(self, function=partial(self.function, **more))

    def without_positions(self):
        return replace(self, found=replace(self.found, positions=None, takes=None))

    def with_whole_tables(self):
        """The way that is told the positions, if it may be: its maker then gives every row from 0 on."""
        return replace(self, found=replace(self.found, required=bool(self.found.positions)))


def _of_x(role, layout, x):
    sizes = {"max_len": "length", "heads": "heads", "batch": "batch"}
    read = {"value": x, "d_model": x.shape[-1], "device": x.device, "dtype": x.dtype}
    read |= {"sections": OF_AXES.give({"d_model": x.shape[-1]}), "axis": [*layout.axes, "length"].index("length")}
    return layout.size(x, sizes[role]) if role in sizes else read[role] if role in read else USUAL[role]


def handed(wanted, tables, shape, dtype, function=None):
    """From table parameters to tensors; cosines and sines in ``dtype``, if given: that of x, as a model keeps them."""
    parts = [(part.to(dtype) if dtype and _are_waves(part) else part)[shape or ...] for part in as_tuple(tables)]
    unpacked = len(wanted) == 1 and re.search(rf"\w+, *\w+ *= *{wanted[0]}\b(?![.\[(])", source_of(function))
    if len(parts) == 1 and (len(wanted) == 2 or unpacked) and not parts[0].is_complex():
        tables = parts = parts[0].unbind(-1) if parts[0].shape[-1] == 2 else parts[0].chunk(2, dim=-1)
    if len(wanted) == 1:
        return {wanted[0]: like(tables, parts)}
    if len(wanted) == 4 and len(parts) == 2 and all("q" in a and a.replace("q", "k") in wanted for a in wanted[:2]):
        parts = [*parts, *parts]  # those of queries and of keys
    if len(parts) != len(wanted):
        raise Failed(found("arguments", f"{' and '.join(wanted)} are not the {len(parts)} that are made", fix=WRAP))
    return dict(zip(wanted, parts, strict=True))


def _are_waves(table):
    """Cosines and sines, and not angles or frequencies, whose rounding would count; nor complex numbers."""
    return not table.is_complex() and table.ndim > 1 and bool(table.abs().max() < 1.01)
