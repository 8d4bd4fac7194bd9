"""What the text of a rotation tells: the axes of x, that a return is missing, what need not be given or turned."""

import re
from dataclasses import replace
from itertools import product

import torch

from ..calling.declared import FOUR as FOUR_NAMES
from ..calling.declared import X_IN_THREE, axes_said
from ..calling.parameters import source_of
from ..sandbox.guard import first_look
from .flat import together
from .forms import named_parameters
from .layouts import FEWER, FOUR, HEADS_LAST, Layout, rows_said, shown_by
from .maker import as_tuple
from .seen import isfailed
from .words import MISTAKES

BRACKETS = rf"(?<!\w)[(\[]\s*{FOUR_NAMES}\s*[)\]]"
# Angles side by side in halves, of which every second one is taken.
EVERY_SECOND = r"(?s)(cat\(\s*[\[(]\s*(\w+),\s*\2\s*[\])]|\.(repeat|tile)\(\(?1, *2\)).*"
EVERY_SECOND += r"\b(cos|sin)\w*(\(\))?(\[[^\]\n]*\])*\[[^\]\n]*, *[01]?::2\]"
# In a line on positions, a shape such as (batch, seq_len), and no range such as "values in [0, max_len)".
ALLOWED = r"(?i)\b{0}\b[^\n]*(?<!in )[(\[] *(b|bsz?|batch\w*) *, *\w+ *[)\]]"
# Comments on tables with axes of 1, such as "# (1, 1, T, dim)".
OF_TABLES = {FOUR[0]: r"#[^\n]*[(\[]1, *1, *\w+, *\w", HEADS_LAST: r"#[^\n]*[(\[]1, *\w+, *1, *\w"}
MORE_AXES = r"heads|(\w+, *){2}\w+ *= *\w+\.shape|(?<![\w.])[(\[]\w+, *\w+, *\w+[)\]]"
# half = x.shape[1] // 2, x[:, :half]
IN_TWO = rf"(?s)\A(?!.*({MORE_AXES})).*?\b(?P<n>\w+) *= *(?P<x>\w+)\.shape\[1\] *// *2\b.*?\b(?P=x)\[:, *:?(?P=n)\b"
# Rows of x are counted along its first axis, and its width is read from the second; or the text says so.
ROWS = rf"(?s)\A(?!.*({MORE_AXES}))((?!.*\.(shape\[|size\()(2|-1))(?=.*range\((?P<x>\w+)\.(shape\[|size\()0)"
ROWS += r".*\b(?P=x)\.(shape\[|size\()1|"
ROWS += r".*(?i:\bx\b\W*(of )?(shape|tensor)?\W*[(\[](seq\w*|length|[tln]) *, *(d|\w*dim|d_\w+|c)[)\]]))"
LENGTH_FIRST = r"tokens|[\[(]seq\w*, *\.\.\."  # packed ones, or [seq_length, ..., dim]
OWN = r"'(?!NoneType|list|tuple|dict|str|int|float|bool|Tensor|ndarray|SimpleNamespace)\w+' object"  # of the file
UNFINISHED = rf"raised (NameError|AttributeError: (module '[\w.]+'|{OWN}) has no attribute)"
UNFINISHED += r"|gave the shape \((\d+, ){3}(32, 2|128)\)"


def three_said(thing, beside=""):
    """The layouts of x with three axes that the text tells: one, or none; with two where code ``beside`` cuts these."""
    said = axes_said(thing) or ()
    in_two = re.search(IN_TWO, beside) or re.search(ROWS, source_of(thing))
    return [Layout(said)] if len(said) == 2 else [Layout(("length",))] if in_two else []


def batch_first_said(function):
    """The layouts of x with four axes, the batch first, that the text tells of x, or of tables with axes of 1."""
    said = axes_said(function) or ()
    told = [Layout(said)] if len(said) == 3 and said[0] == "batch" else []
    return told or [layout for layout, ones in OF_TABLES.items() if re.search(ones, source_of(function))]


def unfinished(found, width):
    """The first rotator of code without a return, that a name stops which nothing has, that does not join pairs,
    or that gives twice the columns.
    """
    without = [way for way in found if not re.search(r"\b(return|yield)\b|lambda", source_of(way.function) or "return")]
    for words, some in (("gave None", without), (UNFINISHED, found)):
        for rotator in (r for layout, way in product(FOUR, some) for r in way.rotators(layout)):
            told = rotator.attempt([torch.ones(2, 3, 5, width)] * rotator.count, range(5))
            if isfailed(told) and re.search(words, told.evidence):
                return [rotator]
    return []


def anew(rotator, found):
    """The same rotator of a new object: what a call that stopped left in the old one may answer the next."""
    new = next((way for way in found if rotator.way and way.said == rotator.way.said), None)
    return rotator.by(way=new) if new else rotator


