"""Lesson 05, Stack and flatten."""

import torch
from torch import nn

from ..diagnosis import Diagnosis, diagnose_table
from ..diagnosis.run import run
from ..judges import function, value
from .exercise import Exercise, wrong
from .forbidden import uses

# Not in order: sorting them must not help.
EVEN, ODD = torch.tensor([[4.0, 0.0, 2.0], [10.0, 6.0, 8.0]]), torch.tensor([[5.0, 1.0, 3.0], [11.0, 7.0, 9.0]])
WRITES = {"__setitem__", "add_", "copy_", "index_add_", "index_copy_", "index_put_", "masked_scatter_", "scatter_"}


def _arranges(interleave):
    """Refuse a function that writes into a tensor."""
    if uses(interleave, (EVEN, ODD), WRITES):
        title = "The numbers are right, but they are written into a tensor; arrange them, with stack and flatten."
        return wrong("assigned", title)
    return Diagnosis(ok=True)


def _table_module(module):
    """The paper's table from ``module(d_model, max_len)()``: a module that holds it as a buffer."""
    made = run("the module made with d_model=4, max_sequence_length=10", module, 4, 10)
    if not isinstance(made, nn.Module):
        return wrong("no-module", "This is not an nn.Module.", f"got {type(made).__name__}")
    diagnosis = diagnose_table(lambda max_len, d_model: module(d_model, max_len)())
    if not diagnosis.ok:
        return diagnosis
    table = run("calling the module", made)
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
    return diagnosis


def _without_buffer(made):
    plain = [name for name, held in vars(made).items() if isinstance(held, torch.Tensor)]
    if not plain:
        return wrong("no-buffer", "The table is right, but no buffer holds it.", fix='self.register_buffer("table", …)')
    title = f"The tensor self.{plain[0]} is not part of the module: it would stay behind when the module moves."
    return wrong("unregistered", title, fix=f'self.register_buffer("{plain[0]}", …) instead of self.{plain[0]} = …')


EXERCISES = {
    "05.1": Exercise(
        1,
        value(
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
                ("d", "cat asks that all axes but the joined one agree, and they do."),
            ],
        ),
        "All sines, then all cosines: the halves convention.",
    ),
    "05.2": Exercise(
        2,
        function(
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
                    lambda even, odd: torch.stack([even, odd], dim=0).flatten(1, 2),
                    "Stacked along dim 0, the new axis comes first, so flattening joins whole rows.",
                ),
            ],
            also=_arranges,
        ),
        "stack makes pairs, flatten lays them end to end.",
    ),
    "05.3": Exercise(
        3,
        _table_module,
        "A module with nothing to train, whose forward returns the table.",
    ),
}
