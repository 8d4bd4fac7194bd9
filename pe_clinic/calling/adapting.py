"""Names that an expression of the command line may use besides those of the file."""

import functools

import numpy

from ..sandbox.values import is_module


def as_layer(function):
    """A layer whose forward(x) is ``function(x)``."""
    return _function_layer()(function)


def layer_with(layer, call):
    """``layer``, with forward(x) = ``call(layer, x)``: for a forward that takes more than x."""
    return _function_layer()(lambda x: call(layer, x), layer)


@functools.cache
def _function_layer():
    from torch import nn

    class Layer(nn.Module):
        def __init__(self, function, inner=None):
            super().__init__()
            self.function, self.inner = function, inner

        def forward(self, x):
            return self.function(x)

    return Layer


def without_tokens(model):
    """``model`` with every embedding of tokens set to zero, so that what it adds for positions is left."""
    import torch

    with torch.no_grad():
        for name, module in model.named_modules():
            if isinstance(module, torch.nn.Embedding) and "pos" not in name.lower() and name not in ("", "pe"):
                module.weight.zero_()
    return model.eval()


NOTHING_ADDED = "nothing was added to the embedded tokens"


def of_tokens(model, x, **more):
    """What ``model`` gives for token ids whose embedding is x; an error where it embeds no tokens."""
    import torch

    ids = torch.full(x.shape[:2], 2, device=x.device)
    seen = []

    def embedded(module, given, out):
        if not seen and out.shape == x.shape and torch.equal(given[0], ids):
            seen.append(module)
            return x
        if torch.equal(given[0], torch.ones_like(ids)):
            return torch.zeros_like(out)  # of segments, all of one kind

    parts = [part for part in model.modules() if isinstance(part, torch.nn.Embedding) and part is not model]
    hooks = [part.register_forward_hook(embedded) for part in parts]
    try:
        out = model(ids, **more)
    finally:
        for hook in hooks:
            hook.remove()
    if not seen:
        raise TypeError("no embedding was asked for the tokens")
    if _is_multiple(out, x):
        raise TypeError(NOTHING_ADDED)
    return out


def _is_multiple(out, x):
    first = x.flatten()[0]
    if getattr(out, "shape", None) != x.shape or not first:
        return False
    return bool((out - out.flatten()[0] / first * x).abs().max() < 1e-5)


def with_globals(thing, **values):
    """``thing``, a function or a class, called while names at the top of its file have other ``values``."""
    space = getattr(thing, "__globals__", None) or thing.__init__.__globals__

    def meanwhile(function):
        @functools.wraps(function, updated=())
        def call(*arguments, **named):
            old = {name: space[name] for name in values}
            space.update(values)
            try:
                return function(*arguments, **named)
            finally:
                space.update(old)

        return call

    def made(*arguments, **named):
        value = meanwhile(thing)(*arguments, **named)
        if is_module(value):
            value.forward = meanwhile(value.forward)
        return value

    return made


def filled(function, max_len, d_model):
    """The tensor (max_len, d_model) that ``function`` writes into."""
    import torch

    out = torch.nn.Parameter(torch.zeros(max_len, d_model))
    function(out)
    return out


HELPERS = {
    "filled": filled,
    "as_layer": as_layer,
    "layer_with": layer_with,
    "without_tokens": without_tokens,
    "of_tokens": of_tokens,
    "with_globals": with_globals,
    "numpy": numpy,
}
