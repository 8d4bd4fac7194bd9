"""Makers of position ids: right ones in several forms, and ones with a fault."""

from itertools import pairwise

import torch


def grid(grid_thw, axes=(0, 1, 2), zero=None, overlap=False):
    """Time, row and column, (3, patches), by three loops."""
    rows, begin = [], 0
    for t, h, w in grid_thw.tolist():
        own = [(a, b, c) for a in range(t) for b in range(h) for c in range(w)]
        own = [tuple(begin + (0 if axis == zero else n) for axis, n in enumerate(each)) for each in own]
        rows += own
        begin = 0 if overlap else max(map(max, own)) + 1
    return torch.tensor(rows).T[list(axes)]


def by_column(grid_thw):
    rows, begin = [], 0
    for t, h, w in grid_thw.tolist():
        own = [(a + begin, b + begin, c + begin) for a in range(t) for c in range(w) for b in range(h)]
        rows, begin = rows + own, max(map(max, own)) + 1
    return torch.tensor(rows).T


def count(values):
    """Each run of equal values counts from 0."""
    counts = [0]
    for one, other in pairwise(values):
        counts.append(counts[-1] + 1 if one == other else 0)
    return counts


def ends(cu_seqlens):
    return [n for begin, end in pairwise(cu_seqlens.tolist()) for n in range(end - begin)]


def in_place(attention_mask):
    return attention_mask.cumsum_(-1) - 1


def parallel(cu_seqlens, cp_size, cp_rank, in_row=True):
    """The two pieces of each text that this rank holds, of twice as many pieces as there are ranks."""
    held = []
    for begin, end in pairwise(cu_seqlens.tolist()):
        places, size = list(range(begin, end) if in_row else range(end - begin)), (end - begin) // (2 * cp_size)
        pieces = [places[n * size : (n + 1) * size] for n in range(2 * cp_size)]
        held += pieces[cp_rank] + pieces[-1 - cp_rank]
    return held


def in_order(cu_seqlens, cp_size, cp_rank):
    """One piece of each text for each rank."""
    held = []
    for begin, end in pairwise(cu_seqlens.tolist()):
        size = (end - begin) // cp_size
        held += range(begin + cp_rank * size, begin + (cp_rank + 1) * size)
    return held


RIGHT = {  # name: (the maker, its convention)
    "mask": (lambda attention_mask: attention_mask.cumsum(-1) - 1, "padding"),
    "mask, pads 1": (
        lambda attention_mask: (attention_mask.cumsum(-1) - 1).masked_fill(attention_mask == 0, 1),
        "padding",
    ),
    "mask, from 2": (lambda attention_mask: attention_mask.cumsum(-1) * attention_mask + 1, "padding, ids from 2"),
    "mask and cache": (lambda attention_mask, past_length: (attention_mask.cumsum(-1) - 1)[:, past_length:], "padding"),
    "documents": (lambda document_ids: torch.tensor([count(row) for row in document_ids.tolist()]), "packing"),
    "ends": (lambda cu_seqlens: ends(cu_seqlens), "packing"),
    "ends, a batch of one": (lambda cu_seqlens: torch.tensor([ends(cu_seqlens)]), "packing"),
    "cache": (lambda past_length, length: torch.arange(past_length, past_length + length), "cache"),
    "cache, a batch of one": (lambda past_len, seq_len: torch.arange(past_len, past_len + seq_len)[None], "cache"),
    "context parallel, in the row": (
        lambda cu_seqlens, cp_size, cp_rank: parallel(cu_seqlens, cp_size, cp_rank),
        "context parallel, places in the row",
    ),
    "context parallel, in each text": (
        lambda cu_seqlens, cp_size, cp_rank: parallel(cu_seqlens, cp_size, cp_rank, in_row=False),
        "context parallel, places in each text",
    ),
    "grid": (lambda grid_thw: grid(grid_thw), "grid"),
    "grid, axes last": (lambda grid_thw: grid(grid_thw).T, "grid, axes last"),
    "grid, as transformers": (lambda image_grid_thw: grid(image_grid_thw)[:, None], "grid"),
}
WRONG = {  # name: (the maker, the id of the mistake)
    # The position of the cache stands for every row: unslothai/unsloth#3803
    "one position for all": (
        lambda attention_mask, past_length: torch.arange(past_length, attention_mask.shape[1]).expand(
            len(attention_mask), -1
        ),
        "one-position-for-all-rows",
    ),
    "pads counted": (lambda attention_mask: torch.arange(attention_mask.shape[1]), "one-position-for-all-rows"),
    "first row": (
        lambda attention_mask: (attention_mask.cumsum(-1) - 1)[:1].expand_as(attention_mask),
        "ids-of-one-row",
    ),
    "from one": (lambda attention_mask: attention_mask.cumsum(-1), "from-one"),
    "in place": (in_place, "argument-changed"),
    "documents run on": (
        lambda document_ids: torch.arange(document_ids.shape[1]).expand_as(document_ids),
        "documents-run-on",
    ),
    "documents from one": (
        lambda document_ids: torch.tensor([count(row) for row in document_ids.tolist()]) + 1,
        "from-one",
    ),
    "ends run on": (lambda cu_seqlens: torch.arange(int(cu_seqlens[-1])), "documents-run-on"),
    "cache restarts": (lambda past_length, length: torch.arange(length), "cache-restarts"),
    "cache ahead": (lambda past_length, length: past_length + 1 + torch.arange(length), "one-ahead"),
    "draft ahead": (lambda past_length, length: past_length + (past_length > 0) + torch.arange(length), "one-ahead"),
    "cache behind": (lambda past_length, length: past_length - (past_length > 0) + torch.arange(length), "one-behind"),
    "one for all new": (lambda past_length, length: torch.full((length,), past_length), "one-for-all-new"),
    # The height stays 0 in a grid: vllm-project/vllm#29425, carried on in #29593
    "height zero": (lambda grid_thw: grid(grid_thw, zero=1), "height-zero"),
    "time zero": (lambda grid_thw: grid(grid_thw, zero=0), "time-zero"),
    "width zero": (lambda grid_thw: grid(grid_thw, zero=2), "width-zero"),
    "axes swapped": (lambda grid_thw: grid(grid_thw, axes=(0, 2, 1)), "axes-swapped"),
    "axes reversed": (lambda grid_thw: grid(grid_thw, axes=(2, 1, 0)), "axes-reversed"),
    "column by column": (by_column, "column-by-column"),
    "as text": (lambda grid_thw: torch.arange(int(grid_thw.prod(-1).sum())).expand(3, -1), "grid-as-text"),
    "overlap": (lambda grid_thw: grid(grid_thw, overlap=True), "grids-overlap"),
    "chunks in order": (in_order, "chunks-in-order"),
    "the same on all ranks": (
        lambda cu_seqlens, cp_size, cp_rank: parallel(cu_seqlens, cp_size, 0),
        "same-on-all-ranks",
    ),
    "squares": (lambda past_length, length: (past_length + torch.arange(length)) ** 2, "positions-wrong"),
    "too few": (lambda past_length, length: past_length + torch.arange(length - 1), "positions-shape"),
}
