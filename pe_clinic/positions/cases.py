"""What a function of position ids is given, by its parameters' names, and which ids are right then."""

import inspect
from dataclasses import dataclass

import torch

KNOWN = {
    "mask": "attention_mask mask padding_mask",
    "documents": "document_ids documents doc_ids segment_ids sequence_ids seq_ids",
    "ends": "cu_seqlens cu_seq_lens cu_seqlens_q cumulative_lengths",
    "past": "past_length past_len past cache_length past_key_values_length past_seen_tokens start_pos offset",
    "length": "length seq_len seq_length q_len new_length sequence_length num_tokens",
    "grid": "grid_thw image_grid_thw video_grid_thw grid",
    "parts": "cp_size context_parallel_size world_size",
    "part": "cp_rank context_parallel_rank rank",
}
MASKS = ("11111",), ("00111", "11111"), ("0111111", "0001111", "1111111"), ("111100", "110000"), ("0011100", "1111111")
DOCUMENTS = ([0, 0, 0, 1, 1, 2],), ([3, 3, 5, 5, 5, 5], [1, 1, 1, 1, 2, 2]), ([0, 0, 0, 0],), ([1, 1, 0, 0, 1, 1],)
ENDS = [0, 3, 5], [0, 4], [0, 1, 2, 7], [0, 6, 8, 9]
SIZES = (0, 5), (5, 1), (7, 3), (1, 4), (300, 2)
GRIDS = [[1, 2, 3]], [[2, 2, 4]], [[1, 3, 2], [2, 2, 2]], [[3, 1, 5]]
PARTS = ([0, 4, 8], 2, 0), ([0, 4, 8], 2, 1), ([0, 8, 16, 24], 2, 0), ([0, 8, 24], 4, 3)


@dataclass(frozen=True)
class Trial:
    """One call: arguments by name, ``given`` (the tensor among them), the right ids, and which are compared (True)."""

    arguments: dict
    given: object
    right: torch.Tensor
    compared: torch.Tensor


def of_mask(mask):
    """Real places count from 0 in each row; (batch, length). What stands on pads is not compared."""
    return (mask.cumsum(-1) - 1).clamp(min=0)


def of_documents(documents):
    """Each document of a row counts from 0; (batch, length)."""
    begins = torch.ones_like(documents, dtype=torch.bool)
    begins[:, 1:] = documents[:, 1:] != documents[:, :-1]
    place = torch.arange(documents.shape[1]).expand(documents.shape)
    return place - torch.where(begins, place, 0).cummax(dim=-1).values


def of_ends(ends):
    """Texts end to end, from ``ends[n]`` to ``ends[n + 1]``: each counts from 0; (total,)."""
    return torch.cat([torch.arange(size) for size in ends.diff().tolist()])


def of_grids(grids, place=lambda t, h, w, n: (n // (h * w), n % (h * w) // w, n % w), overlap=False):
    """Time, row and column of each patch, (3, patches), row by row; a further grid begins after the largest so far."""
    parts, begin = [], 0
    for t, h, w in grids.tolist():
        parts.append(torch.stack(place(t, h, w, torch.arange(t * h * w))) + begin)
        begin = 0 if overlap else int(parts[-1].max()) + 1
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


def trials_of(function):
    """The case ("padding", "packing", "cache", "grid" or "context parallel") and its trials.

    ValueError when the parameters' names do not tell.
    """
    names = list(inspect.signature(function).parameters)
    roles = {role: name for role, known in KNOWN.items() for name in known.split() if name in names}
    if "mask" in roles:
        masks = [torch.tensor([[int(each) for each in row] for row in rows]) for rows in MASKS]
        cuts = [(mask, cut) for mask in masks for cut in ((0, mask.shape[1] - 1) if "past" in roles else (0,))]
        return "padding", [
            Trial(named(roles, mask=mask, past=cut), mask, of_mask(mask)[:, cut:], mask[:, cut:] == 1)
            for mask, cut in cuts
        ]
    ends = [torch.tensor(each, dtype=torch.int32) for each in ENDS]
    packs = [(torch.tensor(ends, dtype=torch.int32), parts, rank) for ends, parts, rank in PARTS]
    for case, needs, right, inputs in (
        ("grid", ("grid",), of_grids, [torch.tensor(each) for each in GRIDS]),
        ("context parallel", ("ends", "parts", "part"), of_parts, packs),
        ("packing", ("ends",), of_ends, ends),
        ("packing", ("documents",), of_documents, [torch.tensor(each) for each in DOCUMENTS]),
        ("cache", ("past", "length"), lambda given: torch.arange(given[0], sum(given)), SIZES),
    ):
        if all(role in roles for role in needs):
            pairs = [(each, dict(zip(needs, each if len(needs) > 1 else [each], strict=True))) for each in inputs]
            rights = [right(each) for each in inputs]
            return case, [
                Trial(named(roles, **given), each, want, torch.ones_like(want) == 1)
                for (each, given), want in zip(pairs, rights, strict=True)
            ]
    raise ValueError(
        f"make_positions takes ({', '.join(names)}). Name its parameters attention_mask, document_ids, cu_seqlens, "
        "past_length and length, or grid_thw: the names say what it is given"
    )


def named(roles, **given):
    """Arguments by the function's own names; a role that it does not take is left out."""
    return {roles[role]: value for role, value in given.items() if role in roles}
