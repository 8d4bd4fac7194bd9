"""One call of a rotation: tensors in, arrays out, and what else it did."""

from dataclasses import dataclass, replace

import numpy as np
import torch

from ..sandbox.guard import Failed, first_look, raises, watch
from ..sandbox.mistakes import found
from ..side_effects import watched
from .forms import Form
from .maker import as_tuple
from .seen import Response, alike
from .words import MISTAKES

REAL = "end with torch.view_as_real(…).flatten(-2)"
TRIAL = 5.0  # seconds of the processor: enough for five rows, and little where a wrong argument asks for millions


@dataclass(frozen=True)
class Rotator:
    """A rotation under test, and the way in which it is called."""

    rotate: object
    form: Form
    said: str = ""  # how a file's code is called, in words
    way: object = None  # the `Way` that is called, how its x is laid out, and how tables and positions are handed over
    layout: object = None
    shape: tuple = ()
    place: object = None
    plain: bool = False  # is it written without torch?
    whole: object = None  # whole(qkv, positions), of code for q, k and v in one tensor that its name tells

    @property
    def count(self):
        return 2 if self.form.pair else 1

    def turn(self, tensors, positions):
        """What comes of x, or of q and k, as a tuple."""
        return as_tuple(self.form.call(self.rotate, tensors, positions))

    def by(self, **changes):
        """The rotator of another way, layout, shape of its tables, or place."""
        own = replace(self, **changes)
        return own.way.rotator(own.layout, own.shape, own.place)

    def turned(self, *tensors, at=None):
        """What comes of copies of x, or of q and k, at positions 0, 1, … or ``at``; of one tensor both get a copy.

        None where it stops, or gives another shape.
        """
        given = [x.clone() for x in (tensors * self.count)[: self.count]]
        out = first_look(self.turn, given, torch.arange(given[0].shape[2]) if at is None else at)
        shapes = [getattr(part, "shape", None) for part in out[: self.count]] if out else []
        return out[: self.count] if shapes == [x.shape for x in given] else None

    def one_by_one(self, *tensors, rows):
        """As `turned`, each example of a batch by itself, at its own positions."""
        alone = [self.turned(*(x[n : n + 1] for x in tensors), at=at) for n, at in enumerate(rows)]
        return [torch.cat(parts) for parts in zip(*alone, strict=True)] if all(alone) else None

    def runs(self, width, apart=False):
        """Does it give something of x's shape, where batch, heads and length differ? ``apart``: with unlike rows?"""
        tensors = [torch.ones(3, 5, 7, width) for _ in range(self.count)]  # odd: a loop over pairs of heads stops
        out = first_look(self.turn, tensors, torch.arange(7), seconds=TRIAL)
        if not out or getattr(out[0], "shape", None) != tensors[0].shape:
            return False
        other = first_look(self.turn, [2 * x for x in tensors], torch.arange(7), seconds=TRIAL)
        if other and torch.is_tensor(other[0]) and other[0].any() and torch.equal(out[0], other[0]):
            return False  # cosines and sines, to which x only gives its dtype
        return not apart or (torch.is_tensor(out[0]) and not torch.allclose(out[0], out[0][:, :, :1], atol=1e-5))

    def beside_all_keys(self, width):
        """Is one query turned by its position where k holds every key up to it, and every key by its own?"""
        q, k = torch.randn(2, 1, 1, 10, width, generator=torch.Generator().manual_seed(3))
        if self.form.takes == "start" and self.turned(q[:, :, 5:], k[:, :, 5:], at=torch.arange(5, 10)):
            return False  # both of one length, from a later start
        every, last = self.turned(q, k), self.turned(q[:, :, 9:], k, at=torch.tensor([9]))
        return bool(every and last) and alike(last, (every[0][:, :, 9:], every[1]), 1e-5)

    def ask(self, tensors, positions, seed=0, seconds=None):
        """A `Response`; `Failed` when there is none. ``tensors`` are x, or q and k."""
        positions = torch.as_tensor(np.asarray(positions), dtype=torch.int64)
        given = [tensor.clone() for tensor in tensors], positions.clone()
        names = [*("qk" if self.form.pair else "x"), "positions"]
        changes = [(name, watched(tensor)) for name, tensor in zip(names, (*given[0], given[1]), strict=True)]
        call = self.text(tensors[0], positions)
        how = {"seed": seed, "seconds": seconds, "traced": False}
        ran = watch(call, self.form.call, self.rotate, given[0], given[1], **how)
        values = self._values(call, ran.value)
        out = tuple(_array(call, value, tensors[0].shape) for value in values)
        return Response(
            call,
            positions.numpy(),
            tuple(tensor.detach().double().numpy() for tensor in tensors),
            out,
            _name(tensors[0].dtype),
            tuple(_name(value.dtype) for value in values),
            tuple(name for name, changed in changes if changed()),
        )

    def attempt(self, tensors, positions, **how):
        """As `ask`, with the finding in place of an error; a refusal after a first answer is an error too."""
        try:
            return self.ask(tensors, positions, **how)
        except Failed as failed:
            return failed.finding
        except NotImplementedError as error:
            return raises(self.text(tensors[0], torch.as_tensor(np.asarray(positions))), error)

    def text(self, x, positions):
        own = self.layout.own(x.shape) if self.layout else tuple(x.shape)
        shape = f"{'q and k' if self.form.pair else 'x'} of shape {own}"
        shape += "" if x.dtype == torch.float32 else f" ({_name(x.dtype)})"
        numbers = positions.tolist()
        shown = ", ".join(map(str, numbers)) if len(numbers) < 5 else f"{numbers[0]}, {numbers[1]}, …, {numbers[-1]}"
        where = f" and positions {shown}" if self.form.takes else ""
        return f"{self.form.text} with {shape}{where}"

    def _values(self, call, value):
        if value is None:
            evidence = f"{call} gave None: it is not written yet, or a return is missing"
            raise Failed(found("none", evidence, fix="end it with a return of the turned x", kind="not-run"))
        if not self.form.pair:
            return (value[0] if isinstance(value, (tuple, list)) and len(value) else value,)
        if not isinstance(value, (tuple, list)) or len(value) < 2:
            raise Failed(MISTAKES.found("no-pair", f"{call} gave {type(value).__name__}"))
        return tuple(value[:2])


def _name(dtype):
    return str(dtype).removeprefix("torch.")


def _array(call, value, shape):
    """A float64 array of x's shape, or `Failed`."""
    if not isinstance(value, torch.Tensor) or value.is_meta:
        raise Failed(MISTAKES.found("no-tensor", f"{call} gave {type(value).__name__}"))
    if value.is_complex():
        raise Failed(found("complex", f"{call} gave {_name(value.dtype)}, shape {tuple(value.shape)}", fix=REAL))
    if tuple(value.shape) != tuple(shape):
        raise Failed(MISTAKES.found("rotation-shape", f"{call} gave the shape {tuple(value.shape)}"))
    array = value.detach().cpu().to(torch.float64).numpy()
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        kind = "NaN" if np.isnan(array).any() else "infinite"
        raise Failed(
            found("not-finite", f"{call} gave {len(bad)} numbers that are {kind}; the first is {bad[0].tolist()}")
        )
    return array
