"""A sitting in a notebook: Tab and the arrow keys reach everything, and Enter or Space presses."""

import html

from .bank import COUNT, bank
from .desk import COMMAND, desk, trouble
from .keeping import NotOurs
from .markup import to_html
from .page import SURE, body
from .sitting import Answer


def ipywidgets():
    """The module, imported only now: a terminal needs none."""
    try:
        import ipywidgets
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f"ipywidgets is missing; a terminal needs none: {COMMAND} before") from None
    return ipywidgets


class Screen:
    """The widget of one sitting: ``.box`` is what is shown."""

    def __init__(self, at):
        self.widgets, self.desk = ipywidgets(), at
        self.head = self.widgets.HTML(tabbable=True)
        self.notes = self.widgets.HTML(f"<details><summary>Notes</summary>{to_html(bank().notes)}</details>")
        self.options = self.widgets.RadioButtons(options=["-"], layout={"width": "100%"})
        self.sure = self.widgets.RadioButtons(description="How sure?", options=[(SURE[n], n) for n in SURE])
        self.press, self.said = self.widgets.Button(button_style="primary"), self.widgets.HTML()
        self.box = self.widgets.VBox([])
        self.press.on_click(lambda _: self._guarded(self._pressed))
        self.item = None
        self._guarded(self._greet)

    def _guarded(self, step):
        """Do a step; where the file is in the way, say so, and leave all as it was."""
        self.said.value = ""
        try:
            step()
        except (NotOurs, OSError) as error:
            self.said.value = f"<b>{html.escape(trouble(error, self.desk.path))}</b>"
            if not self.box.children:
                self.box.children = [self.said]

    def _greet(self):
        sitting = self.desk.sitting()
        if sitting and sitting.over:
            return self._part()
        self.head.value = to_html("\n\n".join(self.desk.greeting()))
        self.press.description = "Go on" if sitting else "Begin"
        self.box.children = [self.head, self.press, self.said]

    def _pressed(self):
        if self.item is None:
            return self._show(self.desk.begin())
        if self.options.value is None or self.sure.value is None:
            self.said.value = "Choose one of the four answers, and how sure you are."
            return
        self._show(self.desk.answer(Answer(self.item.id, self.options.value, self.sure.value)))

    def _show(self, sitting):
        self.item = sitting.next
        if self.item is None:
            return self._part()
        title = f"<b>{self.item.number} of {COUNT} · {self.item.idea}</b>"
        self.head.value = title + to_html(self.item.stem)
        self.options.options = [(f"{option.letter}  {option.text}", option.letter) for option in self.item.options]
        self.options.value = self.sure.value = None
        self.press.description = "Save, and go on"
        self.box.children = [self.head, self.options, self.sure, self.press, self.said, self.notes]
        self.head.focus()

    def _part(self):
        path = self.desk.explain()
        lines = [*self.desk.greeting()[:1], *self.desk.farewell()]
        if path:
            lines.append(f"Every option is explained below, and in {path}.")
        sitting_page = body(self._explained()) if path else ""
        self.head.value = to_html("\n\n".join(lines)) + sitting_page
        self.box.children = [self.head, self.said]
        self.head.focus()

    def _explained(self):
        from .sitting import explained

        return explained(self.desk.done())


def test(sitting, file=None):
    """The widget of a sitting, "before", "after" or "later"; see `pe_lib.assessment.test`."""
    return Screen(desk(sitting, file)).box
