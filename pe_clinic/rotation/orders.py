"""Code that turns neighbours or halves, as a switch says: asked for both."""

import functools
import re
from dataclasses import replace

from .forms import named_parameters

ORDER = r"interleav|neox|gpt_?j|neighbou?r|adjacent|half|halves"


def always(thing, **given):
    """The function ``thing``, which gets what is ``given`` in every call."""

    @functools.wraps(thing)
    def called(*arguments, **named):
        return thing(*arguments, **{**named, **given})

    return called


def in_both_orders(outcome, file, name, look):
    """An ``outcome`` that is good; where a required switch between two orders of columns shows a mistake, that."""
    thing = file.names.get(name)
    every = [] if isinstance(thing, type) or not outcome or not outcome[0].verdict.good else named_parameters(thing)
    for p in (p for p in every if p.default is p.empty and re.search(ORDER, p.name.lower())):
        switched = always(thing, **{p.name: True})
        other = look(replace(file, names={**file.names, name: switched}), name)
        if other and other[0].verdict.id == "wrong":
            first, *rest = other[0].findings
            first = replace(first, evidence=f"with {p.name}=True: {first.evidence}")
            return replace(other[0], findings=(first, *rest)), other[1]
    return outcome
