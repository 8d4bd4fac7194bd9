"""A function, or a forward that takes more than x, made a layer whose forward takes x alone."""

import functools
import re

import torch
from torch import nn

from .lines import Call, Value, then, variable

X = (None, variable("x"))
IDS = (None, Value("ids", lambda s: torch.full(s["x"].shape[:2], 2, device=s["x"].device)))
ROWS = (None, Value("positions", lambda s: torch.arange(s["x"].shape[1], device=s["x"].device)))
ONES = Value("ones", lambda s: torch.ones(s["x"].shape[:2], dtype=torch.long, device=s["x"].device))
NUMBERS = tuple(Value(n, lambda s, n=n: getattr(torch, n)(s["x"].shape[:2])) for n in ("ones", "zeros"))
ONES_AND_ONE = Value("ones", lambda s: torch.nn.functional.pad(ONES.give(s), (0, 1), value=1))
LAYER = frozenset({"layer"})
OF_POSITIONS = r"(?i)pos|(^|[._])pe$"  # in the name of a part
NOTHING_ADDED = "nothing was added to the embedded tokens"


class FunctionLayer(nn.Module):
    """forward(x) = ``function(x)``; the parameters and buffers are those of ``inner``."""

    def __init__(self, function, inner=None):
        super().__init__()
        self.function, self.inner = function, inner

    def forward(self, x):
        return self.function(x)


def inner_of(layer):
    """What a `FunctionLayer` calls; the ``layer`` itself where it is none."""
    return getattr(layer, "inner", None) or layer


def of_function(call):
    """The layer whose forward is ``call`` of x; sizes are those for which it is made."""

    def give(setting):
        return FunctionLayer(lambda x: call.give({**setting, "x": x, "device": x.device}))

    return Value(call.text, give, LAYER)


def of_line(call):
    """The layer whose forward is the function of x that the line ``call`` gives."""

    def layer(function):
        inner = next((part for part in function.__defaults__ or () if isinstance(part, nn.Module)), None)
        return FunctionLayer(function, inner)

    return then(call, layer, made=LAYER)


def with_forward(call, arguments, ask=lambda layer, x, by_place, named: layer(*by_place, **named)):
    """The layer that ``call`` makes, whose forward(x) = layer(*arguments); sizes in them are those of x.

    ``ask(layer, x, by_place, named)`` stands in for the plain call.
    """

    def forward(layer, x):
        setting = {"x": x, "max_len": x.shape[1], "d_model": x.shape[2], "device": x.device}
        named = {name: value.give(setting) for name, value in arguments if name}
        by_place = [value.give(setting) for name, value in arguments if not name]
        return ask(layer, x, by_place, named)

    return layer_of(call, forward, Call(call, tuple(arguments)).text)


def layer_of(call, forward, text):
    """The layer that ``call`` makes, with another ``forward(layer, x)``."""
    return then(call, lambda layer: FunctionLayer(functools.partial(forward, layer), layer), text, made=LAYER)


def without_tokens(call):
    """A model with every embedding of tokens set to zero, so that what it adds for positions is left."""

    @torch.no_grad()
    def emptied(model):
        for name, module in model.named_modules():
            if isinstance(module, nn.Embedding) and "pos" not in name.lower() and name not in ("", "pe"):
                module.weight.zero_()
        return model.eval()

    return then(call, emptied)


def of_tokens(model, x, ids, named):
    """What ``model`` gives for token ids whose embedding is x; TypeError where it embeds no tokens."""
    (ids,), seen, asked, hooks = ids, [], [], []

    def embedded(module, given, out):
        if not seen and out.shape == x.shape and torch.equal(given[0], ids):
            seen.append(module)
            return x.clone()  # the model may add to it in place
        if torch.equal(given[0], torch.ones_like(ids)):
            return torch.zeros_like(out)  # of segments, all of one kind

    for name, part in model.named_modules():
        if isinstance(part, nn.Embedding) and part is not model:
            hooks.append(part.register_forward_hook(embedded))
        if re.search(OF_POSITIONS, name):
            hooks.append(part.register_forward_hook(lambda *given: asked.append(given)))
    try:
        out = model(ids, **named)
    finally:
        for hook in hooks:
            hook.remove()
    if not seen:
        raise TypeError("no embedding was asked for the tokens")
    begins_at_zero = any(p.requires_grad and p.ndim > 1 and not p.any() for p in model.parameters())
    if x.shape[1] > 1 and is_multiple(out, x) and not (asked or begins_at_zero):
        raise TypeError(NOTHING_ADDED)
    return out


def is_multiple(out, x):
    first = x.flatten()[0]
    if getattr(out, "shape", None) != x.shape or not first:
        return False
    return bool((out - out.flatten()[0] / first * x).abs().max() < 1e-5)


def has_embedding(module):
    return any(isinstance(part, nn.Embedding) for part in module.modules())
