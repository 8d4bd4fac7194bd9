"""A name in anyone's file, looked at as a rotation; or why it cannot be: attention, rows and columns, token ids."""

import inspect
import re

import torch

from ..calling.declared import takes_a_grid, turns_pictures
from ..calling.loading import OWN_NONE, CouldNotRun
from ..calling.names import ATTENDS
from ..calling.parameters import source_of
from ..saying.result import Diagnosis
from .as_made import diagnose_as_made, diagnose_unread
from .attending import diagnose_attending
from .axes import SAID as AXES
from .by_name import diagnose_by_name
from .candidates import hinted, is_step
from .factors import size_role
from .forms import named_parameters, parameters_of
from .inside import diagnose_inside
from .of_axes import SQUARE
from .recognise import (
    is_attention,
    is_helper,
    is_surely_one,
    looks_like_rotation,
    makes_tables,
    turns_in_attention,
    turns_inside,
    unknown_tables,
    what_can_be_looked_at,
)
from .settings import as_settings_ask, of_one_base, with_other_settings
from .several import SECTIONS, diagnose_places
from .sides import sides_of
from .squares import added_to_picture, is_square

WRAP = "could not be called with x, or q and k, of shape (batch, heads, length, head_dim), and positions"
GRID = "goes by the rows and columns of a grid; a rotation is looked at along one axis of positions"
PLACES = r"\b{}\[(([:.]+\s*,\s*)+[01]|1)\]"  # one axis of places is picked
LOOK_AT = "give the function that turns q and k, or the one that makes its tables"
PAIRS = ("half-split", "interleaved")


def of_rotation(file, name, thing, kind):
    """(Diagnosis, "rope", the call in words); None of what is none, `CouldNotRun` of what cannot be looked at."""
    is_class, called = isinstance(thing, type), getattr(thing, "forward", thing)
    if told := _of_its_text(name, thing, kind):
        return told
    if is_class and is_attention(thing) and kind != "rope":
        return _of_its_method(file, name, thing)
    told = kind == "rope" or looks_like_rotation(thing, name) or makes_tables(thing, name, file.names)
    scales = not is_class and any(size_role(p) == "scaling" for p in named_parameters(thing))
    if not (told or scales) and (is_class or not unknown_tables(parameters_of(thing))):
        return None
    if not is_class:
        _refuse_a_step(thing, name)
    grid = all(sides_of(parameters_of(called).names)[1:]) and called is not thing if is_class else takes_a_grid(thing)
    if grid and (told := diagnose_places(file, name)):  # first: one of its sides would be taken for the length
        return told
    outcome = None if turns_pictures(thing) or is_square(file, name) else diagnose_by_name(file, name)
    outcome = with_other_settings(outcome, file, name, thing)
    runs = outcome and outcome[0].verdict.id != "not-run"
    picks = re.search(PLACES.format(parameters_of(called).positions), file.source)
    picks = picks or (is_class and re.search(SQUARE, source_of(thing)))
    makers = re.findall(rf"tables of (\w+), {AXES}", outcome[1]) if outcome else []  # with a law for each axis
    along = not grid and (not runs or (not outcome[0].verdict.good and (picks or makers)))
    lost = runs and "positions-lost" in {f.id for f in outcome[0].findings}  # one axis may have been read for another
    woven = runs and not (along or grid or makers) and re.search(r"(?i)m_?rope_?sec", source_of(thing))
    told = diagnose_places(file, (*makers, name)[0]) if along or woven or lost else None
    if told and (along or lost or re.search(SECTIONS, file.source) or "moves 0 of" not in f"{told[0].findings}"):
        return told
    if not runs and turns_pictures(thing) and (added := added_to_picture(file, name)):
        return Diagnosis(False, (added,), kind="rotation"), "rope", f"{name}(x), of a picture"
    if runs:
        _refuse_a_misreading(name, called, outcome[0], lost, grid)
        return outcome[0], "rope", outcome[1]
    if kind == "rope" or is_surely_one(thing, name) or turns_pictures(thing):
        found = outcome and outcome[0].findings[0]
        if found and "NoneType" in found.evidence and not re.search(OWN_NONE, file.source):
            found = None  # it was handed in here
        why = f"{name} {GRID}" if grid else _of_a_grid(file, name) or (found.evidence if found else f"{name} {WRAP}")
        raise CouldNotRun(why, found.fix if found else "")
    return None


