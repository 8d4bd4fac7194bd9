"""The tables of a class: who sat when, the gain, ideas, questions, and errors that learners were sure of."""

from dataclasses import dataclass

import numpy as np

from .bank import Part, bank
from .measures import Gain, discrimination, gain, right_table

CONFIDENT = 3  # from here on a wrong answer is a confident error


@dataclass(frozen=True)
class Report:
    """A ``part`` of the test in tables, lists of dicts; ``gain`` is a `Gain` or None.

    ``stayed`` holds the means of those who sat all three, and is empty where nobody did.
    """

    part: Part
    people: list
    gain: Gain | None
    stayed: dict
    forms: list
    ideas: list
    items: list
    errors: list
    learners: list


def report(learners, part):
    """The `Report` on {random number: {name: `Sitting`}}, of one `Part`."""
    everyone, names = list(learners.values()), part.sittings
    first, second, *third = names
    over = {name: [done[name] for done in everyone if name in done and done[name].over] for name in names}
    pairs = [done for done in everyone if all(name in done and done[name].over for name in (first, second))]
    shares = [[done[name].score / part.count for done in pairs] for name in (first, second)]
    items = [item for item in bank().items if item.form in part.forms]
    return Report(
        part=part,
        people=[
            {"sitting": name, "began": sum(name in done for done in everyone), "over": len(over[name])}
            for name in names
        ],
        gain=gain(*shares) if pairs else None,
        stayed=_stayed([done for done in pairs if third and third[0] in done and done[third[0]].over], part),
        forms=[_form(form, over, pairs, part) for form in part.forms],
        ideas=[_idea(idea, items, over) for idea in dict.fromkeys(item.idea for item in items)],
        items=[row for form in part.forms for row in _items(form, over, part)],
        errors=sorted(_errors(everyone, items, names), key=lambda row: (-row[second], -row[first])),
        learners=[_learner(number, done, part) for number, done in learners.items()],
    )


def _stayed(all_three, part):
    means = {name: _mean([done[name].score / part.count for done in all_three]) for name in part.sittings}
    return {"n": len(all_three)} | means if all_three else {}


def _form(form, over, pairs, part):
    row = {"form": form, "began with it": sum(done[part.sittings[0]].form == form for done in pairs)}
    return row | {name: _mean([s.score / part.count for s in over[name] if s.form == form]) for name in over}


def _idea(idea, items, over):
    ids = {item.id for item in items if item.idea == idea}
    return {"idea": idea} | {
        name: _mean([a.right for sitting in over[name] for a in sitting.answers if a.item in ids]) for name in over
    }


def _items(form, over, part):
    tables = {name: right_table([s for s in over[name] if s.form == form], part.count) for name in over}
    values = discrimination([tables[name] for name in part.sittings[:2]])
    for n, item in enumerate(bank().form(form)):
        row = {"question": item.id, "idea": item.idea, "kind": item.kind}
        row |= {name: _mean(tables[name][:, n]) for name in over}
        yield row | {"discrimination": float(values[n])}


def _errors(everyone, items, names):
    """For each misconception of the part how many were sure of it, in each sitting, over or not."""
    given = [(name, answer) for done in everyone for name in names if name in done for answer in done[name].answers]
    sure = [(name, a.option.misconception) for name, a in given if a.sure >= CONFIDENT and not a.right]
    tested = {option.misconception for item in items for option in item.options}
    for misconception, title in bank().misconceptions.items():
        if misconception in tested:
            counts = {name: sure.count((name, misconception)) for name in names}
            yield {"misconception": misconception, "title": title} | counts


def _learner(number, done, part):
    row = {"learner": number, "began with": done[part.sittings[0]].form if part.sittings[0] in done else ""}
    return row | {name: done[name].score if name in done and done[name].over else "" for name in part.sittings}


def _mean(values):
    return float(np.mean(values)) if len(values) else np.nan
