"""Lesson 05, Stack and flatten."""

import dis

import torch
from torch import nn

from pe_clinic import Diagnosis
from pe_lib.formula import angles

from ..judges import Function, Otherwise, Value, pages, same, uses, wrong
from .ordering import Ordering
from .own_table import own_table

# Not in order: sorting them must not help.
EVEN, ODD = torch.tensor([[4.0, 0.0, 2.0], [10.0, 6.0, 8.0]]), torch.tensor([[5.0, 1.0, 3.0], [11.0, 7.0, 9.0]])
WRITES = {"__setitem__", "add_", "copy_", "index_add_", "index_copy_", "index_put_", "masked_scatter_", "scatter_"}
KNOWN = pages(__file__, globals())


def _arranges(interleave):
    """Refuse a function that writes into a tensor, or into another thing cell by cell."""
    code = getattr(interleave, "__code__", None)
    stores = {step.opname for step in dis.get_instructions(code)} if code else set()
    if stores & {"STORE_SUBSCR", "STORE_SLICE"} or uses(interleave, (EVEN, ODD), WRITES):
        title = "The numbers are right, but they are written into a tensor; arrange them, with stack and flatten."
        return wrong("assigned", title)
    return Diagnosis(ok=True)


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


JUDGES = {
    "05.1": Value("b", reasons=[Otherwise("One letter is asked for: a, b, c or d.")]),
    "05.2": Function(
        lambda even, odd: torch.stack([even, odd], dim=2).flatten(1, 2),
        [(EVEN, ODD), (EVEN[:, :2], ODD[:, :2])],
        also=_arranges,
    ),
    "05.3": lambda module: own_table(module, KNOWN["05.3"].errors),
    "05.4": Ordering(
        SHUFFLED,
        "HalvesTable",
        {"torch": torch, "nn": nn, "angles": angles},
        trial=lambda module: module(4, 10)(),
        judge=_halves,
    ),
}
