"""Rows that an object drew by chance: learned ones, or ones that nothing trains; and rows that words pick."""

import contextlib
import re

import numpy as np

from .calling.lines import SIZES
from .calling.parameters import source_of
from .layer.words import MISTAKES as OF_LAYERS
from .sandbox.guard import Failed, first_look, watch
from .sandbox.state import loaded_torch
from .sandbox.values import is_module, to_array
from .table.no_formula import drawn_alike
from .times import WORDS
from .times import with_findings as _with

SEEDED = r"(?s)\A(?!.*\b(sin|cos|exp)\().*(default_rng|RandomState|\bseed)\("  # the same in every object


def drawn_once(diagnosis, reading, file):
    """Rows that the making of an object drew: one seed gives the same again, another one others throughout."""
    sizes = {"not-repeatable": [(20, 8)], "grid-unlisted": [((5, 7), 16), (5, 16)], "shape": [(5, 16)]}
    seeded = re.search(SEEDED, source_of(file.thing_in(reading.call)))
    sizes |= {"unlisted": [(20, 8)]} if seeded else {}
    told = {finding.id for finding in diagnosis.findings if finding.kind != "note"}
    if len(told) != 1 or not told <= {*sizes} or reading.kind != "table" or not re.search(r"\)[.(]", reading.call.text):
        return None
    for asked in sizes[told.pop()]:
        with contextlib.suppress(Failed, NotImplementedError):
            drawn = [to_array("", watch("", reading.table, *asked, seed=seed).value)[0] for seed in (1, 1, 2)]
            setting = {**dict(zip(SIZES, asked, strict=True)), "module": True}
            made = watch("", getattr(reading.call, "target", reading.call).give, setting, seed=1).value
            break
    else:
        return None
    one, same, other = drawn
    if one.ndim < 2 or not one.size or not one.shape == same.shape == other.shape:
        return None
    if alike := drawn_alike(one.reshape(-1, one.shape[-1]), asked[-1]):
        return _with(diagnosis, [alike])
    once = (one == same).all() and (one != other).any() and all(np.ptp(one, axis=n).any() for n in range(one.ndim))
    wide = [axis for axis in (0, -1) if once and one.shape[axis] == asked[-1]]
    if any(np.allclose(sum(half**2 for half in np.split(one, 2, axis)), 1, atol=1e-4) for axis in wide):
        seen = "the squares of its halves add up to 1, and another object has other waves"
        return _with(diagnosis, [OF_LAYERS.found("fourier-features, of places", seen)])
    # At position 0 the numbers of waves are told, by whatever frequencies; and those of a row of zeros for padding.
    waves = (one[0] == other[0]).any() and (one[0].any() or "padding_idx" not in file.source)
    chance = not waves and abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 0.4
    if (one == same).all() and (seeded or chance):
        seen = "its rows follow no formula, and stay the same from call to call"
        still = is_module(made) and next(made.parameters(), None) is None
        if is_module(made):
            from .layer.learned import held_twice

            if twice := held_twice(made, one.reshape(-1, asked[-1])):
                return _with(diagnosis, [OF_LAYERS.found("added-twice", twice)])
        return _with(diagnosis, [OF_LAYERS.found("no-parameter" if still else "learned", seen)])


def by_words(diagnosis, reading, file):
    """One row for all tokens, each of them one word: does another word get another row, where words are zeros?"""
    if "missing-colon" in {f.id for f in diagnosis.findings} and "(ids" in reading.call.text:
        from .calling.layers import without_tokens

        inner = without_tokens(reading.call).give({"max_len": 8, "d_model": 8}).inner
        rows = [first_look(inner, loaded_torch().full((1, 3), word)) for word in (2, 3)]
        if all(hasattr(one, "shape") for one in rows) and not loaded_torch().allclose(*rows):
            seen = "without the words themselves, three tokens of id 2 and three of id 3 get different rows"
            return _with(diagnosis, [WORDS["rows-by-words"].found(seen)])