def _refuse_a_misreading(name, called, told, lost, grid):
    if _is_no_pair(told) and re.search(ATTENDS, source_of(called)):
        raise CouldNotRun(f"{name} attends: it gives no turned q and k, and its positions are inside it", LOOK_AT)
    if lost and (stops := next((f for f in told.findings if f.id == "raises"), None)):
        raise CouldNotRun(stops.evidence)  # one position was read for one of the axes
    if told.verdict.id == "wrong" and grid:
        raise CouldNotRun(f"{name} {GRID}")  # its sizes were guessed


def _of_its_text(name, thing, kind):
    """As `of_rotation`, of what the code alone tells; else None."""
    told = diagnose_unread(name, thing) if isinstance(thing, type) else kind is None and of_one_base(name, thing)
    return (told[0], "rope", told[1]) if told else None


def _refuse_a_step(thing, name):
    """`CouldNotRun` for one step of a rotation, and for what goes by token ids."""
    if is_helper(thing, name) or is_step(thing):
        raise CouldNotRun(f"{name} is one step of a rotation, and its angle is not known here: look at what calls it")
    if {"input_ids", "token_ids"} & {*parameters_of(thing).names}:
        raise CouldNotRun(f"{name} takes token ids, and no x that it could turn")


def _is_no_pair(diagnosis):
    return "no-pair" in {finding.id for finding in diagnosis.findings}


def _of_a_grid(file, name):
    """Why there is no call, where ``name``, or what makes its tables, takes a grid; else ""."""
    makers = [n for n, thing in file.names.items() if callable(thing) and hinted(n)]
    grid = next((n for n in (name, *makers) if takes_a_grid(file.resolve(n)[0])), None)
    other = "" if grid == name else f"takes the tables of {grid}, which "
    return f"{name} {other}{GRID}" if grid else ""


def _of_its_method(file, name, thing):
    """Of a whole attention layer the one method that turns x, where that is wrong; else `CouldNotRun`."""
    is_layer = issubclass(thing, torch.nn.Module)
    stops, of_context = diagnose_as_made(file, name) if is_layer else ("", None)
    told = (of_context, name) if of_context else diagnose_attending(file, name)
    if told and not told[0].ok:
        return told[0], "rope", told[1]
    methods = [n for n, f in vars(thing).items() if inspect.isfunction(f) and turns_in_attention(f, n)]
    outcome = diagnose_by_name(file, f"{name}.{methods[0]}") if len(methods) == 1 else None
    if outcome and outcome[0].verdict.id == "wrong" and not _is_no_pair(outcome[0]):
        return outcome[0], "rope", outcome[1]
    inside = diagnose_inside(file, name) if is_layer and not stops and turns_inside(thing) else None
    inside = as_settings_ask(inside, file, name, thing, diagnose_inside)
    if inside and inside[0].verdict.id == "wrong":
        return inside[0], "rope", inside[1]
    alone = f"; {name}.{methods[0]}, by itself, is {_good(outcome, PAIRS)}" if outcome and _good(outcome) else ""
    alone += "; a new token beside kept keys gets what it gets in the whole text" if told else ""
    alone += f"; where queries meet keys, they are turned: {_good(inside)}" if inside and _good(inside) else ""
    told_of_it = f"; {inside[0].findings[0].evidence}" if inside and inside[0].verdict.id == "not-run" else ""
    alone += f"; {stops}" if stops else told_of_it
    if parts := what_can_be_looked_at(file.names):
        alone += f"; of this file can be looked at: {', '.join(parts)}"
    raise CouldNotRun(f"{name} is a whole attention layer: positions are inside it{alone}")


def _good(outcome, but=()):
    """ "right", or the convention ``but`` for some words; "" of what is not good."""
    words = [word for word in (outcome[0].convention or "").split(", ") if word not in but]
    return (", ".join(words) or "right") if outcome[0].verdict.good else ""
