"""What a learner relies on, in a real browser: `make test-browser`.

JupyterLab runs on a copy of the course, as `make lab` starts it; every test looks at a fresh page. A failed one leaves
a picture of its page in build/browser/; two pictures are always left there, figure.png and named-mistake.png.
"""

import re

import pytest
from browser import assert_drawn
from course import LESSONS, NUMBERED, exercises_of, figures, tags
from lab import title
from playwright.sync_api import expect

from pe_course.progress import record

FIRST, LAST = LESSONS[0], NUMBERED[-1]
FULL = next(lesson for lesson in LESSONS if lesson.number == "08")  # `make test` runs all, without a browser
CHOSEN = next(exercise for lesson in LESSONS for exercise in exercises_of(lesson) if exercise.number == "03.1")

pytestmark = pytest.mark.browser


def test_first_page_is_lesson_00_and_everything_is_here(learner, server):
    learner.page.goto(server.first_page)
    learner.arrives_at(FIRST)
    expect(learner.page.get_by_text("Jupyter news")).to_have_count(0)
    learner.choose("Edit", "Clear Outputs of All Cells")
    learner.run("installation")
    expect(learner.output("installation")).to_contain_text("✔ Everything is here.")


def test_links_lead_to_any_lesson_back_to_the_map_and_on(learner):
    """By the map to the last lesson, to the map again, and by ▶; test_notebooks.py knows where all links point."""
    learner.open(FIRST)
    learner.panel.get_by_role("table").get_by_role("link", name=re.compile(f"^{LAST.number} ")).click()
    learner.arrives_at(LAST)
    learner.follow(LAST.cells[-1].id, "map of the course")
    learner.arrives_at(FIRST)
    # FIRST was open: in a lesson that is not open yet, JupyterLab 4.6 does not go to the heading of a link.
    expect(learner.panel.get_by_role("heading", name="The map")).to_be_in_viewport()
    learner.follow(FIRST.cells[-1].id, "▶")
    learner.arrives_at(NUMBERED[1])


def test_a_lesson_opens_by_the_path_in_its_binder_link(learner, server):
    """Binder starts JupyterLab in the folder of the course, and sends the browser to this path."""
    # The paths of all lessons are alike: test_links.py.
    path = re.search(r"\(https://mybinder\.org/\S+\?urlpath=([^)\s]+)\)", LAST.cells[0].source)[1]
    learner.page.goto(f"{server.address}{path}?reset&token={server.token}")
    expect(learner.panel.get_by_role("heading", level=1, name=title(LAST))).to_be_visible()
    learner.sees_no_dialog()


def test_on_binder_closing_a_tab_ends_its_kernel(learner, server):
    """What keeps a learner who goes from lesson to lesson within 1 GB: tools/hosted/."""
    learner.open(FIRST)
    learner.run("set-up")
    expect(learner.cell("set-up").locator(".jp-InputArea-prompt")).to_have_text("[1]:")
    [kernel] = server.kernels_of(FIRST)
    learner.save()
    learner.close()
    server.waits_for_its_end(kernel)


def test_run_all(learner, browser):
    """Nothing fails, no exercise is in the way, figures and formulas are drawn, and sliders move."""
    learner.open(FULL)
    learner.run_all()
    for exercise in exercises_of(FULL):
        expect(learner.output(exercise.check.id)).to_contain_text(f"○ Exercise {exercise.number}: not attempted yet.")
    for cell in FULL.code_cells:
        for _, about in figures([cell]):
            assert_drawn(learner.output(cell.id).locator("img"), about["width"])
    for cell in with_formula(FULL):
        learner.cell(cell.id).locator("details").evaluate_all("all => all.forEach(folded => folded.open = true)")
        formula = learner.cell(cell.id).locator("mjx-container").first
        expect(formula, f"the formula in cell {cell.id}").to_be_visible()
    expect(learner.panel.locator("mjx-merror"), "formulas with a mistake").to_have_count(0)
    learner.cell(with_formula(FULL)[0].id).evaluate("cell => cell.scrollIntoView()")
    browser.picture("figure")  # it stands just below the formula
    learner.page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    figure = learner.panel.locator(".jp-RenderedImage img").first
    expect(figure, "a figure suits the dark theme").to_have_css("filter", re.compile("invert"))
    for cell in FULL.code_cells:
        if "explorer" in tags(cell):
            assert_slider_redraws(learner.output(cell.id))


