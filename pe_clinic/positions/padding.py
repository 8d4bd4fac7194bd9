"""Trials of makers of position ids that go by a mask: whole prompts, one step beside a cache, the next token."""

import re

import torch

from ..model.padded import counted
from . import rules as r
from .trial import trial

MASKS = ("11111",), ("00111", "11111"), ("0111111", "0001111", "1111111"), ("111100", "110000"), ("0011100", "1111111")
NEXT = {"padding, the next token after the mask": 0, "padding": 1}
READ = {"past", "kept"}
BEHIND = r"\b(past|cached?)( \w+)?\s*(\+|and\b|plus\b)|\+\s*(past|cached?)\b"  # what a mask (batch, past + new) holds


def trials_of_padding(told, roles, source):
    """One or two lists of trials: tokens as long as the mask, and beside a cache those of the new step alone."""
    cuts = _cuts(roles, source)
    whole, new = ([_padding(told, *each, last) for each in cuts] for last in (False, True))
    if not ({"mask", "tokens"} <= roles and any(cut for _, cut in cuts)):
        return [whole]
    return [whole, new] if READ & roles else [new]


def masks():
    return [torch.tensor([[int(each) for each in row] for row in rows]) for rows in MASKS]


def _cuts(roles, source):
    """Masks, and how much of each is cached: a parameter, or where tokens are handed over the text, says whether."""
    cached = "mask" in roles and (READ & roles or ("tokens" in roles and re.search(BEHIND, source)))
    return [(mask, cut) for mask in masks() for cut in ((0, mask.shape[1] - 1) if cached else (0,))]


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
