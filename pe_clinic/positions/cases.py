"""How a function of position ids is called: its parameters' names say which of five cases it is, and with what."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass

import torch

from . import right

MASK = ("attention_mask", "mask", "padding_mask")
DOCUMENTS = ("document_ids", "documents", "doc_ids", "segment_ids", "sequence_ids", "seq_ids")
ENDS = ("cu_seqlens", "cu_seq_lens", "cu_seqlens_q", "cumulative_lengths")
PAST = ("past_length", "past_len", "past", "cache_length", "past_key_values_length", "past_seen_tokens", "start_pos", "offset")
LENGTH = ("length", "seq_len", "seq_length", "q_len", "new_length", "sequence_length", "num_tokens")
GRID = ("grid_thw", "image_grid_thw", "video_grid_thw", "grid")
KNOWN = {"mask": MASK, "documents": DOCUMENTS, "ends": ENDS, "past": PAST, "length": LENGTH, "grid": GRID}


@dataclass(frozen=True)
class Trial:
    """One call: arguments by name, the ids that are right, and which of them are compared (True)."""

    arguments: dict
    expected: torch.Tensor
    compared: torch.Tensor


@dataclass(frozen=True)
class Case:
    """``name`` says it in words; ``trials`` were made for this function's parameter names."""

    name: str
    trials: tuple
    right: Callable


def roles_of(function):
    """Roles to parameter names, for the parameters that are known."""
    names = list(inspect.signature(function).parameters)
    found = {role: next((each for each in known if each in names), None) for role, known in KNOWN.items()}
    return {role: name for role, name in found.items() if name}


def case_of(function):
    """The `Case`; ValueError when the parameters' names do not tell."""
    roles = roles_of(function)
    if "grid" in roles:
        return _grids(roles["grid"])
    if "ends" in roles:
        return _ends(roles["ends"])
    if "documents" in roles:
        return _documents(roles["documents"])
    if "mask" in roles:
        return _masks(roles["mask"], roles.get("past"))
    if "past" in roles and "length" in roles:
        return _cached(roles["past"], roles["length"])
    names = ", ".join(inspect.signature(function).parameters)
    raise ValueError(
        f"make_positions takes ({names}). Name its parameters attention_mask, document_ids, cu_seqlens, "
        "past_length and length, or grid_thw: the names say what it is given."
    )


def _masks(name, past):
    trials = []
    for rows in (["11111"], ["00111", "11111"], ["0111111", "0001111", "1111111"], ["111100", "110000"], ["0011100", "1111111"]):
        mask = torch.tensor([[int(each) for each in row] for row in rows])
        expected = right.for_attention_mask(mask)
        for cut in (0, mask.shape[1] - 1) if past else (0,):
            arguments = {name: mask, **({past: cut} if past else {})}
            trials.append(Trial(arguments, expected[:, cut:], mask[:, cut:] == 1))
    return Case("padding", tuple(trials), right.for_attention_mask)


def _documents(name):
    rows = ([[0, 0, 0, 1, 1, 2]], [[3, 3, 5, 5, 5, 5], [1, 1, 1, 1, 2, 2]], [[0, 0, 0, 0]], [[1, 1, 0, 0, 1, 1]])
    given = [torch.tensor(each) for each in rows]
    expected = [right.for_document_ids(each) for each in given]
    trials = [Trial({name: ids}, want, torch.ones_like(want, dtype=torch.bool)) for ids, want in zip(given, expected, strict=True)]
    return Case("packing", tuple(trials), right.for_document_ids)


def _ends(name):
    given = [torch.tensor(each, dtype=torch.int32) for each in ([0, 3, 5], [0, 4], [0, 1, 2, 7], [0, 6, 8, 9])]
    trials = [Trial({name: each}, right.for_cu_seqlens(each), torch.ones(int(each[-1]), dtype=torch.bool)) for each in given]
    return Case("packing", tuple(trials), right.for_cu_seqlens)


def _cached(past, length):
    sizes = ((0, 5), (5, 1), (7, 3), (1, 4), (300, 2))
    trials = [Trial({past: a, length: b}, right.for_cache(a, b), torch.ones(b, dtype=torch.bool)) for a, b in sizes]
    return Case("cache", tuple(trials), right.for_cache)


def _grids(name):
    given = [torch.tensor(each) for each in ([[1, 2, 3]], [[2, 2, 4]], [[1, 3, 2], [2, 2, 2]], [[3, 1, 5]])]
    trials = [Trial({name: each}, right.for_grids(each), torch.ones(3, int(each.prod(-1).sum()), dtype=torch.bool)) for each in given]
    return Case("grid", tuple(trials), right.for_grids)
