"""What a rotation does: to unit vectors at the first positions, to random vectors at sizes that tell apart."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
import torch

from ..sandbox.guard import Failed
from ..saying.result import Finding
from .asking import Response, isfailed
from .gradient import gradient
from .numbers_in import numbers_in
from .plain import is_plain

NEAR = 12  # positions whose whole matrix is read
FAR = (97, 252, 508, 1020, 2044, 4092, 8188, 16380, 32764, 60000)  # windows round the usual ends of tables
LENGTHS = (130, 600, 2100, 8300, 33000)  # the same for rotations that take no positions
FAR_SECONDS = 3.0
HALF = {"bfloat16": torch.bfloat16, "float16": torch.float16}
UNSORTED = (9, 4, 17, 5, 12, 3, 21, 6)


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

    def responses(self, *starts):
        """The probes that gave numbers, by name; those whose name begins with one of ``starts``, if given."""
        return {
            name: probe
            for name, probe in self.probes.items()
            if not isfailed(probe) and (not starts or name.startswith(starts))
        }


def look(rotator, head_dim):
    """`Seen`; `Failed` when the first positions give no numbers."""
    first = rotator.ask(_units(rotator, head_dim), np.arange(NEAR), seed=1)  # NotImplementedError leaves: a stub
    probes = {"first": first}
    where = _Random(rotator, head_dim, probes)
    if rotator.form.takes:
        _at_positions(where, rotator.form.takes)
    else:
        _at_lengths(where)
    again = rotator.attempt(_units(rotator, head_dim), np.arange(NEAR), seed=2)
    repeated = not isfailed(again) and all(map(np.array_equal, first.out, again.out))
    if isfailed(probes["sizes"]):
        raise Failed(probes["sizes"])
    near = tuple(map(_near, first.x, first.out))
    asked = MappingProxyType(probes)
    gradients, numbers = _gradient(rotator, head_dim), numbers_in(rotator.rotate)
    autocast = _under_autocast(rotator, head_dim)
    return Seen(rotator.form.takes, head_dim, near, asked, repeated, gradients, autocast, numbers)


def _under_autocast(rotator, head_dim):
    """The first far window, once more under autocast; None for NumPy, which does not know it."""
    if is_plain(rotator.rotate):
        return None

    def rotate(*arguments, **named):
        with torch.autocast("cpu", torch.bfloat16):
            return rotator.rotate(*arguments, **named)

    positions = np.arange(FAR[1], FAR[1] + 14) if rotator.form.takes else np.arange(LENGTHS[1])
    return _Random(replace(rotator, rotate=rotate), head_dim, {}).ask("autocast", 1, 1, positions)


def _gradient(rotator, head_dim):
    return () if is_plain(rotator.rotate) else gradient(rotator, head_dim)


def _units(rotator, head_dim):
    """Every unit vector, and one of zeros, in every row: (head_dim + 1, 1, NEAR, head_dim); for k in reverse."""
    vectors = torch.cat([torch.eye(head_dim), torch.zeros(1, head_dim)])
    x = vectors[:, None, None].expand(-1, 1, NEAR, -1).contiguous()
    return [x, x.flip(0)] if rotator.form.pair else [x]


def _near(x, out):
    order = x[:, 0, 0].argmax(axis=1)
    order[~x[:, 0, 0].any(axis=1)] = x.shape[-1]  # the vector of zeros comes last
    rows = out[np.argsort(order), 0]  # (head_dim + 1, NEAR, head_dim)
    return Near((rows[:-1] - rows[-1]).transpose(1, 0, 2), rows[-1])


@dataclass(frozen=True)
class _Random:
    """Asks with random x, and keeps what came under a name."""

    rotator: object
    head_dim: int
    probes: dict

    def ask(self, name, batch, heads, positions, dtype=torch.float32, **how):
        generator = torch.Generator().manual_seed(len(self.probes))
        shape = batch, heads, len(positions), self.head_dim
        count = 2 if self.rotator.form.pair else 1
        tensors = [torch.randn(shape, generator=generator, device="cpu", dtype=torch.float32) for _ in range(count)]
        response = self.rotator.attempt([tensor.to(dtype) for tensor in tensors], positions, **how)
        self.probes[name] = response if isfailed(response) else _some_rows(response)
        return self.probes[name]


def _some_rows(response):
    """Of a long text, the rows near the usual ends of tables, and the last."""
    length = len(response.positions)
    if length <= 100:
        return response
    rows = np.unique(np.clip([n + near for n in (*FAR, *LENGTHS, length) for near in range(13)], 0, length - 1))
    return replace(
        response,
        positions=response.positions[rows],
        x=tuple(x[:, :, rows] for x in response.x),
        out=tuple(out[:, :, rows] for out in response.out),
    )


def _at_positions(random, takes):
    """Each call has a length of its own, but for those that ask whether the length alone decides."""
    random.ask("sizes", 2, 3, np.arange(5))
    random.ask("elsewhere", 2, 3, np.arange(15, 22))
    if takes == "positions":
        random.ask("unsorted", 2, 1, np.array(UNSORTED))
    random.ask("single", 2, 3, [9])
    random.ask("single again", 2, 3, [14])
    random.ask("length again", 2, 1, np.arange(17, 17 + NEAR))
    _until_refused(random, "far", [np.arange(start, start + 13 + n) for n, start in enumerate(FAR)], {})
    for name, dtype in HALF.items():
        random.ask(f"half {name}", 2, 3, np.arange(6), dtype)
        starts = [np.arange(start, start + 30 + n) for n, start in enumerate(FAR[1:5])]
        _until_refused(random, f"half far {name}", starts, {"dtype": dtype})


def _at_lengths(random):
    random.ask("sizes", 2, 3, np.arange(5))
    random.ask("length 1", 2, 3, [0])
    random.ask("length 21", 1, 2, np.arange(21))
    random.ask("shorter again", 3, 2, np.arange(4))
    _until_refused(random, "far", [np.arange(length) for length in LENGTHS], {})
    for name, dtype in HALF.items():
        random.ask(f"half {name}", 2, 3, np.arange(6), dtype)
        _until_refused(random, f"half far {name}", [np.arange(length) for length in LENGTHS[:2]], {"dtype": dtype})


def _until_refused(random, name, steps, how):
    for positions in steps:
        if isfailed(random.ask(f"{name} {positions[-1]}", 1, 1, positions, seconds=FAR_SECONDS, **how)):
            return
