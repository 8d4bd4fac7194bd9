"""Call any model of tokens: which parameter has which role, and what of the result are the logits."""

import inspect
from dataclasses import dataclass, field, replace

import torch

ROLES = {
    "mask": "attention_mask mask attn_mask padding_mask key_padding_mask src_key_padding_mask",
    "positions": "position_ids positions position pos pos_ids input_pos",
    "documents": "document_ids doc_ids documents sequence_ids seq_ids",
    "cache": "past_key_values cache_params past_key_value past_kv past layer_past cache kv_cache caches state",
    "use_cache": "use_cache return_cache",
    "start": "start_pos start offset cur_pos",
}
TRUE_WHERE_HIDDEN = ("key_padding_mask", "src_key_padding_mask")
MASKS = (  # for a model that cannot do without: of the tokens, then of queries and keys
    lambda rows, length: torch.ones(rows, length, dtype=torch.long),
    lambda rows, length: torch.ones(rows, length, dtype=torch.bool),
    lambda rows, length: torch.ones(length, length).tril().bool(),
    lambda rows, length: torch.ones(length, length).triu(1).bool(),
    lambda rows, length: torch.full((length, length), float("-inf")).triu(1),
)


class Refused(Exception):
    """A call was not possible; the text is the error that it ended with."""


@dataclass(frozen=True)
class Call:
    """How a model is called. ``names`` maps roles to parameters; ``mask_for`` builds a mask that it cannot do without.

    ``sequence_first``: it takes and gives (sequence, batch). ``last_only``: it gives the logits of the last place.
    """

    model: object = field(repr=False)
    names: dict
    sequence_first: bool = False
    last_only: bool = False
    mask_for: object = None

    def run(self, ids, **given):
        """Logits (batch, places, vocabulary) for ids (batch, places). ``given``: mask, positions, documents, as ids."""
        if not self.last_only:
            return self.step(ids, **given)[0]
        cuts = [{"ids": ids[:, :n], **{k: v[:, :n] for k, v in given.items()}} for n in range(1, ids.shape[1] + 1)]
        return torch.cat([self.step(**cut)[0] for cut in cuts], dim=1)

    def step(self, ids, caching=False, **given):
        """(logits of the last places, the next call's cache). ``given``: also cache and start. `Refused` on an error."""
        try:
            named = self._named(ids, caching, **given)
            with torch.no_grad():
                out = self.model(ids.T if self.sequence_first else ids, **named)
            logits = self._ordered(logits_of(out).double())
            if logits.dim() != 3 or len(logits) != len(ids) or not self._fits(logits, ids, caching):
                raise ValueError(f"logits of shape {tuple(logits.shape)} for ids of shape {tuple(ids.shape)}")
            return logits, cache_of(out, self.names.get("cache"), given.get("cache")) if caching else None
        except Exception as error:
            raise Refused(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}") from error

    def _named(self, ids, caching, mask=None, start=0, **given):
        if mask is None and self.mask_for is not None:
            mask = self.mask_for(*ids.shape)
        elif mask is not None and self.names["mask"] in TRUE_WHERE_HIDDEN:
            mask = mask == 0
        given |= {"mask": mask}
        given |= {role: value for role, value in (("use_cache", caching), ("start", start)) if role in self.names}
        return {self.names[role]: value for role, value in given.items() if value is not None}

    def _ordered(self, logits):
        if self.last_only:
            return logits[:, None] if logits.dim() == 2 else logits[:, -1:]
        return logits.transpose(0, 1) if self.sequence_first else logits

    def _fits(self, logits, ids, caching):
        return self.last_only or caching or logits.shape[1] == ids.shape[1]


def attribute(out, name):
    return out.get(name) if isinstance(out, dict) else getattr(out, name, None)


def logits_of(out):
    """The logits in a model's result: `.logits` (or ["logits"]), the first of a tuple, or the result itself."""
    values = [attribute(out, name) for name in ("logits", "prediction_logits", "last_hidden_state")]
    values.append(out[0] if isinstance(out, (tuple, list)) and out else out)
    found = next((each for each in values if torch.is_tensor(each)), None)
    if found is None:
        raise TypeError(f"the model returned {type(out).__name__}: expected logits, or an object with .logits")
    return found


def cache_of(out, name, given):
    """What the next call is given: the result's attribute of that name, a tuple's second part, or what was given."""
    kept = [attribute(out, each) for each in (name, *ROLES["cache"].split()) if each]
    kept += [out[1]] if isinstance(out, (tuple, list)) and len(out) > 1 else []
    return next((each for each in kept if each is not None), given)


def named_by(model):
    """Roles to names of parameters, by ``forward``; one with little more than ``**kwargs`` takes its child's, too."""
    parameters = inspect.signature(model.forward).parameters.values()
    names = [each.name for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    roles = {role: name for role, known in ROLES.items() for name in known.split()[::-1] if name in names[1:]}
    child = next(iter(model.children()), None) if len(names) < 3 else None
    if child is not None and any(each.kind is each.VAR_KEYWORD for each in parameters):
        return {**named_by(child), **roles}
    return roles


def with_layout(call, ids):
    """(``call`` as this model wants it: its mask, last place, sequence-first; its logits) for ids (2, length)."""
    masked = [replace(call, mask_for=form) for form in MASKS] if "mask" in call.names else []
    refusals = []
    for tried in (call, *masked, *(replace(each, last_only=True) for each in (call, *masked))):
        try:
            logits = tried.run(ids)
        except Refused as error:
            refusals.append(error)
            continue
        if tried is call or logits.isfinite().all():
            return _turned(tried, ids, logits)
    raise refusals[0]


def _turned(call, ids, logits):
    """Sequence-first when a changed token moves its column, and not its row."""
    changed = ids.clone()
    changed[0, 2] = ids[0, 1] if ids[0, 2] != ids[0, 1] else ids[1, 0]
    if not call.last_only:
        moved = (logits - call.run(changed)).abs().amax(dim=-1) > 1e-4 * logits.std()
        if moved[1, 2] and not moved[:, torch.arange(ids.shape[1]) != 2].any():
            call = replace(call, sequence_first=True)
            return call, call.run(ids)
    return call, logits
