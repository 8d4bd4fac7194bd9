"""Positions that are no words, as libraries write them: timesteps (t, d), and grids (height, width, d); no pe_lib."""

import math

import numpy as np
import torch


def times(t, d, cosine_first=False, shift=0.0, factor=1.0, pad=True):
    """Halves of waves for the times t; ``shift`` is taken from the divisor d/2."""
    rates = torch.exp(torch.arange(d // 2).float() * (-math.log(10000.0) / (d // 2 - shift)))
    angles = factor * t.float()[:, None] * rates
    waves = [angles.cos(), angles.sin()] if cosine_first else [angles.sin(), angles.cos()]
    return torch.cat([*waves, torch.zeros(len(t), d % 2 * pad)], dim=1)


class SinusoidalTime(torch.nn.Module):
    """DDPM's as a module; it takes (n,) or (n, 1)."""

    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, t):
        return times(t.reshape(-1), self.dim, shift=1, pad=False)


TIMES = {
    "guided-diffusion, DiT": ("halves", lambda n, d: times(torch.arange(n), d, cosine_first=True)),
    "DDPM": ("tensor2tensor", lambda n, d: times(torch.arange(n), d, shift=1)),
    "diffusers, flipped": ("tensor2tensor", lambda n, d: times(torch.arange(n), d, cosine_first=True, shift=1)),
    "diffusers, flipped, shift 0": ("halves", lambda n, d: times(torch.arange(n), d, True, 0).numpy()),
    "sine first, d/2": ("halves", lambda n, d: times(torch.arange(n), d)),
    "FLUX": ("halves, times 1000", lambda n, d: times(torch.arange(n), d, cosine_first=True, factor=1000.0)),
    "FrameDiff": ("tensor2tensor, times 10000", lambda n, d: times(torch.arange(n), d, shift=1, factor=1e4)),
    "scale 1000": ("tensor2tensor, times 1000", lambda n, d: times(torch.arange(n), d, shift=1, factor=1000.0)),
    "a module": ("tensor2tensor", lambda n, d: SinusoidalTime(d)(torch.arange(n))),
    "a module, (n, 1)": ("tensor2tensor", lambda n, d: SinusoidalTime(d)(torch.arange(n)[:, None])),
    "float16": ("halves", lambda n, d: times(torch.arange(n), d, cosine_first=True).half()),
}


def axis(numbers, d, halves=False, divisor=None, base=10000.0):
    """A table of width d for ``numbers``, in turn or in halves."""
    angles = np.asarray(numbers)[:, None] * base ** (-np.arange(d // 2) / (divisor or d / 2))
    waves = [np.sin(angles), np.cos(angles)]
    return np.concatenate(waves, axis=1) if halves else np.stack(waves, axis=2).reshape(len(angles), d)


def grid(height, width, d, column_first=False, first=0, normalised=False, **how):
    """(height, width, d): half of the columns for each axis."""
    tables = []
    for n, size in enumerate((height, width)):
        numbers = np.arange(size) + float(first)
        numbers = numbers / (numbers[-1] + 1e-6) * 2 * np.pi if normalised else numbers
        table = axis(numbers, d // 2, **how)
        tables.append(np.broadcast_to(np.expand_dims(table, 1 - n), (height, width, d // 2)))
    return np.concatenate(tables[::-1] if column_first else tables, axis=-1)


def mae(embed_dim, grid_size, cls_token=False):
    """A side is given; patches come in one axis, after a row of zeros where there is a class token."""
    if embed_dim % 4:
        raise AssertionError
    rows = grid(grid_size, grid_size, embed_dim, column_first=True, halves=True).reshape(-1, embed_dim)
    return np.concatenate([np.zeros((int(cls_token), embed_dim)), rows])


def of_patches(patches, d):
    """The number of patches is given, and must be a square; all sines of both axes, then all cosines."""
    side = math.isqrt(patches)
    if side * side != patches:
        raise ValueError("the number of patches must be a square")
    rows = grid(side, side, d, halves=True).reshape(patches, 4, d // 4)
    return torch.tensor(rows[:, [0, 2, 1, 3]].reshape(patches, d)).float()


def channels_first(height, width, d, **how):
    """As DETR: (1, d, height, width), float32."""
    return torch.tensor(grid(height, width, d, **how)).float().permute(2, 0, 1)[None]


def posemb(h, w, dim):
    """A plain ViT's: the column first, divided by pairs - 1."""
    return torch.tensor(grid(h, w, dim, True, halves=True, divisor=dim // 4 - 1)).float().flatten(0, 1)


GRIDS = {
    "MAE": ("grid, column first, halves", lambda n, d: mae(d, n)),
    "MAE, class token": ("grid, column first, halves", lambda n, d: mae(d, n, cls_token=True)),
    "MAE, (1, patches, d)": ("grid, column first, halves", lambda n, d: torch.tensor(mae(d, n)).float()[None]),
    "row first, halves": ("grid, row first, halves", lambda height, width, d: grid(height, width, d, halves=True)),
    "row first, in turn": ("grid, row first", grid),
    "in turn, side only": ("grid, row first", lambda n, d: grid(n, n, d)),
    "column first, in turn": ("grid, column first", lambda rows, cols, dim: grid(rows, cols, dim, True)),
    "of patches": ("grid, row first, quarters, halves", of_patches),
    "DETR": ("grid, row first, from 1", lambda h, w, d: channels_first(h, w, d, first=1)),
    "DETR, normalised": (
        "grid, row first, normalised to 2π, from 1",
        lambda h, w, d: channels_first(h, w, d, first=1, normalised=True),
    ),
    "a plain ViT": ("grid, column first, tensor2tensor", posemb),
    "pairs in turn": (
        "grid, row first, pairs in turn",
        lambda h, w, d: grid(h, w, d).reshape(h, w, 2, d // 4, 2).swapaxes(2, 3).reshape(h, w, d),
    ),
    "height and width as a pair": ("grid, row first", lambda size, d: grid(size[0], size[1], d)),
    "float16": ("grid, row first", lambda h, w, d: grid(h, w, d).astype(np.float16)),
}

WRONG_GRIDS = {
    "doubled": (["doubled-pair"], lambda h, w, d: grid(h, w, d, divisor=d / 8)),
    "whole width": (["wrong-base"], lambda h, w, d: grid(h, w, d, divisor=d / 2)),
    "base": (["wrong-base"], lambda n, d: grid(n, n, d, base=1000.0, halves=True).reshape(n * n, d)),
    "width first": (["grid-transposed"], lambda h, w, d: grid(w, h, d)),
    "width first, in one axis": (["grid-transposed"], lambda h, w, d: grid(w, h, d).reshape(-1, d)),
    "rows only": (["one-axis"], lambda h, w, d: np.repeat(grid(h, 1, d), w, axis=1)),
    "the row twice": (["one-axis"], lambda h, w, d: np.concatenate([grid(h, w, d)[..., : d // 2]] * 2, axis=-1)),
    "in one line": (["one-line"], lambda h, w, d: axis(range(h * w), d)),
    "one axis doubled": (["doubled-pair"], lambda h, w, d: halfway(grid(h, w, d), grid(h, w, d, divisor=d / 8))),
    "one axis in halves": (["grid-unlisted"], lambda h, w, d: halfway(grid(h, w, d), grid(h, w, d, halves=True))),
    "one axis from 1": (["grid-unlisted"], lambda h, w, d: halfway(grid(h, w, d), grid(h, w, d, first=1))),
    "half the size": (["scaled"], lambda h, w, d: grid(h, w, d) / 2),
    "squared": (["grid-unlisted"], lambda h, w, d: grid(h, w, d) ** 2),
    "far rows": (["long-positions"], lambda h, w, d: grid(h, w, d)[np.minimum(np.arange(h), 20)]),
    "random": (["not-repeatable"], lambda h, w, d: np.random.default_rng().normal(size=(h, w, d))),
    "noise, both axes known": (
        ["grid-unlisted"],
        lambda h, w, d: grid(h, w, d) + 1e-3 * np.sin(np.arange(h * w * d)).reshape(h, w, d),
    ),
    "no grid": (["shape"], lambda h, w, d: grid(h, w, d)[:, 0]),
    "stops": (["raises"], lambda h, w, d: grid(h, w, d)[h]),
    "small sizes only": (["shape"], lambda h, w, d: grid(h, w, d)[:20]),
    "noise": (["shape"], lambda n, d: grid(n, n, d) + 1e-3 * np.sin(np.arange(n * n * d)).reshape(n, n, d)),
}


def halfway(one, two):
    """The first half of the columns of one, the second of the other."""
    middle = one.shape[-1] // 2
    return np.concatenate([one[..., :middle], two[..., middle:]], axis=-1)


WRONG_TIMES = {
    "1000 in the paper's order": (["turned", "odd-differs"], lambda n, d: axis(1000 * np.arange(n), d + d % 2)[:, :d]),
    "a factor of 100": (None, lambda n, d: times(torch.arange(n), d, factor=100.0)),
    "from 1": (["starts-at-one"], lambda n, d: times(torch.arange(n) + 1, d, cosine_first=True)),
    "1000, and from 1": (None, lambda n, d: times(torch.arange(n) + 1, d, cosine_first=True, factor=1000.0)),
    "twice the cosine": (None, lambda n, d: times(torch.arange(n), d, True)[:, : d // 2].repeat(1, 2)),
    "shift 2": (None, lambda n, d: times(torch.arange(n), d, shift=0.5)),
    "between 0 and 1": (["turned"], lambda n, d: times(torch.arange(n) / n, d)),
}
