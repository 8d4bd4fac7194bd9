"""Call any model of tokens: which parameter has which role, and what of the result are the logits."""

import inspect
from dataclasses import dataclass, field, replace

import torch

ROLES = {
    "ids": ("input_ids", "ids", "idx", "tokens", "token_ids", "input", "inputs", "x"),
    "mask": ("attention_mask", "mask", "attn_mask", "padding_mask", "key_padding_mask", "src_key_padding_mask"),
    "positions": ("position_ids", "positions", "position", "pos", "pos_ids", "input_pos"),
    "cache": ("past_key_values", "cache_params", "past_key_value", "past_kv", "past", "layer_past", "cache", "kv_cache",
              "caches", "kv_caches", "state", "states", "hidden_state"),
    "use_cache": ("use_cache", "return_cache"),
    "start": ("start_pos", "start", "offset", "cur_pos"),
}  # fmt: skip
TRUE_WHERE_HIDDEN = ("key_padding_mask", "src_key_padding_mask")


@dataclass(frozen=True)
class Refused:
    """A call that was not possible, and the error that it ended with."""

    error: str


@dataclass(frozen=True)
class Seen:
    """``logits`` (batch, places, vocabulary) of the last places, float64; ``cache`` is what the next call is given."""

    logits: torch.Tensor
    cache: object = field(default=None, repr=False)


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

    def takes(self, role):
        return role in self.names

    def run(self, ids, **given):
        """`Seen` or `Refused`. ``given``: mask, positions (batch, length), cache, start, and caching=True to get a cache."""
        try:
            if self.last_only and not given.get("caching"):
                return self._every_place(ids, given)
            return self._once(ids, **given)
        except Exception as error:
            return Refused(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}")

    def _every_place(self, ids, given):
        """Logits of all places from a model that gives the last: one call for each beginning of the text."""
        ends = range(1, ids.shape[1] + 1)
        cut = {name: value for name, value in given.items() if isinstance(value, torch.Tensor)}
        parts = [self._once(ids[:, :end], **{name: value[:, :end] for name, value in cut.items()}) for end in ends]
        return Seen(torch.cat([part.logits for part in parts], dim=1))

    def _once(self, ids, mask=None, positions=None, cache=None, start=0, caching=False):
        arguments = {}
        if mask is None and self.mask_for is not None:
            mask = self.mask_for(ids.shape)
        if mask is not None:
            arguments["mask"] = mask == 0 if self.names["mask"] in TRUE_WHERE_HIDDEN else mask
        if positions is not None:
            arguments["positions"] = positions
        if cache is not None:
            arguments["cache"] = cache
        if self.takes("use_cache"):
            arguments["use_cache"] = caching
        if self.takes("start"):
            arguments["start"] = start
        named = {self.names[role]: value for role, value in arguments.items()}
        out = self._called(ids.T if self.sequence_first else ids, named)
        logits = logits_of(out)
        if self.last_only and logits.dim() == 2:
            logits = logits[:, None]
        if self.sequence_first and logits.dim() == 3 and not self.last_only:
            logits = logits.transpose(0, 1)
        if logits.dim() != 3 or len(logits) != len(ids):
            raise ValueError(f"logits of shape {tuple(logits.shape)} for ids of shape {tuple(ids.shape)}")
        return Seen(logits.double(), cache_of(out, self.names.get("cache"), cache) if caching else None)

    def _called(self, ids, named):
        with torch.no_grad():
            return self.model(**{self.names["ids"]: ids}, **named) if "ids" in self.names else self.model(ids, **named)


def logits_of(out):
    """The tensor of logits in a model's result: `.logits`, `["logits"]`, the first of a tuple, or the result."""
    if isinstance(out, torch.Tensor):
        return out
    for name in ("logits", "prediction_logits", "last_hidden_state"):
        value = out.get(name) if isinstance(out, dict) else getattr(out, name, None)
        if isinstance(value, torch.Tensor):
            return value
    if isinstance(out, (tuple, list)) and isinstance(out[0], torch.Tensor):
        return out[0]
    raise TypeError(f"the model returned {type(out).__name__}: expected logits, or an object with .logits")


def cache_of(out, name, given):
    """What the next call is given as ``name``: out's attribute of that name, a tuple's second part, or what was given."""
    kept = [out.get(each) if isinstance(out, dict) else getattr(out, each, None) for each in (name, *ROLES["cache"]) if each]
    kept += [out[1]] if isinstance(out, (tuple, list)) and len(out) > 1 else []
    return next((each for each in kept if each is not None), given)


def named_by(model):
    """Roles to parameter names, from the signature of ``forward``; a wrapper with ``**kwargs`` also takes its child's."""
    signature = inspect.signature(getattr(model, "forward", model))
    kinds = [each.kind for each in signature.parameters.values()]
    explicit = [name for name, each in signature.parameters.items() if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    names = {role: next((each for each in known if each in explicit), None) for role, known in ROLES.items()}
    names["ids"] = explicit[0] if explicit else None
    if inspect.Parameter.VAR_KEYWORD in kinds and len(explicit) < 3 and hasattr(model, "children"):
        for child in model.children():
            inner = named_by(child)
            if len(inner) > 1:
                names = {role: names.get(role) or inner.get(role) for role in {*names, *inner}}
                break
    first = next((name for role, name in names.items() if role != "ids" and name and name == names["ids"]), None)
    return {role: name for role, name in names.items() if name and (role == "ids" or name != first)}


def with_layout(call, ids):
    """``call`` as this model wants it: its mask, sequence-first or batch-first, all places or the last."""
    first = call.run(ids)
    if isinstance(first, Refused) and call.takes("mask"):
        call, first = _with_mask(call, ids, first)
    if isinstance(first, Refused):
        last = replace(call, last_only=True)
        if not isinstance(last.run(ids[:, :1], caching=False), Refused):
            call, first = last, last.run(ids)
        return call, first
    return call, first


def _with_mask(call, ids, first):
    forms = (
        lambda shape: torch.ones(shape, dtype=torch.long),
        lambda shape: torch.ones(shape, dtype=torch.bool),
        lambda shape: torch.ones(shape[1], shape[1]).tril().bool(),
        lambda shape: ~torch.ones(shape[1], shape[1]).tril().bool(),
        lambda shape: torch.full((shape[1], shape[1]), float("-inf")).triu(1),
    )
    for form in forms:
        tried = replace(call, mask_for=form)
        seen = tried.run(ids)
        if not isinstance(seen, Refused) and seen.logits.isfinite().all():
            return tried, seen
    return call, first
