"""The learner's file of answers: what a line of it says, and which lines are not ours.

Whose a line is, a random number says, which was drawn for this file. Nothing else is about the person.
"""

import datetime
import re
from dataclasses import dataclass

from .. import learner_file
from .bank import LETTERS, NAMES, bank, part_of
from .sitting import Answer

TEST = "positional encoding, before and after"
FILE = "pe_test.jsonl"
LEARNER = r"[0-9a-f]{16}"  # eight random bytes


class NotOurs(ValueError):
    """The file is another program's, or of another version of the test; it stays as it is."""


@dataclass(frozen=True)
class Entry:
    """A line: a sitting that begins, or an answer in it."""

    learner: str
    sitting: str
    form: str
    day: datetime.date
    answer: Answer | None = None


def read(path):
    """The `Entry`s of a file, and a sentence for each line that is none. No file, no entries."""
    entries, problems = [], []
    for number, _, said in learner_file.read(path):
        try:
            entries.append(_entry(said))
        except (ValueError, KeyError, TypeError) as problem:
            of_version = str(problem) if isinstance(problem, NotOurs) else "is not whole, or not ours"
            problems.append(f"line {number} {of_version}")
    return tuple(entries), tuple(problems)


def read_own(path):
    """As `read`; raises `NotOurs` for a file in which there is something, and nothing of this test."""
    entries, problems = read(path)
    if problems and not entries:
        raise NotOurs(f"it holds nothing of this test ({problems[0]}), and stays as it is")
    return entries, problems


def _entry(said):
    if said["test"] != TEST:
        raise ValueError
    if said["version"] != bank().version:
        version = learner_file.shown(str(said["version"]), 20)
        raise NotOurs(f"is of version {version} of the test, and this is {bank().version}")
    if said["sitting"] not in NAMES or said["form"] not in tuple(part_of(said["sitting"]).forms):
        raise ValueError
    answer = None
    if "item" in said:
        answer = Answer(said["item"], said["answer"], said["sure"])
        known = {item.id for item in bank().form(said["form"])}
        if answer.item not in known or answer.letter not in tuple(LETTERS) or answer.sure not in range(1, 5):
            raise ValueError
    if not re.fullmatch(LEARNER, said["learner"]):
        raise ValueError
    day = datetime.date.fromisoformat(said["day"])
    if day.year not in learner_file.YEARS:
        raise ValueError
    return Entry(said["learner"], said["sitting"], said["form"], day, answer)


def append(path, entry):
    """Add the line of an `Entry`."""
    said = {"test": TEST, "version": bank().version, "learner": entry.learner, "sitting": entry.sitting}
    said |= {"form": entry.form, "day": entry.day.isoformat()}
    if entry.answer:
        said |= {"item": entry.answer.item, "answer": entry.answer.letter, "sure": entry.answer.sure}
    learner_file.append(path, said)


def replace(path, text):
    """Write a whole file, or leave the old one as it was."""
    half = path.with_name(path.name + ".part")
    half.write_text(text, encoding="utf-8")
    half.replace(path)
