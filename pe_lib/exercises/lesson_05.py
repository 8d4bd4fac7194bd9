"""Lesson 05, Stack and flatten."""

import torch

from ..diagnosis import diagnose_table
from ..judges import function, value
from .exercise import Exercise

EVEN, ODD = torch.tensor([[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]]), torch.tensor([[1.0, 3.0, 5.0], [7.0, 9.0, 11.0]])

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
        ),
        "stack makes pairs, flatten lays them end to end.",
    ),
    "05.3": Exercise(
        3,
        lambda module: diagnose_table(lambda max_len, d_model: module(d_model, max_len)()),
        "A module with nothing to train, whose forward returns the table.",
    ),
}
