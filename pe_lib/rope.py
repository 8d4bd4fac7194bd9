"""RoPE: rotate queries and keys, so that their product depends on the offset between them alone (lesson 09).

`rope_tables` computes and keeps the cosines and sines; `rope_blocks` is the same rotation for a large x.
Source: Su et al., "RoFormer" (2021), https://arxiv.org/abs/2104.09864
"""

import torch
from numpy.typing import ArrayLike

from .arguments import check_embeddings, check_size
from .rope_blocks import InBlocks, is_large, turn_halves, turn_pairs
from .rope_tables import tables_for

Numbers = ArrayLike | torch.Tensor
HALF_PRECISION = torch.float16, torch.bfloat16


def rope_interleaved(
    x: torch.Tensor, positions: Numbers | None = None, frequencies: Numbers | None = None
) -> torch.Tensor:
    """Turn each pair of columns (2k, 2k + 1) by the angle position × frequency_k, as in the paper.

    x            queries or keys: a floating-point tensor (…, length, head_dim) with an even head_dim
    positions    one number for each row of x: (length,), or with every axis of x but the last, each as long or 1,
                 such as (batch, 1, length) for x (batch, heads, length, head_dim); 0, 1, 2, … if not given
    frequencies  radians per position of each pair, (head_dim / 2,); those of the sinusoid if not given

    Returns a tensor of x's shape and dtype. Angles, their sines and cosines are float64 and rounded once: in float32 a
    pair of length 1 lands within 2e-7 of the exact place, at position 1,000,000 as at position 1.
    Raises TypeError or ValueError for an x, positions or frequencies of another kind or shape, and for positions or
    frequencies that are not within ±2**53; a tensor of them on a GPU, or traced by torch, is not read to find out.
    >>> rope_interleaved(torch.tensor([[1.0, 0.0], [1.0, 0.0]]))
    tensor([[1.0000, 0.0000],
            [0.5403, 0.8415]])
    """
    (turns,), constant = tables_for(_as_complex, _check_pairs(x), positions, frequencies)
    if constant and x.dtype in HALF_PRECISION and is_large(x):  # in full precision the plain way is as fast
        return InBlocks.apply(x, turn_pairs, 1, turns)
    pairs = _viewable(_wide(x)).unflatten(-1, (-1, 2))
    z = torch.view_as_complex(pairs) * turns  # a pair is a complex number, and to turn it is to multiply
    return torch.view_as_real(z).flatten(-2).to(x.dtype)


def rope_half_split(
    x: torch.Tensor, positions: Numbers | None = None, frequencies: Numbers | None = None
) -> torch.Tensor:
    """As `rope_interleaved`, but pair k is columns k and k + head_dim / 2: the layout of Llama in transformers.

    >>> rope_half_split(torch.tensor([[1.0, 0.0]]), positions=[1])
    tensor([[0.5403, 0.8415]])
    """
    (cos, sin), constant = tables_for(_as_halves, _check_pairs(x), positions, frequencies)
    if constant and is_large(x):
        return InBlocks.apply(x, turn_halves, 1, cos, sin.chunk(2, -1)[1])
    wide = _wide(x)
    partners = wide.roll(x.shape[-1] // 2, dims=-1)
    # In place, because filling fresh memory takes longer than the arithmetic.
    return (wide * cos).addcmul_(partners, sin).to(x.dtype)


def half_split_order(head_dim: int) -> torch.Tensor:
    """Where the half-split layout takes its columns from: int64 tensor (head_dim,).

    ``rope_half_split(x[..., order])`` is ``rope_interleaved(x)[..., order]``; ``order.argsort()`` leads back.
    Raises TypeError or ValueError for a ``head_dim`` that is no even whole number.
    >>> half_split_order(6)
    tensor([0, 2, 4, 1, 3, 5])
    """
    columns = torch.arange(_even(check_size("head_dim", head_dim)))
    return torch.cat([columns[0::2], columns[1::2]])


def _as_complex(cos, sin):
    return (torch.complex(cos, sin),)


def _as_halves(cos, sin):
    """Tables of the width of x: a half · cos, plus its partner · −sin for the first half, · sin for the second."""
    return torch.cat([cos, cos], dim=-1), torch.cat([-sin, sin], dim=-1)


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


def _check_pairs(x):
    if check_embeddings(x, "(…, length, head_dim)").ndim < 2:
        raise ValueError(f"x must have the shape (…, length, head_dim), but got {tuple(x.shape)}")
    _even(x.shape[-1], "x must have a head_dim that is")
    return x


def _even(head_dim, what="head_dim must be"):
    if head_dim % 2 or head_dim == 0:
        need = "even and at least 2, such as 64, because RoPE turns pairs of columns"
        raise ValueError(f"{what} {need}, but got {head_dim}")
    return head_dim
