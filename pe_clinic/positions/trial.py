"""One call of a maker of position ids, and the ids that are right for it."""

from dataclasses import dataclass

import torch

from .roles import arguments
from .rules import FIRST, PAD


@dataclass(frozen=True)
class Trial:
    """One call: arguments by name, ``given`` (the tensor among them), the right ids, and which are compared (True)."""

    arguments: dict
    given: object
    right: torch.Tensor
    compared: torch.Tensor


def trial(told, given, whole, right, compared=None):
    """The `Trial` of ``given``, and of what else is asked for, in the shape of the ``right`` ids; all are compared."""
    rows = right if right.dim() == 2 else right[None]
    beside = {"mask": torch.ones_like(rows), "tokens": torch.full_like(rows, FIRST), "length": right.shape[-1]}
    beside |= {"labels": given.get("tokens", beside["tokens"]), "embeds": torch.zeros(*rows.shape, 4), "videos": None}
    beside |= {"pad": PAD, "batch": len(rows), "device": torch.device("cpu")}
    return Trial(arguments(told, beside | given), whole, right, right == right if compared is None else compared)
