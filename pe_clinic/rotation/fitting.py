"""Do tables fit as the file's own maker gives them, where the code that takes them lays them out itself?"""

import re
from dataclasses import replace

import torch

from ..calling.parameters import source_of
from ..law.mistakes import MISTAKES as LAWS
from ..sandbox.mistakes import found
from .beside_queries import of_fewer_queries
from .flat import MORE
from .held import of_held
from .maker import are_waves, as_tuple, rows
from .seen import alike
from .way import POSITIONS
from .words import MISTAKES, instead

SAYS_IN_PLACE = r"(?i)(?<!not )(?<!n't )\bin[ -]?place\b(?! of)"
FOR_HALF = {"title": "Its tables are rounded to half precision.", "kind": "usage"}
LAID = r"\s*(\[(?!\s*\.\.\.)|\.(view|unsqueeze|reshape|expand)\()"  # axes of 1, or rows that are taken
DEEP = r"\[([^],N\n]*,){2}"  # cos[:, :, :length]: a caller gave it these axes, for there is no None
AXES = r"(\([^()\n]*\))?(\[[^]\n]*None|\.(view|unsqueeze|reshape|transpose)\()"
TABLE = r"\b(?!apply|rotat)\w*(cos|sin|freq|cis|rope|rotary)\w*"
ASKS = r"(\b({0})\.(ndim|dim\(\))|len\(({0})\.shape\))\s*==\s*{1}\b"  # how many axes tables have
# To what x is, and not to a device or to float32.
CAST = r"\.(half|bfloat16)\(|\.(to|type|type_as)\((?![\w.= ]*(device|freqs?)\)|(dtype=)?torch\.float(32)?\b)"
CASTS = rf"(?i)({TABLE}|emb)[^\n]*({CAST})|def \w+\([^)]*\bdtype\b"
ELSEWHERE = rf"(?i){TABLE}{AXES}|(unsqueeze|rearrange|reshape)\((\w+\.)*{TABLE}"


def lays_out(function, tables, rest=""):
    """Does the code take rows of these parameters, or give them axes, and no caller that ``rest`` lacks before it?"""
    code, names = source_of(function), "|".join(tables)
    cut = re.search(rf"\b({names}){DEEP}", code) and not re.search(rf"\b{getattr(function, '__name__', ' ')}\(", rest)
    return bool(re.search(rf"\b({names}){LAID}", code)) and not cut


def looks_at(function, tables):
    """Does the code name one of these parameters again behind its signature? Where there is no source, it may."""
    words = re.findall(r"\w+", source_of(function))
    return not words or any(words.count(name) > 1 for name in tables)


def lines_elsewhere(file, *known):
    """The other lines of the file than those of ``known``."""
    rest = file.source
    for thing in known:
        rest = rest.replace(source_of(thing), "") if source_of(thing) else rest
    return rest


