"""A model ready to be looked at: a copy in evaluation mode and float32, how it is called, and its tokens."""

import math
from dataclasses import dataclass, field

import torch
from torch import nn

from .call import Call, Refused, Seen, named_by, with_layout
from .keeping import hooked

TOLERANCE = 5e-4  # of the logits' standard deviation: float32 stays below a fifth, and effects are above ten times
LENGTH = 12
LIMITS = "max_position_embeddings n_positions n_ctx max_seq_len max_sequence_length block_size context_length max_len"


@dataclass(frozen=True)
class Measured:
    """``change``: by how many standard deviations logits changed, None if a call was refused; ``id``: what it means."""

    id: str
    change: float | None
    where: str

    def __bool__(self):
        return differs(self.change)

    @property
    def evidence(self):
        size = (
            "" if self.change == math.inf else f": the logits differ by {self.change:.2g} of their standard deviation"
        )
        return self.where + size


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

    def run(self, ids, **given):
        return self.call.run(ids, **given)

    def takes(self, *roles):
        return all(role in self.call.names for role in roles)

    def ones(self, ids):
        """A mask of ones as an argument, if the model takes masks. Without one, ids with gaps mean packing to some."""
        return {"mask": torch.ones_like(ids)} if self.takes("mask") and self.call.mask_for is None else {}

    def text(self, length=LENGTH, rows=2, seed=0):
        """Ids (rows, length), the same on every run; no token twice in a row of the text while there are enough."""
        generator = torch.Generator().manual_seed(seed)
        order = [torch.randperm(len(self.tokens), generator=generator) for _ in range(rows)]
        return torch.stack([self.tokens[each.repeat(length // len(each) + 1)[:length]] for each in order])

    def fits(self, length):
        """``length``, or as many places as the configuration names."""
        return min(length, self.limit or length)

    def apart(self, one, other):
        """The largest difference of logits in standard deviations; None when a call was refused."""
        a, b = (each.logits if isinstance(each, Seen) else each for each in (one, other))
        if not (torch.is_tensor(a) and torch.is_tensor(b)):
            return None
        difference = (a - b).abs().max().item() if a.shape == b.shape else math.inf
        return math.inf if math.isnan(difference) else difference / self.scale


def differs(change, times=1):
    """Was a change measured, and is it more than float32's noise (``times`` as much in a long sum)?"""
    return change is not None and change > times * TOLERANCE


def largest(*changes):
    """The largest of the changes that could be measured."""
    return max((each for each in changes if each is not None), default=None)


def subject_of(model):
    """The `Subject`; `Refused` when no call succeeds."""
    call, config = Call(model, named_by(model)), getattr(model, "config", None)
    special = {value for name, value in getattr(config, "__dict__", {}).items() if name.endswith("token_id")}
    vocabulary = min(_vocabulary(call), 4096)
    free = [each for each in range(vocabulary) if each not in special and (each > 4 or vocabulary < 32)]
    ids = torch.tensor(free)[torch.randperm(len(free), generator=torch.Generator().manual_seed(0))].repeat(2 * LENGTH)
    for length in (LENGTH, 7, 4):
        layout, first = with_layout(call, ids[: 2 * length].reshape(2, length))
        if isinstance(first, Seen):
            holders = (getattr(config, "text_config", None), config, model)
            named = [getattr(each, name, None) for each in holders for name in LIMITS.split()]
            limit = next(
                (each for each in named if type(each) is int and each > 0), None if length == LENGTH else length
            )
            pad, scale = getattr(config, "pad_token_id", None), float(first.logits.std())
            pad = pad if isinstance(pad, int) and 0 <= pad < vocabulary else 0
            return Subject(layout, torch.tensor(free), pad, limit, scale if scale > 0 else 1.0)
    return first


def _vocabulary(call):
    """How many tokens there are: the rows of the embedding that is given the ids, or else the width of the logits."""
    rows, ids = [], torch.tensor([[0, 1, 0, 0], [0, 0, 0, 0]])

    def note(module, arguments):
        if arguments and torch.is_tensor(arguments[0]) and arguments[0].tolist() in (ids.tolist(), ids.T.tolist()):
            rows.append(module.num_embeddings)

    modules = call.model.modules() if isinstance(call.model, nn.Module) else ()
    with hooked(each.register_forward_pre_hook(note) for each in modules if isinstance(each, nn.Embedding)):
        seen = with_layout(call, ids)[1]
    return rows[0] if rows else 2 if isinstance(seen, Refused) else seen.logits.shape[-1]
