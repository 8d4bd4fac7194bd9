"""RoPE: rotate queries and keys, so that their product depends on the offset between them alone (lesson 09).

Source: Su et al., "RoFormer" (2021), https://arxiv.org/abs/2104.09864
"""

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import torch

from . import formula
from .arguments import check_embeddings, check_number_tensor, check_size

LONGEST_KEPT = 2**16  # rows of a table that is kept between calls


def rope_interleaved(x, positions=None, frequencies=None):
    """Turn each pair of columns (2k, 2k + 1) by the angle position × frequency_k, as in the paper.

    x            queries or keys: a floating-point tensor (…, length, head_dim) with an even head_dim
    positions    one number for each row of x: (length,), or with every axis of x but the last, each as long or 1,
                 such as (batch, 1, length) for x (batch, heads, length, head_dim); 0, 1, 2, … if not given
    frequencies  radians per position of each pair, (head_dim / 2,); those of the sinusoid if not given

    Returns a tensor of x's shape and dtype. Angles, their sines and cosines are float64 and rounded once: in float32 a
    pair of length 1 lands within 2e-7 of the exact place, at position 1,000,000 as at position 1.
    Raises TypeError or ValueError for an x, positions or frequencies of another kind or shape, and for positions or
    frequencies that are not within ±2**53; a tensor of them on a GPU, or traced by torch, is not read to find out.
    """
    (turns,) = _tables(_as_complex, x, positions, frequencies)  # cos + i·sin, (…, length, pairs)
    pairs = _viewable(_wide(x)).unflatten(-1, (-1, 2))
    z = torch.view_as_complex(pairs) * turns  # a pair is a complex number, and to turn it is to multiply
    return torch.view_as_real(z).flatten(-2).to(x.dtype)


def rope_half_split(x, positions=None, frequencies=None):
    """As `rope_interleaved`, but pair k is columns k and k + head_dim / 2: the layout of Llama in transformers."""
    cos, sin = _tables(_as_halves, x, positions, frequencies)  # cos, cos and -sin, sin: (…, length, 2, pairs)
    halves = _wide(x).unflatten(-1, (2, -1))
    partners = halves.flip(-2)
    # In place, because filling fresh memory takes longer than the arithmetic.
    return (halves * cos).addcmul_(partners, sin).flatten(-2).to(x.dtype)


def half_split_order(head_dim):
    """Where the half-split layout takes its columns from: int64 tensor (head_dim,), such as 0 2 4 1 3 5.

    ``rope_half_split(x[..., order])`` is ``rope_interleaved(x)[..., order]``; ``order.argsort()`` leads back.
    Raises TypeError or ValueError for a ``head_dim`` that is no even whole number.
    """
    columns = torch.arange(_even(check_size("head_dim", head_dim)))
    return torch.cat([columns[0::2], columns[1::2]])


def _as_complex(cos, sin):
    return (torch.complex(cos, sin),)


def _as_halves(cos, sin):
    return torch.stack([cos, cos], dim=-2), torch.stack([-sin, sin], dim=-2)


def _wide(x):
    """x, but at least float32: in half precision a rotation would change the lengths."""
    return x.to(torch.promote_types(x.dtype, torch.float32))


def _viewable(x):
    """x, or a copy of it where its memory keeps torch from viewing pairs of columns as complex numbers."""
    if not torch.compiler.is_compiling():  # a compiler does not tell where in memory x begins
        steps = [x.storage_offset(), *x.stride()[:-1]]
        if x.stride(-1) == 1 and all(step % 2 == 0 for step in steps):
            return x
    return x.clone(memory_format=torch.contiguous_format)


def _tables(form, x, positions, frequencies):
    """What ``form`` makes of the cosine and sine of every angle, each (…, length, pairs), once all arguments fit."""
    if check_embeddings(x, "(…, length, head_dim)").ndim < 2:
        raise ValueError(f"x must have the shape (…, length, head_dim), but got {tuple(x.shape)}")
    length, head_dim = x.shape[-2], _even(x.shape[-1])
    dtype = torch.promote_types(x.dtype, torch.float32)
    plain = type(x) in (torch.Tensor, torch.nn.Parameter) and not torch.compiler.is_compiling()
    if positions is None and frequencies is None and plain and length <= LONGEST_KEPT:
        rows = 1 << (length - 1).bit_length()  # the next power of 2: a text that grows asks for 16 tables, not 65,536
        return [table[:length] for table in _kept_tables(form, rows, head_dim, x.device, dtype)]

    positions = range(length) if positions is None else positions
    frequencies = formula.frequencies(head_dim) if frequencies is None else frequencies
    positions = check_number_tensor("positions", positions, x.device)
    frequencies = check_number_tensor("frequencies", frequencies, x.device)
    if not _one_for_each_row(positions.shape, x.shape[:-1]):
        raise ValueError(_not_one_for_each_row(positions, x))
    if frequencies.shape != (head_dim // 2,):
        raise ValueError(
            f"frequencies must be {head_dim // 2} numbers, one for each pair of columns, "
            f"but got shape {tuple(frequencies.shape)}"
        )
    return form(*_cos_sin(positions, frequencies, x.device, dtype))


@lru_cache(maxsize=8)
def _kept_tables(form, rows, head_dim, device, dtype):
    """The tables of positions 0, 1, 2, …: built in a thread of their own, since what is built inside the caller's
    inference mode, grad or vmap belongs to it and fails outside."""

    def build():
        positions, frequencies = torch.arange(rows), torch.from_numpy(formula.frequencies(head_dim))
        return form(*_cos_sin(positions, frequencies, device, dtype))

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(build).result()


def _cos_sin(positions, frequencies, device, dtype):
    angles = positions[..., None] * frequencies  # float64
    return angles.cos().to(device, dtype), angles.sin().to(device, dtype)


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


def _one_for_each_row(shape, rows):
    """Whether (length,), or (batch, 1, length) for rows (batch, heads, length). (batch, length) is neither: with as
    many sequences as heads, it would fit the heads."""
    full = len(shape) == len(rows) and all(size in (1, n) for size, n in zip(shape, rows, strict=True))
    return shape[-1:] == rows[-1:] and (full or len(shape) == 1)


def _even(head_dim):
    if head_dim % 2 or head_dim == 0:
        need = "even and at least 2, such as 64, because RoPE turns pairs of columns"
        raise ValueError(f"head_dim must be {need}, but got {head_dim}")
    return head_dim
