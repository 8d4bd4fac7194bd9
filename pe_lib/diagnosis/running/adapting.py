"""Names that an expression of the command line may use besides those of the file."""

import functools

import numpy

from .values import is_module


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
    "with_globals": with_globals,
    "numpy": numpy,
}
