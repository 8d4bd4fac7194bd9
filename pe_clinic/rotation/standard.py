"""Tables of known frequencies in every usual layout; and a standard rotation, for tables that nobody applies."""

import re

import torch

from ..calling.inputs import scaled
from ..calling.parameters import source_of
from .factors import RATES, size_role
from .forms import named_parameters
from .maker import Maker, as_tuple, once

LAID_OUT = "applied as they are laid out"
ALONE = "frequencies alone"
WIDTHS = {
    "halves side by side": lambda t: torch.cat((t, t), -1),
    "every column twice": lambda t: t.repeat_interleave(2, -1),
    "a column for each pair": lambda t: t,
}


def paper_rates(head_dim):
    return 10000.0 ** -(torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)


def standard(wanted, rates, said, source=None):
    """The `Maker` of each way to lay out tables of the ``rates``, whose words are put into what is ``said``."""
    return [Maker(said.format(words), once(make), source) for words, make in _laid_out(wanted, rates)]


def _laid_out(wanted, rates):
    """(words, make) for the table parameters ``wanted``: ``make(positions)`` gives the tables of the rates so laid out.

    ``wanted`` are names: where the first speaks of sines, alone or before cosines, sines come first.
    """

    sines_first = re.match("(?i)((?!cos).)*(?<!co)sin", wanted[0])
    one, other = ("sines", "cosines") if sines_first else ("cosines", "sines")

    def angles(positions):
        return positions.double()[:, None] * rates.double()

    def waves(positions):
        theta = angles(positions)
        both = theta.cos().float(), theta.sin().float()
        return both[::-1] if sines_first else both

    for words, wide in WIDTHS.items():
        if len(wanted) == 1:
            yield f"angles, {words}", lambda p, w=wide: w(angles(p)).float()
            yield f"e^(iθ), {words}", lambda p, w=wide: w(torch.polar(torch.ones(1, len(rates)), angles(p).float()))
            yield f"{one}, then {other}, {words}", lambda p, w=wide: torch.cat([*map(w, waves(p))], -1)
        if len(wanted) < 3:
            said = f"{'a pair of ' * (len(wanted) == 1)}{one} and {other}"
            yield f"{said}, {words}", lambda p, w=wide: tuple(map(w, waves(p)))
    if len(wanted) == 1:
        yield "cosine and sine of each pair", lambda p: torch.stack(waves(p), -1)
        yield "cosines and sines by turns", lambda p: torch.stack(waves(p), -1).flatten(-2)
        yield "a 2 x 2 matrix for each pair", lambda p: _squares(*waves(p))  # as FLUX
        yield ALONE, lambda p: rates.float()


def _squares(cos, sin):
    return torch.stack((cos, -sin, sin, cos), -1).unflatten(-1, (2, 2))


def _without_signs(sin):
    """Sines (length, width); where the first of every pair bears the minus of the rotation, without it."""
    half = sin.shape[1] // 2
    if torch.equal(sin[:, ::2], -sin[:, 1::2]):
        return sin[:, 1::2].repeat_interleave(2, 1)
    return sin[:, half:].repeat(1, 2) if torch.equal(sin[:, :half], -sin[:, half:]) else sin


def rescaled(function, width):
    """A `Maker` of angles, of a function that slows frequencies down as a dictionary of settings says; else None."""
    first, *more = [p for p in named_parameters(function) if p.default is p.empty] or [None]
    if not more or not re.fullmatch(RATES, first.name) or any(size_role(p) != "scaling" for p in more):
        return None
    rates = paper_rates(width).float()
    given = scaled(source_of(function)).give({})
    return given and Maker("", lambda p, x: p[:, None] * function(rates.clone(), *[{**given} for _ in more]))


def applied(maker, stands=True):
    """rotate(x, positions) by the tables of a maker alone: pairs are those columns that share a row's numbers.

    ``stands``: may the end of each half stand still?
    """

    def rotate(x, positions):
        made = maker.at(positions, x)
        if isinstance(made, torch.Tensor) and made.shape[-2:] == (x.shape[-1], x.shape[-1]):
            return (made.to(x.dtype) @ x[..., None])[..., 0]  # a matrix for each position
        if isinstance(made, torch.Tensor) and made.shape[-3:] == (x.shape[-1] // 2, 2, 2):
            squares, pairs = made.to(x.dtype).reshape(len(positions), -1, 2, 2), x.unflatten(-1, (-1, 2))
            return (squares @ pairs[..., None]).flatten(-3)  # a matrix for each pair
        parts = [_for_q(part, x.shape[-1]).reshape(len(positions), -1) for part in as_tuple(made)]
        if parts[0].is_complex():
            parts = [parts[0].real, parts[0].imag]
        elif len(parts) == 1:
            ones = (parts[0] ** 2).sum(1) * 2 / x.shape[-1]  # of cosines and sines side by side
            told = parts[0].shape[1] == x.shape[-1] and bool((ones - 1).abs().max() < 1e-3)
            told = told or parts[0].shape[1] == 2 * x.shape[-1]
            usual = parts[0].chunk(2, 1) if told else (parts[0].cos(), parts[0].sin())
            parts = _told_apart(made, maker.at(torch.tensor([0]), x), len(positions), x.shape[-1]) or usual
        cos, sin = (part.to(x.dtype) for part in parts)
        sin = _without_signs(sin)
        half = x.shape[-1] // 2
        if stands and cos.shape[1] == half and not sin[:, -1].any():  # what stands still is the end of each half
            cos, sin = cos.repeat(1, 2), sin.repeat(1, 2)
        twice = cos.shape[1] == x.shape[-1] and not torch.equal(cos[:, ::2], cos[:, 1::2])
        for parts in (1, 2) if twice else ():  # halves of x, or of each axis' own part
            first, second = cos.unflatten(1, (parts, 2, -1)).unbind(2)
            if torch.equal(first, second):
                first, second = x.unflatten(-1, (parts, 2, -1)).unbind(-2)
                return x * cos + torch.stack((-second, first), -2).flatten(-3) * sin
        cos, sin = (part.repeat_interleave(2, 1) if part.shape[1] == half else part for part in (cos, sin))
        return x * cos + torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2) * sin

    rotate.maker = maker
    return rotate


def of_scaled(way):
    """``at(positions, x)``: cosines and sines of angles, by lengths that are 1 at position 0, out of `are_scaled`."""

    def at(positions, x):
        angles, lengths = way(torch.cat((0 * positions[:1], positions)), x)
        return tuple((wave * lengths / lengths[0])[1:] for wave in (angles.cos(), angles.sin()))

    return at


def _for_q(part, width):
    """Of rows for q, k and v those for q."""
    return part[..., 0, :, :] if part.shape[-3:] == (3, 1, width) else part


def _told_apart(made, first, length, width):
    """Cosines and sines of one tensor in any order: at position 0 the ones are 1, the others 0; None where not."""
    parts = ((t[..., 0] if t.shape[-2:] == (2, 2) else t, n) for t, n in ((first, 1), (made, length)))
    first, rows = ((t if len(t) == n else t.movedim(1, 0)).reshape(n, -1) for t, n in parts)
    ones, zeros = ((first[0] - n).abs() < 1e-5 for n in (1, 0)) if first.dtype.is_floating_point else ([], [])
    return (rows[:, ones], rows[:, zeros]) if sum(ones) == sum(zeros) == len(ones) / 2 in (width, width / 2) else None
