"""One call of a maker of position ids, and the ids that are right for it; and all those that go by a mask."""

import re
from dataclasses import dataclass

import torch

from ..model.padded import counted
from . import rules as r
from .roles import arguments

MASKS = ("11111",), ("00111", "11111"), ("0111111", "0001111", "1111111"), ("111100", "110000"), ("0011100", "1111111")
NEXT = {"padding, the next token after the mask": 0, "padding": 1}
BEHIND = r"\b(past|cached?)( \w+)?\s*(\+|and\b|plus\b)|\+\s*(past|cached?)\b"  # what a mask (batch, past + new) holds


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
    beside = {"mask": torch.ones_like(rows), "tokens": torch.full_like(rows, r.FIRST), "length": right.shape[-1]}
    beside |= {"labels": given.get("tokens", beside["tokens"]), "embeds": torch.zeros(*rows.shape, 4), "videos": None}
    beside |= {"pad": r.PAD, "batch": len(rows), "device": torch.device("cpu")}
    return Trial(arguments(told, beside | given), whole, right, right == right if compared is None else compared)


def trials_of_padding(told, roles, source):
    """Lists of trials; beside a cache, of which a parameter or the text tells, tokens may be those of the new step."""
    read = {"past", "kept"} & roles
    cached = "mask" in roles and bool(read or ("tokens" in roles and re.search(BEHIND, source)))
    cuts = [(mask, cut) for mask in masks() for cut in ((0, mask.shape[1] - 1) if cached else (0,))]
    return [[_padding(told, *each, new) for each in cuts] for new in ((False, True) if read else (cached,))]


def masks():
    return [torch.tensor([[int(each) for each in row] for row in rows]) for rows in MASKS]


def _padding(told, mask, cut, new):
    """With ``new`` the tokens are those of this step alone."""
    tokens = (r.FIRST + mask.cumsum(-1)).where(mask == 1, r.PAD)[:, cut * new :]
    given = {"mask": mask, "tokens": tokens, "pad": r.PAD, "past": cut, "now": torch.arange(cut, mask.shape[1])}
    given |= {"kept": ((torch.zeros(len(mask), 1, cut, 1),) * 2,)} if cut else {}
    return trial(told, given, mask, counted(mask)[:, cut:], mask[:, cut:] == 1)


def of_next(told, mask, new):
    """One position for each row; with ``new`` 1 the mask holds the new token, and with 0 what stands before it."""
    want = mask.sum(-1, keepdim=True) - new
    given = {"mask": mask, "past": mask.shape[1] - new, "length": 1}
    return trial(told, given, mask, want)
