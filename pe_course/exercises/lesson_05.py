"""Lesson 05, Stack and flatten."""

import dis
import re
from dataclasses import replace

import torch
from torch import nn

from pe_clinic import Diagnosis, diagnose_table
from pe_clinic.sandbox import Failed, run
from pe_lib.formula import angles
from pe_lib.vectorized import sinusoidal_vectorized

from ..judges import Function, Otherwise, Value, same, uses, wrong
from ..judges.errors import explained
from .exercise import Exercise
from .ordering import Ordering

# Not in order: sorting them must not help.
EVEN, ODD = torch.tensor([[4.0, 0.0, 2.0], [10.0, 6.0, 8.0]]), torch.tensor([[5.0, 1.0, 3.0], [11.0, 7.0, 9.0]])
WRITES = {"__setitem__", "add_", "copy_", "index_add_", "index_copy_", "index_put_", "masked_scatter_", "scatter_"}
NOT_STACKED = (
    (r"range of \[-2, 1\]",
     "Two tensors with axes 0 and 1 have no axis 2: cat joins along axes that are there; stack makes a new axis."),
    (r"range of \[-3, 2\]",
     "Three axes have the places 0, 1 and 2: stack can put the new one there, and flatten join them."),
    (r"must be tuple of Tensors", "stack and cat take the tensors in one list: stack([even, odd], …)."),
    (r"is invalid for input of size", "The sizes are written down, and fit one call only: take them from even.shape."),
)  # fmt: skip
NOT_MADE = (
    (r"before Module.__init__\(\) call|has no attribute '_(?:buffers|modules)",
     "super().__init__() has to run first: it makes the place where a module keeps its buffers."),
    (r"forward\(\) missing \d+ required", "forward takes self alone: the table is kept in the module."),
    (r"forward\(\) takes 0 positional", "forward needs self, as every method does."),
    (r"missing the required .forward", "The module has no forward: is it misspelt, or indented into __init__?"),
    (r"register_buffer\(\) missing|buffer name should be a string",
     'register_buffer takes a name in quotes, and then the tensor: self.register_buffer("table", …).'),
    (r"cannot assign '(?:\w+\.)*function|table_by_stacking' object to buffer",
     "The function itself is handed to register_buffer: call it, with the two sizes."),
    (r"cannot assign .* to buffer", "register_buffer keeps tensors; torch.from_numpy makes one of an array."),
    (r"__init__\(\) takes \d|__init__\(\) missing", "__init__ takes d_model and max_sequence_length besides self."),
    (r"NameError: name 'table' is not defined \(line \d+ of forward",
     "In forward the table is self.table: table alone is a name of __init__."),
    (r"NameError: name '(\w+)' is not defined \(line \d+ of __init__",
     "{0} has no value in __init__: the name of a buffer is text in quotes, and other names have to be spelt right."),
    (r"has no attribute '(\w+)'", "forward asks for something that __init__ has not kept: compare the two names."),
)  # fmt: skip


def _arranges(interleave):
    """Refuse a function that writes into a tensor, or into another thing cell by cell."""
    code = getattr(interleave, "__code__", None)
    stores = {step.opname for step in dis.get_instructions(code)} if code else set()
    if stores & {"STORE_SUBSCR", "STORE_SLICE"} or uses(interleave, (EVEN, ODD), WRITES):
        title = "The numbers are right, but they are written into a tensor; arrange them, with stack and flatten."
        return wrong("assigned", title)
    return Diagnosis(ok=True)


def _table_module(module):
    """The paper's table from ``module(d_model, max_len)()``: a module that holds it as a buffer."""
    if isinstance(module, nn.Module):
        title = "This is a finished module; the class itself is wanted, without round brackets."
        return wrong("no-class", title, f"got a {type(module).__name__}", fix="its name alone")
    if not callable(module):
        return wrong("no-class", "The class of a module is wanted.", f"got {type(module).__name__}")
    try:
        made = run("MyTable(d_model=4, max_sequence_length=10)", module, 4, 10)
        if not isinstance(made, nn.Module):
            fix = "class MyTable(nn.Module):"
            return wrong("no-module", "This is not an nn.Module.", f"got {type(made).__name__}", fix=fix)
        table = run("MyTable(d_model=4, max_sequence_length=10)()", made)
    except Failed as failed:
        return Diagnosis(False, (explained(failed.finding, NOT_MADE),))
    return _sizes(module, table) or _as_a_class(_values(module)) or _held(made, table)


def _sizes(module, table):
    """What sizes that have changed places, or are written down, look like."""
    if getattr(table, "shape", None) == (4, 10) and same(table, sinusoidal_vectorized(4, 10)):
        title = "The two sizes change places: MyTable takes the width first, table_by_stacking the length."
        seen = "MyTable(d_model=4, max_sequence_length=10)() gave the paper's table for max_len = 4 and d_model = 10"
        return wrong("swapped-sizes", title, seen, fix="table_by_stacking(max_sequence_length, d_model)")
    try:
        other = run("MyTable(d_model=6, max_sequence_length=7)()", lambda: module(6, 7)())
    except Failed as failed:
        return Diagnosis(False, (explained(failed.finding, NOT_MADE),))
    if isinstance(table, torch.Tensor) and isinstance(other, torch.Tensor) and table.shape == other.shape:
        seen = f"for (4, 10) and for (6, 7) its shape is {tuple(table.shape)}"
        return wrong("fixed-sizes", "The sizes are written down: MyTable has to use those that it is given.", seen)
    return None


def _values(module):
    diagnosis = diagnose_table(lambda max_len, d_model: module(d_model, max_len)())
    return None if diagnosis.ok else diagnosis


