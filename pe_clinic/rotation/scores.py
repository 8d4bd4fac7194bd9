"""The scores of an attention layer, caught where they go into a softmax."""

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

SOFTMAX = {torch.softmax, nn.functional.softmax, torch.Tensor.softmax}


class Scores(TorchFunctionMode):
    """Keeps, as (…, queries, keys), the last scores that go into a softmax over ``length`` keys, of as many queries."""

    def __init__(self, length):
        super().__init__()
        self.length = length

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function in SOFTMAX or function is nn.functional.scaled_dot_product_attention:
            if function in SOFTMAX:
                scores = args[0].movedim(kwargs.get("dim", args[1] if len(args) > 1 else -1), -1)
            else:
                scores = _scores(*args, **kwargs)
            queries = [n for n, size in enumerate(scores.shape[:-1]) if size == self.length]
            if scores.shape[-1] == self.length and queries:
                self.kept = scores.movedim(queries[-1], -2).flatten(0, -3).clone()
        return function(*args, **kwargs)


def _scores(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, **_):
    """What `scaled_dot_product_attention` takes the softmax of."""
    scores = query @ key.transpose(-2, -1) * (scale or query.shape[-1] ** -0.5)
    if attn_mask is None:
        attn_mask = torch.ones(scores.shape[-2:]).tril() == 1 if is_causal else torch.zeros(1)
    return scores.masked_fill(~attn_mask, -torch.inf) if attn_mask.dtype is torch.bool else scores + attn_mask
