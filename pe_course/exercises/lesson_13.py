"""Lesson 13, Real models."""

import torch

from pe_lib.rope import rope_half_split, rope_interleaved  # noqa: F401 (the page uses it)

from ..judges import Function, Value, family, of_numbers, pages
from .exercise import random_tensor


def _from_mask(mask):
    return (mask.cumsum(1) - 1) * mask


def _of_documents(documents):
    return torch.stack(
        [torch.cat([torch.arange(n) for n in row.unique_consecutive(return_counts=True)[1]]) for row in documents]
    )


def _moved(keys, n):
    return rope_half_split(keys, [n] * keys.shape[2])


def _first_alone(tried, arrays):
    """In each example the first document is right, and a later one is not."""
    for (got, want), (documents,) in zip(arrays, tried.examples, strict=True):
        first = (documents == documents[:, :1]).numpy()
        if (got != want)[first].any() or not (got != want).any():
            return None
    return "The first document is right, a later one is not: subtract the place where each document begins."


MASKS = torch.tensor([[1, 1, 1, 1, 1], [0, 0, 1, 1, 1]]), torch.tensor([[0, 0, 0, 1], [1, 1, 0, 0]])
DOCUMENTS = torch.tensor([[0, 0, 0, 1, 1], [0, 1, 1, 1, 2]]), torch.tensor([[3, 3, 1, 1, 1, 1, 7]])
KEYS = rope_half_split(random_tensor(0, 1, 2, 6, 8)), rope_half_split(random_tensor(1, 2, 1, 3, 4))
KNOWN = pages(__file__, globals())
AS_IF = "As if every document had {} tokens. Their lengths differ: subtract the place where each document begins."
LENGTHS = [
    *family(lambda n: lambda documents: torch.arange(documents.shape[1]) - n * documents, AS_IF, range(2, 8)),
    *family(lambda n: lambda documents: 0 * documents + torch.arange(documents.shape[1]) % n, AS_IF, range(2, 7)),
]
JUDGES = {
    "13.1": Function(_from_mask, [(mask,) for mask in MASKS]),
    "13.2": Function(
        _of_documents,
        [(documents,) for documents in DOCUMENTS],
        KNOWN["13.2"].plus(*LENGTHS),
        readings=[of_numbers([_first_alone])],
    ),
    "13.3": Function(_moved, [(KEYS[0], -3), (KEYS[1], 5)]),
    "13.4": Value("b"),
}
