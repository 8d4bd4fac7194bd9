"""A module that widens x before it adds rows, as embeddings of series and of sound do: the layer that adds the rows."""

import re
from dataclasses import replace

import torch
from torch import nn
from torch.func import functional_call

from ..sandbox.guard import Failed, run
from .answering import answers
from .file import LAYER_SIZES
from .layers import X, with_forward
from .names import ATTENDS
from .parameters import arguments_of, source_of
from .pictures import apart

WIDENS = (nn.Linear, nn.Conv1d)
NEAR = 1e-5
WIDE = LAYER_SIZES["d_model"]


def projected(call, module):
    """The layer that adds to x what ``module`` adds to its projection of x; None for what does something else."""
    required, parts = [a for a in arguments_of(module.forward) or [] if a.required], [*module.modules()]
    of_torch = [type(part).__module__.startswith("torch.") for part in parts]
    told = "\n".join(source_of(type(part)) for part, of in zip(parts, of_torch, strict=True) if not of)
    weighed = {type(p) for p, of in zip(parts, of_torch, strict=True) if of and [*p.parameters(recurse=False)]}
    if len(required) != 1 or not weighed & {*WIDENS} <= weighed <= {*WIDENS, nn.Embedding} or re.search(ATTENDS, told):
        return None
    try:
        plainly = run("a look at projections", _adds_rows, call)
    except (Failed, NotImplementedError):
        return None
    ask = lambda layer, x, *_: _adds(layer, x, True) if plainly else x + _adds(layer.eval(), x)  # noqa: E731
    layer = replace(with_forward(call, [X], ask), remark="with x for what it projects")
    return layer if plainly is not None and answers(layer) else None


def _adds(module, x, for_last=False):
    """What ``module`` gives for zeros, with projections that give zeros; ``for_last``: the last one gives x."""
    parts = {name: part for name, part in module.named_modules() if isinstance(part, WIDENS)}
    held = {f"{at}.{name}": torch.zeros_like(p) for at, part in parts.items() for name, p in part.named_parameters()}
    last = [*parts.values()][-1]
    given = x if isinstance(last, nn.Linear) else x.transpose(-1, -2)
    with last.register_forward_hook(lambda part, _, out: given if for_last else None):
        return functional_call(module, held, (torch.zeros_like(x[..., :1]).expand(*x.shape[:-1], _width(module)),))


def _width(module):
    first = next(part for part in module.modules() if isinstance(part, WIDENS))
    return first.in_features if isinstance(first, nn.Linear) else first.in_channels


def _adds_rows(call):
    """Are rows added to what x becomes, which is the same at each place? True where x itself reaches the sum."""
    module = call.give(LAYER_SIZES).eval().apply(apart)
    x = torch.randn(2, 8, WIDE, generator=torch.Generator().manual_seed(0))
    rows, one = _adds(module, x), 5 * torch.randn(2, 1, _width(module)).expand(-1, 8, -1)
    rest = module(one) - rows
    plain = rest.shape == one.shape and any(((rest - a * one).abs() < NEAR).all() for a in (1, WIDE**0.5))
    moves = (rest[:, 2:5] - rest[:, 3:6]).abs().max() > 1e-4
    if plain or moves or rows.shape != x.shape or not min(rows.std(), rest.std()) > NEAR:
        return None
    return bool(((_adds(module, x, True) - x - rows).abs() < NEAR).all())