def judged(diagnosis, rotator, width, source, thing):
    """``diagnosis`` as it stands; where it is of tables in another shape than their maker's, the mistake before it."""
    # Tables that are made in half precision for another function tell that x is, too: the float32 x is ours.
    meant = {"half-tables": FOR_HALF} if "the tables of" in rotator.said else {}
    meant |= {"writes-into-x": {"kind": "usage"}} if re.search(SAYS_IN_PLACE, source) else {}
    if said := [f for f in diagnosis.findings if f.id in meant]:
        rest = tuple(f for f in diagnosis.findings if f not in said)
        usage = (*diagnosis.usage, *(replace(f, **meant[f.id]) for f in said))
        diagnosis = replace(diagnosis, findings=rest, usage=usage)
    if any(f.id == "far-positions" for f in diagnosis.findings) and _by_length(rotator, width):
        by = MISTAKES.found("length-of-table", "row 3 of 201 is turned otherwise than row 3 of 5")
        rest = (f for f in diagnosis.findings if f.kind != "convention" and f.id not in (*LAWS, "far-positions"))
        diagnosis = replace(diagnosis, findings=(by, *rest), convention=None)  # what one length shows is no law
    if held := of_held(rotator, source, thing) if diagnosis.verdict.main_right else ():
        diagnosis = replace(diagnosis, ok=False, usage=(*diagnosis.usage, *held))
    if diagnosis.verdict.main_right and (seen := of_fewer_queries(rotator, width, source)):
        return instead(diagnosis, "fewer-queries", seen, *diagnosis.findings)
    if MORE in rotator.said:
        said = f"{rotator.said.replace(MORE, '')} gave one with axes of 1 before those of x"
        return instead(diagnosis, "rotation-shape", said, *diagnosis.findings)
    if not (rotator.way and rotator.way.bent):
        return diagnosis
    shapes, call = _unfit(rotator, width)
    tables, axes = "|".join(rotator.way.found.tables), shapes.partition(" and ")[0].count(",") + 1
    if re.search(ASKS.format(tables, axes), source):  # who calls it may have added some
        return diagnosis
    right = not [f for f in diagnosis.findings if f.kind == "mistake"]
    said = f"{call}; with tables of shape {shapes} {'it would turn every row rightly' if right else 'it runs'}"
    if rotator.way.maker is rotator.way.bent.maker:
        return instead(diagnosis, "tables-do-not-fit", said, *(() if right else diagnosis.findings), usage=())
    stops = replace(diagnosis, findings=(found("raises", call),), usage=())  # more may be wrong with them
    return instead(diagnosis, "half-as-wide", said, usage=()) if right else stops


def _by_length(rotator, width):
    """Does the angle of a row follow the length of its table, or of x?"""

    x = torch.ones(1, 1, 201, width)
    short, long = rotator.turned(x[:, :, :5]), rotator.turned(x)
    return bool(short and long) and not alike([short[0][:, :, 3]], [long[0][:, :, 3]], 1e-3)


def _unfit(rotator, width):
    """(the shapes that would fit, what the call says with the maker's own)."""
    way, x = rotator.way.bent, rotator.layout.split(torch.zeros(2, 3, 5, width))[0]
    both = ((way.tables(torch.arange(5), x), ()), (rotator.way.tables(torch.arange(5), x), rotator.shape))
    shapes = [[str(tuple(part[one or ...].shape)) for part in as_tuple(each)] for each, one in both]
    made, laid = (" and ".join(dict.fromkeys(each)) for each in shapes)
    said = f"{way.said}, of shape {made}, and x of shape {tuple(x.shape)}"
    return laid, way.seen(said, rotator.layout, POSITIONS[0], x)


def other_order(value, wanted, thing):
    """Does the maker give sines first where cosines are wanted first, or the other way round? Its return tells."""
    sines = [bool(re.search("sin(?!us)|sen", name.lower())) and "cos" not in name.lower() for name in wanted]
    if [len(value), len(wanted), sum(sines)] != [2, 2, 1]:
        return False
    said = re.findall(r"\breturn\b.*?(cos|sin)(?:.*?(cos|sin))", source_of(thing))
    first = {one == "sin" for one, other in said if one != other}
    if not first and are_waves(value):
        first = {bool(value[0].mean() < value[1].mean())}  # of the first positions, where most angles are small
    return sines[1] in first and sines[0] not in first


def as_wanted(way, value, wanted, thing, told):
    """``way``, for tables in the order that is ``wanted``; of one table of angles, 0 at position 0, both waves."""
    if told and len(wanted) == 2 and len(value) == 1 and not rows(value[0], torch.tensor([0]), 5).any():
        waves = (torch.sin, torch.cos) if re.search("sin(?!_?cos)", wanted[0].lower()) else (torch.cos, torch.sin)
        return lambda p, v: tuple(wave(as_tuple(way(p, v))[0]) for wave in waves)
    return (lambda p, v: as_tuple(way(p, v))[::-1]) if other_order(value, wanted, thing) else way
