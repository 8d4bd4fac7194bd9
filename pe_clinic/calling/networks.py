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


def weights_of(module):
    """The first of its weights, in words."""
    return ", ".join([f"{name} {tuple(p.shape)}" for name, p in module.named_parameters()][:2])


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
            Call(Value("module", lambda s: module), call.arguments).give(setting)
        except _Caught:
            return caught[0]
        finally:
            for hook in hooks:
                hook.remove()

    return Value(call.text, give, call.made, BEFORE)


def learns_rows(module):
    """Does it hold, beside its parts, a tensor of two axes or more that is to be trained?"""
    held = (*vars(module).values(), *module.parameters(recurse=False))
    return any(
        isinstance(t, torch.Tensor) and t.requires_grad and t.ndim > 1 and len(t.squeeze().shape) == 2 for t in held
    )
