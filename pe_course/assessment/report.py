"""The tables of a class: who sat when, the gain, ideas, questions, and errors that learners were sure of."""

from dataclasses import dataclass

import numpy as np

from .bank import COUNT, FORMS, bank
from .measures import Gain, discrimination, gain, right_table
from .sitting import NAMES

CONFIDENT = 3  # from here on a wrong answer is a confident error


@dataclass(frozen=True)
class Report:
    """``gain`` is a `Gain` or None, ``stayed`` the means of who sat all three, the rest tables: lists of dicts."""

    people: list
    gain: Gain | None
    stayed: dict
    forms: list
    ideas: list
    items: list
    errors: list
    learners: list


def report(learners):
    """The `Report` on {random number: {name: `Sitting`}}."""
    everyone = list(learners.values())
    over = {name: [done[name] for done in everyone if name in done and done[name].over] for name in NAMES}
    pairs = [done for done in everyone if all(name in done and done[name].over for name in NAMES[:2])]
    shares = {name: [done[name].score / COUNT for done in pairs] for name in NAMES[:2]}
    return Report(
        people=[
            {"sitting": name, "began": sum(name in done for done in everyone), "over": len(over[name])}
            for name in NAMES
        ],
        gain=gain(shares["before"], shares["after"]) if pairs else None,
        stayed=_stayed([done for done in pairs if "later" in done and done["later"].over]),
        forms=[_form(form, over, pairs) for form in FORMS],
        ideas=[_idea(idea, over) for idea in dict.fromkeys(item.idea for item in bank().items)],
        items=[row for form in FORMS for row in _items(form, over)],
        errors=sorted(_errors(everyone), key=lambda row: (-row["after"], -row["before"])),
        learners=[_learner(number, done) for number, done in learners.items()],
    )


def _stayed(all_three):
    means = {name: _mean([done[name].score / COUNT for done in all_three]) for name in NAMES}
    return {"n": len(all_three)} | means if all_three else {}


def _form(form, over, pairs):
    row = {"form": form, "began with it": sum(done["before"].form == form for done in pairs)}
    return row | {name: _mean([s.score / COUNT for s in over[name] if s.form == form]) for name in NAMES}


def _idea(idea, over):
    ids = {item.id for item in bank().items if item.idea == idea}
    return {"idea": idea} | {
        name: _mean([a.right for sitting in over[name] for a in sitting.answers if a.item in ids]) for name in NAMES
    }


def _items(form, over):
    tables = {name: right_table([s for s in over[name] if s.form == form]) for name in NAMES}
    values = discrimination([tables[name] for name in NAMES[:2]])
    for n, item in enumerate(bank().form(form)):
        row = {"question": item.id, "idea": item.idea, "kind": item.kind}
        row |= {name: _mean(tables[name][:, n]) for name in NAMES}
        yield row | {"discrimination": float(values[n])}


def _errors(everyone):
    """For each misconception how many were sure of it, in each sitting, over or not."""
    sure = [
        (name, answer.option.misconception)
        for done in everyone
        for name, sitting in done.items()
        for answer in sitting.answers
        if answer.sure >= CONFIDENT and not answer.right
    ]
    for misconception, title in bank().misconceptions.items():
        counts = {name: sure.count((name, misconception)) for name in NAMES}
        yield {"misconception": misconception, "title": title} | counts


def _learner(number, done):
    row = {"learner": number, "began with": done["before"].form if "before" in done else ""}
    return row | {name: done[name].score if name in done and done[name].over else "" for name in NAMES}


def _mean(values):
    return float(np.mean(values)) if len(values) else np.nan
