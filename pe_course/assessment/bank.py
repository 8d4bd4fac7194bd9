"""The questions, read from `bank.md`, which teachers can read as it stands."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PAGE = Path(__file__).with_name("bank.md")
LETTERS = "ABCD"
HEADING = re.compile(r"([A-D])(\d+) · (.+) · (concept|transfer)")
OPTION = re.compile(r"^- ([A-D])\. (.+)\n  - (?:✔|✘ `([a-z-]+)`) (.+) Lesson (\d\d)\.$", re.M)
MISCONCEPTION = re.compile(r"^- `([a-z-]+)` (.+)$", re.M)


@dataclass(frozen=True)
class Part:
    """A part of the course with its two ``forms`` of ``count`` questions, and its ``sittings`` in their order."""

    number: int
    lessons: str
    forms: str
    count: int
    minutes: int
    sittings: tuple[str, ...]


PARTS = (
    Part(1, "00 to 06", "AB", 6, 5, ("before", "after", "later")),
    Part(2, "07 to 13", "CD", 10, 12, ("before 07", "after 13")),
)
NAMES = tuple(name for part in PARTS for name in part.sittings)


def part_of(sitting):
    """The `Part` of a sitting's name."""
    return next(part for part in PARTS if sitting in part.sittings)


@dataclass(frozen=True)
class Option:
    """One of four answers: its letter and text, why it is right or wrong, and the lesson where that stands.

    ``misconception`` is the id of the one behind a wrong answer, and None for the right one.
    """

    letter: str
    text: str
    misconception: str | None
    why: str
    lesson: str


@dataclass(frozen=True)
class Item:
    """A question: "A7" is the seventh of form A. ``kind`` is "concept", or "transfer" for one about code."""

    form: str
    number: int
    idea: str
    kind: str
    stem: str
    options: tuple[Option, ...]

    @property
    def id(self):
        return f"{self.form}{self.number}"

    @property
    def right(self):
        return next(option for option in self.options if option.misconception is None)

    def option(self, letter):
        return self.options[LETTERS.index(letter)]


@dataclass(frozen=True)
class Bank:
    """All questions, and what each misconception is called."""

    version: int
    items: tuple[Item, ...]
    misconceptions: dict[str, str]

    def form(self, name):
        return tuple(item for item in self.items if item.form == name)

    def item(self, item_id):
        return next(item for item in self.items if item.id == item_id)


@cache
def bank():
    """The `Bank` of this course."""
    return read(PAGE.read_text(encoding="utf-8"))


def read(text):
    """A page like bank.md as a `Bank`; ValueError names a question that is not complete."""
    head, *parts = re.split(r"^## ", text, flags=re.M)
    sections = {title: body.strip() for title, _, body in (part.partition("\n") for part in parts)}
    items = tuple(_item(match, sections[title]) for title in sections if (match := HEADING.fullmatch(title)))
    version = int(re.search(r"^Version (\d+)$", head, re.M)[1])
    misconceptions = dict(MISCONCEPTION.findall(sections["Misconceptions"]))
    return Bank(version, tuple(sorted(items, key=lambda item: (item.form, item.number))), misconceptions)


def _item(heading, body):
    form, number, idea, kind = heading.groups()
    stem, _, _ = body.partition("\n- A. ")
    found = OPTION.findall(body)
    options = tuple(Option(letter, text, wrong or None, why, lesson) for letter, text, wrong, why, lesson in found)
    if "".join(option.letter for option in options) != LETTERS or [o.misconception for o in options].count(None) != 1:
        raise ValueError(f"{form}{number} needs options A to D, each with its reason and lesson, and one of them ✔")
    return Item(form, int(number), idea, kind, stem.strip(), options)
