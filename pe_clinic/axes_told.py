"""Rows that do not follow the axis of x that the code calls its length, in a line, a docstring, or a comment."""

import re

from .as_told import WORDS
from .calling.axes import OF_IDS, axes_named, name_of_x, texts_on
from .calling.declared import TURNS_AXES
from .calling.parameters import source_of
from .sandbox.guard import attempt, run

SHAPE = r"[(\[（【]\s*([^()\[\]（）【】=]+?)\s*[)\]）】]"
FOUR = ["batch", "other", "length", "width"]


def along_another_axis(diagnosis, reading, file):
    """The mistake of a good ``diagnosis`` whose rows arrive in x with other axes than it is told to have; else None."""
    if reading.kind != "layer" or file.layout is not None or not diagnosis.verdict.good:
        return None
    names, by_code = _names(file.thing_in(reading.call))
    told = _axes(names)
    if told is None or (told[0] == "length" and not by_code and diagnosis.verdict.main_right):
        return None  # of the last it is said that the text is wrong: "said-sequence-first"
    from .calling.starts import rows_along

    seen = _seen(diagnosis, reading, len(told))
    as_seen, as_told = (attempt(run, "it", rows_along, reading.call, axes) if axes else None for axes in (seen, told))
    if as_seen is None or (as_told is not None and as_told.shape == as_seen.shape and (as_told == as_seen).all()):
        return None
    axis = names[seen.index("length")]
    said = f"x is called ({', '.join(names)}), and the rows follow the axis {axis if axis != '_' else 'behind them'}"
    return diagnosis.mistaken(WORDS["another-axis"].found(said))


def turned_later(file, call):
    """What a line behind says that turns the result of the layer, so that the batch came first: "" of none."""
    name = re.match(r"\w*", call.text)[0]
    for attribute in re.findall(rf"\bself\.(\w+) *= *{name}\(", file.source):
        made = rf"(?m)^ *(\w+) *= *[^\n]*\bself\.{attribute}\([^\n]*\n(?:[^\n]*\n){{0,3}}?"
        turned = rf"{made}[^\n]*\b\1\.(?:transpose\(0, *1\)|permute\(1, *0, *2\))[^\n]*#([^\n]*)"
        for _, said in re.findall(turned, file.source):
            if _axes([one.strip(" ()[]") for one in said.split(",")]) == ["length", "batch", "width"]:
                return said.strip(" ()[]")
    return ""


def batch_is_first(thing, name):
    """Does a function, in words or where it unpacks them, say of x, or of ids called ``name``: batch first?"""
    texts = "\n".join([getattr(thing, "__doc__", "") or "", source_of(thing)])
    told = re.findall(OF_IDS.format(name), texts) + re.findall(
        rf"(?m)^ *(\w+), *(\w+) *= *{name}\.(?:shape|size\(\))", texts
    )
    axes = {tuple(axes_named(two)) for two in told} | {tuple((_axes(_names(thing)[0]) or ())[:2])}
    return axes - {()} == {("batch", "length")}


def _seen(diagnosis, reading, number):
    """The axes of the x for which the layer was seen to be right; None where that is not known."""
    if number == 4:
        behind = re.search(r"x\.unsqueeze\(([12])\)", reading.call.text)
        return behind and {"1": FOUR, "2": [FOUR[n] for n in (0, 2, 1, 3)]}[behind[1]]
    layouts = {"sequence-first": ["length", "batch", "width"], "channels-first": ["batch", "width", "length"]}
    return next((layouts[f.id] for f in diagnosis.usage if f.id in layouts), ["batch", "length", "width"])


def _names(thing):
    """What the axes of x are called, and whether a line unpacks them; texts count where no line does."""
    forward = getattr(thing, "forward", thing)
    if forward is None:
        return [], False
    x = name_of_x(forward)
    source = source_of(forward)
    before = re.split(rf"(?m)^\s*{re.escape(x)}\s*=|{TURNS_AXES}", source)[0]
    unpacked = re.findall(
        rf"(?m)^\s*(\w+(?:\s*,\s*\w+){{2,3}})\s*=\s*{re.escape(x)}\.(?:shape|size\(\))\s*(?:#.*)?$", before
    )
    texts = texts_on(x, before, forward, getattr(thing, "__dict__", {}).get("__init__"), thing)
    shapes = [shape for text in texts for shape in re.findall(SHAPE, text)]
    for found in (unpacked, shapes):
        lists = [[name.strip() for name in re.split("[,，、]", names)] for names in found]
        if known := {tuple(names) for names in lists if _axes(names)}:
            one = len({tuple(_axes(names)) for names in known}) == 1
            return list(min(known)) if one else [], found is unpacked
    return [], False


def _axes(names):
    """("batch", "length", "width") in the order of ``names``, or with an "other" one among four; else None."""
    if len(names) not in (3, 4):
        return None
    axes = axes_named(names)
    if axes[-1] is None and "width" not in axes:
        axes[-1] = "width"
    axes = [axis or "other" for axis in axes]
    wanted = {"batch", "length", "width"} | ({"other"} if len(names) == 4 else set())
    return axes if {*axes} == wanted else None
