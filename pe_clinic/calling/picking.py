"""Is there a table in what a call gave, and where? It counts only when it is there at two pairs of sizes."""

from ..sandbox.guard import Failed, run
from ..sandbox.values import as_numbers as read_numbers
from ..sandbox.values import is_module
from .file import SIZES, Reading


def table_in(file, text, value):
    """The `Reading` of ``text`` and what picks the table out of ``value``; None when there is none at both sizes."""
    for pick in picks(value, *SIZES[0]):
        picked = text + pick
        try:
            other = run("a second look", _shape, file, picked, *SIZES[1])
        except (Failed, NotImplementedError):
            continue
        if other in ((SIZES[1]), (1, *SIZES[1])):
            return Reading(picked, "table", file)
    return None


def _shape(file, text, max_len, d_model):
    return shape_of(file.evaluate(text, max_len, d_model))


def shape_of(value):
    """The shape of an array, a tensor, or nested lists; None of everything else."""
    if hasattr(value, "shape"):
        return tuple(value.shape)
    if isinstance(value, (list, tuple)) and value:
        inner = {shape_of(part) for part in value}
        if len(inner) == 1 and None not in inner:
            return (len(value), *inner.pop())
    return () if isinstance(value, (int, float)) else None


def picks(value, max_len, d_model):
    """What to write behind an expression so that a table (max_len, d_model) or (1, max_len, d_model) comes out."""
    whole, shape = (max_len, d_model), shape_of(value)
    if is_module(value):
        return [".weight"] if hasattr(value, "weight") and shape_of(value.weight) == whole else []
    if shape in (whole, (1, *whole)):
        return [""]
    if shape == (max_len, 1, d_model):
        return ["[:, 0]"]
    if shape and len(shape) == 3 and shape[1:] == whole and _all_equal(value):
        return ["[0]"]
    if shape == (1, 1, *whole):
        return ["[0]"]
    if isinstance(value, (tuple, list)) and shape is None and len(value) < 9:
        return [f"[{n}]{pick}" for n, part in enumerate(value) for pick in picks(part, max_len, d_model)]
    if isinstance(value, dict) and len(value) < 9:
        return [f"[{key!r}]{pick}" for key, part in value.items() for pick in picks(part, max_len, d_model)]
    return []


def _all_equal(value):
    try:
        parts = read_numbers(value)  # nested lists as well as arrays
    except ValueError:
        return False
    return bool((parts == parts[:1]).all())


def has_one_row(reading):
    """Do all positions get one and the same row? Then x came in the wrong layout, or the table is no table."""
    try:
        rows = read_numbers(run("a look at the rows", reading.table, *SIZES[0]))
    except (Failed, NotImplementedError, ValueError):
        return False
    rows = rows.reshape(-1, rows.shape[-1]) if rows.ndim > 1 else rows
    return rows.ndim == 2 and bool((rows == rows[0]).all())


def leaves_x_alone(file, text):
    """A call with zeros must give a sum, not a product, and do so at another shape of x, too."""
    whole = "zeros((1, max_len, d_model))"
    if ".zeros((" not in text:
        return True
    try:
        zero, one = file.tried(text), file.tried(text.replace(".zeros((", ".ones(("))
        shorter = file.tried(text.replace(whole, "zeros((2, 3, d_model))")) if whole in text else zero
        return run("a look at x", _is_a_sum, zero, one, shorter)
    except (Failed, NotImplementedError):
        return False


def _is_a_sum(zero, one, shorter):
    """Ones give the same, or one more everywhere; a shorter x the first rows."""
    zero, one, shorter = (read_numbers(value) for value in (zero, one, shorter))
    if not zero.any():
        return False  # zeros in, zeros out: nothing is added, or x is turned
    steady = any(abs(one - zero - step).max() < 1e-5 for step in (0, 1))
    rows = shorter.shape[-2] if shorter.ndim > 1 else 0
    return steady and bool((abs(shorter - zero[..., :rows, :]) < 1e-5).all())
