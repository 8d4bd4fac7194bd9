"""One call of a maker of position ids, and the ids that are right for it."""

from dataclasses import dataclass

import torch

from . import rules as r
from .roles import arguments


@dataclass(frozen=True)
class Trial:
    """One call: arguments by name, ``given`` (the tensor among them), the right ids, and which are compared (True)."""

    arguments: dict
    given: object
    right: torch.Tensor
    compared: torch.Tensor


def filled(told, given, want):
    """Arguments for ``given``, with what else is asked for, of the ids' shape."""
    rows = want if want.dim() == 2 else want[None]
    beside = {"mask": torch.ones_like(rows), "tokens": torch.full_like(rows, r.FIRST), "length": want.shape[-1]}
    return arguments(
        told, {**beside, "videos": None, "pad": r.PAD, "batch": len(rows), "device": torch.device("cpu"), **given}
    )
