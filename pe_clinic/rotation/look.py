"""What a rotation does: to unit vectors at the first positions, to random vectors at sizes that tell apart."""

from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
import torch

from ..sandbox.guard import Failed
from .behaviour import gradient
from .numbers_in import numbers_in
from .seen import Near, Seen, isfailed
from .words import MISTAKES

NEAR = 12  # positions whose whole matrix is read
FAR = (97, 252, 508, 1020, 2044, 4092, 8188, 16380, 32764, 60000)  # windows round the usual ends of tables
LENGTHS = (130, 600, 2100, 8300, 33000)  # the same for rotations that take no positions
FAR_SECONDS = 3.0
HALF = {"bfloat16": torch.bfloat16, "float16": torch.float16}
# Calls with random x: a name, the samples, heads and positions; and those of a rotation that takes none.
AT_POSITIONS = (
    ("sizes", 2, 3, range(5)),
    ("elsewhere", 2, 9, range(15, 22)),
    ("unsorted", 2, 1, (9, 4, 17, 5, 12, 3, 21, 6)),
    ("single", 2, 3, (9,)),
    *(("single again", 2, 3, (14,)), ("single at the end", 2, 3, (NEAR - 1,))),  # of the first call
    ("length again", 2, 1, range(17, 17 + NEAR)),
)
BY_LENGTH = (
    *(("sizes", 2, 3, range(5)), ("length 1", 2, 3, (0,)), ("length 21", 1, 9, range(21))),
    ("shorter again", 3, 2, range(4)),
)


def look(rotator, head_dim):
    """`Seen`; `Failed` when the first positions give no numbers."""
    alone = rotator.form.pair and rotator.form.takes and rotator.beside_all_keys(head_dim)
    if alone and rotator.form.takes == "start":
        rotator = replace(rotator, form=replace(rotator.form, takes=None))  # keys always begin at position 0
    units = _units(rotator, head_dim)
    first = rotator.ask(units, np.arange(NEAR), seed=1)  # NotImplementedError leaves: a stub
    random = _Random(rotator, head_dim, {"first": first})
    _ask_near(random, but="single" if alone else "-")
    again, stays = rotator.attempt(units, np.arange(NEAR), seed=2), ""
    for after, ask in (("with far positions", _ask_far), ("in half precision", _ask_half)):
        before, _ = again, ask(random)
        again = rotator.attempt(units, np.arange(NEAR), seed=2)
        stays = stays or after * (_same(first, before) and not _same(first, again))
    if isfailed(random.probes["sizes"]):
        shorter = rotator.attempt([x[:, :, :5].clone() for x in units], np.arange(5))
        of_length = isfailed(shorter) and shorter.id == "raises"
        raise Failed(MISTAKES.found("shorter-refused", shorter.evidence) if of_length else random.probes["sizes"])
    plain = rotator.plain  # NumPy knows neither gradients nor autocast
    return Seen(
        rotator.form.takes,
        head_dim,
        tuple(map(_near, first.x, first.out)),
        MappingProxyType(random.probes),
        _same(first, again),
        () if plain else gradient(rotator, head_dim),
        None if plain else _under_autocast(rotator, head_dim),
        numbers_in(rotator.rotate),
        stays,
    )


def _same(one, other):
    return not isfailed(other) and all(map(np.array_equal, one.out, other.out))


def _under_autocast(rotator, head_dim):
    """The first far window, once more under autocast."""

    def rotate(*arguments, **named):
        with torch.autocast("cpu", torch.bfloat16):
            return rotator.rotate(*arguments, **named)

    positions = np.arange(FAR[1], FAR[1] + 14) if rotator.form.takes else np.arange(LENGTHS[1])
    return _Random(replace(rotator, rotate=rotate), head_dim, {}).ask("autocast", 1, 1, positions)


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
        tensors = [torch.randn(shape, generator=generator, device="cpu") for _ in range(self.rotator.count)]
        response = self.rotator.attempt([tensor.to(dtype) for tensor in tensors], positions, **how)
        self.probes[name] = response if isfailed(response) else _some_rows(response)
        return self.probes[name]


def _some_rows(response):
    """Of a long text, the rows near the usual ends of tables, and the last."""
    if (length := len(response.positions)) <= 100:
        return response
    rows = np.unique(np.clip([n + near for n in (*FAR, *LENGTHS, length) for near in range(13)], 0, length - 1))
    return replace(
        response,
        positions=response.positions[rows],
        x=tuple(x[:, :, rows] for x in response.x),
        out=tuple(out[:, :, rows] for out in response.out),
    )


def _ask_near(random, but):
    """Each call has a length of its own, but for those that ask whether the length alone decides."""
    takes = random.rotator.form.takes
    for name, *shape, positions in AT_POSITIONS if takes else BY_LENGTH:
        if not name.startswith(but) and (name != "unsorted" or takes == "positions"):
            random.ask(name, *shape, np.array(positions))


def _ask_far(random):
    windows = [np.arange(start, start + 13 + n) for n, start in enumerate(FAR)]
    _until_refused(random, "far", windows if random.rotator.form.takes else map(np.arange, LENGTHS))


def _ask_half(random):
    windows = [np.arange(start, start + 30 + n) for n, start in enumerate(FAR[1:5])]
    half = windows if random.rotator.form.takes else [*map(np.arange, LENGTHS[:2])]
    for name, dtype in HALF.items():
        random.ask(f"half {name}", 2, 3, np.arange(6), dtype)
        _until_refused(random, f"half far {name}", half, dtype=dtype)


def _until_refused(random, name, steps, **how):
    for positions in steps:
        if isfailed(random.ask(f"{name} {positions[-1]}", 1, 1, positions, seconds=FAR_SECONDS, **how)):
            return
