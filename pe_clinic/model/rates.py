"""What each layer rotates by: radians per position, read from cosines and sines while the model runs."""

import math
from dataclasses import dataclass, replace

import torch
from torch import nn

from .keeping import hooked
from .layers import layers_of
from .subject import differs


@dataclass(frozen=True)
class Rotary:
    """``rates``: radians per position of each pair; ``layers`` that use them, empty when that is not known.

    ``acts``: the result reaches the logits. ``twice``: half a turn changes nothing, so it is applied twice.
    ``autocast``: by how much cosines and sines of far positions change under autocast.
    """

    rates: tuple
    layers: tuple = ()
    acts: bool = True
    twice: bool = False
    autocast: float = 0.0


def angles_of(value):
    """Angles (…, places, pairs) of (cos, sin), or of complex numbers of one modulus; None for anything else."""
    if torch.is_tensor(value) and value.is_complex():
        cos, sin = value.real, value.imag
    elif isinstance(value, (tuple, list)) and len(value) == 2 and all(map(torch.is_tensor, value)):
        cos, sin = value
    else:
        return None
    if cos.shape != sin.shape or cos.dim() < 2 or cos.shape[-2] < 2 or not cos.is_floating_point():
        return None
    size, angles = cos.double() ** 2 + sin.double() ** 2, torch.atan2(sin.double(), cos.double())
    if size.isfinite().all() and not (
        size.numel() and size.max() > 0.01 and size.max() - size.min() < 0.05 * size.max()
    ):
        return None
    half = angles.shape[-1] // 2
    for one, other in ((angles[..., :half], angles[..., half:]), (angles[..., ::2], angles[..., 1::2])):
        if half and one.shape == other.shape and torch.equal(one.nan_to_num(9), other.nan_to_num(9)):
            return one
    return angles


def rates_of(angles):
    """Radians from place 0 to place 1, for each pair."""
    first, second = angles.reshape(-1, *angles.shape[-2:])[0, :2]
    return tuple(((second - first + math.pi) % (2 * math.pi) - math.pi).tolist())


def look_at_rotary(subject):
    """A `Rotary` for each set of rates that the model computes, or keeps in tables."""
    model = subject.call.model
    if not isinstance(model, nn.Module):
        return ()
    layers, made, given = layers_of(model), [], []
    hooks = [each.register_forward_hook(lambda module, _, out: made.append((module, out))) for each in model.modules()]
    for n, layer in enumerate(layers):
        hooks.append(
            layer.register_forward_pre_hook(
                lambda _, args, named, n=n: given.append((n, (*args, *named.values()))), with_kwargs=True
            )
        )
    with hooked(hooks):
        subject.run(subject.text(rows=1))
    found = {}
    for module, out in made:
        if angles_of(out) is None:
            continue
        rates = rates_of(angles_of(out))
        users = {n for n, values in given if any(_same(each, out) for each in values)}
        users |= {n for n, layer in enumerate(layers) if any(each is module for each in layer.modules())}
        if rates not in found:
            found[rates] = Rotary(rates, (), *_tried(subject, module))
        found[rates] = replace(found[rates], layers=tuple(sorted({*users, *found[rates].layers})))
    return tuple(found.values()) or tuple(Rotary(rates) for rates in dict.fromkeys(_kept(model)))


def _same(one, other):
    pairs = isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)) and one and other
    return one[0] is other[0] if pairs else one is other


def _tried(subject, module):
    """Whether the module's result acts, whether it is applied twice, and what autocast does to far positions."""
    ids = subject.text(rows=1)

    def run(change):
        hook = module.register_forward_hook(
            lambda _, args, out: change(out) if torch.is_tensor(out) else type(out)(change(*out))
        )
        with hooked([hook]):
            return subject.run(ids)

    def turned(by, cos, sin=None):
        """No angle at any place but one, which has half a turn, or none."""
        size = cos.abs() if sin is None else (cos**2 + sin**2).sqrt()
        sign = torch.ones(cos.shape[-2], 1)
        sign[2] = by
        return size * sign if sin is None else (size * sign, torch.zeros_like(sin))

    still = run(lambda *out: turned(1, *out))
    acts = differs(subject.apart(subject.run(ids), still)) or differs(
        subject.apart(still, run(lambda *out: turned(-1, *out)))
    )
    twice = acts and not differs(subject.apart(still, run(lambda *out: turned(-1, *out))))
    return acts, twice, _rounding(subject, module)


def _rounding(subject, module):
    """The largest change of cosines and sines under autocast, at far positions where the model takes ids."""
    kept, length = [], subject.fits(12 if subject.takes("positions") else 200)
    ids = subject.text(length, rows=1)
    far = {"positions": torch.arange(length)[None] + subject.fits(4000) - length} if subject.takes("positions") else {}
    with hooked([module.register_forward_hook(lambda _, args, out: kept.append(angles_of(out)))]):
        subject.run(ids, **far)
        with torch.autocast("cpu", torch.bfloat16):
            subject.run(ids, **far)
    plain, cast = kept[: len(kept) // 2], kept[len(kept) // 2 :]
    if (
        not kept
        or any(each is None for each in kept)
        or [each.shape for each in plain] != [each.shape for each in cast]
    ):
        return 0.0
    return max(float((2 * torch.sin((a - b) / 2)).abs().max()) for a, b in zip(plain, cast, strict=True))


def _kept(model):
    """Rates in what a model without such modules keeps: frequencies, and tables of cosines and sines."""
    for module in model.modules():
        for name, value in {**vars(module), **module._buffers}.items():
            if not torch.is_tensor(value) or value.numel() > 1 << 24:
                continue
            if value.dim() == 1 and "freq" in name and value.is_floating_point() and len(value) > 1:
                yield tuple(value.double().tolist())
            elif value.dim() == 2 and len(value) > 2 and (value.is_complex() or value.shape[1] % 2 == 0):
                angles = angles_of(value if value.is_complex() else value.chunk(2, dim=-1)[::-1])
                if angles is not None:
                    yield rates_of(angles)
