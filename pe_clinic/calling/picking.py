"""Is there a table in what a call gave, and where? It counts only when it is there at two pairs of sizes."""

import math
import re
from dataclasses import dataclass

from ..sandbox.guard import attempt, run
from ..sandbox.values import as_numbers as read_numbers
from ..sandbox.values import is_module
from .file import LAYER_SIZES, SIZES
from .lines import Call, Value, attribute, item

# Where an object keeps its table.
NAMES = "pe encoding encodings table pos_encoding positional_encoding pos_embedding pos_table P emb weight"
ATTRIBUTES = (*NAMES.split(),)

MISSPELT = r"NameError|AttributeError: ('\w+' object|module '[\w.]+') has no attribute|CUDA|NVIDIA"
# A number without .shape, .device, or a length.
WRONG_CALL = r"AttributeError: '(int|float|list|tuple)' object|TypeError: object of type 'int' "


@dataclass(frozen=True)
class Reading:
    """``call`` gives what is looked at, a table or a layer, from sizes."""

    kind: str  # "table" or "layer"
    call: Value | Call
    embeds_tokens: bool = False
    made: Value | Call | None = None  # the call that makes the module whose table it is

    def layer(self, d_model, max_len):
        return self.call.give({"max_len": max_len, "d_model": d_model})

    def table(self, max_len, d_model):
        return self.call.give({"max_len": max_len, "d_model": d_model})

    @property
    def shown(self):
        """The call with the sizes of the first look."""
        return self.call.shown(**(LAYER_SIZES if self.kind == "layer" else SIZES[0]))


def table_in(call, value):
    """The `Reading` of ``call`` and what picks the table out of ``value``; None when there is none at both sizes."""
    for picked in picks(call, value, tuple(SIZES[0].values())):
        other = attempt(run, "a second look", lambda picked=picked: shape_of(picked.give(SIZES[1])))
        if other in ((7, 6), (1, 7, 6), *[(n, 6) for n in (13, 15) if picked.text.endswith(".weight")]):
            return Reading("table", picked)
    return None


def shape_of(value):
    """The shape of an array, a tensor, or nested lists; None of everything else."""
    if hasattr(value, "shape"):
        return tuple(value.shape)
    if isinstance(value, (list, tuple)) and value:
        inner = {shape_of(part) for part in value}
        if len(inner) == 1 and None not in inner:
            return (len(value), *inner.pop())
    return () if isinstance(value, (int, float)) else None


def picks(call, value, whole):
    """``call`` with what has to be written behind it so that a table of the shape ``whole`` comes out."""
    shape = shape_of(value)
    if is_module(value):
        rows = [(n, whole[1]) for n in (whole[0], 2 * whole[0] - 1, 2 * whole[0] + 1)]  # of positions, or distances
        return [attribute(call, "weight")] if shape_of(getattr(value, "weight", None)) in rows else []
    if shape in (whole, (1, *whole)):
        return [call]
    keys = {
        (whole[0], 1, whole[1]): ((slice(None), 0), ":, 0"),
        (1, 1, *whole): (0,),
        (*whole, 1, 1): ((..., 0, 0), "..., 0, 0"),  # of a time, for pictures
    }
    wider = shape == (whole[0], whole[1] + 1)
    if wider and attempt(lambda: [float(row[0]) for row in value]) == [*range(whole[0])]:
        return [item(call, (slice(None), slice(1, None)), ":, 1:")]  # the time itself stands before its waves
    if shape in keys:
        return [item(call, *keys[shape])]
    if shape == (1, whole[0] * whole[1]):  # row after row, as features in one line
        rows = lambda s: call.give(s).reshape(s["max_len"], s["d_model"])  # noqa: E731
        return [Value(f"{call.text}.reshape(max_len, d_model)", rows, call.made, call.remark)]
    if shape and len(shape) == 3 and shape[1:] == whole and _all_equal(value):
        return [item(call, 0)]
    if type(value) is list and "at" in call.made and shape in (whole[::-1], (*whole[::-1], 1)):
        rows = lambda s: read_numbers(call.give(s)).reshape(-1, s["max_len"]).T  # noqa: E731
        return [Value(call.text, rows, call.made, "its list of columns side by side")]
    if isinstance(value, (tuple, list, dict)) and (shape is None or type(value) is tuple) and len(value) < 9:
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        return [found for key, part in parts for found in picks(item(call, key), part, whole)]
    return []


def _all_equal(value):
    parts = attempt(read_numbers, value)  # nested lists as well as arrays
    return parts is not None and bool((parts == parts[:1]).all())


def tried_table(file, call):
    """The `Reading` of what ``call`` gives, where that holds a table."""
    found = attempt(lambda: table_in(call, file.tried(call)))
    return found if found and leaves_x_alone(file, call) else None


def most_telling(failures):
    """Of several errors the first of a misspelt name; else the first that is no wrong call; else the first."""
    return min(failures, key=lambda f: (not is_misspelt(f), bool(re.search(WRONG_CALL, f.finding.evidence))))


def is_misspelt(failed):
    """Did a name stop it that nobody has defined, or a GPU that is not there? No other call would mend that."""
    error = failed.finding.evidence
    return bool(re.search(MISSPELT, error)) and not re.search(WRONG_CALL, error)


def takes_a_grid(file, call):
    """Does it give a row for each patch of a square picture or a cube, or for each place of a grid?"""
    for sides, places in ((25, 25), ((5, 7), 35), ((5, 7, 6), 210), (5, 125)):
        shape = attempt(lambda sides=sides: shape_of(file.tried(call, max_len=sides, d_model=48))) or ()
        if math.prod(shape) == places * 48:
            return True
    return False


def has_one_row(reading):
    """Do all positions get one and the same row? Then x came in the wrong layout, or the table is no table."""
    rows = attempt(lambda: read_numbers(run("a look at the rows", reading.call.give, SIZES[0])))
    if rows is None or rows.ndim < 2:
        return False
    rows = rows.reshape(-1, rows.shape[-1])
    return bool((rows == rows[0]).all())


def leaves_x_alone(file, call):
    """A call with zeros must give a sum, not a product, and do so at another shape of x, too."""
    if "x" not in call.made:
        return True
    asked = {}, {"fill": 1}, {"shape": (2, 3, SIZES[0]["d_model"])}
    return bool(attempt(lambda: run("a look at x", is_a_sum, *(file.tried(call, **how) for how in asked))))


def is_a_sum(zero, one, shorter):
    """Ones give the same, or one more everywhere; a shorter x the first rows."""
    zero, one, shorter = (read_numbers(value) for value in (zero, one, shorter))
    if not zero.any():
        return False  # zeros in, zeros out: nothing is added, or x is turned
    steady = any(abs(one - zero - step).max() < 1e-5 for step in (0, 1))
    rows = shorter.shape[-2] if shorter.ndim > 1 else 0
    return steady and bool((abs(shorter - zero[..., :rows, :]) < 1e-5).all())
