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


def frames(start_position, grid_thw, spatial_merge_size=1, time_interval=1, axes=(0, 1, 2), start=(1, 1, 1)):
    """One grid: each frame one time; the ``start`` added to each axis so many times."""
    t, h, w = (int(n) // m for n, m in zip(grid_thw, (1, spatial_merge_size, spatial_merge_size), strict=True))
    own = [(a * time_interval, b, c) for a in range(t) for b in range(h) for c in range(w)]
    return (torch.tensor(own) + start_position * torch.tensor(start)).T[list(axes)]


def repeated(start_position, grid_thw, time_interval=1):
    """The column repeated as the row is, which runs through all frames, and one time for all."""
    t, h, w = grid_thw.tolist()
    row, column = torch.arange(h).repeat_interleave(w * t), torch.arange(w).repeat_interleave(h * t)
    return torch.stack([torch.full((t * h * w,), start_position * (time_interval - 1)), row, column]) + start_position


def seconds(video_grid_thw, second_per_grid_ts, tokens_per_second=2, whole=float):
    """Videos one after another, of given seconds from frame to frame."""
    rows, begin = [], 0
    for size, each in zip(video_grid_thw.tolist(), second_per_grid_ts, strict=True):
        rows.append(frames(begin, size, 1, int(whole(each) * tokens_per_second)))
        begin = int(rows[-1].max()) + 1
    return torch.cat(rows, 1)


def next_position(attention_mask, *, past_length, batch_size, device):
    """The mask holds what stands before the next token."""
    assert len(attention_mask) == batch_size
    return attention_mask.to(device).sum(-1, keepdim=True)


def next_by_the_cache(attention_mask, past_length):
    return torch.full((len(attention_mask), 1), past_length)


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
    "grid, merged by hand": (lambda grid_thw: grid(grid_thw // torch.tensor([1, 2, 2])), "grid"),
    "one grid and its start": (lambda start_position, grid_thw: frames(start_position, grid_thw), "grid"),
    "one grid, merged, in time": (
        lambda st_idx, grid_thw, merge_size, interval: frames(st_idx, grid_thw, merge_size, interval),
        "grid",
    ),
    "times given": (
        lambda start_idx, vision_idx, t_index, grid_hs, grid_ws: frames(
            start_idx, (len(t_index), grid_hs[vision_idx], grid_ws[vision_idx]), 1, (*t_index, t_index[0])[1]
        ),
        "grid",
    ),
    "seconds": (
        lambda video_grid_thw, second_per_grid_ts, tokens_per_second: seconds(
            video_grid_thw, second_per_grid_ts, tokens_per_second
        ),
        "grid",
    ),
    "next": (next_position, "padding, the next token after the mask"),
    "the last of each row": (lambda seq_lens: seq_lens - 1, "cache, the last of each row"),
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
    "column repeated": (repeated, "axes-miscounted"),
    "start twice": (lambda start, grid_thw: frames(start, grid_thw, start=(2, 1, 1)), "axes-miscounted"),
    "no interval": (lambda start, grid_thw, time_interval: frames(start, grid_thw), "axes-miscounted"),
    # huggingface/transformers#48669
    "whole seconds": (
        lambda video_grid_thw, second_per_grid_ts, tokens_per_second: seconds(
            video_grid_thw, second_per_grid_ts, tokens_per_second, int
        ),
        "axes-miscounted",
    ),
    "not merged": (lambda start, grid_thw, merge_size: frames(start, grid_thw), "positions-shape"),
    "next by the cache": (next_by_the_cache, "cache-counts-pads"),
    "chunks in order": (in_order, "chunks-in-order"),
    "the same on all ranks": (
        lambda cu_seqlens, cp_size, cp_rank: parallel(cu_seqlens, cp_size, 0),
        "same-on-all-ranks",
    ),
    "next of each row": (lambda seq_lens: seq_lens, "one-ahead"),
    "pads counted, after padding_idx": (
        lambda input_ids, padding_idx: torch.arange(input_ids.shape[1]).expand_as(input_ids) + padding_idx + 1,
        "pads-counted",
    ),
    "mask cut, then counted": (
        lambda attention_mask, past_length: attention_mask[:, past_length:].cumsum(-1) - 1,
        "cache-restarts",
    ),
    "squares": (lambda past_length, length: (past_length + torch.arange(length)) ** 2, "positions-wrong"),
    "too few": (lambda past_length, length: past_length + torch.arange(length - 1), "positions-shape"),
}
