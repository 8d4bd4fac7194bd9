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
}
MASKS = ("11111",), ("00111", "11111"), ("0111111", "0001111", "1111111"), ("111100", "110000"), ("0011100", "1111111")
DOCUMENTS = ([0, 0, 0, 1, 1, 2],), ([3, 3, 5, 5, 5, 5], [1, 1, 1, 1, 2, 2]), ([0, 0, 0, 0],), ([1, 1, 0, 0, 1, 1],)
ENDS = [0, 3, 5], [0, 4], [0, 1, 2, 7], [0, 6, 8, 9]
SIZES = (0, 5), (5, 1), (7, 3), (1, 4), (300, 2)
GRIDS = [[1, 2, 3]], [[2, 2, 4]], [[1, 3, 2], [2, 2, 2]], [[3, 1, 5]]


@dataclass(frozen=True)
class Trial:
    """One call: arguments by name, ``given`` (the tensor among them), the right ids, and which are compared (True)."""

    arguments: dict
    given: torch.Tensor | None
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


def trials_of(function):
    """The case ("padding", "packing", "cache" or "grid") and its trials; ValueError when the names do not tell."""
    names = list(inspect.signature(function).parameters)
    roles = {role: name for role, known in KNOWN.items() for name in known.split() if name in names}
    for role, case, right, inputs in (
        ("grid", "grid", of_grids, [torch.tensor(each) for each in GRIDS]),
        ("ends", "packing", of_ends, [torch.tensor(each, dtype=torch.int32) for each in ENDS]),
        ("documents", "packing", of_documents, [torch.tensor(each) for each in DOCUMENTS]),
    ):
        if role in roles:
            seen = [(each, right(each)) for each in inputs]
            return case, [Trial({roles[role]: a}, a, b, torch.ones_like(b, dtype=torch.bool)) for a, b in seen]
    if "mask" in roles:
        masks = [torch.tensor([[int(each) for each in row] for row in rows]) for rows in MASKS]
        past = [(mask, cut) for mask in masks for cut in ((0, mask.shape[1] - 1) if "past" in roles else (0,))]
        arguments = [{roles["mask"]: mask} | ({roles["past"]: cut} if "past" in roles else {}) for mask, cut in past]
        cuts = [(mask, of_mask(mask)[:, cut:], mask[:, cut:] == 1) for mask, cut in past]
        return "padding", [Trial(named, *cut) for named, cut in zip(arguments, cuts, strict=True)]
    if "past" in roles and "length" in roles:
        right = [torch.arange(past, past + length) for past, length in SIZES]
        named = [{roles["past"]: past, roles["length"]: length} for past, length in SIZES]
        return "cache", [Trial(a, None, b, torch.ones_like(b) == 1) for a, b in zip(named, right, strict=True)]
    raise ValueError(
        f"make_positions takes ({', '.join(names)}). Name its parameters attention_mask, document_ids, cu_seqlens, "
        "past_length and length, or grid_thw: the names say what it is given"
    )
