"""`review`: ask again what was missed, and what is due after 1, 7 and 30 days."""

from ..progress import record
from .asking import reply_to
from .questions import QUESTIONS
from .schedule import due, next_day

NOBODY = "Nothing is recorded here, so nothing is due: the questions that open the lessons come first."


def review(folder=None, ask=None, show=print, today=None):
    """Ask what is due from the record in ``folder`` (that of this notebook, unless given), reply and record.

    ``ask(prompt)`` returns what was typed (`input`, unless given), ``show(text)`` shows. Where nothing is typed, the
    question is left for another day.
    """
    folder, ask = folder or record.folder(), ask or input
    entries = record.read(folder).entries if folder else ()
    waiting = due(entries, today)
    if not waiting:
        day = next_day(entries)
        return show(f"Nothing is due today; the next question comes on {day:%Y-%m-%d}." if day else NOBODY)
    show(f"{len(waiting)} to ask. Answer with a letter; Enter alone leaves a question for later.\n")
    right = 0
    for number, question in enumerate((QUESTIONS[known] for known in waiting), start=1):
        reply = _asked(question, f"Question {number} of {len(waiting)}", ask, show)
        if reply:
            show(f"{reply!r}\n")
            right += reply.status == "right"
            try:
                record.add(folder, question.id, reply.status)
            except OSError as error:
                show(f"(not recorded: {error.strerror})\n")
    show(f"{right} of {len(waiting)} right. What was wrong is asked again next time, what was right in some days.")


def _asked(question, name, ask, show):
    """The `Reply` to a letter that was typed; None if nothing was."""
    options = [f"  {option.letter}  {option.text}" for option in question.options]
    show("\n".join([f"{name} (lesson {question.about}): {question.text}", *options]))
    while typed := _typed(ask):
        reply = reply_to(question, typed, name)
        if reply.status != "open":
            return reply
        show(reply.head)
    return None


def _typed(ask):
    try:
        return ask("your letter: ").strip()
    except EOFError:  # Ctrl-D, or the end of what is piped in
        return ""
