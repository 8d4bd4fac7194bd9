"""What a function of position ids is given, by its parameters' names, and which ids are right then."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

import torch

from ..calling.parameters import source_of
from . import rules as r
from .grids import one_picture, trials_of_grids
from .roles import Unknown, parameters_of, roles_in
from .texts import trials_of_texts
from .trial import NEXT, Trial, masks, of_next, trial, trials_of_padding

DOCUMENTS = ([1, 1, 1, 2, 2, 3],), ([3, 3, 5, 5, 5, 5], [1, 1, 1, 1, 2, 2]), ([1, 1, 1, 1],), ([2, 2, 1, 1, 2, 2],)
STARTS = ([0, 3, -1], [0, 2, 5]), ([-1, -1, -1], [0, 4, -1]), ([0, 1, 2],)  # of documents in rows of `r.WIDTH` tokens
ENDS = [0, 3, 5], [0, 4], [0, 1, 2, 7], [0, 6, 8, 9]
SIZES = (0, 5), (5, 1), (7, 3), (1, 4), (300, 2)
PARTS = ([0, 4, 8], 2, 0), ([0, 4, 8], 2, 1), ([0, 8, 16, 24], 2, 0), ([0, 8, 24], 4, 3)


@dataclass(frozen=True)
class Case:
    """One kind of maker: its name, the roles that it needs, what these get in each trial, and the right ids."""

    name: str
    needs: tuple
    inputs: tuple
    right: Callable


def _tensors(rows, dtype=torch.long):
    return tuple(torch.tensor(each, dtype=dtype) for each in rows)


PACKS = tuple((torch.tensor(ends, dtype=torch.int32), parts, rank) for ends, parts, rank in PARTS)
NEW = tuple((torch.tensor(kept), new) for kept, new in (([0, 4], 3), ([5, 2, 300], 1), ([7, 7], 2)))
PICTURE = {"picture": [0, 1, 2], "picture, columns before rows": [0, 2, 1]}
OF_ROWS = lambda given: given[0][:, None] + torch.arange(given[1])  # noqa: E731
SIDES = (2, 3), (4, 2), (1, 5), (3, 3)
PATCHES = tuple(([torch.zeros(2, *size) for size in sizes], 7) for sizes in (SIDES[:2], SIDES[2:], SIDES[3:]))
EMBEDS = tuple(torch.zeros(*size, 4) for size in ((2, 5), (1, 4), (3, 7)))
TOKENS = tuple((r.with_separators(each), r.SEPARATOR) for each in _tensors(DOCUMENTS))
CASES = (
    Case("context parallel", ("ends", "parts", "part"), PACKS, r.of_parts),
    Case("packing", ("ends",), _tensors(ENDS, torch.int32), r.of_ends),
    Case("packing", ("documents",), _tensors(DOCUMENTS), r.of_documents),
    Case("packing", ("starts",), _tensors(STARTS), r.of_starts),
    Case("packing", ("tokens", "separator"), TOKENS, lambda given: r.of_documents(r.documents_in(given[0], 1))),
    Case("packing", ("tokens", "separator"), TOKENS, lambda given: r.of_documents(r.documents_in(given[0], 0))),
    Case("packing", ("lengths",), _tensors(([3, 2], [4], [1, 5, 2])), lambda sizes: r.of_ends(r.ends_of(sizes))),
    Case("padding", ("lengths",), _tensors(([3, 2], [4], [1, 5, 2])), r.padded),
    Case("cache, the last of each row", ("lengths",), _tensors(([3, 2], [4], [1, 5, 2])), lambda sizes: sizes - 1),
    Case("cache", ("past", "length"), SIZES, lambda given: torch.arange(given[0], sum(given))),
    *(Case("cache, a start for each row", (past, "length"), NEW, OF_ROWS) for past in ("past", "starts")),
    Case("picture, numbered", ("height", "width"), SIDES, lambda size: torch.arange(size[0] * size[1])),
    Case("counting, pictures in one grid", ("patches", "max_width"), PATCHES, r.in_one_grid),
    Case("cache", ("embeds", "past"), tuple((x, n) for n, x in zip((0, 3, 4), EMBEDS, strict=True)), r.behind),
    Case("counting", ("embeds",), EMBEDS, lambda x: r.behind((x, 0))),
    Case("counting", ("embeds", "pad"), tuple((x, r.PAD) for x in EMBEDS), lambda given: r.behind((given[0], 0))),
    Case("counting", ("batch", "length"), ((2, 5), (1, 4), (3, 7)), lambda given: torch.arange(given[1]).expand(given)),
    Case(
        "counting",
        ("tokens",),
        tuple(r.with_separators(x[..., 0].long()) for x in EMBEDS),
        lambda ids: r.behind((ids, 0)),
    ),
    Case("counting", ("length",), (5, 1, 7), torch.arange),
)


def trials_of(function):
    """[(the case, its trials), …]: what the function may be, the likeliest first; the last take one row, not a batch.

    ValueError when the parameters' names do not tell.
    """
    told = parameters_of(function)
    roles, found = roles_in(told), []
    text = any(of == "tokens" and must for of, must in told.values())  # grids in a text are none alone
    grids = not text and ({"grid", "videos"} & roles or {"times", "heights", "widths"} <= roles)
    with contextlib.suppress(Unknown):
        if "grid" in roles and {"image", "opens"} & roles:
            found += [("pictures in a text", trials) for trials in trials_of_texts(told, roles)]
        elif grids:
            found += [("grid", trials) for trials in trials_of_grids(told, roles)]
        elif {"height", "width"} <= roles:
            found += [(name, [one_picture(told, axes, *size) for size in SIDES]) for name, axes in PICTURE.items()]
    for case in CASES:
        more = roles - {*case.needs} - {"device", "flag"}
        if {*case.needs} <= roles and not (case.name == "counting" and more):  # then something else is meant
            with contextlib.suppress(Unknown):
                found.append((case.name, [_trial(told, case, given) for given in case.inputs]))
    if (not found and "mask" in roles) or ("pad" in roles and {"tokens", "labels"} & roles):
        with contextlib.suppress(Unknown):
            found += [("padding", trials) for trials in trials_of_padding(told, roles, source_of(function))]
    if {"mask", "past"} <= roles and "next" in getattr(function, "__name__", "").lower():
        with contextlib.suppress(Unknown):
            found[-1:] = [(said, [of_next(told, each, new) for each in masks()]) for said, new in NEXT.items()]
    if not found:
        raise ValueError(
            f"{getattr(function, '__name__', 'it')} takes ({', '.join(told)}). Name its parameters attention_mask, "
            "document_ids, cu_seqlens, past_length and length, or grid_thw: the names say what it is given"
        )
    batches = [pair for pair in found if pair[0] in ("packing", "padding") and pair[1][0].right.dim() == 2]
    left = [("padding on the left", [*filter(_on_the_left, trials)]) for name, trials in found if name == "padding"]
    rows = [(name, [_row(whole, n) for whole in trials for n in range(len(whole.right))]) for name, trials in batches]
    return [*found, *left, *((f"{name}, one row", trials) for name, trials in rows)]


def _on_the_left(trial):
    return trial.given.dim() == 2 and bool((trial.given.diff(dim=-1) >= 0).all())


def _trial(told, case, given):
    values = given if len(case.needs) > 1 else (given,)
    whole = given[0] if case.needs[0] == "tokens" and values is given else given
    return trial(told, dict(zip(case.needs, values, strict=True)), whole, case.right(given))


def _row(whole, n):
    """The trial of row ``n`` of a ``whole`` one alone."""
    own = {k: v[n] if torch.is_tensor(v) and v.dim() == 2 else v for k, v in whole.arguments.items()}
    return Trial(own, whole.given[n : n + 1], whole.right[n], whole.compared[n])
