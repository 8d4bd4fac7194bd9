"""Find out how a model is called: its mask, its layout, its tokens, and the length that it names."""

from contextlib import suppress
from dataclasses import replace

import torch
from torch import nn

from .call import CACHES, MASKS, Refused, amount, named_by, unnamed
from .facts import Facts
from .keeping import hooked
from .subject import LENGTH

CONFIGS = "config cfg args params hparams"
LIMITS = (
    "max_position_embeddings n_positions n_ctx max_seq_len max_sequence_length block_size context_length max_len "
    "max_length max_positions ctx_len max_seq_length"
)


def subject_of(model):
    """The `Facts`; `Refused` when no call succeeds."""
    plain, config = Facts(model, named_by(model)), getattr(model, "config", None)
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
        return _handed_back(replace(found, tokens=torch.tensor(free), pad=pad, limit=limit, scale=scale))
    raise refusals[0]


def _with_layout(plain, ids):
    """(``plain`` as this model wants it: its mask, last place, sequence-first; its logits) for ids (2, length)."""
    masked = [replace(plain, mask_for=form) for form in MASKS] if plain.takes("mask") else []
    refusals = []
    flat = [replace(plain, flat=True)] * (not plain.takes("cache"))
    for tried in (plain, *masked, *(replace(each, last_only=True) for each in (plain, *masked)), *flat):
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


def _handed_back(found):
    """``found`` with a parameter whose name speaks of a cache, if what comes back beside the logits fits it."""
    for name in unnamed(found.model, found.names) if not found.takes("cache") else ():
        speaks, tried = CACHES.search(name), replace(found, names={**found.names, "cache": name})
        if not speaks or not (speaks[1] or found.causal):  # a recurrence in both directions has a state, and no cache
            continue
        with suppress(Refused):
            cache = tried.step(found.ids[:, :4], caching=True)[1]
            size = amount(cache)
            logits, grown = tried.step(found.ids[:, 4:5], cache=cache, caching=True, start=4)
            if cache is not None and logits.shape[1] == 1 and amount(grown) >= size:
                return tried
    return found


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
