"""Standard tables, for a rotation whose file makes none; and a standard rotation, for tables that nobody applies."""

import torch

from .tables import HEAD_DIM, Maker, as_tuple


def _angles(positions):
    rates = 10000.0 ** -(torch.arange(0, HEAD_DIM, 2, dtype=torch.float64) / HEAD_DIM)
    return positions.double()[:, None] * rates


WIDTHS = {
    "halves side by side": lambda t: torch.cat((t, t), -1),
    "every column twice": lambda t: t.repeat_interleave(2, -1),
    "a column for each pair": lambda t: t,
}


def standard(count):
    """Standard tables for ``count`` parameters, in every usual layout, each as a `Maker`."""
    for words, wide in WIDTHS.items():
        both = lambda p, x, w=wide: tuple(w(wave).float() for wave in (_angles(p).cos(), _angles(p).sin()))  # noqa: E731
        if count == 2:
            yield Maker(f"cosines and sines, {words}", both)
        if count == 1:
            yield Maker(f"angles, {words}", lambda p, x, w=wide: w(_angles(p)).float())
            yield Maker(f"a pair of cosines and sines, {words}", both)
    if count == 1:
        waves = lambda p, join: join((_angles(p).cos(), _angles(p).sin()), -1).float()  # noqa: E731
        yield Maker("e^(iθ)", lambda p, x: torch.polar(torch.ones(1, HEAD_DIM // 2), _angles(p).float()))
        yield Maker("cosine and sine of each pair", lambda p, x: waves(p, torch.stack))
        yield Maker("cosines, then sines", lambda p, x: waves(p, torch.cat))


def applied(maker):
    """rotate(x, positions) by the tables of a maker alone: pairs are those columns that share a row's numbers."""

    def rotate(x, positions):
        parts = [part.reshape(len(positions), -1) for part in as_tuple(maker.at(positions, x))]
        if parts[0].is_complex():
            parts = [parts[0].real, parts[0].imag]
        elif len(parts) == 1:
            ones = (parts[0] ** 2).sum(1) * 2 / x.shape[-1]  # of cosines and sines side by side
            told = parts[0].shape[1] == x.shape[-1] and bool((ones - 1).abs().max() < 1e-3)
            parts = parts[0].chunk(2, 1) if told else (parts[0].cos(), parts[0].sin())
        cos, sin = (part.to(x.dtype) for part in parts)
        half = x.shape[-1] // 2
        if cos.shape[1] == x.shape[-1] and torch.equal(cos[:, :half], cos[:, half:]):
            return x * cos + torch.cat((-x[..., half:], x[..., :half]), -1) * sin
        cos, sin = (part.repeat_interleave(2, 1) if part.shape[1] == half else part for part in (cos, sin))
        return x * cos + torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2) * sin

    return rotate
