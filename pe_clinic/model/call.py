"""Any model of tokens: which parameter has which role, and what of the result are the logits and the cache."""

import inspect
import re

import torch

ROLES = {
    "mask": "attention_mask mask attn_mask padding_mask key_padding_mask src_key_padding_mask",
    "positions": "position_ids positions position pos pos_ids input_pos",
    "documents": "document_ids doc_ids documents sequence_ids seq_ids",
    "cache": "past_key_values cache_params past_key_value past_kv past layer_past cache kv_cache caches state",
    "use_cache": "use_cache return_cache",
    "start": "start_pos start offset cur_pos",
}
CACHES = re.compile(r"^(?!encoder|output|return|use)\w*(?:(cache|kv|past)|state|hidden|carry)|^h[x0]?$")
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
    kept += out[1:] if isinstance(out, (tuple, list)) else []
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


def unnamed(model, names):
    """Parameters of ``forward`` that are None by default and have no role among ``names``."""
    parameters = inspect.signature(model.forward).parameters.values()
    return [each.name for each in parameters if each.default is None and each.name not in names.values()]


def amount(value):
    """How many numbers a cache holds, whatever it is made of."""
    if torch.is_tensor(value):
        return value.numel()
    parts = value if isinstance(value, dict) else getattr(value, "__dict__", {})
    return sum(map(amount, value if isinstance(value, (list, tuple)) else parts.values()))
