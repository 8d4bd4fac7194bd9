"""Lesson 01, Embedding."""

import torch
from torch.nn.functional import one_hot

from pe_clinic import Diagnosis

from ..judges import Function, Value, uses, wrong
from .exercise import Exercise, random_tensor

IDS, WEIGHT = torch.tensor([[2, 0, 5], [5, 1, 1]]), random_tensor(1, 6, 4)
OTHER_IDS, OTHER_WEIGHT = torch.tensor([[4, 0]]), random_tensor(2, 9, 5)
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


def _times(factor):
    """The wrong `embed` that multiplies by ``factor(ids, weight)``."""
    return lambda ids, weight: weight[ids] * factor(ids, weight)


EXERCISES = {
    "01.1": Exercise(
        1,
        Value(
            (4, 7, 16),
            replies=[
                ((4, 7, 50), "50 is the number of rows in the table. A token gets one row; how long is a row?"),
                ((50, 16), "That is the shape of the table. The look-up picks one row for every id."),
                ((4, 7), "That is the shape of the ids. Each id is replaced by a vector, which adds an axis."),
                ((28, 16), "The two axes of the ids are kept, not merged."),
                ((4, 112), "The vectors of a sentence are not laid end to end: they get an axis of their own."),
                ((4, 16), "One vector for each sentence? Each of its 7 ids gets one."),
                ((7, 4, 16), "The axes of the ids keep their order: 4 sentences of 7."),
                ((7, 16), "That is one sequence. The batch axis stays in front."),
                ((1, 7, 16), "That is a batch of one sentence; here are four."),
                ((16, 4, 7), "The new axis comes last: every id is replaced, where it stands, by its vector."),
                ((4, 16, 7), "The new axis comes last: every id is replaced, where it stands, by its vector."),
                ((7, 16, 4), "The axes of the ids stay in front, 4 and then 7; the new axis comes last."),
                ((16,), "That is the shape of one vector. Every id of the batch gets one: the axes of the ids stay."),
                ((50,), "50 is the number of rows in the table. Every id gets one row; how long is a row?"),
                ((4, 7, 50, 16), "Each id picks one row of the table, not the whole table: there is no axis of 50."),
                ((50, 4, 7), "50 is the number of rows in the table. A token gets one row; how long is a row?"),
                ((4, 7, 1), "Every id becomes a whole vector, not one number: how long is a row of the table?"),
                ((4, 7, 512), "512 was the width in the lesson. This table's rows have another length."),
                ((1, 5, 512), "That is the example of the lesson; here are other ids and another table."),
                ((1, 5, 16), "(1, 5) is the example of the lesson; here the ids have the shape (4, 7)."),
                (448, "4 · 7 · 16 counts the numbers. A shape lists the sizes, one for each axis."),
                ((448,), "4 · 7 · 16 counts the numbers. A shape lists the sizes, one for each axis."),
            ],
        ),
        "The shape of the ids, with d_model added at the end.",
    ),
    "01.2": Exercise(
        2,
        Function(
            lambda ids, weight: one_hot(ids, len(weight)).float() @ weight,
            [(IDS, WEIGHT), (torch.tensor([[2]]), WEIGHT), (OTHER_IDS, OTHER_WEIGHT)],
            mistakes=[
                (
                    lambda ids, weight: one_hot(ids, len(weight)).float(),
                    (
                        "These are the one-hot rows themselves. They still have to pick their rows of the table, by a"
                        " product."
                    ),
                ),
                (
                    lambda ids, weight: weight.T @ one_hot(ids, len(weight)).float().transpose(1, 2),
                    "The last two axes have changed places: the one-hot rows stand on the left of the table.",
                ),
                (
                    lambda ids, weight: one_hot(ids, len(weight)).float().softmax(-1) @ weight,
                    "A softmax makes a mixture of all rows; one-hot rows, with one 1 among zeros, pick one.",
                ),
                (
                    lambda ids, weight: (one_hot(ids, len(weight)).float() @ weight).softmax(-1),
                    "A softmax is taken of the result; the rows of the table are wanted as they are.",
                ),
                (
                    lambda ids, weight: (one_hot(ids, len(weight)).float() @ weight).sum(1),
                    "The vectors of a sentence are added up; each id keeps its own.",
                ),
                (
                    lambda ids, weight: (one_hot(ids, len(weight)).float() @ weight).mean(1),
                    "The vectors of a sentence are averaged; each id keeps its own.",
                ),
                (
                    lambda ids, weight: one_hot(ids, len(weight)).float() @ weight * weight.shape[1] ** 0.5,
                    "The product is right; the factor √d_model belongs to exercise 01.3.",
                ),
            ],
            errors=[
                (
                    r"\(1x3 and 6x4\)|\[1, 1, 3\].*\[6, 4\]",
                    "The one-hot rows have as many columns as the largest id here asks for, not one for each row of "
                    "the table: num_classes=len(weight).",
                ),
                (
                    r"x6 and 9x5\)",
                    "The one-hot rows always have 6 columns; another table has other sizes: num_classes=len(weight).",
                ),
                (r"x10000 and", "10000 was the lesson's table; the number of rows here is len(weight)."),
                (
                    r"Class values must be smaller than num_classes",
                    "num_classes is smaller than an id asks for: it is the number of rows of the table, len(weight).",
                ),
                (
                    r"\(6x6 and 4x6\)|\(3x6 and 4x6\)",
                    "The table is transposed there: its rows are what the one-hot rows pick, so it stays as it is.",
                ),
                (
                    r"The size of tensor a \(\d+\) must match the size of tensor b \(\d+\)",
                    "Two tensors are computed number by number there, as * does; a matrix product is written @.",
                ),
                (
                    r"expected .*same dtype|expected scalar type|addmm_impl_cpu_.*not implemented for 'Long'",
                    "The two sides of the product hold different kinds of numbers: one_hot gives whole ones, the "
                    "table has float32. Turn the one-hot rows into its kind: .float().",
                ),
                (
                    r"Expected size for first two dimensions of batch2",
                    "The sides of the product have changed places: one-hot rows on the left, the table on the right.",
                ),
            ],
            also=_by_product,
        ),
        "A product with one-hot rows and a look-up are the same thing; the look-up skips all the zeros.",
    ),
    "01.3": Exercise(
        2,
        Function(
            _times(lambda ids, weight: weight.shape[1] ** 0.5),
            [(IDS, WEIGHT), (IDS, WEIGHT[:, :1]), (OTHER_IDS, OTHER_WEIGHT)],
            mistakes=[
                (
                    lambda ids, weight: weight[ids],
                    "The look-up is right, but nothing is multiplied: √d_model is missing.",
                ),
                (_times(lambda ids, weight: weight.shape[1]), "Multiplied by d_model. The root is missing."),
                (
                    _times(lambda ids, weight: weight.shape[1] / 2),
                    "Multiplied by half of d_model, and not by its root, ** 0.5. (** 1/2 without brackets halves.)",
                ),
                (_times(lambda ids, weight: weight.shape[1] ** 2), "Multiplied by d_model squared. A root is ** 0.5."),
                (
                    _times(lambda ids, weight: weight.shape[1] ** 0.25),
                    "Multiplied by the fourth root: one root too many.",
                ),
                (
                    _times(lambda ids, weight: 2),
                    "Multiplied by 2, whatever the width of the table: take it from weight.shape.",
                ),
                (
                    lambda ids, weight: weight[ids] / weight.shape[1] ** 0.5,
                    "Divided by √d_model; the embedding is multiplied.",
                ),
                (
                    lambda ids, weight: weight[ids] / weight.shape[1],
                    "Divided by d_model; it is multiplied by the root.",
                ),
                (
                    lambda ids, weight: weight[ids] / weight[ids].norm(dim=-1, keepdim=True) * weight.shape[1] ** 0.5,
                    "Every row is divided by its own length; the rows of the table are taken as they are.",
                ),
                (
                    lambda ids, weight: weight[ids] / weight[ids].norm(dim=-1, keepdim=True),
                    "Every row is divided by its own length; it is multiplied, by √d_model.",
                ),
                (
                    lambda ids, weight: weight[ids].softmax(-1) * weight.shape[1] ** 0.5,
                    "A softmax is taken of the rows; the rows of the table are taken as they are.",
                ),
                (
                    lambda ids, weight: weight[ids] + weight.shape[1] ** 0.5,
                    "√d_model is added; the embedding is multiplied by it.",
                ),
                (
                    lambda ids, weight: weight[ids] - weight.shape[1] ** 0.5,
                    "√d_model is subtracted; the embedding is multiplied by it.",
                ),
                (
                    _times(lambda ids, weight: 512**0.5),
                    "Multiplied by √512, whatever the width of the table. Take d_model from weight.shape.",
                ),
                (
                    _times(lambda ids, weight: len(weight) ** 0.5),
                    "Multiplied by the root of the vocabulary size. d_model is the width of the table.",
                ),
                (
                    _times(lambda ids, weight: len(weight)),
                    "Multiplied by the vocabulary size; it is the root of the width.",
                ),
                (
                    _times(lambda ids, weight: ids.shape[1] ** 0.5),
                    "Multiplied by the root of the sequence's length. d_model is the table's width, weight.shape[1].",
                ),
                (
                    _times(lambda ids, weight: ids.shape[0] ** 0.5),
                    "Multiplied by the root of the batch size. d_model is the width of the table: weight.shape[1].",
                ),
                (
                    _times(lambda ids, weight: ids.numel() ** 0.5),
                    "Multiplied by the root of the number of ids. d_model is the width of the table: weight.shape[1].",
                ),
                (
                    _times(lambda ids, weight: weight.numel() ** 0.5),
                    "Multiplied by the root of the count of all numbers in the table; d_model is its width alone.",
                ),
                (
                    _times(lambda ids, weight: int(weight.shape[1] ** 0.5)),
                    "The root is cut to a whole number: it is right for some widths only.",
                ),
            ],
            errors=[
                (
                    r"sqrt\(\): argument 'input'",
                    "torch.sqrt takes a tensor, and d_model is a plain number: ** 0.5 or math.sqrt.",
                ),
            ],
        ),
        "That is all that pe_lib.TokenEmbedding does in its forward.",
    ),
}