def with_formula(lesson):
    return [cell for cell in lesson.text_cells if re.search(r"\$[^$]+\$", re.sub("`[^`]*`", "", cell.source))]


def assert_slider_redraws(output):
    """→ on the first slider changes what is drawn, and the words that describe it: JupyterLab leaves the key to it."""
    slider, scene, words = output.get_by_role("slider").first, output.locator(".scene"), output.locator(".words")
    expect(scene).to_be_visible()
    before, said, stood = scene.inner_html(), words.inner_text(), slider.input_value()
    slider.press("ArrowRight")
    expect(slider).not_to_have_value(stood)
    expect(words).not_to_have_text(said)
    assert scene.inner_html() != before, "the slider has moved, and the drawing is the same"


def test_wrong_answer_is_named_and_the_solution_accepted_and_kept(learner, server, browser):
    """The solution is the code that the learner unfolds. It is still there after saving and a new start of the page.
    Both answers are in the learner's record, and the map of lesson 00 shows it."""
    stub, check, folded = (cell.id for cell in (CHOSEN.stub, CHOSEN.check, CHOSEN.folded))
    learner.open(CHOSEN.lesson)
    learner.select(stub)
    learner.choose("Run", "Run All Above Selected Cell")

    fault = CHOSEN.faults[-1]  # the one that the diagnosis knows, with a picture
    learner.write(stub, fault.code)
    learner.page.keyboard.press("Shift+Enter")  # moves on to the check
    learner.page.keyboard.press("Shift+Enter")
    expect(learner.output(check)).to_contain_text(f"✘ Exercise {CHOSEN.number}: not yet.")
    expect(learner.output(check)).to_contain_text(fault.promised)
    learner.output(check).scroll_into_view_if_needed()
    browser.picture("named-mistake")

    solution = learner.unfold(folded, "Solution").locator("pre").inner_text().strip()
    learner.write(stub, solution)
    learner.page.keyboard.press("Shift+Enter")
    learner.page.keyboard.press("Shift+Enter")
    expect(learner.output(check)).to_contain_text(f"✔ Exercise {CHOSEN.number}: right.")

    learner.save()
    learner.page.reload()
    learner.arrives_at(CHOSEN.lesson)
    assert learner.source(stub) == solution
    expect(learner.output(check)).to_contain_text(f"✔ Exercise {CHOSEN.number}: right.")

    found = record.read(server.course / "my_notebooks").entries
    assert [(entry.id, entry.status) for entry in found] == [(CHOSEN.number, "wrong"), (CHOSEN.number, "right")]
    learner.open(FIRST)
    learner.run("progress")
    row = learner.output("progress").get_by_role("row", name="03 Loop")
    expect(row).to_contain_text("◐ begun")
    row.get_by_role("link").click()
    learner.arrives_at(CHOSEN.lesson)


def test_prediction_is_hidden_until_its_cell_is_run(learner):
    learner.open(FIRST)
    predictions = [cell for cell in FIRST.code_cells if "predict" in tags(cell)]
    for cell in predictions:
        expect(learner.output(cell.id).locator(".jp-OutputArea-output")).to_have_count(0)
        expect(learner.cell(cell.id).locator(".jp-InputArea-prompt")).to_have_text("[ ]:")
    first = next(cell for cell in predictions if "image/png" not in cell.outputs[-1].get("data", "image/png"))
    learner.select(first.id)
    learner.choose("Run", "Run All Above Selected Cell")
    learner.run(first.id)
    expect(learner.output(first.id)).to_contain_text(first.outputs[-1].data["text/plain"])
