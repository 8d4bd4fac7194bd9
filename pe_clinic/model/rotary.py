"""What each layer rotates by: radians per position, read from cosines and sines while the model runs."""

import math
from dataclasses import dataclass, replace

import torch

from .keeping import hooked
from .layers import layers_of
from .subject import differs


@dataclass(frozen=True)
class Rotary:
    """``rates``: radians per position of each pair; ``layers`` that use them, empty when that is not known.

    ``acts``: the result reaches the logits. ``twice``: half a turn changes nothing, so it is applied twice.
    ``size``: the length of (cos, sin); 0 when it was not seen.
    """

    rates: tuple
    layers: tuple = ()
    acts: bool = True
    twice: bool = False
    size: float = 0.0


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
    one_modulus = size.numel() and 0.01 < size.max() < 100 and size.max() - size.min() < 0.05 * size.max()
    if size.isfinite().all() and not one_modulus:
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
    layers, made, given = layers_of(subject.model), [], []

    def noting(n):
        return lambda _, args, named: given.append((n, (*args, *named.values())))

    hooks = [each.register_forward_pre_hook(noting(n), with_kwargs=True) for n, each in enumerate(layers)]
    for each in subject.model.modules():
        hooks.append(each.register_forward_hook(lambda module, _, out: made.append((module, out))))
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
            size = float(out.abs().max() if torch.is_tensor(out) else torch.hypot(*out).max())
            found[rates] = Rotary(rates, (), *_tried(subject, module), size)
        found[rates] = replace(found[rates], layers=tuple(sorted({*users, *found[rates].layers})))
    return tuple(found.values()) or tuple(Rotary(rates) for rates in dict.fromkeys(_kept(subject.model)))


def _same(one, other):
    pairs = isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)) and one and other
    return one[0] is other[0] if pairs else one is other


def _tried(subject, module):
    """Whether the module's result reaches the logits, and whether it is applied twice."""
    ids = subject.text(rows=1)

    def turned(by):
        """Logits without an angle at any place but one, which has half a turn (-1), or none (1)."""

        def change(_, args, out):
            cos, sin = (out, None) if torch.is_tensor(out) else out
            size = cos.abs() if sin is None else (cos**2 + sin**2).sqrt()
            sign = torch.ones(cos.shape[-2], 1)
            sign[2] = by
            return size * sign if sin is None else type(out)((size * sign, torch.zeros_like(sin)))

        with hooked([module.register_forward_hook(change)]):
            return subject.run(ids)

    still, half_turn = turned(1), turned(-1)
    felt = differs(subject.apart(still, half_turn))
    acts = felt or differs(subject.apart(subject.run(ids), still))
    return acts, acts and not felt


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
                if angles is not None and angles.std() > 0:  # a mask of ones turns nothing
                    yield rates_of(angles)
