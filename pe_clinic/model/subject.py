"""A model ready to be looked at: how it is called, its tokens, and the unit in which differences are measured."""

import math
from dataclasses import dataclass, field
from functools import cached_property

import torch
from torch import nn

from .call import Call, Refused, named_by, with_layout
from .keeping import hooked

TOLERANCE = 5e-4  # of the logits' standard deviation: float32 stays below a fifth, and effects are above ten times
LENGTH = 12
CONFIGS = "config cfg args params hparams"
LIMITS = (
    "max_position_embeddings n_positions n_ctx max_seq_len max_sequence_length block_size context_length max_len "
    "max_length max_positions ctx_len max_seq_length"
)


@dataclass(frozen=True)
class Subject:
    """``tokens`` may be shown, ``pad`` stands in padding, and ``limit`` is the length that the configuration names.

    ``scale`` is the standard deviation of the logits: every difference is measured in it.
    """

    call: Call
    tokens: torch.Tensor = field(repr=False)
    pad: int
    limit: int | None
    scale: float

    @property
    def model(self):
        return self.call.model

    @cached_property
    def ids(self):
        return self.text()

    @cached_property
    def base(self):
        return self.call.run(self.ids)

    def run(self, ids, **given):
        return self.call.run(ids, **given)

    def attempt(self, ids, **given):
        """As `run`; None when the call is refused."""
        try:
            return self.call.run(ids, **given)
        except Refused:
            return None

    def takes(self, *roles):
        return all(role in self.call.names for role in roles)

    def ones(self, ids):
        """A mask of ones as an argument, if the model takes masks. Without one, ids with gaps mean packing to some."""
        return {"mask": torch.ones_like(ids)} if self.takes("mask") and self.call.mask_for is None else {}

    def placed(self, ids, positions):
        """Logits at these positions (batch, places) under a mask of ones; None when refused."""
        return self.attempt(ids, positions=positions, **self.ones(ids))

    def text(self, length=LENGTH, rows=2, seed=0):
        """Ids (rows, length), the same on every run; no token twice in a row of the text while there are enough."""
        generator = torch.Generator().manual_seed(seed)
        order = [torch.randperm(len(self.tokens), generator=generator) for _ in range(rows)]
        return torch.stack([self.tokens[each.repeat(length // len(each) + 1)[:length]] for each in order])

    def repeated(self, length=LENGTH):
        """One token, (1, length)."""
        return self.text(1, rows=1).expand(1, self.fits(length)).contiguous()

    def fits(self, length):
        """``length``, or as many places as the configuration names."""
        return min(length, self.limit or length)

    def apart(self, one, other):
        """The largest difference of logits in standard deviations; None when one of the two was refused."""
        if one is None or other is None:
            return None
        difference = (one - other).abs().max().item() if one.shape == other.shape else math.inf
        return math.inf if math.isnan(difference) else difference / self.scale


def differs(change):
    """Was a change measured, and is it more than float32's noise?"""
    return change is not None and change > TOLERANCE


def subject_of(model, kind=Subject):
    """The `Subject`; `Refused` when no call succeeds."""
    call, config = Call(model, named_by(model)), getattr(model, "config", None)
    special = {value for name, value in getattr(config, "__dict__", {}).items() if name.endswith("token_id")}
    vocabulary = min(_vocabulary(call), 4096)
    free = [each for each in range(vocabulary) if each not in special and (each > 4 or vocabulary < 32)]
    ids = torch.tensor(free)[torch.randperm(len(free), generator=torch.Generator().manual_seed(0))].repeat(2 * LENGTH)
    refusals = []
    for length in (LENGTH, 7, 4):
        try:
            layout, logits = with_layout(call, ids[: 2 * length].reshape(2, length))
        except Refused as error:
            refusals.append(error)
            continue
        pad, scale = getattr(config, "pad_token_id", None), float(logits.std())
        pad = pad if isinstance(pad, int) and 0 <= pad < vocabulary else 0
        limit = _limit(model) or (None if length == LENGTH else length)
        return kind(layout, torch.tensor(free), pad, limit, scale if scale > 0 else 1.0)
    raise refusals[0]


def _limit(model):
    """The length that the configuration, or the model itself, names."""
    configs = [getattr(model, name, None) for name in CONFIGS.split()]
    holders = (getattr(configs[0], "text_config", None), *configs, model)
    named = (
        each.get(name) if isinstance(each, dict) else getattr(each, name, None)
        for each in holders
        for name in LIMITS.split()
    )
    return next((each for each in named if type(each) is int and each > 0), None)


def _vocabulary(call):
    """How many tokens there are: the rows of the embedding that is given the ids, or else the width of the logits."""
    rows, ids = [], torch.tensor([[0, 1, 0, 0], [0, 0, 0, 0]])

    def note(module, arguments):
        if arguments and torch.is_tensor(arguments[0]) and arguments[0].tolist() in (ids.tolist(), ids.T.tolist()):
            rows.append(module.num_embeddings)

    tables = [each for each in call.model.modules() if isinstance(each, nn.Embedding)]
    with hooked(each.register_forward_pre_hook(note) for each in tables):
        try:
            width = with_layout(call, ids)[1].shape[-1]
        except Refused:
            width = 2
    return rows[0] if rows else width
