"""A model ready to be looked at: how it is called, its tokens, and the unit in which differences are measured."""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import torch
from torch import nn

from .call import MASKS, TRUE_WHERE_HIDDEN, Refused, cache_of, logits_of, named_by
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
    """``names`` maps roles to parameters; ``mask_for`` builds a mask that the model cannot do without.

    ``sequence_first``: it takes and gives (sequence, batch). ``last_only``: it gives the logits of the last place.
    ``tokens`` may be shown, ``pad`` stands in padding, and ``limit`` is the length that the configuration names.
    ``scale`` is the standard deviation of the logits: every difference is measured in it.
    """

    model: nn.Module = field(repr=False)
    names: dict
    sequence_first: bool = False
    last_only: bool = False
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

    def step(self, ids, caching=False, mask=None, start=0, **given):
        """(logits of the last places, the next call's cache). ``given``: also a cache. `Refused` on an error."""
        if mask is None and self.mask_for is not None:
            mask = self.mask_for(*ids.shape)
        elif mask is not None and self.names["mask"] in TRUE_WHERE_HIDDEN:
            mask = mask == 0
        given |= {"mask": mask} | {k: v for k, v in (("use_cache", caching), ("start", start)) if k in self.names}
        named = {self.names[role]: value for role, value in given.items() if value is not None}
        try:
            with torch.no_grad():
                out = self.model(ids.T if self.sequence_first else ids, **named)
            logits = logits_of(out).double()
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
    plain, config = kind(model, named_by(model)), getattr(model, "config", None)
    special = {value for name, value in getattr(config, "__dict__", {}).items() if name.endswith("token_id")}
    vocabulary = min(_vocabulary(plain), 4096)
    free = [each for each in range(vocabulary) if each not in special and (each > 4 or vocabulary < 32)]
    ids = torch.tensor(free)[torch.randperm(len(free), generator=torch.Generator().manual_seed(0))].repeat(2 * LENGTH)
    refusals = []
    for length in (LENGTH, 7, 4):
        try:
            found, logits = _with_layout(plain, ids[: 2 * length].reshape(2, length))
        except Refused as error:
            refusals.append(error)
            continue
        pad, limit = getattr(config, "pad_token_id", None), _limit(model) or (None if length == LENGTH else length)
        pad = pad if isinstance(pad, int) and 0 <= pad < vocabulary else 0
        scale = float(logits.std()) if logits.std() > 0 else 1.0
        return replace(found, tokens=torch.tensor(free), pad=pad, limit=limit, scale=scale)
    raise refusals[0]


def _with_layout(plain, ids):
    """(``plain`` as this model wants it: its mask, last place, sequence-first; its logits) for ids (2, length)."""
    masked = [replace(plain, mask_for=form) for form in MASKS] if plain.takes("mask") else []
    refusals = []
    for tried in (plain, *masked, *(replace(each, last_only=True) for each in (plain, *masked))):
        try:
            logits = tried.run(ids)
        except Refused as error:
            refusals.append(error)
            continue
        if tried is plain or logits.isfinite().all():
            return _turned(tried, ids, logits)
    raise refusals[0]


def _turned(found, ids, logits):
    """Sequence-first when a changed token moves its column, and not its row."""
    changed = ids.clone()
    changed[0, 2] = ids[0, 1] if ids[0, 2] != ids[0, 1] else ids[1, 0]
    if not found.last_only and (other := found.attempt(changed)) is not None:
        moved = (logits - other).abs().amax(dim=-1) > 1e-4 * logits.std()
        if moved[1, 2] and not moved[:, torch.arange(ids.shape[1]) != 2].any():
            found = replace(found, sequence_first=True)
            return found, found.run(ids)
    return found, logits


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


def _vocabulary(plain):
    """How many tokens there are: the rows of the embedding that is given the ids, or else the width of the logits."""
    rows, ids = [], torch.tensor([[0, 1, 0, 0], [0, 0, 0, 0]])

    def note(module, arguments):
        if arguments and torch.is_tensor(arguments[0]) and arguments[0].tolist() in (ids.tolist(), ids.T.tolist()):
            rows.append(module.num_embeddings)

    tables = [each for each in plain.model.modules() if isinstance(each, nn.Embedding)]
    with hooked(each.register_forward_pre_hook(note) for each in tables):
        try:
            width = _with_layout(plain, ids)[1].shape[-1]
        except Refused:
            width = 2
    return rows[0] if rows else width
