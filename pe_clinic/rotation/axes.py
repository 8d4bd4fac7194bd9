"""Makers of tables that take a position for each of three axes: time, row and column."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace

import torch

from ..sandbox.guard import Failed, run
from .maker import as_tuple
from .words import MISTAKES, instead

# From positions (3, length) to the shapes in which they are handed over.
AXES = (lambda p: p, lambda p: p[:, None], lambda p: p.T[None], lambda p: p.T, lambda p: p[None])
SAID = "three axes"
SHARED = f"{SAID} with one position"


@dataclass(frozen=True)
class OfAxes:
    """``at(positions, x)`` with the same position on all axes, as words of a text have."""

    ask: Callable
    laid: Callable

    def __call__(self, positions, x):
        return self.ask(self.laid(positions.expand(3, -1)), x)

    @functools.cached_property
    def each_follows_one(self):
        """Does every column follow one axis alone, and each axis have some? Slow ones are seen far out."""
        return any(self._follow_one(torch.arange(1, 6) * step) for step in (1, 500))

    def _follow_one(self, at):
        x = torch.zeros(1, 1, 5, 64)

        def waves(weights):
            return torch.stack(as_tuple(self.ask(self.laid(at * torch.tensor(weights)[:, None]), x)))

        try:
            still, moved = run(SAID, waves, (0, 0, 0)), run(SAID, waves, (1, 1, 1))
            each = [run(SAID, waves, tuple(int(n == axis) for n in range(3))) for axis in range(3)]
        except (Failed, NotImplementedError):
            return False
        follows = [torch.isclose(one, moved) for one in each]
        stays = [torch.isclose(one, still) for one in each]
        own = [follows[n] & stays[n - 1] & stays[n - 2] for n in range(3)]
        turns = (moved - still).abs() > 1e-3
        return bool((own[0] | own[1] | own[2]).all()) and all(bool((one & turns).any()) for one in own)


def by_positions(asked, shapes, floats):
    """Ways to hand positions over; as ``floats`` first, where the code brings all else to their dtype."""
    if floats:
        yield lambda p, v: asked(p.float(), v)
    for shape in shapes:
        yield lambda p, v, shape=shape: asked(p[shape] if p.ndim == 1 else p, v)
    yield lambda p, v: asked(p.float(), v)
    for laid in AXES:
        yield OfAxes(asked, laid)


def said_of(way):
    """For the words of a call; "" of what takes no axes."""
    if not isinstance(way, OfAxes):
        return ""
    return f", {SHARED}" if way.each_follows_one else f", {SAID}"


def of_axes(diagnosis, shared):
    """``diagnosis``, of one position on three axes, with what unlike positions showed."""
    if shared:
        return replace(diagnosis, convention=", ".join(filter(None, (diagnosis.convention, SAID))))
    said = "with another position on each axis some columns follow two axes, or an axis turns none"
    return instead(diagnosis, "axes-mixed", said)


def order_of_grid(size, whole, first, longer, right, *others):
    """The `Finding` of a ``whole`` grid, by its first place and by the tables along each side."""
    scaled = not torch.allclose(longer[: len(right)], right, atol=1e-4)
    for other in others:  # each column follows one axis
        right = (right[:, None] + other - first).flatten(0, 1)
    exchanged = not scaled or torch.allclose(whole.sort(0)[0], right.sort(0)[0], atol=1e-5)
    if exchanged and not torch.allclose(whole, right, atol=1e-5):
        said = f"for {' x '.join(map(str, size))} places rows of the table are exchanged"
        return MISTAKES["grid-out-of-order"].found(said)
    return MISTAKES["places-normalised"].found(f"of {size[0]}, place 1 has other angles than of 6") if scaled else None
