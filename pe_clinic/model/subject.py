"""A model ready to be looked at: a copy in evaluation mode and float32, how it is called, and which tokens it is shown."""

import contextlib
import copy
import io
import logging
import warnings
from dataclasses import dataclass, field

import torch
from torch import nn

from .call import Call, Refused, named_by, with_layout

TOLERANCE = 5e-4  # of the logits' standard deviation: float32 stays below a fifth, and effects are above ten times
LENGTH = 12
LIMITS = ("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "max_sequence_length", "block_size",
          "context_length", "seq_length", "max_len", "max_length")  # fmt: skip


@dataclass(frozen=True)
class Subject:
    """``tokens`` may be shown, ``pad`` stands in padding, and ``limit`` is the length that the configuration names.

    ``scale`` is the standard deviation of the logits: every difference is measured in it.
    """

    call: Call
    tokens: torch.Tensor = field(repr=False)
    pad: int
    limit: int | None
    base: object = field(repr=False)
    scale: float

    def run(self, ids, **given):
        return self.call.run(ids, **given)

    def takes(self, *roles):
        return all(self.call.takes(role) for role in roles)

    def text(self, length=LENGTH, rows=2, seed=0):
        """Ids (rows, length), the same on every run; no token twice in a row of the text while there are enough."""
        generator = torch.Generator().manual_seed(seed)
        order = [torch.randperm(len(self.tokens), generator=generator) for _ in range(rows)]
        return torch.stack([self.tokens[each.repeat(length // len(each) + 1)[:length]] for each in order])

    def apart(self, one, other):
        """The largest difference of two tensors of logits in standard deviations; None when a call was refused."""
        if one is None or other is None or isinstance(one, Refused) or isinstance(other, Refused):
            return None
        a, b = (each if isinstance(each, torch.Tensor) else each.logits for each in (one, other))
        if a.shape != b.shape:
            return float("inf")
        difference = (a - b).abs().max().item() if a.numel() else 0.0
        return difference / self.scale if difference == difference else float("inf")


def differs(difference, times=1):
    """Was a difference measured, and is it more than float32's noise (``times`` as much in a long sum)?"""
    return difference is not None and difference > times * TOLERANCE


def subject_of(model):
    """The `Subject`; `Refused` when no call succeeds."""
    names = named_by(model)
    tokens, pad = _tokens(model, names)
    call = Call(model, names)
    ids = tokens[torch.randperm(len(tokens), generator=torch.Generator().manual_seed(0))]
    ids = ids.repeat(2 * LENGTH)[: 2 * LENGTH].reshape(2, LENGTH)
    call, first = with_layout(call, ids)
    if isinstance(first, Refused):
        return first
    call, first = _turned(call, ids, first)
    return Subject(call, tokens, pad, _limit(model), first, float(first.logits.std()) or 1.0)


def _turned(call, ids, first):
    """Sequence-first when a changed token moves its column, and not its row."""
    changed = ids.clone()
    changed[1, 2] = ids[0, 5]
    second = call.run(changed)
    if isinstance(second, Refused) or call.last_only or second.logits.shape != first.logits.shape:
        return call, first
    moved = (first.logits - second.logits).abs().amax(dim=-1) > TOLERANCE * first.logits.std()
    if moved[0, 2] and not moved[:, torch.arange(LENGTH) != 2].any():
        call = Call(call.model, call.names, True, False, call.mask_for)
        return call, call.run(ids)
    return call, first


def _limit(model):
    for holder in (getattr(model, "config", None), model):
        for each in (getattr(holder, "text_config", None), holder):
            for name in LIMITS:
                value = getattr(each, name, None)
                if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                    return value
    return None


def _tokens(model, names):
    """Ids that may be shown, and the one for padding: within the embedding, none with a meaning of its own."""
    rows, special = [], set()
    config = getattr(model, "config", None)
    for name, value in (vars(config).items() if hasattr(config, "__dict__") else ()):
        if name.endswith("token_id") and isinstance(value, int):
            special.add(value)
    ids = torch.zeros(2, 4, dtype=torch.long)
    ids[0, 1] = 1
    modules = list(model.modules()) if hasattr(model, "modules") else []

    def note(module, arguments):
        if arguments and isinstance(arguments[0], torch.Tensor) and arguments[0].tolist() in (ids.tolist(), ids.T.tolist()):
            rows.append(module.num_embeddings)

    hooks = [each.register_forward_pre_hook(note) for each in modules if isinstance(each, nn.Embedding)]
    seen = Call(model, names).run(ids)
    for hook in hooks:
        hook.remove()
    vocabulary = rows[0] if rows else (2 if isinstance(seen, Refused) else seen.logits.shape[-1])
    free = [each for each in range(min(vocabulary, 4096)) if each not in special]
    free = [each for each in free if each > 4] if len(free) > 32 else free
    pad = getattr(config, "pad_token_id", None)
    return torch.tensor(free), pad if isinstance(pad, int) and 0 <= pad < vocabulary else 0


@contextlib.contextmanager
def quietly():
    """Keep random numbers, torch's settings and the terminal as they were."""
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
                usual = (weight.numel() / len(weight)) ** -0.5
                std = float(weight.std())
                if std == 0:
                    weight.normal_(0, usual)
                elif std < 0.5 * usual:
                    weight.mul_(usual / std)
    return twin
