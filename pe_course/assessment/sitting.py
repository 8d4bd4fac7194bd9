"""A sitting as data: which form comes when, what has been answered, when the third is due. No disk, no screen."""

import datetime
from dataclasses import dataclass

from .bank import bank, part_of

WAIT = datetime.timedelta(days=14)  # from the second sitting to the third


@dataclass(frozen=True)
class Answer:
    """The letter that was chosen for a question, and how sure: 1 (a guess) to 4 (certain)."""

    item: str
    letter: str
    sure: int

    @property
    def option(self):
        return bank().item(self.item).option(self.letter)

    @property
    def right(self):
        return self.option.misconception is None


@dataclass(frozen=True)
class Sitting:
    """Its name and form, the day on which it began, that of the last answer, and the answers in their order."""

    name: str
    form: str
    began: datetime.date
    last: datetime.date
    answers: tuple[Answer, ...] = ()

    @property
    def next(self):
        """The first question that is not answered yet, or None."""
        answered = {answer.item for answer in self.answers}
        return next((item for item in bank().form(self.form) if item.id not in answered), None)

    @property
    def over(self):
        return self.next is None

    @property
    def score(self):
        """How many answers are right."""
        return sum(answer.right for answer in self.answers)


def sittings(entries):
    """A learner's `Entry`s as {name: `Sitting`}. The first coin counts, and the first answer to a question."""
    found = {}
    for entry in entries:
        known = found.get(entry.sitting)
        if known is None:
            known = Sitting(entry.sitting, entry.form, entry.day, entry.day)
        if entry.answer and entry.form == known.form and entry.answer.item not in {a.item for a in known.answers}:
            answers = (*known.answers, entry.answer)
            known = Sitting(known.name, known.form, known.began, entry.day, answers)
        found[entry.sitting] = known
    return found


def form_for(name, done, coin):
    """The form of a sitting: ``coin(forms)`` for the first, the other for the second, for the third the first again."""
    part = part_of(name)
    first, second, *_ = part.sittings
    if name not in (first, second) and first in done:
        return done[first].form
    other = first if name == second else second
    return part.forms.replace(done[other].form, "") if other in done else coin(part.forms)


def due(done):
    """The day from which the third sitting measures what has stayed, or None while the second is not over."""
    return done["after"].last + WAIT if "after" in done and done["after"].over else None


def explained(done, part):
    """The sittings of a part that may be explained: none before its second is over, so that it meets nothing twice."""
    second = done.get(part.sittings[1])
    if not second or not second.over:
        return ()
    return tuple(done[name] for name in part.sittings if name in done and done[name].answers)
