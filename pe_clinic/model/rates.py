"""What each layer rotates by: radians per position, read from cosines and sines while the model runs."""

import math
from dataclasses import dataclass

import torch
from torch import nn

from .layers import layers_of
from .subject import LENGTH, differs


@dataclass(frozen=True)
class Rotary:
    """``rates``: radians per position of each pair. ``layers``: which layers use them; empty when that is not known.

    ``rounded``: by how many radians an angle at a far position misses position times rate under autocast.
    """

    rates: tuple
    layers: tuple = ()
    name: str = ""
    autocast: float | None = None


def angles_of(value):
    """Angles (…, places, pairs) of cosines and sines, or of complex numbers of one modulus; None for anything else."""
    if isinstance(value, torch.Tensor) and value.is_complex() and value.dim() >= 2:
        return value.angle() if _constant(value.abs().double()) else None
    if not isinstance(value, (tuple, list)) or len(value) != 2 or not all(isinstance(each, torch.Tensor) for each in value):
        return None
    cos, sin = value
    if cos.shape != sin.shape or cos.dim() < 2 or not cos.is_floating_point() or not _constant(cos.double() ** 2 + sin.double() ** 2):
        return None
    angles = torch.atan2(sin.double(), cos.double())
    half = angles.shape[-1] // 2
    if half and torch.equal(angles[..., :half], angles[..., half:]):
        return angles[..., :half]
    if half and torch.equal(angles[..., ::2], angles[..., 1::2]):
        return angles[..., ::2]
    return angles


def _constant(sizes):
    return bool(sizes.numel() and sizes.isfinite().all() and sizes.max() > 0.1 and (sizes.max() - sizes.min()) < 0.03 * sizes.max())


def rates_of(angles):
    """Radians from place 0 to place 1, for each pair; None when places are on no axis of at least two."""
    if angles.dim() > 3:
        angles = angles.flatten(0, -3)
    first, second = (angles[0, :2] if angles.dim() == 3 else angles[:2]) if angles.shape[-2] > 1 else (None, None)
    if first is None:
        return None
    step = (second - first + math.pi) % (2 * math.pi) - math.pi
    return tuple(step.double().tolist())


def watch_rotary(subject, positions=None):
    """Each module's cosines and sines in one call, as (name, module, value), and what each layer was given."""
    made, given, hooks = [], [], []
    model = subject.call.model
    layers = layers_of(model)
    for name, module in model.named_modules() if isinstance(model, nn.Module) else ():
        hooks.append(module.register_forward_hook(lambda m, a, out, name=name: made.append((name, m, out))))
    for n, layer in enumerate(layers):
        hooks.append(layer.register_forward_pre_hook(lambda m, a, named, n=n: given.append((n, (*a, *named.values()))), with_kwargs=True))
    ids = subject.text(LENGTH, rows=1)
    subject.run(ids, **({} if positions is None else {"positions": positions}))
    for hook in hooks:
        hook.remove()
    return [each for each in made if angles_of(each[2]) is not None], given


def look_at_rotary(subject):
    """A `Rotary` for each set of rates that the model computes or keeps."""
    made, given = watch_rotary(subject)
    layers = layers_of(subject.call.model)
    found = {}
    for name, module, value in made:
        rates = rates_of(angles_of(value))
        if rates is None or not acts(subject, module):
            continue
        users = [n for n, arguments in given if any(_same(each, value) for each in arguments)]
        users += [n for n, layer in enumerate(layers) if any(each is module for each in layer.modules())]
        old = found.get(rates)
        found[rates] = Rotary(rates, tuple(sorted({*users, *(old.layers if old else ())})), name)
    return tuple(found.values()) if made else tuple(_kept(subject.call.model))


def acts(subject, module):
    """Does the module's result reach the logits? Its places are put in another order to see."""
    ids = subject.text(rows=1)

    def reverse(module, arguments, out):
        return out.flip(-2) if isinstance(out, torch.Tensor) else type(out)(each.flip(-2) for each in out)

    base = subject.run(ids)
    hook = module.register_forward_hook(reverse)
    other = subject.run(ids)
    hook.remove()
    return differs(subject.apart(base, other))


def _same(one, other):
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) > 0 and one[0] is other[0]
    return one is other


def _kept(model):
    """From tables and frequencies that a model without such modules keeps: buffers and attributes."""
    for name, module in model.named_modules() if isinstance(model, nn.Module) else ():
        held = {**dict(module.named_buffers(recurse=False)), **{key: each for key, each in vars(module).items() if isinstance(each, torch.Tensor)}}
        for key, value in held.items():
            if value is None or value.dim() < 1 or value.numel() > 1 << 24:
                continue
            if value.dim() == 1 and "freq" in key and value.is_floating_point() and len(value) > 1:
                yield Rotary(tuple(value.double().tolist()), name=name)
            elif value.is_complex() and value.dim() == 2:
                yield Rotary(rates_of(value.angle()), name=name)
            elif value.dim() == 2 and value.shape[1] % 2 == 0 and value.is_floating_point() and len(value) > 2:
                sin, cos = value.chunk(2, dim=-1)
                angles = angles_of((cos, sin))
                if angles is not None:
                    yield Rotary(rates_of(angles), name=name)


def describe_rates(rates):
    """The law of rates in words, such as "base 10000" or "base 500000, linear scaling 4"; None when they follow none.

    A small stand-in until pe_clinic.law reads scaled laws: it knows powers of one base, and one common factor.
    """
    rates = [abs(rate) for rate in rates]
    if len(rates) < 2 or not all(0 < rate < math.pi for rate in rates):
        return None
    still = [math.log(rate) for rate in rates]
    steps = [a - b for a, b in zip(still, still[1:], strict=False)]
    if max(steps) - min(steps) > 2e-4 * max(1.0, abs(steps[0])) or steps[0] <= 0:
        return None
    base = math.exp(sum(steps) / len(steps) * len(rates))
    factor = 1 / rates[0]
    scaling = "" if abs(factor - 1) < 1e-3 else f", linear scaling {factor:.3g}"
    return f"base {float(f'{base:.3g}'):g}".replace("e+0", "e") + scaling
