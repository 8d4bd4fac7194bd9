"""The position ids that are right, for each kind of argument."""

import torch


def for_attention_mask(mask):
    """Real places count from 0 in each row; (batch, length). What stands on pads is not compared."""
    return (mask.cumsum(-1) - 1).clamp(min=0)


def for_document_ids(documents):
    """Each document of a row counts from 0; (batch, length)."""
    place = torch.arange(documents.shape[1]).expand(documents.shape)
    begins = torch.ones_like(documents, dtype=torch.bool)
    begins[:, 1:] = documents[:, 1:] != documents[:, :-1]
    return place - torch.where(begins, place, 0).cummax(dim=-1).values


def for_cu_seqlens(ends):
    """Texts end to end, from ``ends[n]`` to ``ends[n + 1]``: each counts from 0; (total,)."""
    return torch.cat([torch.arange(int(b - a)) for a, b in zip(ends, ends[1:], strict=False)])


def for_cache(past_length, length):
    """``length`` new tokens after ``past_length`` that are cached; (length,)."""
    return past_length + torch.arange(length)


def for_grids(grids, after_each="largest"):
    """Time, row and column of each patch, row by row; (3, patches). A further grid begins after the largest so far."""
    parts, begin = [], 0
    for t, h, w in grids.tolist():
        axes = torch.meshgrid(torch.arange(t), torch.arange(h), torch.arange(w), indexing="ij")
        parts.append(torch.stack([each.flatten() for each in axes]) + begin)
        begin = int(parts[-1].max()) + 1 if after_each == "largest" else 0
    return torch.cat(parts, dim=1)