def _as_a_class(diagnosis):
    """The diagnosis of a function, told of the module that stands for it."""
    if diagnosis is None:
        return None
    call = r"function\(max_len=(\d+), d_model=(\d+)\)"
    told = (replace(f, evidence=re.sub(call, r"MyTable(d_model=\2, max_sequence_length=\1)()", f.evidence))
            for f in diagnosis.findings)  # fmt: skip
    return replace(diagnosis, findings=tuple(explained(finding, NOT_MADE) for finding in told))


def _held(made, table):
    """How a right table is held."""
    if not isinstance(table, torch.Tensor):
        return wrong("no-table", "The numbers are right, but a tensor is wanted.", f"got {type(table).__name__}")
    parameters = list(made.parameters())
    if any(parameter.requires_grad for parameter in parameters):
        return wrong("trainable", "The table would be trained.", fix="register_buffer instead of nn.Parameter")
    if parameters:
        title = "A parameter is held. It is not trained, but a buffer says so from the start."
        return wrong("parameter", title, fix="register_buffer instead of nn.Parameter")
    if not any(buffer.shape[-2:] == (10, 4) for buffer in made.buffers()):
        return _without_buffer(made)
    if table.shape != (10, 4):
        return wrong("shape", "The table has an axis too many.", f"the shape is {tuple(table.shape)}, not (10, 4)")
    return Diagnosis(ok=True)


def _without_buffer(made):
    plain = [name for name, held in vars(made).items() if isinstance(held, torch.Tensor)]
    if not plain:
        return wrong("no-buffer", "The table is right, but no buffer holds it.", fix='self.register_buffer("table", …)')
    title = f"The tensor self.{plain[0]} is not part of the module: it would stay behind when the module moves."
    return wrong("unregistered", title, fix=f'self.register_buffer("{plain[0]}", …) instead of self.{plain[0]} = …')


def _halves(module):
    """The halves table as a buffer, for 05.4."""
    for d_model, max_len in ((4, 10), (6, 3)):
        theta = torch.from_numpy(angles(max_len, d_model))
        if not same(module(d_model, max_len)(), torch.cat([theta.sin(), theta.cos()], dim=1)):
            return wrong("order", "It runs, and gives another table than the halves one.")
    return Diagnosis(ok=True)


SHUFFLED = (
    "    def forward(self):",
    '        self.register_buffer("table", torch.cat([sines, cosines], dim=1))',
    "        sines, cosines = theta.sin(), theta.cos()",
    "        super().__init__()",
    "class HalvesTable(nn.Module):",
    "        return self.table",
    "        theta = torch.from_numpy(angles(max_len, d_model))",
    "    def __init__(self, d_model, max_len):",
)


EXERCISES = {
    "05.1": Exercise(
        1,
        Value(
            "b",
            replies=[
                (
                    "a",
                    (
                        "That order needs a new axis (stack) which is flattened away. cat adds no axis: it lays blocks"
                        " side by side."
                    ),
                ),
                ("c", "Along dim 1 the number of rows stays; the columns are joined."),
                ([0, 2, 4, 1, 3, 5], "That is the row; answer with the letter of the choice that says so."),
                ([0, 1, 2, 3, 4, 5], "One letter is asked for. That order would need a new axis; cat adds none."),
                ([0, 2, 4], "One letter is asked for; and the columns of both are joined."),
                ("d", "cat asks that all axes but the joined one agree, and they do."),
            ],
            reasons=[Otherwise("One letter is asked for: a, b, c or d.")],
        ),
        "All sines, then all cosines: the halves convention.",
    ),
    "05.2": Exercise(
        2,
        Function(
            lambda even, odd: torch.stack([even, odd], dim=2).flatten(1, 2),
            [(EVEN, ODD), (EVEN[:, :2], ODD[:, :2])],
            mistakes=[
                (
                    lambda even, odd: torch.cat([even, odd], dim=1),
                    "The halves stand side by side: all of even, then all of odd.",
                ),
                (
                    lambda even, odd: torch.cat([even, odd], dim=0),
                    "The rows are piled up: all rows of even, then all rows of odd.",
                ),
                (
                    lambda even, odd: torch.stack([even, odd], dim=2),
                    "Stacked, not flattened yet: the pairs still have an axis of their own.",
                ),
                (lambda even, odd: torch.stack([odd, even], dim=2).flatten(1, 2), "even and odd have changed places."),
                (
                    lambda even, odd: torch.stack([even, odd], dim=2).flatten(),
                    "Flattened completely: the rows are gone.",
                ),
                (
                    lambda even, odd: torch.stack([even, odd], dim=2).flatten(0, 1),
                    "Rows and pairs are joined: axis 0, the rows, has to stay; axes 1 and 2 are to be flattened.",
                ),
                (
                    lambda even, odd: torch.stack([even, odd], dim=1).flatten(0, 1),
                    "Whole rows take turns; the numbers within the rows should.",
                ),
                (
                    lambda even, odd: torch.stack([even, odd], dim=0).flatten(1, 2),
                    "Stacked along dim 0, the new axis comes first, so flattening joins whole rows.",
                ),
            ],
            errors=NOT_STACKED,
            also=_arranges,
        ),
        "stack makes pairs, flatten lays them end to end.",
    ),
    "05.3": Exercise(
        3,
        _table_module,
        "A module with nothing to train, whose forward returns the table.",
    ),
    "05.4": Exercise(
        1,
        Ordering(
            SHUFFLED,
            "HalvesTable",
            {"torch": torch, "nn": nn, "angles": angles},
            trial=lambda module: module(4, 10)(),
            judge=_halves,
        ),
        "Every name has its value before it is used; other orders do that, too.",
    ),
}
