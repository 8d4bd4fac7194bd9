"""Which position ids are right: of documents, of ends, of a grid, of one of several parts."""

from dataclasses import dataclass

import torch

WIDTH = 7  # of a row with starts
SEPARATOR, PAD, FIRST = 9, 2, 20  # tokens: one that ends a document, one that fills up, the first of all others


def of_documents(documents):
    """Each document of a row counts from 0; (batch, length)."""
    begins = torch.ones_like(documents, dtype=torch.bool)
    begins[:, 1:] = documents[:, 1:] != documents[:, :-1]
    place = torch.arange(documents.shape[1]).expand(documents.shape)
    return place - torch.where(begins, place, 0).cummax(dim=-1).values


def of_ends(ends):
    """Texts end to end, from ``ends[n]`` to ``ends[n + 1]``: each counts from 0; (total,)."""
    return torch.cat([torch.arange(size) for size in ends.diff().tolist()])


@dataclass(frozen=True)
class Grids:
    """(frames, rows, columns) of each grid, the time from frame to frame in each, and where the first one begins."""

    sizes: tuple
    steps: tuple
    begin: int = 0


def of_grids(grids, place=lambda t, h, w, n: (n // (h * w), n % (h * w) // w, n % w), overlap=False):
    """Time, row and column of each patch, (3, patches), row by row; a further grid begins after the largest so far."""
    parts, begin = [], grids.begin
    for (t, h, w), step in zip(grids.sizes, grids.steps, strict=True):
        times, *rest = place(t, h, w, torch.arange(t * h * w))
        parts.append(torch.stack((times * step, *rest)) + begin)
        begin = begin if overlap else int(parts[-1].max()) + 1
    return torch.cat(parts, dim=1)


def of_parts(given, from_row=True):
    """Context parallelism: of each text, a rank holds one chunk from the front and its mirror image from the back.

    Places in the packed row (total / parts,); with ``from_row=False`` places in each text.
    """
    ends, parts, rank = given
    places = []
    for begin, size in zip(ends.tolist(), ends.diff().tolist(), strict=False):
        chunk = torch.arange(size // (2 * parts))
        for first in (rank * len(chunk), size - (rank + 1) * len(chunk)):
            places.append(chunk + first + begin * from_row)
    return torch.cat(places)


def with_separators(documents):
    """Tokens (batch, length) in which the last one of each document, but for the row's last, separates."""
    ends = torch.zeros_like(documents, dtype=torch.bool)
    ends[:, :-1] = documents[:, 1:] != documents[:, :-1]
    return torch.arange(FIRST, FIRST + documents.numel()).view(documents.shape).where(~ends, SEPARATOR)


def of_starts(starts):
    """Each row of `WIDTH` tokens counts anew from its own starts; −1 is none; (batch, WIDTH)."""
    documents = torch.stack([(torch.arange(WIDTH)[:, None] >= row[row >= 0]).sum(1) for row in starts])
    return of_documents(documents)


def padded(sizes):
    """(batch, longest): each row counts from 0."""
    return torch.arange(int(sizes.max())).expand(len(sizes), -1)


def documents_in(tokens, after):
    """The number of its document for each token; a separator ends its own (``after`` 1), or begins the next (0)."""
    counts = (tokens == SEPARATOR).cumsum(-1)
    return counts - (tokens == SEPARATOR).long() if after else counts


def ends_of(sizes):
    return torch.cat([torch.zeros(1, dtype=torch.long), sizes.cumsum(0)])


def in_one_grid(given):
    """The patches of several pictures, numbered as in one that is as wide as ``given[1]``."""
    rows = [torch.arange(each.shape[1])[:, None] * given[1] + torch.arange(each.shape[2]) for each in given[0]]
    return torch.cat([each.flatten() for each in rows])
