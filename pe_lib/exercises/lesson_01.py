"""Lesson 01, Embedding."""

import torch
from torch.nn.functional import one_hot

from ..diagnosis import Diagnosis
from ..judges import function, value
from .exercise import Exercise, random_tensor, wrong
from .forbidden import uses

IDS, WEIGHT = torch.tensor([[2, 0, 5], [5, 1, 1]]), random_tensor(1, 6, 4)
LOOK_UPS = {"__getitem__", "embedding", "index_select", "gather", "take", "take_along_dim"}
PRODUCTS = {"__matmul__", "__rmatmul__", "matmul", "mm", "bmm", "addmm", "einsum", "tensordot", "inner", "linear"}
PRODUCTS |= {"mul", "__mul__", "__rmul__", "multiply"}  # to be summed over the vocabulary


def _by_product(one_hot_lookup):
    """Refuse a look-up: the exercise asks for the product."""
    table = WEIGHT.clone()
    if uses(one_hot_lookup, (IDS, table), LOOK_UPS, on=table):
        title = "The result is right, but the rows are looked up; the task is the product with one-hot rows."
        return wrong("looked-up", title)
    if not uses(one_hot_lookup, (IDS, table), PRODUCTS):
        return wrong(
            "no-product", "The result is right, but no product of tensors was seen on the way.", fix="rows @ weight"
        )
    return Diagnosis(ok=True)


EXERCISES = {
    "01.1": Exercise(
        1,
        value(
            (4, 7, 16),
            replies=[
                ((4, 7, 50), "50 is the number of rows in the table. A token gets one row; how long is a row?"),
                ((50, 16), "That is the shape of the table. The look-up picks one row for every id."),
                ((4, 7), "That is the shape of the ids. Each id is replaced by a vector, which adds an axis."),
                ((28, 16), "The two axes of the ids are kept, not merged."),
                ((4, 16), "One vector for each sentence? Each of its 7 ids gets one."),
                ((7, 4, 16), "The axes of the ids keep their order: 4 sentences of 7."),
                ((7, 16), "That is one sequence. The batch axis stays in front."),
                ((16, 4, 7), "The new axis comes last: every id is replaced, where it stands, by its vector."),
            ],
        ),
        "The shape of the ids, with d_model added at the end.",
    ),
    "01.2": Exercise(
        2,
        function(
            lambda ids, weight: one_hot(ids, len(weight)).float() @ weight,
            [(IDS, WEIGHT), (torch.tensor([[3]]), WEIGHT)],
            mistakes=[
                (
                    lambda ids, weight: one_hot(ids, len(weight)).float(),
                    (
                        "These are the one-hot rows themselves. They still have to pick their rows of the table, by a"
                        " product."
                    ),
                ),
            ],
            also=_by_product,
        ),
        "A product with one-hot rows and a look-up are the same thing; the look-up skips all the zeros.",
    ),
    "01.3": Exercise(
        2,
        function(
            lambda ids, weight: weight[ids] * weight.shape[1] ** 0.5,
            [(IDS, WEIGHT), (IDS, WEIGHT[:, :1])],
            mistakes=[
                (
                    lambda ids, weight: weight[ids],
                    "The look-up is right, but nothing is multiplied: √d_model is missing.",
                ),
                (lambda ids, weight: weight[ids] * weight.shape[1], "Multiplied by d_model. The root is missing."),
                (
                    lambda ids, weight: weight[ids] / weight.shape[1] ** 0.5,
                    "Divided by √d_model; the embedding is multiplied.",
                ),
                (
                    lambda ids, weight: weight[ids] * 512**0.5,
                    "Multiplied by √512, whatever the width of the table. Take d_model from weight.shape.",
                ),
                (
                    lambda ids, weight: weight[ids] * len(weight) ** 0.5,
                    "Multiplied by the root of the vocabulary size. d_model is the width of the table.",
                ),
            ],
        ),
        "That is all that pe_lib.TokenEmbedding does in its forward.",
    ),
}
