"""Whatever a learner's code gives, as an array of numbers."""

import numpy as np
import torch


def as_numbers(value):
    """``value`` (array, tensor, number, nested lists) as a float64 array; ValueError when it holds no real numbers."""
    try:
        with torch.no_grad():
            if isinstance(value, torch.Tensor):
                value = value.detach().cpu().to_dense()
                value = (value if value.is_complex() else value.double()).numpy()
            array = np.asarray(value)
            refuse_what_only_reads_like_numbers(value, array)
            if array.dtype.kind not in "biuf":
                array = np.asarray(value, dtype=object if array.dtype.kind == "c" else np.float64)
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        raise ValueError(f"no numbers: {type(value).__name__}") from error


def refuse_what_only_reads_like_numbers(value, array):
    """TypeError for text, dates, None and masked cells: NumPy would make numbers of them."""
    cells = array.ravel() if array.dtype.kind == "O" else ()
    text = any(cell is None or isinstance(cell, (str, bytes)) for cell in cells)
    if text or array.dtype.kind in "USMmV" or np.ma.is_masked(value):
        raise TypeError("no numbers")
