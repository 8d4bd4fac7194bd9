"""Is this T5's relative bias, or its buckets? Which offsets share a number tells, whatever the number is."""

import re
from contextlib import suppress

import numpy as np
import torch

from ..calling.lines import Value, expression
from ..calling.loading import CouldNotRun
from ..calling.parameters import source_of
from ..sandbox.guard import Failed, run
from ..sandbox.values import as_numbers, is_module
from ..saying.result import Diagnosis
from .bucket_rules import is_mirrored, side_of, signed
from .given import GIVEN
from .signatures import calls_of, found_in
from .words import MISTAKES, wrong

T5 = "https://arxiv.org/abs/1910.10683"
HEADS, SHORT, LONG = 3, 5, 300  # offsets up to 299, as in bucket_rules
SWITCHES = {
    "causal": Value("causal", lambda s: s["causal"], frozenset({"causal"})),
    "both": Value("bidirectional", lambda s: not s["causal"], frozenset({"causal"})),
}
SIDES = {False: "T5's buckets, both directions", True: "T5's buckets, causal"}
EARLIER = ", the upper half for earlier keys (T5's own: for later ones)"


def has_buckets(thing, name):
    """Do its name and its code speak of T5's buckets? The code of a class is its parents' too."""
    own = [cls for cls in getattr(thing, "__mro__", (thing,)) if cls.__module__ == thing.__module__]
    code = " ".join([name, *map(source_of, own)]).lower()
    return "bucket" in code and bool(re.search(r"max_dist|max_relative|t5|max_position\b", code))


def buckets_of(file, path):
    """(`Diagnosis`, `Found`) of the first call that gives a bias, or buckets, of 5 queries and keys; None of none."""
    lib, at = file.library, f"{file.library.__name__}.arange(length)"
    known = {**GIVEN, **SWITCHES, "offsets": expression(f"{at} - {at}[:, None]", **{lib.__name__: lib})}
    told = found_by(calls_of(file, path, known), gives_numbers, _diagnosis)
    return told or found_by(calls_of(file, path, known), lambda call: gives_numbers(call, LONG), _stops)


def _stops(call):
    """What stops a call for a short text that a long one does not stop; None of what refuses it, or gives others."""
    try:
        gives_numbers(call)
    except Failed as stop:
        said, why = stop.finding.evidence, "For a long one it gives a bias."
        told = MISTAKES.found("t5-stops", said, title="It stops for short texts.", explanation=why)
        return Diagnosis(False, (told,), kind="bias") if re.search("IndexError|RuntimeError", said) else None


def found_by(calls, seen, diagnosis):
    """(``diagnosis`` of a call, `Found`) of the first of which anything is ``seen``; None of none."""
    with suppress(CouldNotRun):
        return next(found_in(calls, lambda call: None if seen(call) is None else diagnosis(call)), None)


def gives_numbers(call, length=SHORT):
    """What it gives for so many queries and keys, as `by_offset`."""
    return by_offset(run(_shown(call, length, False), numbers_of, call, _setting(length, False)), length)


def _shown(call, length, causal):
    return call.shown(heads=HEADS, length=length, causal=causal, bidirectional=not causal)


def _setting(length, causal):
    return {"heads": HEADS, "length": length, "causal": causal, "kept": {}}


def numbers_of(call, setting):
    """What it gives, with weights of chance, and not of zero."""
    value = call.give(setting)
    made = [module for module in setting["kept"].values() if is_module(module)]
    if not made:
        return as_numbers(value)
    with torch.no_grad():
        for weight in (weight for module in made for weight in module.parameters() if weight.is_floating_point()):
            drawn = torch.randn(weight.shape, generator=torch.Generator().manual_seed(0))
            weight.copy_(drawn.abs())  # a slope, or a power, is above zero
        return as_numbers(call.give(setting))


def by_offset(values, length):
    """As (numbers, queries, keys): heads first or last, or the keys of the last query; None of all else."""
    values = values.squeeze()
    if values.shape == (length,):
        return values[None, None]
    if values.ndim > 2 and values.shape[:2] == (length, length) and values.shape[-2:] != (length, length):
        values = np.moveaxis(values.reshape(length, length, -1), -1, 0)
    return values.reshape(-1, length, length) if values.shape[-2:] == (length, length) else None


def _diagnosis(call):
    sides = []
    for causal in (False, True) if "causal" in call.made else (None,):
        shown, setting = _shown(call, LONG, causal), _setting(LONG, causal)
        try:
            values = by_offset(run(shown, numbers_of, call, setting), LONG)
        except Failed as stop:
            return wrong("t5-stops", stop.finding.evidence)
        if problem := _problem(values, setting):
            return wrong(problem[0], f"{shown}{problem[1]}")
        side, evidence = side_of(values)
        sides.append(side)
        if side is None and (seen := signed(values)):
            return wrong("signed-buckets", f"{shown}: {seen}", "buckets with a sign")
        if side is None:
            return wrong("t5-buckets", f"{shown}: {evidence}")
    if sides == [True, False]:
        return wrong("t5-turned", f"{shown} has {SIDES[False]}")
    words = "T5's buckets, both directions or causal" if len({*sides}) > 1 else SIDES[sides[0]]
    words += EARLIER if sides == [False] and is_mirrored(values, setting["kept"]) else ""
    return Diagnosis(True, (), words, kind="bias")


def _problem(values, setting):
    """(the id, what is seen) of numbers that no buckets give; None of others."""
    if values is None:
        return "t5-stops", " gave another shape"
    if values.shape[1] > 1 and not np.allclose(values[:, 1:, 1:], values[:, :-1, :-1]):
        return "t5-absolute", ": a diagonal holds several numbers"
    if not setting["kept"] and len(values) == 1 and (values % 1).any():  # no weights: numbers of rows
        return "t5-not-whole", f": one is {values[values % 1 != 0][0]:.4g}"
    return None
