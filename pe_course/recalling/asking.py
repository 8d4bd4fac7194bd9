"""The two questions that open a lesson: how they stand in it, and the replies to a learner's letters."""

from dataclasses import dataclass

from ..progress import record
from ..progress.lessons import LESSONS
from ..reply import Reply
from .questions import QUESTIONS

HEADING = "## From memory"
TASK = 'A letter, such as "b", for each `...` below.'
OPEN = "Two questions, not answered yet. Put a letter in place of each ..., and run the cell."


@dataclass(frozen=True)
class Replies:
    """The replies to the questions of a lesson, one below the other."""

    replies: tuple[Reply, ...]

    def __repr__(self):
        return "\n".join(map(repr, self.replies))

    def _repr_html_(self):
        return "".join(reply._repr_html_() for reply in self.replies)


def recall(lesson, first, second):
    """Reply to the letters for the two questions that open ``lesson``, such as "05"; ``...`` is not answered yet.

    No answer raises, not even under nbgrader: it is for the learner alone. ValueError for a lesson without questions.
    """
    asked = questions_of(lesson)
    if not asked:
        known = ", ".join(dict.fromkeys(question.lesson for question in QUESTIONS.values()))
        raise ValueError(f"lesson must be one of {known}, but got {lesson!r}")
    if first is ... and second is ...:
        return Reply("open", OPEN)
    replies = [
        reply_to(question, answer, f"Question {number}")
        for number, (question, answer) in enumerate(zip(asked, (first, second), strict=True), start=1)
    ]
    for question, reply in zip(asked, replies, strict=True):
        record.note(question.id, reply.status)
    return Replies(tuple(replies))


def questions_of(lesson):
    """The questions that open a lesson, in order."""
    return [question for question in QUESTIONS.values() if question.lesson == lesson]


def reply_to(question, answer, name):
    """The `Reply` to a letter, in either case; "open" for what is none of its letters."""
    if answer is ...:
        return Reply("open", f"{name}: not answered yet.")
    option = question.option(answer.strip().lower()) if isinstance(answer, str) else None
    if option is None:
        *letters, last = (option.letter for option in question.options)
        return Reply("open", f"{name}: one letter is asked for, {', '.join(letters)} or {last}.")
    if option.right:
        return Reply("right", f"{name}, {option.letter}: right.", option.reply)
    again = f"To read again: lesson {question.about} {LESSONS[question.about][1]}, “{question.heading}”."
    return Reply("wrong", f"{name}, {option.letter}: no.", f"{option.reply}\n{again}")


def text_of(lesson):
    """The Markdown that stands in the lesson."""
    parts = [HEADING, TASK]
    for number, question in enumerate(questions_of(lesson), start=1):
        options = [f"- **{option.letter}** {option.text}" for option in question.options]
        parts += [f"**{number}.** (lesson {question.about}) {question.text}", "\n".join(options)]
    return "\n\n".join(parts)
