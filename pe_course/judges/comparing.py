"""Are two answers equal, whatever types hold them? And where do they begin to differ?"""

import numpy as np
import torch

from pe_clinic.sandbox import as_numbers

TOLERANCE = 1e-4


LARGEST = 10_000_000  # cells; an answer never holds so many


def numbers(value):
    """``value`` as a float64 array, or None where it holds no real numbers, or too many. It may do anything."""
    try:
        return None if _cells(value) > LARGEST else as_numbers(value)
    except (ValueError, RecursionError):
        return None


def _cells(value):
    """How many cells an array or a tensor has, whatever memory they take; 0 for anything else."""
    if type(value) is np.ndarray:
        return value.size
    return value.numel() if type(value) is torch.Tensor and not value.is_nested else 0


def same(a, b, tolerance=TOLERANCE):
    """Are two answers equal: the same shape and, for numbers, no further apart than ``tolerance``?"""
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str) and _word(a) == _word(b)
    a, b = numbers(a), numbers(b)
    return a is not None and b is not None and near(a, b, tolerance)


def near(a, b, tolerance=TOLERANCE):
    """`same` for arrays."""
    with np.errstate(invalid="ignore"):  # infinite less infinite is no number, and equal to none
        return a.shape == b.shape and bool((abs(a - b) <= tolerance).all())  # no function that an answer can replace


def close(a: torch.Tensor, b: torch.Tensor, atol: float = 1e-5) -> bool:
    """Are two tensors of one shape no further apart than ``atol``? As torch.allclose(a, b, rtol=0, atol=atol)."""
    return a.shape == b.shape and bool(((a.double() - b.double()).abs() <= atol).all())


def first_difference(got, want, tolerance=TOLERANCE):
    """The index of the first cell in which two arrays of one shape differ."""
    with np.errstate(invalid="ignore"):
        return tuple(int(n) for n in np.argwhere(~(np.abs(got - want) <= tolerance))[0])


def distinct(arrays):
    """How many different numbers stand in ``arrays``: very few agree with others by chance."""
    return len({float(number) for array in arrays for number in np.round(array, 3).ravel()})


def copied(part):
    """The learner's function may write into its arguments; the examples must survive that."""
    if isinstance(part, torch.Tensor):
        return part.detach().clone()
    return part.copy() if isinstance(part, np.ndarray) else part


def _word(text):
    """ "b" for "B", "b)" and "(b)"."""
    return text.strip(" \n\t().").lower()


def gives(mistake, examples, results):
    """Does the wrong function ``mistake`` give the learner's ``results`` on all ``examples``?"""
    for example, result in zip(examples, results, strict=True):
        try:
            if not same(result, mistake(*map(copied, example))):
                return False
        except (ValueError, IndexError, RuntimeError, ZeroDivisionError):  # it cannot be computed here
            return False
    return True


def changed(example, copies):
    """Did the function write into what it was given?"""
    arrays = [(e, c) for e, c in zip(example, copies, strict=True) if isinstance(e, (torch.Tensor, np.ndarray))]
    return not all(same(e, c) for e, c in arrays)
