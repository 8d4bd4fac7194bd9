"""The ways in which rotations are called: rotate(x), rotate(x, positions), rotate(q, k), rotate(q, k, positions)."""

import inspect
from dataclasses import dataclass

import torch

from ..sandbox.guard import Failed
from ..sandbox.mistakes import found
from .refused import WRAP

KEYS = {"k", "key", "keys", "xk", "key_states", "k_states", "key_layer", "k_in", "k_embed", "key_tensor"}
POSITIONS = {
    "positions", "position", "pos", "position_ids", "pos_ids", "position_id", "input_pos", "token_positions", "indices",
    "idx", "ids", "p", "t", "m", "steps", "offsets", "seq_idx", "pos_idx", "positional_ids",
}  # fmt: skip
STARTS = {
    "offset", "start", "start_pos", "start_position", "position_offset", "pos_offset", "seq_offset", "past_len",
    "past_length", "cache_len", "cache_position_start", "offset_len", "start_index", "seqlen_offset",
}  # fmt: skip


@dataclass(frozen=True)
class Form:
    """How ``rotate`` takes x and positions: ``name`` is the parameter's, or None where it is the next by place."""

    pair: bool  # q and k in, and a pair out
    takes: str | None  # "positions", "start" for the first position as a whole number, or None
    name: str | None = None
    places_first: bool = False  # rotate(positions, q, k)

    def call(self, rotate, tensors, positions):
        """``rotate`` on one tensor, or on q and k; positions an int64 tensor (length,)."""
        if self.takes is None:
            return rotate(*tensors)
        given = positions if self.takes == "positions" else int(positions[0])
        if self.places_first:
            return rotate(given, *tensors)
        return rotate(*tensors, **{self.name: given}) if self.name else rotate(*tensors, given)

    @property
    def text(self):
        names = ["q, k" if self.pair else "x", *([self.takes] if self.takes else [])]
        names = [names[-1], *names[:-1]] if self.places_first else names
        return f"rotate({', '.join(names)})"


def form_of(rotate):
    """The `Form` that the names of the parameters tell; `Failed` when ``rotate`` wants more than x and positions."""
    target = rotate.forward if isinstance(rotate, torch.nn.Module) else rotate
    try:
        parameters = list(inspect.signature(target).parameters.values())
    except (TypeError, ValueError):
        return Form(False, "positions")
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    keywords = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
    if not places:
        return Form(False, "positions")
    if len(places) > 1 and places[0].name.lower() in POSITIONS and places[0].name not in ("m", "p", "t"):
        pair = len(places) > 2 and _query_and_key(places[1:])
        required = [p for p in places if p.default is p.empty]
        if len(required) == (3 if pair else 2):
            return Form(pair, "positions", places_first=True)
    pair = len(places) > 1 and (places[1].name.lower() in KEYS or _query_and_key(places))
    return _with_positions(pair, places[2 if pair else 1 :], keywords, parameters)


def _query_and_key(places):
    one, two = (p.name.lower() for p in places[:2])
    if "len" in one or "len" in two:
        return False
    return one.startswith(("q", "xq")) and two.startswith(("k", "xk"))


def _with_positions(pair, rest, keywords, parameters):
    required = [p for p in (*rest, *keywords) if p.default is p.empty]
    named = [p for p in (*rest, *keywords) if p.name.lower() in POSITIONS | STARTS]
    chosen = next(iter(required or named), None)
    if len(required) > 1:
        names = ", ".join(p.name for p in parameters if p.default is p.empty)
        said = f"it needs {names}; a rotation is called with x, or q and k, and positions"
        raise Failed(found("arguments", said, fix=WRAP))
    if chosen is None:
        variable = any(p.kind is p.VAR_POSITIONAL for p in parameters)
        return Form(pair, "positions" if variable and not rest else None)
    takes = "start" if chosen.name.lower() in STARTS else "positions"
    by_place = rest and chosen is rest[0]
    return Form(pair, takes, None if by_place else chosen.name)
