"""What else is to be seen of a bias that is right: fewer queries than keys, and what an object keeps between calls."""

import re

import numpy as np
import torch

from ..calling.parameters import source_of
from ..layer.registering import table_left_behind
from ..sandbox.guard import attempt, run
from ..sandbox.values import as_numbers
from .words import MISTAKES

HEADS, LENGTH, FAR = 8, 6, 600
# Keys and queries of calls after one of `LENGTH`: in the end a text grows by a token, and another one begins.
LATER = (LENGTH, 1), (4, 4), (9, 9), (9, 1), (10, 1), (4, 4)


def beside(call, as_bias):
    """Findings about the ``call`` of a bias; ``as_bias(call, setting)`` gives the bias."""
    whole = _rows(call, as_bias, LENGTH, LENGTH)
    if whole is None:
        return []
    given = _numbers(call.give, {"heads": HEADS, "length": LENGTH, "queries": LENGTH, "kept": {}})
    if given is not None and no_queries(given.shape, HEADS, LENGTH):
        return [MISTAKES.found("bias-shape", f"for {HEADS} heads and {LENGTH} keys it gives {given.shape}: no queries")]
    if _mixed(call, given):
        return [MISTAKES.found("bias-of-batch", "for 2 texts it gives other numbers than twice those of one")]
    if _negative(call):
        return [MISTAKES.found("negative-slopes", f"{call.shown(heads=HEADS, length=LENGTH)} are all below zero")]
    if "window" in call.made and (said := _of_a_window(_rows(call, as_bias, LENGTH, LENGTH, window=3), whole)):
        return [MISTAKES.found("window-otherwise", said)]
    kept = {}
    _rows(call, as_bias, LENGTH, LENGTH, kept)
    made_for_one = re.search(r"\blength\b(?!=)", getattr(call, "target", call).text)
    before = [LENGTH]
    for length, queries in [later for later in LATER if kept and not (made_for_one and later[0] > LENGTH)]:
        now, new = (_rows(call, as_bias, length, queries, own) for own in (kept, {}))
        if new is not None and (now is None or not np.allclose(now, new, atol=1e-4)):
            got = "no bias" if now is None else _shown(now)
            calls = f"calls of {', '.join(map(str, before))} keys"
            said = f"{_of(length, queries)} after {calls}: {got}; of a new object: {_shown(new)}"
            return [MISTAKES.found("kept-bias", f"{said} (the last row, minus what the query itself gets)")]
        before.append(length)
    last = _rows(call, as_bias, LENGTH, 1) if "queries" in call.made else None
    if last is not None and not np.allclose(last[:, -1], whole[:, -1], atol=1e-4):
        said = f"{_of(LENGTH, 1)}: {_shown(last)}; the last row of {_of(LENGTH, LENGTH)}: {_shown(whole)}"
        return [MISTAKES.found("first-rows", f"{said} (minus what the query itself gets)")]
    lost = f"in bfloat16, of {FAR} keys, the last ones are not 1, 2, 3 … away" if _falls_together(call, as_bias) else ""
    return [*([MISTAKES.found("half-distances", lost)] if lost else []), *_left_behind(call, as_bias)]


def _mixed(call, one):
    """Do the heads of two texts come in another order than those of one, and of the other?"""
    two = _numbers(call.give, {"heads": HEADS, "length": LENGTH, "queries": LENGTH, "batch": 2, "kept": {}})
    if one is None or two is None or one.ndim < 2 or two.shape != (2 * len(one), *one.shape[1:]):
        return False
    return not np.allclose(two, np.concatenate([one, one]), atol=1e-4)


def _falls_together(call, as_bias):
    """Are distances lost in bfloat16, in a bias that is 0 where a query meets itself?"""
    setting = {"heads": HEADS, "length": FAR, "queries": FAR, "kept": {}}
    fine, half = (_numbers(as_bias, call, setting | {"dtype": dtype}) for dtype in (torch.float32, torch.bfloat16))
    if fine is None or half is None or fine.shape != half.shape or fine.shape[-2:] != (FAR, FAR):
        return False
    fine, half = (values.reshape(-1, FAR, FAR)[:, -1, -9:] for values in (fine, half))
    return not fine[:, -1].any() and not np.allclose(half, fine, rtol=0.02)


def _left_behind(call, as_bias):
    """A finding where the slopes, or the bias, of a module stay behind as it moves, or what a call keeps; else none."""
    kept = {}
    _rows(call, as_bias, LENGTH, LENGTH, kept)
    made = attempt(run, "", getattr(call, "target", call).give, {"heads": HEADS, "length": LENGTH, "kept": kept})
    module = getattr(made, "__self__", made)
    return table_left_behind(module, source_of(type(module))) if isinstance(module, torch.nn.Module) else []


def no_queries(shape, heads, length):
    """Is it one row for each head, without an axis for the queries?"""
    return shape in ((heads, length), (1, heads, length)) and heads != length


def _of(length, queries):
    return f"{queries} {'query' if queries == 1 else 'queries'} of {length} keys"


def _shown(rows):
    return "[" + ", ".join(f"{value:.4g}" for value in rows[0, -1]) + "]"


def _of_a_window(cut, whole):
    """What is seen where a window of 3 keys does other than to hide what is farther than some distance; else ""."""
    farther = np.subtract.outer(np.arange(LENGTH), np.arange(LENGTH))
    cut = None if cut is None else np.where(cut < -1e8, -np.inf, cut)
    if any(cut is not None and np.allclose(cut, np.where(farther < n, whole, -np.inf)) for n in range(1, LENGTH + 1)):
        return ""
    got = "no bias of that size" if cut is None else _shown(cut)
    return f"a window of 3 keys, {_of(LENGTH, LENGTH)}: {got}; without a window: {_shown(whole)} (the last row)"


def _rows(call, as_bias, length, queries, kept=None, **more):
    """What each query's keys get more than itself, (heads, queries, keys); None where nothing came."""
    setting = {"heads": HEADS, "length": length, "queries": queries, "kept": {} if kept is None else kept, **more}
    values = _numbers(as_bias, call, setting)
    if values is None or values.size not in (HEADS * queries * length, HEADS * length):
        return None
    values = np.broadcast_to(values.reshape(HEADS, -1, length), (HEADS, queries, length))
    own = np.arange(length - queries, length)
    seen = own[:, None] >= np.arange(length)
    return np.where(seen, values - values[:, np.arange(queries), own][:, :, None], 0.0)


def _negative(call):
    """Are they slopes, all below zero?"""
    slopes = _numbers(call.give, {"heads": HEADS, "length": LENGTH})
    return slopes is not None and slopes.size == HEADS and bool((slopes < 0).all())


def _numbers(give, *arguments):
    return attempt(lambda: as_numbers(run("a further look", give, *arguments)))
