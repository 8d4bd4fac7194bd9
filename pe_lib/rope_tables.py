"""The cosines and sines that RoPE multiplies by: computed once, kept, and looked up (lesson 09).

A *form* is a function of (cos, sin), each (…, length, pairs): it returns the tables that one layout of RoPE needs.
"""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache

import numpy as np
import torch

from . import formula
from .arguments import check_number_tensor, check_numbers

LONGEST_KEPT = 2**16  # rows of a table that is kept between calls
ALWAYS_KEPT = 2**13  # a longer table is kept only for whoever needs half of its rows: 65,536 for one position are 33 MB
INTEGERS = {torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8}


def tables_for(form, x, positions, frequencies):
    """``form``'s tables for every row of x, and whether they are constants, which have no gradient.

    Raises TypeError or ValueError for positions and frequencies that do not fit x.
    """
    head_dim, dtype = int(x.shape[-1]), torch.promote_types(x.dtype, torch.float32)
    if _is_plain(x) and not isinstance(frequencies, torch.Tensor):
        own = None if frequencies is None else _fitting(check_numbers("frequencies", frequencies), head_dim).tobytes()
        index, rows = _needed_rows(positions, x)
        if rows <= ALWAYS_KEPT or rows <= min(LONGEST_KEPT, 2 * x.shape[-2]):
            # The next power of 2: a text that grows asks for 16 tables, not 65,536.
            kept = _kept_tables(form, 1 << (rows - 1).bit_length(), head_dim, own, x.device, dtype)
            if isinstance(index, slice):
                return [table[index] for table in kept], True
            index = index.to(x.device)
            return [torch.embedding(table, index) for table in kept], True

    positions = torch.arange(x.shape[-2], device=x.device) if positions is None else positions
    frequencies = _sinusoid(head_dim) if frequencies is None else frequencies
    positions = check_number_tensor("positions", positions, x.device)
    frequencies = _fitting(check_number_tensor("frequencies", frequencies, x.device), head_dim)
    if not _one_for_each_row(positions.shape, x.shape[:-1]):
        raise ValueError(_not_one_for_each_row(positions, x))
    return form(*_cos_sin(positions, frequencies, x.device, dtype)), False


@lru_cache(maxsize=8)
def _kept_tables(form, rows, head_dim, own, device, dtype):
    """The tables of positions 0, 1, 2, …, for the bytes of somebody's ``own`` frequencies, or else the sinusoid's.

    They are built in a thread of their own: what is built inside the caller's inference mode, grad or vmap belongs to
    it and fails outside.
    """

    def build():
        frequencies = _sinusoid(head_dim) if own is None else torch.frombuffer(bytearray(own), dtype=torch.float64)
        return form(*_cos_sin(torch.arange(rows), frequencies, device, dtype))

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(build).result()


@torch.compiler.assume_constant_result  # torch.compile would take the power in float32
def _sinusoid(head_dim):
    return torch.from_numpy(formula.frequencies(head_dim))


def _cos_sin(positions, frequencies, device, dtype):
    angles = positions[..., None] * frequencies  # float64
    return angles.cos().to(device, dtype), angles.sin().to(device, dtype)


def _is_plain(x):
    """Whether x is a tensor of numbers, and no subclass: nothing that torch traces may meet a kept table."""
    tracing = torch.compiler.is_compiling() or torch.jit.is_tracing()
    return type(x) in (torch.Tensor, torch.nn.Parameter) and not tracing


def _needed_rows(positions, x):
    """Which rows of a table from position 0 on are needed, a slice or a tensor int64, and how long it has to be.

    That is infinitely long unless positions are whole numbers from 0 on that torch can read at once.
    """
    if positions is None:
        return slice(x.shape[-2]), x.shape[-2]
    index = _whole(positions)
    if index is not None and index.numel() and _one_for_each_row(index.shape, x.shape[:-1]):
        with suppress(RuntimeError):  # which vmap raises
            first, last = map(int, index.aminmax() if index.numel() > 1 else (index, index))
            if first >= 0:
                return (slice(first, last + 1) if _one_after_another(index, first, last) else index), last + 1
    return None, float("inf")


def _one_after_another(index, first, last):
    """As in a prompt and in a decoding step: these rows are a view of the table, and not a copy."""
    return index.ndim == 1 and (len(index) == 1 or torch.equal(index, torch.arange(first, last + 1, device="cpu")))


def _whole(positions):
    """Positions as a tensor int64 on the CPU, or None where they are fractions, on a GPU, or of another kind."""
    if not isinstance(positions, torch.Tensor):
        numbers = check_numbers("positions", positions)
        return None if np.any(numbers % 1) else torch.from_numpy(numbers.astype(np.int64))
    readable = type(positions) is torch.Tensor and positions.device.type == "cpu" and positions.layout == torch.strided
    return positions.long() if readable and positions.dtype in INTEGERS else None


def _fits(size, axis):
    return size in (1, axis)


def _one_for_each_row(shape, rows):
    """Whether (length,), or (batch, 1, length) for rows (batch, heads, length). (batch, length) is neither: with as
    many sequences as heads, it would fit the heads."""
    if len(shape) == 1:
        return shape == rows[-1:]
    return len(shape) == len(rows) and shape[-1] == rows[-1] and all(map(_fits, shape, rows))


def _not_one_for_each_row(positions, x):
    length = x.shape[-2]
    if positions.ndim == 0:
        return f"positions must be {length} numbers, one for each row of x, but got the number {positions:g}" + (
            f": for one row write [{positions:g}]" if length == 1 else ""
        )
    return (
        f"positions must be {length} numbers, one for each row of x, or have the axes of x {tuple(x.shape)} but "
        f"the last, each as long or 1, but got shape {tuple(positions.shape)}"
    )


def _fitting(frequencies, head_dim):
    if frequencies.shape != (head_dim // 2,):
        raise ValueError(
            f"frequencies must be {head_dim // 2} numbers, one for each pair of columns, "
            f"but got shape {tuple(frequencies.shape)}"
        )
    return frequencies
