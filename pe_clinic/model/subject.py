"""A model ready to be looked at: a copy in evaluation mode and float32, how it is called, and the tokens it is shown."""

import contextlib
import copy
import io
import logging
import warnings
from dataclasses import dataclass, field

import torch
from torch import nn

from .call import Call, Refused, Seen, named_by, with_layout

TOLERANCE = 5e-4  # of the logits' standard deviation: float32 stays below a fifth, and effects are above ten times
LENGTH = 12
LIMITS = "max_position_embeddings n_positions n_ctx max_seq_len max_sequence_length block_size context_length seq_length max_len"


@dataclass(frozen=True)
class Measured:
    """``change``: by how many standard deviations logits changed, None if a call was refused; ``id``: what a change means."""

    id: str
    change: float | None
    where: str

    def __bool__(self):
        return differs(self.change)

    @property
    def evidence(self):
        return f"{self.where}: the logits differ by {self.change:.2g} of their standard deviation"


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
        """A mask of ones as an argument, if the model takes a mask: ids with gaps mean packing to some, without one."""
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
        if not isinstance(one, (Seen, torch.Tensor)) or not isinstance(other, (Seen, torch.Tensor)):
            return None
        a, b = (each.logits if isinstance(each, Seen) else each for each in (one, other))
        difference = (a - b).abs().max().item() if a.shape == b.shape else float("inf")
        return difference / self.scale if difference == difference else float("inf")


def differs(change, times=1):
    """Was a change measured, and is it more than float32's noise (``times`` as much in a long sum)?"""
    return change is not None and change > times * TOLERANCE


def largest(*changes):
    """The largest of the changes that could be measured."""
    return max((each for each in changes if each is not None), default=None)


def subject_of(model):
    """The `Subject`; `Refused` when no call succeeds."""
    names = named_by(model)
    tokens, pad = _tokens(model, names)
    ids = tokens[torch.randperm(len(tokens), generator=torch.Generator().manual_seed(0))].repeat(2 * LENGTH)
    for length in (LENGTH, 7, 4):
        call, first = with_layout(Call(model, names), ids[: 2 * length].reshape(2, length))
        if isinstance(first, Seen):
            holders = [getattr(getattr(model, "config", None), "text_config", None), getattr(model, "config", None), model]
            limits = [getattr(each, name, None) for each in holders for name in LIMITS.split()]
            limit = next((each for each in limits if type(each) is int and each > 0), None if length == LENGTH else length)
            scale = float(first.logits.std())
            return Subject(call, tokens, pad, limit, scale if scale > 0 else 1.0)
    return first


def _tokens(model, names):
    """Ids that may be shown, and the one for padding: within the embedding, none with a meaning of its own."""
    rows, config, ids = [], getattr(model, "config", None), torch.tensor([[0, 1, 0, 0], [0, 0, 0, 0]])
    special = {value for name, value in getattr(config, "__dict__", {}).items() if name.endswith("token_id")}

    def note(module, arguments):
        if arguments and isinstance(arguments[0], torch.Tensor) and arguments[0].tolist() in (ids.tolist(), ids.T.tolist()):
            rows.append(module.num_embeddings)

    modules = model.modules() if hasattr(model, "modules") else ()
    hooks = [each.register_forward_pre_hook(note) for each in modules if isinstance(each, nn.Embedding)]
    seen = with_layout(Call(model, names), ids)[1]
    for hook in hooks:
        hook.remove()
    vocabulary = rows[0] if rows else (2 if isinstance(seen, Refused) else seen.logits.shape[-1])
    free = [each for each in range(min(vocabulary, 4096)) if each not in special]
    pad = getattr(config, "pad_token_id", None)
    free = [each for each in free if each > 4] if len(free) > 32 else free
    return torch.tensor(free), pad if isinstance(pad, int) and 0 <= pad < vocabulary else 0


@contextlib.contextmanager
def quietly():
    """Keep random numbers, warnings, logging and the terminal as they were."""
    threshold = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with torch.random.fork_rng(), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            torch.manual_seed(0)
            yield
    finally:
        logging.disable(threshold)


def copy_of(model):
    """A copy in evaluation mode and float32. Faint weights are made stronger: what they hide becomes visible.

    The laws of positions hold for all weights. Fresh ones of 0.02 let attention look almost evenly at everything, and
    zeros hide a layer altogether.
    """
    twin = copy.deepcopy(model)
    if not isinstance(twin, nn.Module):
        return twin
    twin.eval()
    if any(each.dtype in (torch.float16, torch.bfloat16) for each in twin.parameters()):
        twin.float()
    embeddings = {id(each.weight) for each in twin.modules() if isinstance(each, nn.Embedding)}
    with torch.no_grad():
        for weight in twin.parameters():
            if weight.dim() > 1 and weight.is_floating_point() and id(weight) not in embeddings:
                usual, std = (weight.numel() / len(weight)) ** -0.5, float(weight.std())
                if std == 0:
                    weight.normal_(0, usual)
                elif std < 0.5 * usual:
                    weight.mul_(usual / std)
    return twin
