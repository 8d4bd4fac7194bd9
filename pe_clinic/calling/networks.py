"""A module that hands its table on to a small network, as models of diffusion do: what goes into the network."""

import torch
from torch import nn

from .lines import BEFORE, Call, Value


class _Caught(Exception):
    """The forward is left here; what came is kept."""


def _parts(module):
    """The parts that compute with weights."""
    parts = (part for part in module.modules() if part is not module and not isinstance(part, nn.Embedding))
    return [part for part in parts if next(part.parameters(recurse=False), None) is not None]


def has_network(module):
    return bool(_parts(module))


def before_network(call: Call) -> Value:
    """What ``call``, of a module, hands to its first part with weights."""

    def give(setting):
        module = call.target.give(setting).eval()
        caught = []

        def catch(part, given):
            caught.append(given[0])
            raise _Caught

        hooks = [part.register_forward_pre_hook(catch) for part in _parts(module)]
        try:
            return Call(Value("module", lambda s: module), call.arguments).give(setting)
        except _Caught:
            return caught[0]
        finally:
            for hook in hooks:
                hook.remove()

    return Value(call.text, give, call.made, BEFORE)


def learns_rows(module):
    """Does it hold, beside its parts, a tensor of two axes that is to be trained?"""
    held = (t for t in (*vars(module).values(), *module.parameters(recurse=False)) if isinstance(t, torch.Tensor))
    return any(t.requires_grad and t.squeeze().ndim == 2 for t in held)
