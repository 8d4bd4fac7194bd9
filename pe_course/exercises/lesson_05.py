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
from ..judges.known import explained, pages
from .exercise import Exercise
from .ordering import Ordering

# Not in order: sorting them must not help.
EVEN, ODD = torch.tensor([[4.0, 0.0, 2.0], [10.0, 6.0, 8.0]]), torch.tensor([[5.0, 1.0, 3.0], [11.0, 7.0, 9.0]])
WRITES = {"__setitem__", "add_", "copy_", "index_add_", "index_copy_", "index_put_", "masked_scatter_", "scatter_"}
KNOWN = pages(__file__, globals())
NOT_MADE = KNOWN["05.3"].errors


CALL = "MyTable(d_model=4, max_sequence_length=10)"


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
        made = run(CALL, module, 4, 10)
        if not isinstance(made, nn.Module):
            fix = "class MyTable(nn.Module):"
            return wrong("no-module", "This is not an nn.Module.", f"got {type(made).__name__}", fix=fix)
        if lost := next((name for name, held in made._buffers.items() if held is None), None):
            title = f"self.{lost} is None: register_buffer keeps the table itself, and returns nothing."
            return wrong("lost", title, fix=f'self.register_buffer("{lost}", …), without self.{lost} = before it')
        table = run(f"{CALL}()", made)
    except Failed as failed:
        return Diagnosis(False, (explained(failed.finding, NOT_MADE),))
    return _sizes(module, table) or _as_a_class(_values(module)) or _held(made, table) or _by_name(module)


def _sizes(module, table):
    """What sizes that have changed places, or are written down, look like."""
    if getattr(table, "shape", None) == (4, 10) and same(table, sinusoidal_vectorized(4, 10)):
        title = "The two sizes have changed places: MyTable takes the width first, table_by_stacking the length."
        seen = f"{CALL}() gave the paper's table for max_len = 4 and d_model = 10"
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
    """What is wrong with how a right table is held; None where nothing is."""
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
    return None


def _by_name(module):
    """The task's own call has to work, too."""
    try:
        run(CALL, lambda: module(d_model=4, max_sequence_length=10))
    except Failed as failed:
        return Diagnosis(False, (explained(failed.finding, NOT_MADE),))
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
        Value("b", KNOWN["05.1"], reasons=[Otherwise("One letter is asked for: a, b, c or d.")]),
        "All sines, then all cosines: the halves convention.",
    ),
    "05.2": Exercise(
        2,
        Function(
            lambda even, odd: torch.stack([even, odd], dim=2).flatten(1, 2),
            [(EVEN, ODD), (EVEN[:, :2], ODD[:, :2])],
            KNOWN["05.2"],
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
