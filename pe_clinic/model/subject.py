"""A model ready to be looked at: how it is called, its tokens, and the unit in which differences are measured."""

import inspect
import math
from dataclasses import dataclass, field
from functools import cached_property

import torch
from torch import nn

from .call import TRUE_WHERE_HIDDEN, Refused, cache_of, logits_of

TOLERANCE = 5e-4  # of the logits' standard deviation: float32 stays below a fifth, and effects are above ten times
LENGTH = 12


@dataclass(frozen=True)
class Subject:
    """``names`` maps roles to parameters; ``mask_for`` builds a mask that the model cannot do without.

    ``sequence_first``: it takes and gives (sequence, batch). ``last_only``: it gives the logits of the last place.
    ``flat``: it takes the tokens of one text, and no batch.
    ``tokens`` may be shown, ``pad`` stands in padding, and ``limit`` is the length that the configuration names.
    ``scale`` is the standard deviation of the logits: every difference is measured in it.
    """

    model: nn.Module = field(repr=False)
    names: dict
    sequence_first: bool = False
    last_only: bool = False
    flat: bool = False
    mask_for: object = None
    tokens: torch.Tensor = field(default=None, repr=False)
    pad: int = 0
    limit: int | None = None
    scale: float = 1.0

    def run(self, ids, **given):
        """Logits (batch, places, vocabulary) for ids (batch, places). ``given``: mask, positions, documents, as ids."""
        if not self.last_only:
            return self.step(ids, **given)[0]
        cuts = [{"ids": ids[:, :n], **{k: v[:, :n] for k, v in given.items()}} for n in range(1, ids.shape[1] + 1)]
        return torch.cat([self.step(**cut)[0] for cut in cuts], dim=1)

    def step(self, ids, caching=False, mask=None, start=0, gradients=False, **given):
        """(logits of the last places, the next call's cache). ``given``: also a cache. `Refused` on an error."""
        if mask is None and self.mask_for is not None:
            mask = self.mask_for(*ids.shape)
        elif mask is not None and self.names["mask"] in TRUE_WHERE_HIDDEN:
            mask = mask == 0
        if self.needs_positions and given.get("positions") is None:
            given["positions"] = (start + torch.arange(ids.shape[1])).expand(ids.shape)
        given |= {"mask": mask} | {k: v for k, v in (("use_cache", caching), ("start", start)) if k in self.names}
        named = {self.names[role]: value for role, value in given.items() if value is not None}
        try:
            with torch.set_grad_enabled(gradients):
                out = self._called(ids, named)
            logits = logits_of(out).detach().double()
            if self.last_only:
                logits = logits[:, None] if logits.dim() == 2 else logits[:, -1:]
            elif self.sequence_first:
                logits = logits.transpose(0, 1)
            places = logits.shape[1:2] if self.last_only or caching else ids.shape[1:]
            if logits.dim() != 3 or logits.shape[:2] != (len(ids), *places):
                raise ValueError(f"logits of shape {tuple(logits.shape)} for ids of shape {tuple(ids.shape)}")
            return logits, cache_of(out, self.names.get("cache"), given.get("cache")) if caching else None
        except Exception as error:
            raise Refused(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}") from error

    def _called(self, ids, named):
        if not self.flat:
            return self.model(ids.T if self.sequence_first else ids, **named)
        rows = ({k: v[n] if torch.is_tensor(v) else v for k, v in named.items()} for n in range(len(ids)))
        return torch.stack([logits_of(self.model(row, **each)) for row, each in zip(ids, rows, strict=True)])

    @property
    def needs_positions(self):
        """Are position ids wanted in each call?"""
        name = self.names.get("positions")
        return bool(name) and inspect.signature(self.model.forward).parameters[name].default is inspect.Parameter.empty

    @cached_property
    def ids(self):
        return self.text()

    @cached_property
    def base(self):
        return self.run(self.ids)

    def attempt(self, ids, **given):
        """As `run`; None when the call is refused."""
        try:
            return self.run(ids, **given)
        except Refused:
            return None

    def takes(self, *roles):
        return all(role in self.names for role in roles)

    def ones(self, ids):
        """A mask of ones as an argument, if the model takes masks. Without one, ids with gaps mean packing to some."""
        return {"mask": torch.ones_like(ids)} if self.takes("mask") and self.mask_for is None else {}

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
        """``length``, or as many places as the configuration names; few where each place is a call of its own."""
        return min(length, self.limit or length, 40 if self.last_only else length)

    def apart(self, one, other):
        """The largest difference of logits in standard deviations; None when one of the two was refused."""
        if one is None or other is None:
            return None
        difference = (one - other).abs().max().item() if one.shape == other.shape else math.inf
        return math.inf if math.isnan(difference) else difference / self.scale


def differs(change):
    """Was a change measured, and is it more than float32's noise?"""
    return change is not None and change > TOLERANCE
