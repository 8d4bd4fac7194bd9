"""What was seen of a rotation: what one call gave, the matrices of the first positions, and all of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
import torch

from ..saying.catalogue import Finding


@dataclass(frozen=True)
class Response:
    """What one call gave: for q, and for k where both are turned, arrays (batch, heads, length, head_dim)."""

    call: str
    positions: np.ndarray  # (length,) of the rows of x
    x: tuple[np.ndarray, ...]
    out: tuple[np.ndarray, ...]
    dtype: str = "float32"
    dtypes_out: tuple[str, ...] = ("float32",)
    changed: tuple[str, ...] = ()  # the arguments that the call wrote into


def isfailed(response):
    return isinstance(response, Finding)


def alike(some, others, atol=1e-4):
    """Are these tensors those others, of the same shapes?"""
    some, others = [*some], [*others]
    same_shapes = [a.shape for a in some] == [b.shape for b in others]
    return same_shapes and all(torch.allclose(a, b, atol=atol) for a, b in zip(some, others, strict=True))


@dataclass(frozen=True)
class Near:
    """Matrices (NEAR, head_dim, head_dim) and what is added to them (NEAR, head_dim): out = x @ matrix + added."""

    matrices: np.ndarray
    added: np.ndarray


@dataclass(frozen=True)
class Seen:
    """All that was seen. ``probes`` maps a name to a `Response`, or to the finding that came instead."""

    takes: str | None  # "positions", "start" or None
    head_dim: int
    near: tuple[Near, ...]  # of q, and of k where there are two
    probes: Mapping[str, Response | Finding] = field(default_factory=lambda: MappingProxyType({}))
    repeated: bool = True
    gradient: tuple = ()
    autocast: Response | Finding | None = None
    numbers: frozenset[float] = frozenset()  # that the code holds
    stays: str = ""  # after which calls the first positions get others: with far positions, in half precision

    def responses(self, *starts):
        """The probes that gave numbers, by name; those whose name begins with one of ``starts``, if given."""
        return {
            name: probe
            for name, probe in self.probes.items()
            if not isfailed(probe) and (not starts or name.startswith(starts))
        }
