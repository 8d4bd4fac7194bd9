"""Lesson 01, Embedding."""

import torch
from torch.nn.functional import one_hot

from pe_clinic import Diagnosis

from ..judges import Function, Value, uses, wrong
from .exercise import random_tensor

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
        title = "The result is right, but no product of tensors was seen on the way."
        return wrong("no-product", title, fix="rows @ weight")
    return Diagnosis(ok=True)


JUDGES = {
    "01.1": Value((4, 7, 16)),
    "01.2": Function(
        lambda ids, weight: one_hot(ids, len(weight)).float() @ weight,
        [(IDS, WEIGHT), (torch.tensor([[2]]), WEIGHT), (OTHER_IDS, OTHER_WEIGHT)],
        also=_by_product,
    ),
    "01.3": Function(
        lambda ids, weight: weight[ids] * weight.shape[1] ** 0.5,
        [(IDS, WEIGHT), (IDS, WEIGHT[:, :1]), (OTHER_IDS, OTHER_WEIGHT)],
    ),
}
