"""Refuse bad arguments with a sentence that helps: which argument, what was given, what would work."""

import math
from contextlib import suppress
from numbers import Integral, Real

FARTHEST = 2**53  # float64 holds every whole number up to here


def check_size(name, value):
    """Return ``value`` as an int from 1 to 2**53; TypeError or ValueError names the argument ``name`` otherwise."""
    # True is an int for Python, but nobody means "one" by it.
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be a whole number such as 512, but got {value!r} ({type(value).__name__})")
    if value < 1:
        raise ValueError(f"{name} must be at least 1, but got {value}")
    if value > FARTHEST:  # not shown: it may have more digits than Python writes
        raise ValueError(f"{name} must be at most 2**53, such as 512, but got one of {int(value).bit_length()} bits")
    return int(value)


def check_base(value):
    """Return ``value`` as a finite float of at least 1e-6; TypeError or ValueError otherwise."""
    number = real("base", value, example="10000.0")
    # Below 1 the last pairs are the fast ones. With 1e-6 an angle at position 1,000,000 is a million million radians,
    # which float64 still holds to a thousandth; smaller bases would end in noise.
    if not (math.isfinite(number) and number >= 1e-6):
        raise ValueError(f"base must be a finite number of at least 1e-6, such as 10000.0, but got {value!r}")
    return number


def check_offset(value):
    """Return ``value``, a number of positions to move by, as a float; TypeError or ValueError otherwise."""
    number = real("n", value, example="3")
    if not abs(number) <= FARTHEST:  # true for NaN too
        raise ValueError(f"n must lie between -2**53 and 2**53, such as 3, but got {value!r}")
    return number


def check_dropout(value):
    """Return ``value`` as a float in [0, 1); TypeError or ValueError otherwise."""
    number = real("dropout", value, example="0.1")
    if not 0 <= number < 1:  # false for NaN too
        raise ValueError(f"dropout must be at least 0 and below 1, such as 0.1, but got {value!r}")
    return number


def check_numbers(name, values):
    """Return ``values``, one number or an array, list, range or CPU tensor of them, as an ndarray float64 of its shape.

    TypeError or ValueError names the argument ``name`` for anything but finite real numbers within ±2**53.
    """
    import numpy as np  # late: the size of a table is checked without it

    try:
        # Read as objects, a list keeps what NumPy would turn into numbers: True beside 2, "3" beside 4, a short row.
        known = isinstance(values, range) or hasattr(values, "__array__")
        array = np.asarray(values) if known else np.asarray(values, dtype=object)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"{name} must be numbers such as [0, 1, 2.5], but NumPy cannot read them: {error}") from None
    if array.dtype.kind == "O":
        array = np.array([real(name, value, example="2.5") for value in array.flat]).reshape(array.shape)
    if array.dtype.kind not in "iuf" or np.ma.is_masked(values):
        what = "masked numbers" if np.ma.is_masked(values) else array.dtype
        raise TypeError(f"{name} must be numbers such as [0, 1, 2.5], but got {what}")
    array = array.astype(np.float64)
    refused = array[~(np.abs(array) <= FARTHEST)]  # NaN too
    if refused.size:
        raise ValueError(f"{name} must lie between -2**53 and 2**53, such as 2.5, but got {refused[0]}")
    return array


def check_number_tensor(name, values, device):
    """Return ``values`` as a Tensor float64 on ``device``, or on the CPU where that has no float64; a tensor keeps its
    gradient. Raises as `check_numbers`, but leaves the range of a tensor unseen that torch cannot read at once: on a
    GPU, or inside torch.compile or vmap.
    """
    import torch  # late, as above

    compiling = torch.compiler.is_compiling()
    if not isinstance(values, torch.Tensor):
        values = torch.as_tensor(values if compiling else check_numbers(name, values))
    if values.dtype == torch.bool or values.is_complex():
        raise TypeError(f"{name} must be numbers such as [0, 1, 2.5], but got {values.dtype}")
    if values.layout != torch.strided:
        raise TypeError(f"{name} must be a dense tensor, such as .to_dense() makes, but got {values.layout}")
    if values.is_meta and device.type != "meta":
        raise TypeError(f"{name} must hold numbers such as [0, 1, 2.5], but got a meta tensor, which holds none")
    if values.device.type == "cpu" and not compiling:
        with suppress(RuntimeError):  # which vmap raises
            refused = values[~(values.double().abs() <= FARTHEST)]
            if refused.numel():
                raise ValueError(f"{name} must lie between -2**53 and 2**53, such as 2.5, but got {refused[0].item()}")
    return values.to("cpu" if device.type == "mps" else device, torch.float64)


def check_scale(value):
    """Return ``value``, how many times longer a text is, as a finite float of at least 1; TypeError or ValueError."""
    number = real("scale", value, example="4.0")
    if not 1 <= number < math.inf:
        raise ValueError(f"scale must be a finite number of at least 1, such as 4.0, but got {value!r}")
    return number


def check_bool(name, value):
    """Return ``value``, True or False; TypeError names the argument ``name`` otherwise."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, but got {value!r} ({type(value).__name__})")
    return value


def check_embeddings(x, layout):
    """Return ``x``, a floating-point tensor; TypeError tells the ``layout`` that is wanted otherwise."""
    import torch  # late: whoever has embeddings has loaded it, and the arguments of a table do without

    if not isinstance(x, torch.Tensor) or not x.is_floating_point():
        got = x.dtype if isinstance(x, torch.Tensor) else type(x).__name__
        raise TypeError(f"x must be a floating-point tensor {layout}, but got {got}")
    return x


def real(name, value, example):
    """Return ``value`` as a float, infinite for an int beyond every float; TypeError for what is no real number."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number such as {example}, but got {value!r} ({type(value).__name__})")
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
