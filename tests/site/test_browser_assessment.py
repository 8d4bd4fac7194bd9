"""The test before and after, in JupyterLab, by keyboard alone: `make test-browser`."""

import json
import re

import pytest
from course import LESSONS
from playwright.sync_api import expect

from pe_course.assessment.bank import PARTS
from pe_course.assessment.keeping import FILE

COUNT = PARTS[0].count
PAGE = "pe_test_part_1_explained.html"
HERE = "document.activeElement.innerText || document.activeElement.tagName"

pytestmark = pytest.mark.browser


@pytest.fixture
def learner(learner, browser):
    yield learner
    assert browser.errors == []


def begin(learner, lesson, cell_id):
    """Open a lesson, select a cell and run it; from here on the mouse rests. Returns what is shown, at a question."""
    learner.open(lesson)
    learner.run(cell_id, "Control+Enter")
    shown = learner.output(cell_id)
    expect(shown.get_by_role("button", name="Begin")).to_be_visible()
    tab_to(learner, "Begin")
    learner.page.keyboard.press("Enter")
    expect(shown.get_by_role("button", name="Save, and go on")).to_be_focused()
    return shown


def tab_to(learner, words, key="Tab"):
    """Press Tab until what has the focus says this; fails where the keyboard does not reach it."""
    for _ in range(20):
        if learner.page.evaluate(HERE).strip() == words:
            return
        learner.page.keyboard.press(key)
    raise AssertionError(f"{key} does not reach {words!r}, but {learner.page.evaluate(HERE)!r}")


def tab_to_the_field(learner, shown):
    field = shown.get_by_role("textbox")
    expect(field).to_be_visible()
    learner.page.keyboard.press("Tab")
    expect(field).to_be_focused()


def saved(server):
    path = server.course / "my_notebooks" / FILE
    return [line for text in path.read_text().splitlines() if "item" in (line := json.loads(text))]


def answer_all(learner, shown, first=1):
    """Type one answer after the other; the field keeps the focus."""
    for number in range(first, COUNT + 1):
        expect(shown).to_contain_text(f"{number} of {COUNT} · ")
        learner.page.keyboard.type("b3")
        learner.page.keyboard.press("Enter")
    expect(shown).to_contain_text("Thank you.")


def test_both_sittings_by_keyboard_alone(learner, server, browser):
    shown = begin(learner, LESSONS[0], "test-before-run")
    learner.page.keyboard.press("Enter")
    expect(shown).to_contain_text("Choose one of the four answers")
    browser.picture("assessment")

    # The first by its buttons, backwards from where the focus is, the others typed.
    tab_to(learner, "4 certain", "Shift+Tab")
    learner.page.keyboard.press("Enter")
    tab_to(learner, "D", "Shift+Tab")
    learner.page.keyboard.press("Enter")
    expect(shown.get_by_role("button", name="D", exact=True)).to_have_class(re.compile("mod-active"))
    tab_to(learner, "Save, and go on")
    learner.page.keyboard.press("Enter")
    expect(shown).to_contain_text(f"2 of {COUNT} · ")
    tab_to_the_field(learner, shown)
    answer_all(learner, shown, first=2)
    assert [line["answer"] for line in saved(server)] == ["D"] + ["B"] * (COUNT - 1)
    assert [line["sure"] for line in saved(server)] == [4] + [3] * (COUNT - 1)
    expect(shown).not_to_contain_text("✔")
    expect(learner.panel.locator(".jp-Cell")).to_have_count(len(LESSONS[0].cells))  # no letter was a shortcut

    shown = begin(learner, LESSONS[6], "test-after-run")
    tab_to_the_field(learner, shown)
    answer_all(learner, shown)
    assert len(saved(server)) == 2 * COUNT and (server.course / "my_notebooks" / PAGE).exists()
    expect(shown.get_by_text("Read again: lesson ")).to_have_count(2 * 4 * COUNT)
