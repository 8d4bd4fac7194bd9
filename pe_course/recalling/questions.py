"""The questions that open the lessons, read from `questions.md`, which everybody can read as it stands."""

import re
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).with_name("questions.md")
QUESTION = re.compile(r"^## (\d\d)\.(\d) · (\d\d) · (.+)\n\n(.+)\n\n((?:- .+\n  - .+\n)+)", re.M)
OPTION = re.compile(r"^- ([a-d])\. (.+)\n  - (✔|✘) (.+)$", re.M)


@dataclass(frozen=True)
class Option:
    letter: str
    text: str
    right: bool
    reply: str


@dataclass(frozen=True)
class Question:
    """``lesson`` opens with it; ``about`` is the lesson that it recalls, ``heading`` the section to read again."""

    id: str
    lesson: str
    about: str
    heading: str
    text: str
    options: tuple[Option, ...]

    def option(self, letter):
        """The option with this letter, or None."""
        return next((option for option in self.options if option.letter == letter), None)


def read(page):
    """{id: Question} of a page like questions.md."""
    found = [
        Question(f"{lesson}-recall-{number}", lesson, about, heading, text, _options(options))
        for lesson, number, about, heading, text, options in QUESTION.findall(page)
    ]
    return {question.id: question for question in found}


def _options(text):
    return tuple(Option(letter, option, mark == "✔", reply) for letter, option, mark, reply in OPTION.findall(text))


QUESTIONS = read(PAGE.read_text(encoding="utf-8"))
