"""RoPE: rotate queries and keys, so that their product depends on the offset between them alone.

Source: Su et al., "RoFormer" (2021), https://arxiv.org/abs/2104.09864
"""

import torch

from .. import formula
from ..arguments import check_embeddings, check_size


def rope_interleaved(x, positions=None, frequencies=None):
    """Turn each pair of columns (2k, 2k + 1) by the angle position × frequency_k, as in the paper.

    x            queries or keys: a floating-point tensor (…, length, head_dim) with an even head_dim
    positions    one number for each row of x; 0, 1, 2, … if not given
    frequencies  radians per position of each pair, (head_dim / 2,); those of the sinusoid if not given

    Returns a tensor of x's shape and dtype. Angles are float64: a float32 angle near 100,000 radians is off by 0.004.
    Raises TypeError or ValueError for an x, positions or frequencies of another kind or shape.
    """
    cos, sin = _cos_sin(x, positions, frequencies)
    first, second = x[..., 0::2], x[..., 1::2]  # (…, length, pairs)
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return turned.flatten(-2).to(x.dtype)


def rope_half_split(x, positions=None, frequencies=None):
    """As `rope_interleaved`, but pair k is columns k and k + head_dim / 2: the layout of Llama in transformers."""
    cos, sin = _cos_sin(x, positions, frequencies)
    first, second = x.chunk(2, dim=-1)  # (…, length, pairs)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1).to(x.dtype)


def half_split_order(head_dim):
    """Where the half-split layout takes its columns from: int64 tensor (head_dim,), such as 0 2 4 1 3 5.

    ``rope_half_split(x[..., order])`` is ``rope_interleaved(x)[..., order]``; ``order.argsort()`` leads back.
    Raises TypeError or ValueError for a ``head_dim`` that is no even whole number.
    """
    columns = torch.arange(_even(check_size("head_dim", head_dim)))
    return torch.cat([columns[0::2], columns[1::2]])


def _cos_sin(x, positions, frequencies):
    """Cosine and sine of every angle: two tensors (length, pairs), float32, or float64 where x is."""
    if check_embeddings(x, "(…, length, head_dim)").ndim < 2:
        raise ValueError(f"x must have the shape (…, length, head_dim), but got {tuple(x.shape)}")
    length, head_dim = x.shape[-2:]
    _even(head_dim)
    positions = range(length) if positions is None else positions
    frequencies = formula.frequencies(head_dim) if frequencies is None else frequencies
    positions = _numbers("positions", positions, length, "row of x")
    frequencies = _numbers("frequencies", frequencies, head_dim // 2, "pair of columns")
    angles = positions[:, None] * frequencies
    # In half precision a rotation would change the lengths: both factors are at least float32.
    dtype = torch.promote_types(x.dtype, torch.float32)
    return angles.cos().to(x.device, dtype), angles.sin().to(x.device, dtype)


def _numbers(name, values, size, each):
    values = torch.as_tensor(values, dtype=torch.float64, device="cpu")  # not every device has float64
    if values.shape != (size,):
        raise ValueError(f"{name} must be {size} numbers, one for each {each}, but got shape {tuple(values.shape)}")
    return values


def _even(head_dim):
    if head_dim % 2 or head_dim == 0:
        raise ValueError(f"head_dim must be even, such as 64, because RoPE turns pairs of columns, but got {head_dim}")
    return head_dim
