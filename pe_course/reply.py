"""What a learner reads of an answer: right, wrong or open, in words; in a notebook in colour, with the picture."""

import html
from dataclasses import dataclass, field

# Okabe and Ito's colours: safe for every eye
MARKS = {"right": ("✔", "#0072B2"), "wrong": ("✘", "#D55E00"), "open": ("○", "#777777")}
WRAPPED = "white-space: pre-wrap; word-break: normal; overflow-wrap: anywhere"  # JupyterLab breaks inside a number
FOR_A_TUTOR = "<div><small>To ask a tutor, person or chat: <code>_.for_a_tutor()</code> in a new cell.</small></div>"


@dataclass(frozen=True)
class Reply:
    """What the learner reads: a mark, a first line, and the details below it."""

    status: str  # "right", "wrong" or "open" (not attempted)
    head: str
    body: str = ""
    diagnosis: object = None  # the `Diagnosis` of a wrong answer: in a notebook its picture stands beside the words
    exercise: str = ""  # "05.2", where it replies to an answer to one
    answer: object = field(default=None, compare=False)

    def __repr__(self):
        return f"{MARKS[self.status][0]} {self.head}" + (f"\n{self.body}" if self.body else "")

    def _repr_html_(self):
        mark, colour = MARKS[self.status]
        body = ""
        if self.diagnosis and self.diagnosis.picture:
            body = f"<div style='margin-top: 0.4em'>{self.diagnosis.details_html()}</div>"
        elif self.body:
            body = f"<pre style='{WRAPPED}; margin: 0.4em 0 0 0'>{html.escape(self.body)}</pre>"
        style = f"border-left: 5px solid {colour}; padding: 0.3em 0.8em"
        head = f"<b><span style='color: {colour}'>{mark}</span> {html.escape(self.head)}</b>"
        return f"<div style='{style}'>{head}{body}{FOR_A_TUTOR if self._has_a_text() else ''}</div>"

    def _has_a_text(self):
        return bool(self.exercise) and self.status == "wrong"

    def for_a_tutor(self):
        """A wrong answer as text to copy, for a person or a chat: exercise, code, this reply, hints, and a request."""
        if not self._has_a_text():
            raise ValueError(f"only the reply to a wrong answer has a text for a tutor; this one is {self.status!r}")
        from .tutor import text

        return text(self.exercise, self.answer, self.body)
