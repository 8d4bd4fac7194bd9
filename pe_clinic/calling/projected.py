"""Rows behind or before trained weights: of a module that widens x before it adds them, or that hands them on."""

import re
from dataclasses import replace

import torch
from torch import nn
from torch.func import functional_call

from ..sandbox.guard import attempt, run
from .answering import answers
from .file import LAYER_SIZES
from .layers import X, with_forward
from .lines import BEFORE, Call, Value, then
from .names import ATTENDS
from .parameters import required_of, source_of
from .picking import Reading
from .pictures import apart

WIDENS, BESIDE = {nn.Linear, nn.Conv1d}, {nn.Embedding, nn.LayerNorm}
NEAR = 1e-5
WIDE = LAYER_SIZES["d_model"]


def projected(call, module):
    """A reading as a layer that adds to x what ``module`` adds to its projection of x; None where there is none."""
    weighed = {type(part) for part in module.modules() if _of_torch(part) and [*part.parameters(recurse=False)]}
    required = required_of(module.forward)
    if len(required) != 1 or not weighed & WIDENS <= weighed <= WIDENS | BESIDE or _attends(module):
        return None
    plainly = None
    for length in (6, LAYER_SIZES["max_len"]):  # some stop at the one, others at the other
        plainly = attempt(run, "a look at projections", _adds_rows, call, length) if plainly is None else plainly
    ask = lambda layer, x, *_: _adds(layer, x, True) if plainly else x + _adds(layer.eval(), x)  # noqa: E731
    layer = replace(with_forward(call, [X], ask), remark=f"{call.remark} with x for what it projects".strip())
    return Reading("layer", layer) if plainly is not None and answers(layer) else None


def without_norms(call, module):
    """``call`` without what a LayerNorm makes of x, as of BERT's sum of tokens and rows; itself where there is none."""
    norms, names = {p: n for n, p in module.named_modules() if isinstance(p, nn.LayerNorm)}, {}
    for x in (torch.arange(6).view(2, 3) + 1, torch.randn(2, 3, WIDE)) if norms and not _attends(module) else ():
        note = lambda part, given, out: names.update({norms[part]: 0} if (given[0][0] != given[0][-1]).any() else {})  # noqa: E731
        hooks = [part.register_forward_hook(note) for part in norms]
        kinds = [torch.ones(2, 3, dtype=torch.long)] * (len(required_of(module.forward)) - 1)  # of segments, or a mask
        attempt(run, "a look at norms", module, x, *kinds)
        for hook in hooks:
            hook.remove()

    def bare(made):
        for name in names:
            made.get_submodule(name).register_forward_hook(lambda part, given, out: given[0])
        return made

    return then(call, bare, remark=f"without its {', '.join(names)}") if names else call


def _attends(module):
    return any(not _of_torch(part) and re.search(ATTENDS, source_of(type(part))) for part in module.modules())


def _of_torch(part):
    return type(part).__module__.startswith("torch.")


def _adds(module, x, for_last=False, fill=0.0):
    """What ``module`` gives for ``fill``, with projections that give zeros; ``for_last``: the last one gives x."""
    parts = {f"{name}.": part for name, part in module.named_modules() if type(part) in WIDENS}
    held = {at + name: torch.zeros_like(p) for at, part in parts.items() for name, p in part.named_parameters()}
    last = [*parts.values()][-1]
    given = x if isinstance(last, nn.Linear) else x.transpose(-1, -2)
    with last.register_forward_hook(lambda part, _, out: given if for_last else None):
        return functional_call(module, held, (x.new_full((*x.shape[:-1], _width(module)), fill),))


def _width(module):
    first = next(part for part in module.modules() if type(part) in WIDENS)
    return first.in_features if isinstance(first, nn.Linear) else first.in_channels


def _adds_rows(call, length):
    """Are rows added to what x becomes, which is the same at each place? True where x itself reaches the sum."""
    module = call.give(LAYER_SIZES).eval().apply(apart)
    x = torch.randn(2, length, WIDE, generator=torch.Generator().manual_seed(0))
    rows, one = _adds(module, x), 5 * torch.randn(2, 1, _width(module)).expand(-1, length, -1)
    rest = module(one) - rows
    plain = rest.shape == one.shape and any(((rest - a * one).abs() < NEAR).all() for a in (1, WIDE**0.5))
    moves = max((rest[:, 2:4] - rest[:, 3:5]).abs().max(), (_adds(module, x, fill=1.0) - rows).abs().max()) > 1e-4
    if plain or moves or rows.shape != x.shape or not min(rows.std(), rest.std()) > NEAR:
        return None
    return bool(((_adds(module, x, True) - x - rows).abs() < NEAR).all())


class _Caught(Exception):
    """The forward is left here; what came is kept."""


def _parts(module):
    """The parts that compute with weights."""
    parts = (part for part in module.modules() if part is not module and not isinstance(part, nn.Embedding))
    return [part for part in parts if next(part.parameters(recurse=False), None) is not None]


def has_network(module):
    """Does any part of it, other than an embedding, compute with weights?"""
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
