"""The pages of `make html` in a real browser, opened from a folder with the network cut off: `make test-browser`.

All of it twice: on a phone, by touch and in the dark, and on a desk.
"""

import json
import re

import export_html
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from browser import assert_drawn, open_browser
from course import LESSONS, tags
from playwright.sync_api import expect

from pe_course.exercises import EXERCISES
from pe_course.recalling.asking import questions_of

PAGES = ["index", *(f"notebooks/{lesson.name}" for lesson in LESSONS), "pe_lib/loop.py"]
WITH_EXPLORER = [lesson for lesson in LESSONS for cell in lesson.code_cells if "explorer" in tags(cell)]
PHONE = {"viewport": {"width": 380, "height": 800}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
DESK = {"viewport": {"width": 1280, "height": 900}}
HARMFUL = ("serious", "critical")  # what axe-core calls them

pytestmark = pytest.mark.browser

of_lessons = pytest.mark.parametrize("lesson", WITH_EXPLORER, ids=lambda lesson: lesson.name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export") / "html"
    assert export_html.main([str(folder)]) == 0
    return folder


@pytest.fixture(scope="module", params=[PHONE, DESK], ids=["phone", "desk"])
def browser(request):
    with open_browser(**request.param) as browser:
        browser.context.set_offline(True)
        yield browser


@pytest.fixture
def open_page(browser, folder):
    """Open a page by its path without .html; at the end nobody was asked for anything, and no script has failed."""
    with browser.page() as page:

        def opened(path):
            page.goto((folder / f"{path}.html").as_uri())
            return page

        yield opened
        assert browser.elsewhere == [] and browser.errors == []


def of(lesson):
    return f"notebooks/{lesson.name}"


# Reading


def test_a_reader_meets_a_formula_a_figure_and_a_folded_solution(open_page):
    page = open_page("index")
    page.get_by_role("link", name=re.compile("^02 ")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("02 · The formula")
    formula = page.locator("math[display=block]:has(mfrac)").first.bounding_box()
    assert formula["width"] > 200 and formula["height"] > 30, f"the fraction has no two storeys: {formula}"
    assert_drawn(page.locator(".output_png img").first)

    solution = page.locator("details", has=page.locator("summary", has_text="Solution")).first
    expect(solution.locator("pre")).to_be_hidden()
    solution.locator("summary").click()
    expect(solution.locator("pre")).to_be_visible()

    page.get_by_role("link", name="▶").last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("03 · The loop")


def test_a_prediction_unfolds_after_a_click(open_page):
    page = open_page(of(LESSONS[0]))
    prediction = page.locator("details.predict").first
    expect(prediction.locator(".output")).to_be_hidden()
    prediction.locator("summary").click()
    expect(prediction.locator(".output")).to_be_visible()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_no_wider_than_the_screen_and_harms_nobody(path, open_page):
    """With all that is folded open, axe-core finds nothing serious or critical."""
    page = open_page(path)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, "the page scrolls sideways"
    page.evaluate("document.querySelectorAll('details').forEach(folded => folded.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, "unfolded, it scrolls sideways"
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
    harmful = [(rule["id"], rule["help"], rule["nodes"][0]["html"]) for rule in found if rule["impact"] in HARMFUL]
    assert harmful == [], json.dumps(harmful, indent=1)


def test_every_link_inside_leads_on(open_page, folder):
    """From the first page to all that can be reached, each by its address; and to a heading where one is named."""
    page = open_page("index")
    waiting, seen = [page.url], set()
    while waiting:
        seen.add(address := waiting.pop())
        page.goto(address)
        if "#" in address:
            named = page.evaluate("document.getElementById(decodeURIComponent(location.hash.slice(1)))?.tagName")
            assert named, f"nothing is there: {address}"
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        links = page.locator("a:not([download])").evaluate_all("links => links.map(link => link.href)")
        waiting += [link for link in set(links) if link.startswith("file:") and link not in {*seen, *waiting}]
    assert {address.partition("#")[0] for address in seen} == {path.as_uri() for path in folder.rglob("*.html")}


def test_without_scripts_a_page_reads_as_ever(browser, folder):
    """Sliders, search and buttons are not there; all else is, and a note says where it would move."""
    context = browser.context.browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / f"{of(WITH_EXPLORER[0])}.html").as_uri())
    expect(page.get_by_text("Sliders: they move in a running notebook.")).to_be_visible()
    expect(page.get_by_role("button").or_(page.get_by_role("searchbox")).or_(page.get_by_role("slider"))).to_have_count(
        0
    )
    page.locator("details", has=page.locator("summary", has_text="Solution")).first.locator("summary").click()
    expect(page.locator("details[open] pre").first).to_be_visible()
    context.close()


# Sliders


@of_lessons
def test_every_slider_moves_by_keyboard(lesson, open_page):
    """→ changes its value, what is drawn and the words below; when it rests, they are what a screen reader is told."""
    page = open_page(of(lesson))
    explorer = page.locator(".pe-explorer")
    scene, words = explorer.locator(".scene"), explorer.locator(".words")
    controls = explorer.get_by_role("slider").or_(explorer.get_by_role("combobox"))
    assert controls.count() >= 2
    for control in controls.all():
        drawn, said, stood = picture_of(scene), words.inner_text(), control.input_value()
        control.press("ArrowLeft" if stood == control.get_attribute("max") else "ArrowRight")
        expect(control).not_to_have_value(stood)
        expect(words).not_to_have_text(said)
        assert picture_of(scene) != drawn, "the slider has moved, and the drawing is the same"
    expect(explorer.get_by_role("status")).to_have_text(words.inner_text())


def picture_of(scene):
    return scene.inner_html() + scene.evaluate(
        "all => [...all.querySelectorAll('canvas')].map(c => c.toDataURL()).join()"
    )


@of_lessons
def test_a_slider_moves_by_a_touch_or_a_click(lesson, open_page, request):
    slider = open_page(of(lesson)).get_by_role("slider").first
    box, stood = slider.bounding_box(), slider.input_value()
    place = {"x": box["width"] - 12, "y": box["height"] / 2}
    (slider.tap if "phone" in request.node.name else slider.click)(position=place)
    expect(slider).not_to_have_value(stood)


# Questions


@pytest.mark.parametrize("number", ["03.2", "01.1", "12.1"])
def test_a_question_says_what_is_wrong_and_what_is_right(number, open_page):
    """In the words of `check`, to what is typed and to Enter."""
    judge = EXERCISES[number].judge
    page = open_page(of(LESSONS[int(number[:2])]))
    answer = page.get_by_role("textbox", name=f"Exercise {number}, your answer")
    reply = page.locator(".question", has=answer).get_by_role("status")
    wrong, because = judge.replies[0]
    for value, head, body in ((wrong, "not yet.", because), (judge.right, "right.", EXERCISES[number].because)):
        answer.fill(str(value))
        answer.press("Enter")
        expect(reply).to_contain_text(f"Exercise {number}: {head}")
        expect(reply).to_contain_text(body)


def test_a_question_from_memory_replies_to_every_letter(open_page):
    page = open_page(of(LESSONS[5]))
    for number, question in enumerate(questions_of("05"), start=1):
        group = page.get_by_role("group", name=f"Question {number}")
        for option in question.options:
            group.get_by_role("button", name=f"Question {number}: {option.letter}").click()
            expect(group.get_by_role("status")).to_contain_text("right." if option.right else ": no.")
            expect(group.get_by_role("status")).to_contain_text(option.reply)


def test_where_code_is_asked_for_a_link_leads_to_the_places_that_run_it(open_page):
    page = open_page(of(LESSONS[3]))
    page.get_by_role("link", name="a place to run").first.click()
    expect(page.get_by_role("link", name="On Binder")).to_be_in_viewport()


# A place to run, copying, searching


def test_ways_to_run_a_lesson_unfold_and_can_be_copied(open_page):
    page = open_page(of(LESSONS[3]))
    box = page.locator("#run")
    expect(box.get_by_role("link", name="On Binder")).to_be_hidden()
    box.locator("summary").click()
    expect(box.get_by_role("link", name="On Binder")).to_be_visible()
    two_lines = box.locator(".highlight").last
    two_lines.hover()
    two_lines.get_by_role("button", name="Copy").click()
    expect(two_lines.get_by_role("button")).to_have_text("Copied")
    assert pasted(page) == two_lines.locator("pre").inner_text().replace("\n", " ").strip()


def pasted(page):
    """What the clipboard holds, as the search box takes it: in one line."""
    page.get_by_role("searchbox").click()
    page.keyboard.press("ControlOrMeta+V")
    return page.get_by_role("searchbox").input_value().strip()


def test_a_link_to_the_ways_to_run_unfolds_them(open_page):
    page = open_page(of(LESSONS[3]))
    page.evaluate("location.hash = '#run'")
    expect(page.locator("#run").get_by_role("link", name="On Binder")).to_be_visible()


def test_search_finds_a_place_in_another_lesson_and_leads_there(open_page):
    page = open_page("pe_lib/loop.py")
    search, found = page.get_by_role("searchbox", name="Search all lessons"), page.get_by_role("region", name="found")
    search.click()
    search.press_sequentially("cached step")
    expect(found.get_by_role("link").first).to_have_text("09 · RoPE › Exercise 09.3 · A cached step")
    expect(found.get_by_role("status")).to_contain_text("found")
    search.press("Enter")  # to the first place
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="A cached step")).to_be_in_viewport()
    expect(page.get_by_role("heading", level=1)).to_have_text("09 · RoPE")


def test_search_says_when_nothing_is_found_and_goes_away(open_page):
    page = open_page("index")
    search, found = page.get_by_role("searchbox"), page.get_by_role("region", name="found")
    search.fill("wombat")
    expect(found).to_contain_text("No places found.")
    search.press("Escape")
    expect(found).to_be_hidden()


def test_on_paper_there_are_no_buttons(open_page):
    page = open_page(of(WITH_EXPLORER[0]))
    page.emulate_media(media="print")
    assert not any(button.is_visible() for button in page.get_by_role("button", include_hidden=True).all())
    expect(page.get_by_role("searchbox")).to_be_hidden()
