"""What a bias is for several numbers of heads and lengths: what each key costs a query, against the query itself."""

import time
from dataclasses import dataclass, replace

import numpy as np

from ..calling.parameters import required_of
from ..sandbox.guard import Failed, watch
from ..sandbox.mistakes import found
from ..sandbox.values import as_numbers
from ..side_effects import rounding_of
from .given import role
from .words import MISTAKES

# (heads, length): no two alike, heads that are no power of two, and rows long enough for bfloat16 and float16.
SIZES = ((8, 6), (12, 5), (16, 9), (6, 7), (1, 260), (1, 2100))
SLOW = 0.05  # seconds of processor
REFUSED = found("raises", "it raised NotImplementedError")
ROWS = 40  # of a long bias the last rows are kept


@dataclass(frozen=True)
class Bias:
    """``values`` (heads, rows, length) as they came, the queries' positions ``rows``, and does one row serve all?"""

    call: str
    heads: int
    length: int
    values: np.ndarray
    rows: np.ndarray
    one_row: bool
    rounding: float = 0.0  # half a unit in the last place of half precision, relative; 0 for a finer dtype
    heads_last: bool = False
    window: float = np.inf  # what is further away is left out
    one_head: bool = False  # were no heads asked for?

    @property
    def distance(self):
        """Query's position minus key's: (rows, length)."""
        return self.rows[:, None] - np.arange(self.length)

    @property
    def seen(self):
        """Which cells a causal mask leaves, within the window."""
        return (self.distance >= 0) & (self.distance < self.window)

    @property
    def cost(self):
        """Values minus the one at the query itself, which softmax cannot tell: (heads, rows, length)."""
        own = self.values[:, np.arange(len(self.rows)), self.rows]
        return self.values - own[:, :, None]

    def allowed(self):
        """What float32 may lose, cell by cell."""
        size = np.abs(np.where(np.isfinite(self.values), self.values, 0))
        own = size[:, np.arange(len(self.rows)), self.rows]
        coarse = 3 * self.rounding  # slope, distance and product
        return 1e-6 + (4e-7 + coarse) * (size + own[:, :, None])


def look(bias):
    """A `Bias` of each size, and how it stopped for one head, or no power of two; `Failed` when another gives none.

    The longest is left out of a bias that is filled number by number: 2,100 rows take 65 times as long as 260.
    """
    call, looks, stops = _by_name(bias), [], []
    for heads, length in SIZES:
        started = time.process_time()
        try:
            looks.append(_ask(call, heads, length))
        except (Failed, NotImplementedError) as stop:
            id = getattr(stop, "finding", REFUSED).id
            if id == "too-slow" and length > 260:
                break
            if not looks or heads in (8, 16) or id != "raises":
                raise
            stops.append(getattr(stop, "finding", REFUSED))
            looks += [_ask(call, 2, length)] * (heads == 1)  # long rows, of two heads
        if length > 100 and time.process_time() - started > SLOW:
            break
    return tuple(replace(seen, one_head=getattr(bias, "one_head", False)) for seen in looks), tuple(stops)


def _by_name(bias):
    """``bias`` with heads first, whatever the order of its own parameters."""
    roles = [role(a.name) for a in required_of(bias)]
    if len(roles) == 3 and roles[0] == "heads" and "heads" not in roles[1:]:
        return lambda heads, length: bias(heads, length, length)  # queries and keys
    return (lambda heads, length: bias(length, heads)) if roles == ["max_len", "heads"] else bias


def _ask(bias, heads, length):
    call = f"bias({heads}, {length})"
    value = watch(call, bias, heads, length).value
    if value is None:
        raise Failed(found("none", f"{call} gave None"))
    shape = tuple(getattr(value, "shape", None) or np.shape(value))
    inner = shape[1:] if len(shape) == 4 and shape[0] == 1 else shape
    inner = (1, *inner) if heads == 1 and inner == (length, length) else inner  # it is added to every batch and head
    heads_last = inner in ((length, length, heads), (1, length, heads))
    if not heads_last and inner not in ((heads, length, length), (heads, 1, length)):
        entry = "bias-shape, of slopes" if len(shape) == 1 else "bias-shape"
        raise Failed(MISTAKES.found(entry, f"{call} gave the shape {shape}"))
    values = _last_rows(call, value, inner, heads_last)
    one_row = values.shape[1] == 1 and length > 1
    rows = np.arange(length - (min(ROWS, length) if one_row else values.shape[1]), length)
    values = np.broadcast_to(values, (heads, len(rows), length))
    values = np.where(values < -1e8, -np.inf, values)  # the least number of a dtype, or −10⁹, masks too
    bad = np.isnan(values) | (np.isinf(values) & (values > 0))
    if bad.any() or np.isinf(values[:, np.arange(len(rows)), rows]).any():
        raise Failed(found("not-finite", f"{call} gave NaN or infinite where a query sees a key"))
    return Bias(call, heads, length, values, rows, one_row, rounding_of(value), heads_last)


def _last_rows(call, value, shape, heads_last):
    """``value`` as (heads, rows, length); of a long bias only the last rows are read."""
    try:
        if hasattr(value, "reshape"):
            value = value.reshape(shape)
            value = value[-ROWS:] if heads_last else value[:, -ROWS:]
        values = as_numbers(value).reshape((-1, *shape[1:]) if heads_last else (shape[0], -1, shape[2]))
    except ValueError as error:
        raise Failed(found("no-table", f"{call} gave {error}")) from None
    return np.moveaxis(values, -1, 0) if heads_last else values[:, -ROWS:]
