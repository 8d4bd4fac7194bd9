"""Lesson 05, Stack and flatten."""

import torch

from ..diagnosis import Diagnosis, Finding, diagnose_table
from ..judges import function, value
from .exercise import Exercise

EVEN, ODD = torch.tensor([[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]]), torch.tensor([[1.0, 3.0, 5.0], [7.0, 9.0, 11.0]])


def _arranges(interleave):
    """Refuse a function that assigns into an array: `torch.vmap` cannot map it over several pairs of tensors."""
    try:
        torch.vmap(interleave)(torch.stack([EVEN, -EVEN]), torch.stack([ODD, -ODD]))
    except Exception:
        title = (
            "The numbers are right, but they are written into an array; the task is to arrange, with stack and flatten."
        )
        return Diagnosis(ok=False, findings=(Finding("assigned", title),))
    return Diagnosis(ok=True)


def _table_module(module):
    """The paper's table from ``module(d_model, max_len)()``, held as a buffer, in the shape (max_len, d_model)."""
    diagnosis = diagnose_table(lambda max_len, d_model: module(d_model, max_len)())
    if not diagnosis.ok:
        return diagnosis
    made = module(4, 10)
    if list(made.parameters()):
        finding = Finding("trainable", "The table would be trained.", fix="register_buffer instead of nn.Parameter")
    elif not list(made.buffers()):
        title = "The table is not part of the module: it would stay behind when the module moves."
        finding = Finding("unregistered", title, fix='self.register_buffer("table", …) instead of self.table = …')
    elif tuple(made().shape) != (10, 4):
        finding = Finding(
            "shape", "The table has an axis too many.", f"the shape is {tuple(made().shape)}, not (10, 4)"
        )
    else:
        return diagnosis
    return Diagnosis(ok=False, findings=(finding,))


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
