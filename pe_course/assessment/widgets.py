"""A sitting in a notebook, by mouse or by keyboard alone: Tab reaches everything, Enter presses, B3 and Enter answers.

Buttons and a field for text, no radio buttons: in JupyterLab the arrow keys that these need move between cells.
"""

import html

from .bank import LETTERS
from .desk import command, trouble
from .keeping import NotOurs
from .markup import SURE, body, inline, to_html
from .sitting import Answer, explained
from .terminal import AGAIN, understood


def ipywidgets():
    """The module, imported only now: a terminal needs none."""
    try:
        import ipywidgets
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f"ipywidgets is missing; a terminal needs none: {command('before')}") from None
    return ipywidgets


class Screen:
    """The widget of one sitting, ``.box``. What is not needed is hidden, not taken away: so the focus stays."""

    def __init__(self, at):
        widgets, self.desk, self.item = ipywidgets(), at, None
        self.head, self.said = widgets.HTML(tabbable=True), widgets.HTML()
        self.letter = widgets.ToggleButtons(description="Answer", options=list(LETTERS), value=None)
        how_sure = [(f"{n} {words}", n) for n, words in SURE.items()]
        self.sure = widgets.ToggleButtons(description="How sure?", options=how_sure, value=None)
        self.press = widgets.Button(button_style="primary")
        self.typed = widgets.Text(placeholder="or type, such as B3, and Enter", continuous_update=False)
        self.question = (self.letter, self.sure, self.typed)  # what only a question needs
        buttons = widgets.HBox([self.press, self.typed])
        self.box = widgets.VBox([self.head, self.letter, self.sure, buttons, self.said])
        self.press.on_click(lambda _: self._guarded(self._pressed))
        self.typed.observe(lambda change: change.new and self._guarded(self._entered), names="value")
        self._guarded(self._greet)

    def _guarded(self, step):
        """Do a step; where the file is in the way, say so, and leave all as it was."""
        self.said.value = ""
        try:
            step()
        except (NotOurs, OSError) as error:
            self.said.value = f"<b>{html.escape(trouble(error, self.desk.path))}</b>"

    def _show_only(self, *shown):
        for widget in (*self.question, self.press):
            widget.layout.display = None if widget in shown else "none"

    def _greet(self):
        self._show_only()
        sitting = self.desk.sitting()
        if sitting and sitting.over:
            return self._finish()
        self.head.value = to_html("\n\n".join(self.desk.greeting()))
        self.press.description = "Go on" if sitting else "Begin"
        self._show_only(self.press)

    def _entered(self):
        """What is typed counts as both choices."""
        found = understood(self.typed.value)
        self.typed.value = ""
        if not found:
            self.said.value = AGAIN
            return
        self.letter.value, self.sure.value = found
        self._pressed()

    def _pressed(self):
        if self.item is None:
            self._ask(self.desk.begin())
        elif None in (self.letter.value, self.sure.value):
            self.said.value = "Choose one of the four answers, and how sure you are."
        else:
            self._ask(self.desk.answer(Answer(self.item.id, self.letter.value, self.sure.value)))

    def _ask(self, sitting):
        self.item = sitting.next
        if self.item is None:
            return self._finish()
        options = "".join(f"<p><b>{option.letter}</b> {inline(option.text)}</p>" for option in self.item.options)
        title = f"<b>{self.item.number} of {self.desk.part.count} · {self.item.idea}</b>"
        self.head.value = title + to_html(self.item.stem) + options
        self.letter.value = self.sure.value = None
        self.press.description = "Save, and go on"
        self._show_only(self.press, *self.question)

    def _finish(self):
        path, lines = self.desk.explain(), [*self.desk.greeting()[:1], *self.desk.farewell()]
        if path:
            lines.append(f"Every option is explained below, and in {path}.")
        explanation = body(explained(self.desk.done(), self.desk.part)) if path else ""
        self.head.value = to_html("\n\n".join(lines)) + explanation
        self._show_only()
        self.head.focus()
