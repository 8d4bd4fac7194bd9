"""Code that turns neighbours or halves, or scales, as a switch says: asked for both."""

import functools
import re
from dataclasses import replace

from .forms import named_parameters
from .words import instead

ORDER = r"interleav|neox|gpt_?j|neighbou?r|adjacent|half|halves"
SCALED = r"^(use|apply)_scal(ed|ing)(_rope)?$"  # Llama 3.1's, off by default


def always(thing, **given):
    """The function or class ``thing``, which gets what is ``given`` in every call."""
    if isinstance(thing, type):
        kept = {"__module__": thing.__module__, "__qualname__": thing.__qualname__}  # by which its source is found
        return type(thing.__name__, (thing,), kept | {"__init__": functools.partialmethod(thing.__init__, **given)})

    @functools.wraps(thing)
    def called(*arguments, **named):
        return thing(*arguments, **{**named, **given})

    return called


def asked_with(look, file, name, **given):
    """The outcome of what is ``name``d in a file, with what is ``given`` in every call of it."""
    return look(replace(file, names={**file.names, name: always(file.names[name], **given)}), name)


def in_both_orders(outcome, file, name, look):
    """An ``outcome`` that is right; where a switch, between two orders or of a scaling, shows a mistake, that."""
    thing, right = file.names.get(name), outcome and outcome[0].verdict.main_right
    every = [p for p in named_parameters(thing) if re.search(f"{ORDER}|{SCALED}", p.name.lower())] if right else []
    for p in every:
        laid_out = "tables" in outcome[1] and not re.search(SCALED, p.name)  # for the order of the default
        if p.default is not p.empty and (laid_out or type(p.default) is not bool):
            continue
        on = p.default is not True
        other = asked_with(look, file, name, **{p.name: on})
        if other and other[0].verdict.id == "wrong":
            first, *rest = other[0].findings
            first = replace(first, evidence=f"with {p.name}={on}: {first.evidence}")
            return replace(other[0], findings=(first, *rest)), other[1]
        same = other and other[0].verdict.main_right and other[0].convention == outcome[0].convention
        if same and re.search(SCALED, p.name):
            return instead(outcome[0], "not-scaled", f"with {p.name}={on} nothing changes"), outcome[1]
    return outcome
