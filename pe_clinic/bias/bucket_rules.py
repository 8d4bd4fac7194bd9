"""By which rule do offsets share a number: T5's buckets, of both sides or of one, or those with a sign?"""

from itertools import product

import numpy as np
import torch

from pe_lib import t5_bucket

from ..sandbox.values import is_module


def side_of(values):
    """(False for both sides or True for one, ""), or (None, the offsets that tell)."""
    told = [_difference(_numbers(values), *_t5(causal)) for causal in (False, True)]
    return next(((side, "") for side, said in zip((False, True), told, strict=True) if not said), (None, told[0]))


def signed(values):
    """What is seen where both sides have one rule and another sign, as in DeBERTa and Uni-Mol; else ""."""
    for exact, last in product((8, 16), (True, False)):
        if values.shape[1] > 1 and not _difference(_numbers(values), *_signed(exact, last)):
            return f"one distance each up to {exact}, then the logarithm rounded up; later keys have the other sign"
    return ""


def is_mirrored(values, kept):
    """Do later keys have the lower half of the buckets? The numbers tell, or the rows of weights that they are."""
    weights = [w.detach().numpy() for module in kept.values() if is_module(module) for w in module.parameters()]
    tables = [w for w in weights if w.ndim == 2 and len(w) == 32]
    if values.shape[1] < 2 or len(tables) > 1 or (not tables and len(values) > 1):
        return False
    later, earlier = values[:, 0, 1], values[:, 1, 0]
    if tables:
        later, earlier = (np.abs(tables[0] - number).sum(1).argmin() for number in (later, earlier))
    return bool(later < 16 <= earlier)


def _numbers(values):
    """What each offset gets, key minus query."""
    length = values.shape[-1]
    rows = [(n - length + 1, values[:, -1, n]) for n in range(length)]
    rows += [(n, values[:, 0, n]) for n in range(1, length)] if values.shape[1] > 1 else []
    return {offset: tuple(np.round(number, 5)) for offset, number in rows}


def _t5(causal):
    """(the bucket of an offset, does rounding decide it?)."""
    exact = 16 if causal else 8

    def near_a_border(distance):
        step = np.log(max(distance, exact) / exact) / np.log(128 / exact) * exact
        return distance > exact and abs(step - round(step)) < 1e-3

    return lambda offset: int(t5_bucket(torch.tensor([offset]), causal=causal)), near_a_border


def _signed(exact, last):
    """As `_t5`; ``last``: is there a last bucket, for all that is far?"""

    def step(distance):
        return np.log(max(distance, exact) / exact) / np.log(127 / exact) * (exact - 1)

    def bucket(offset):
        n = abs(offset) if abs(offset) < exact else exact + int(np.ceil(step(abs(offset))))
        return int(np.sign(offset)) * (min(n, 2 * exact - 1) if last else n)

    return bucket, lambda distance: distance > exact and abs(step(distance) - round(step(distance))) < 1e-3


def _difference(numbers, rule, near_a_border):
    """Two offsets that share a number and no bucket, or a bucket and no number; "" where there are none."""
    bucket_of, number_of = {}, {}
    for offset, number in numbers.items():
        if near_a_border(abs(offset)):  # where rounding of the logarithm decides, either bucket is right
            continue
        bucket = rule(offset)
        first, other = bucket_of.setdefault(number, (offset, bucket)), number_of.setdefault(bucket, (offset, number))
        if first[1] != bucket:
            return f"offsets {first[0]} and {offset} share a number; T5's buckets are {first[1]} and {bucket}"
        if other[1] != number:
            return f"offsets {other[0]} and {offset} differ; T5 has both in bucket {bucket}"
    return ""