def first_tried(way):
    """The rotators whose error is told where none runs; what is called qkv takes q, k and v in one tensor."""
    of_all = not way.found.pair and "qkv" in "".join(way.found.vectors)
    return [together(way)] if of_all else way.rotators(FOUR[0])


def width_of_tables(rotators, usual):
    """The width of the tables where the first of them stops because x has another; and what it is half of."""
    told = [f"{r.attempt([torch.ones(1, 1, 5, usual)] * r.count, range(5))}" for r in rotators[:1]]
    found = re.search(r"size of tensor b \((\d+)\)|\(\d+,(\d+)\) *\(line", "".join(told))
    own = int(found[1] or found[2]) if found else 0
    return [n for n in (own, 2 * own) if n in range(8, 257, 2)]  # a longer axis is no head's width


def as_said(diagnosis, rotator, width, thing, beside=""):
    """``diagnosis``; where it is right of other axes than the text names, the mistake that these do not go through.

    A text that names the heads is taken at its word; (batch, length, dim) is also said of one head among others.
    Code that computes something and gives None is a mistake; what is not written yet could not be run.
    """
    if [f.id for f in diagnosis.findings] == ["none"] and re.search(r"(?m)^\s+\w[\w, ]* = ", source_of(thing)):
        return replace(diagnosis, findings=(replace(diagnosis.findings[0], kind="mistake"),))
    way, layout = rotator.way, rotator.layout
    if "frequencies-shared" in {f.id for f in diagnosis.findings}:
        return _by_mistake(diagnosis) if re.search(EVERY_SECOND, beside) or _lays_halves(way, width) else diagnosis
    if not way or not diagnosis.verdict.main_right:
        return diagnosis
    shown = shown_by(beside) if layout in FEWER[0] else []
    told = shown or _told(way, layout, thing)
    if layout in (told or [layout]) or any(one.runs(width, apart=True) for one in way.rotators(told[0])):
        named = axes_said(way.function) or re.search(LENGTH_FIRST, source_of(thing))
        silent = layout == FOUR[2] and not named
        first = [MISTAKES.found("length-first", f"x of shape {layout.words} is turned")] * silent
        return replace(diagnosis, ok=diagnosis.ok and not first, usage=(*first, *diagnosis.usage))
    x = told[0].split(torch.zeros(2, 3, 5, width))[0]
    seen = way.seen(f"{way.said}, x of shape {tuple(x.shape)},", told[0], rotator.place, x)
    seen += f"; the {'file shows' if shown else 'text says'} {told[0].words}, and x of shape {layout.words} is turned"
    return replace(diagnosis, ok=False, convention=None, findings=(MISTAKES["axes-said"].found(seen),), usage=())


def _lays_halves(way, width):
    """Do the file's own tables hold every pair's angle twice, as halves? Then none is shared on purpose."""
    own = way.maker if way and way.maker and way.maker.own else None
    tables = own and first_look(lambda: as_tuple(own.at(torch.arange(1, 5), torch.zeros(1, 1, 4, width))))
    return bool(tables) and all(t.shape[-1] == width and torch.equal(*t.chunk(2, -1)) for t in tables)


def _by_mistake(diagnosis):
    """The frequencies that two pairs share are no design here."""
    findings = (replace(f, kind="mistake" if f.id == "frequencies-shared" else f.kind) for f in diagnosis.findings)
    return replace(diagnosis, ok=False, convention=None, findings=tuple(findings))


def _told(way, layout, thing):
    """The layouts of x that the text tells, none where it tells nothing; x is turned in ``layout``."""
    in_three = re.search(X_IN_THREE, way.code) or "length" not in layout.axes  # then it is no head among others
    told = [one for one in three_said(thing) if "heads" in one.axes or in_three]
    if layout == FOUR[2]:
        return batch_first_said(way.function)
    handed = way.maker and not rows_said(way.function, way.found.tables)
    if layout == FOUR[0] and not handed:  # tables of another's may have axes for the heads
        return [Layout(said) for said in [axes_said(way.function) or ()] if len(said) == 3] or told
    if layout in FOUR:
        return told
    if layout in FEWER[1] and re.search(r"[(\[]\.\.\., *\w+, *\w+[)\]]", source_of(thing)):
        return [FEWER[0][0]]  # any axes may come before the length
    return shown_by(way.code + _handed_x(way.function), BRACKETS) or told


def _handed_x(function):
    """The code of the file's own functions that a forward hands its x to."""
    forward = getattr(function, "forward", function)
    names = re.findall(rf"\b(\w+)\((?:{'|'.join(p.name for p in named_parameters(forward))})\b", source_of(forward))
    return "".join(source_of(getattr(forward, "__globals__", {}).get(name)) for name in dict.fromkeys(names))
