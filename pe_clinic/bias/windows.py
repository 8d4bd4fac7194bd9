"""Is this the relative position bias of windows, as Swin has it? Each offset has to have a number of its own."""

import re
from functools import partial

import numpy as np

from ..calling.lines import Call, Value, attribute, variable
from ..calling.parameters import bound, required_of, source_of
from ..sandbox.guard import run
from ..saying.result import Diagnosis
from .buckets import HEADS, by_offset, found_by, numbers_of
from .given import kept_by, role
from .signatures import ways
from .words import wrong

COLLIDES, ABSOLUTE = "window-collides", "window-absolute"
WORDS = "the bias of windows"
MIRRORED = "the bias of windows, by distance along each axis"
PLACES = Value("length ** 2", lambda s: int(np.prod(s["length"]) ** (1 if isinstance(s["length"], tuple) else 2)))
BOARD = r"(\w+) *// *([4-9]|\d\d+)\b[^#\n]*(?:\n[^\n]*)?\1 *% *\2\b"  # rows and columns: n // 8, n % 8
CLASS_TOKEN = 1  # before the places of the window, in BEiT


def has_windows(thing, name):
    """Does its code speak of relative positions in a window with several axes?"""
    code = f"{name} {source_of(thing)}".lower()
    if re.search(BOARD, code) and re.search(r"(?s)bias.*(embedding|parameter)\(", code):
        return True
    return bool(re.search("relative_position_index|rel_pos_idx|relative_coords|relative_?pos", code)) and (
        "meshgrid" in code and "win" in code
    )


def windows_of(file, path):
    """(`Diagnosis`, `Found`) of the first call that gives the bias, or the index, of windows; None of none."""
    thing = file.resolve(path)[0]
    three = re.search(r"\[2\]|win_[dt]\b|coords_[dts]\b", source_of(thing))
    board = [int(n) for _, n in re.findall(BOARD, source_of(thing).lower())[:1]]
    # The [2] may be that of q, k, v = qkv[0], qkv[1], qkv[2].
    for sides in (*board, *[(2, 3, 4)] * bool(three), (3, 5), 4):
        numbers, diagnosis = (partial(look, sides=sides) for look in (_numbers, _diagnosis))
        if found := found_by(_calls(file, path, thing, sides), numbers, diagnosis):
            return found
    return None


def _calls(file, path, thing, sides):
    """(a call, the part that it asks for): a forward without x; the index that a module holds; a function."""
    target = file.named(path)
    if not isinstance(thing, type):
        required = required_of(thing)
        if len(required) == 1 or len(required) == (len(sides) if isinstance(sides, tuple) else 2):
            apart = [variable("length")] if len(required) == 1 else [_side(n) for n in range(len(required))]
            yield Call(target, bound(required, apart)), ""
        return
    for made in map(kept_by, ways(file, target, thing)):
        forward = getattr(thing, "forward", None)
        asked = required_of(forward)[1:] if forward else ()
        if forward and len(asked) < 2 and all(role(a.name) == "max_len" for a in asked):
            yield Call(made, bound(asked, [PLACES] * len(asked))), ""
        for name in re.findall(r"(?:self\.|buffer\(\s*['\"])(\w*(?:ind(?:ex|ices)|idx)\w*)", source_of(thing))[:1]:
            yield attribute(made, name), name


def _side(n):
    return Value("length", lambda s: s["length"][n] if isinstance(s["length"], tuple) else s["length"])


def _numbers(call, sides):
    """What each pair of places gets, (numbers, places, places); None of all else."""
    setting = {"heads": HEADS, "length": sides, "kept": {}}
    places = int(np.prod(sides)) if isinstance(sides, tuple) else sides**2
    values = run(call.shown(**setting), numbers_of, call, setting)
    for n in (places, places + CLASS_TOKEN):
        square = values.reshape(n, n) if values.size == n * n else values
        if (found := by_offset(square, n)) is not None:
            return found[:, n - places :, n - places :]
    return None


def _diagnosis(call, sides):
    shown, numbers = call.shown(heads=HEADS, length=sides), _numbers(call, sides)
    sides = sides if isinstance(sides, tuple) else (sides, sides)
    places = np.stack(np.meshgrid(*map(np.arange, sides), indexing="ij")).reshape(len(sides), -1).T
    offsets = (places[:, None] - places[None]).reshape(-1, len(sides))
    rows = np.round(numbers.reshape(len(numbers), -1).T, 5)
    found = _difference(offsets, rows)
    words = WORDS
    if found and found[0] == COLLIDES and not _difference(np.abs(offsets), rows):
        found, words = None, MIRRORED
    if not found:
        return Diagnosis(True, (), words, kind="bias")
    size = " × ".join(map(str, sides))
    return wrong(found[0], f"{shown}: in a window of {size} {found[1]}")


def _difference(offsets, rows):
    """(the id, what is seen) of offsets that share a number, or have several; None where there are none."""
    (kinds, of), (numbers, at) = (_counted(array) for array in (offsets, rows))
    pairs = np.unique(np.stack([of, at]), axis=1)
    for mistake, n, one in ((ABSOLUTE, 0, kinds), (COLLIDES, 1, numbers)):
        owners, count = np.unique(pairs[n], return_counts=True)
        if not (count > 1).any():
            continue
        several = pairs[1 - n][pairs[n] == owners[count > 1][0]]
        if mistake == ABSOLUTE:
            return mistake, f"the offset {_shown(kinds[owners[count > 1][0]])} has {len(several)} numbers"
        first, second = (_shown(kinds[kind]) for kind in several[:2])
        return mistake, f"{len(kinds)} offsets have {len(one)} numbers: {first} and {second} share one"
    return None


def _counted(array):
    kinds, number = np.unique(array, axis=0, return_inverse=True)
    return kinds, number.reshape(-1)


def _shown(offset):
    return f"({', '.join(map(str, offset.tolist()))})"
