"""A learner's record in a real browser: a question and a check are answered, and the map in lesson 00 shows it."""

import json

import pytest
from course import LESSONS, exercises_of
from playwright.sync_api import expect

from pe_course.progress.record import FILE
from pe_course.recalling.asking import questions_of

FIRST, ASKING = LESSONS[0], LESSONS[2]
CHOSEN = exercises_of(ASKING)[1]  # 02.2: one line to write

pytestmark = pytest.mark.browser


def record_of(server):
    path = server.course / "my_notebooks" / FILE
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def map_shown(learner):
    learner.open(FIRST)
    learner.choose("Edit", "Clear Outputs of All Cells")
    learner.run("progress")
    return learner.output("progress")


def test_a_question_and_a_check_are_answered_and_the_map_shows_it(learner, server, browser):
    learner.open(ASKING)
    learner.run("set-up")
    learner.run("from-memory-answers")
    expect(learner.output("from-memory-answers")).to_contain_text("○ Two questions, not answered yet.")
    assert record_of(server) == [], "running what is not answered leaves no trace"

    one, two = questions_of(ASKING.number)
    right, wrong = (next(o for o in question.options if o.right == so) for question, so in ((one, True), (two, False)))
    learner.write("from-memory-answers", f'recall("{ASKING.number}", "{right.letter}", "{wrong.letter}")')
    learner.page.keyboard.press("Shift+Enter")
    replies = learner.output("from-memory-answers")
    expect(replies).to_contain_text(f"✔ Question 1, {right.letter}: right.")
    expect(replies).to_contain_text(right.reply)
    expect(replies).to_contain_text(f"✘ Question 2, {wrong.letter}: no.")
    expect(replies).to_contain_text(wrong.reply)

    learner.write(CHOSEN.stub.id, CHOSEN.faults[0].code)
    learner.page.keyboard.press("Shift+Enter")
    learner.page.keyboard.press("Shift+Enter")
    expect(learner.output(CHOSEN.check.id)).to_contain_text(f"✘ Exercise {CHOSEN.number}: not yet.")
    expect(learner.output(CHOSEN.check.id)).to_contain_text("_.for_a_tutor()")
    learner.write(CHOSEN.stub.id, CHOSEN.solution)
    learner.page.keyboard.press("Shift+Enter")
    learner.page.keyboard.press("Shift+Enter")
    expect(learner.output(CHOSEN.check.id)).to_contain_text(f"✔ Exercise {CHOSEN.number}: right.")
    assert [(line["id"], line["status"]) for line in record_of(server)] == [
        (one.id, "right"),
        (two.id, "wrong"),
        (CHOSEN.number, "wrong"),
        (CHOSEN.number, "right"),
    ]

    learner.save()
    shown = map_shown(learner)
    row = shown.get_by_role("row", name="02 Formula")
    expect(row).to_contain_text("◐ begun")
    expect(row).to_contain_text("1 of 3")
    expect(shown.get_by_role("row", name="03 Loop")).to_contain_text("○ open")
    expect(shown).to_contain_text("Next: exercise 02.1, in lesson 02 Formula.")
    expect(shown).to_contain_text("1 question waits")
    shown.scroll_into_view_if_needed()
    browser.picture("progress")

    learner.write("installation", "from pe_course.recalling import review\n\nreview()")
    learner.page.keyboard.press("Shift+Enter")
    letter = learner.cell("installation").locator(".jp-Stdin-input")
    letter.fill(next(option.letter for option in two.options if option.right))
    letter.press("Enter")
    expect(learner.output("installation")).to_contain_text("1 of 1 right.")
    assert (record_of(server)[-1]["id"], record_of(server)[-1]["status"]) == (two.id, "right")

    row.get_by_role("link").click()
    learner.arrives_at(ASKING)
