"""The pages of `make html` in a real browser, opened from a folder with the network cut off: `make test-browser`.

All of it twice: on a phone, by touch and in the dark, and on a desk. Every page fits both, and harms nobody.
"""

import re

import pytest
from browser import PHONE_AND_DESK, assert_drawn, harm, offline_browser
from course import LESSONS, tags
from playwright.sync_api import expect

from pe_course.exercises import EXERCISES
from pe_course.recalling.asking import questions_of

SHEETS = ["docs/sheets/a_table_by_hand", "docs/sheets/find_the_mistake"]
WITH_EXPLORER = [lesson for lesson in LESSONS for cell in lesson.code_cells if "explorer" in tags(cell)]
MARGIN = dict.fromkeys(("top", "right", "bottom", "left"), "0.5in")  # as Firefox; Chromium leaves less free on paper
LONG = ["pe_lib/loop.py", "docs/check", "TEACHING", *SHEETS]
OF_EACH_KIND = ["index", f"notebooks/{LESSONS[2].name}", f"notebooks/{LESSONS[12].name}", *LONG]
PAGES = ["index", *(f"notebooks/{lesson.name}" for lesson in LESSONS), *LONG]
WIDTHS = {380: (380,), 1280: (820, 1400)}  # by the width of the screen
# Boxes of formulas and tables, and their content: what is wider than its box is cut off, or has to be pushed aside.
CLIPPED = """(parts) => parts.filter((part) => {
  const box = part.getBoundingClientRect();
  const inner = [...part.querySelectorAll("math")].some((one) => one.getBoundingClientRect().right > box.right + 1);
  return box.width && (inner || part.scrollWidth > part.clientWidth + 1);
}).map((part) => part.innerText.slice(0, 80))"""
TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"

pytestmark = pytest.mark.browser
browser = offline_browser(PHONE_AND_DESK)


def of(lesson):
    return f"notebooks/{lesson.name}"


def test_a_reader_meets_a_formula_a_figure_and_a_folded_solution(open_page):
    page = open_page("index")
    page.get_by_role("link", name=re.compile("^02 ")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("02 · The formula")
    formula = page.locator(".formula math:has(mfrac)").first.bounding_box()
    assert formula["width"] > 60 and formula["height"] > 25, f"the fraction has no two storeys: {formula}"
    assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('16px \"Course Math\"'))")
    assert_drawn(page.locator(".output_png img:visible").first)  # the first that no fold hides

    solution = page.locator("details", has=page.locator("summary", has_text="Solution")).first
    expect(solution.locator("pre")).to_be_hidden()
    solution.locator("summary").click()
    expect(solution.locator("pre")).to_be_visible()

    page.get_by_role("link", name="▶").last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("03 · The loop")


def test_without_scripts_a_page_reads_as_ever(browser, exported):
    """Sliders, search and buttons are not there; all else is, and a note says where it would move."""
    context = browser.context.browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((exported / f"{of(WITH_EXPLORER[0])}.html").as_uri())
    expect(page.get_by_text("Sliders: they move in a running notebook.")).to_be_visible()
    expect(page.get_by_role("button").or_(page.get_by_role("searchbox")).or_(page.get_by_role("slider"))).to_have_count(
        0
    )
    page.locator("details", has=page.locator("summary", has_text="Solution")).first.locator("summary").click()
    expect(page.locator("details[open] pre").first).to_be_visible()
    context.close()


@pytest.mark.parametrize("number", ["03.2", "01.1", "12.1"])
def test_a_question_says_what_is_wrong_and_what_is_right(number, open_page):
    """In the words of `check`, to what is typed and to Enter."""
    judge = EXERCISES[number].judge
    page = open_page(of(LESSONS[int(number[:2])]))
    answer = page.get_by_role("textbox", name=f"Exercise {number}, your answer")
    reply = page.locator(".question", has=answer).get_by_role("status")
    wrong, because = judge.known.mistakes[0]
    for value, head, body in ((wrong, "not yet.", because), (judge.right, "right.", EXERCISES[number].because)):
        answer.fill(str(value))
        answer.press("Enter")
        expect(reply).to_contain_text(f"Exercise {number}: {head}")
        expect(reply).to_contain_text(body)


def test_a_question_from_memory_replies_to_every_letter(open_page):
    page = open_page(of(LESSONS[5]))
    page.get_by_text("Two questions about earlier lessons").click()
    for number, question in enumerate(questions_of("05"), start=1):
        group = page.get_by_role("group", name=f"Question {number}")
        for option in question.options:
            group.get_by_role("button", name=f"Question {number}: {option.letter}").click()
            expect(group.get_by_role("status")).to_contain_text("right." if option.right else ": no.")
            expect(group.get_by_role("status")).to_contain_text(option.reply)


def test_where_code_is_asked_for_a_link_unfolds_the_ways_to_run_it_and_they_can_be_copied(open_page):
    page = open_page(of(LESSONS[3]))
    box = page.locator("#run")
    expect(box.get_by_role("link", name="On Binder")).to_be_hidden()
    page.get_by_role("link", name="a place to run").first.click()
    expect(box.get_by_role("link", name="On Binder")).to_be_in_viewport()
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


def test_search_finds_a_place_in_another_lesson_and_leads_there(open_page):
    page = open_page("pe_lib/loop.py")
    search, found = page.get_by_role("searchbox", name="Search all lessons"), page.get_by_role("region", name="found")
    search.fill("wombat")
    expect(found).to_contain_text("No places found.")
    search.press("Escape")
    expect(found).to_be_hidden()
    search.fill("")
    search.press_sequentially("cached step")
    expect(found.get_by_role("link").first).to_have_text("09 · RoPE › Exercise 09.3 · A cached step")
    expect(found.get_by_role("status")).to_contain_text("found")
    search.press("Enter")  # to the first place
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="A cached step")).to_be_in_viewport()
    expect(page.get_by_role("heading", level=1)).to_have_text("09 · RoPE")


def test_search_and_answers_take_twenty_thousand_characters(open_page):
    """A pasted page blocks nothing, and brackets in brackets end in a sentence."""
    page = open_page(of(LESSONS[3]))
    search = page.get_by_role("searchbox", name="Search all lessons")
    search.fill("sine")
    expect(page.get_by_role("region", name="found")).to_contain_text("found")
    answer = page.get_by_role("textbox", name="Exercise 03.2, your answer")
    reply = page.locator(".question", has=answer).get_by_role("status")
    for text in ("a " * 10_000, "[" * 20_000, "4, " * 6_000, "sine of the angle " * 1_111):
        search.fill(text)
        answer.fill(text)
        answer.press("Enter")
        expect(reply).to_contain_text("not understood")


def test_the_bar_stays_and_its_list_leads_to_every_lesson(open_page):
    page = open_page(of(LESSONS[3]))
    page.evaluate("scrollTo(0, 3000)")
    bar = page.get_by_role("banner")
    expect(bar).to_be_in_viewport()
    bar.get_by_text(re.compile(r"^Lesson 03 · 4 of \d+$")).click()
    contents = bar.get_by_role("listitem")
    expect(contents).to_have_count(len(LESSONS))
    page.keyboard.press("Escape")
    expect(contents.first).to_be_hidden()
    bar.get_by_text(re.compile("^Lesson 03 · 4 of")).click()
    contents.nth(5).get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("05 ·")
    page.get_by_role("link", name="The lesson before").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("04 ·")


def test_a_script_that_is_put_into_a_page_does_not_run(open_page, browser):
    page = open_page(of(LESSONS[3]))
    page.evaluate("""() => {
      const script = document.createElement("script");
      script.textContent = "globalThis.intruder = true";
      document.body.append(script);
    }""")
    assert page.evaluate("globalThis.intruder") is None
    assert any("Content Security Policy" in error for error in browser.errors)
    browser.errors.clear()


def test_ones_own_code_gets_its_line_and_its_mistakes(open_page):
    page = open_page("docs/check")
    area, line = page.get_by_role("textbox", name="Your code"), page.locator("#paste pre")
    area.fill("import torch\n\nclass Model:\n    pass\n\ndef apply_rope(x, positions):\n    return x\n")
    expect(line).to_have_text("python -m pe_clinic my_model.py:apply_rope")
    expect(page.get_by_role("heading", name=re.compile("^RoPE"))).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("^Sinusoidal"))).to_be_hidden()
    page.get_by_role("textbox", name="The file that holds it").fill("net.py")
    page.get_by_role("combobox", name="What to check").select_option("Model")
    expect(line).to_have_text("python -m pe_clinic net.py:Model")
    area.fill("x = 1")
    expect(page.locator("#paste").get_by_role("status")).to_contain_text("No function or class")


def test_on_paper_every_fold_is_open_and_there_are_no_buttons(open_page):
    page = open_page(of(LESSONS[0]))
    prediction = page.locator("details.predict").first
    expect(prediction.locator(".output")).to_be_hidden()
    page.emulate_media(media="print")
    for fold in page.locator("main details:not(.run)").all():
        assert fold.evaluate("one => one.getBoundingClientRect().height") > 60, fold.inner_text()[:80]
    assert not any(button.is_visible() for button in page.get_by_role("button", include_hidden=True).all())
    expect(page.get_by_role("searchbox")).to_be_hidden()
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("main details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("main details[open]").count() == 0


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("sheet", SHEETS)
def test_a_sheet_is_one_page_of_tasks_and_one_of_answers(sheet, paper, open_page):
    page = open_page(sheet)
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper, margin=MARGIN))) == 2
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="Answers")).to_have_css("break-before", "page")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_the_screen_and_harms_nobody(path, open_page):
    """Unfolded, nothing is cut off, and axe-core finds nothing serious or critical; in the dark, on pages of each kind.

    Contrast takes it four fifths of its time: in light, too, it is measured on pages of each kind.
    """
    page = open_page(path)
    screen = page.viewport_size["width"]
    assert page.evaluate(TOO_WIDE) <= 0, "the page scrolls sideways"
    page.evaluate("document.querySelectorAll('details').forEach(folded => folded.open = true)")
    for width in WIDTHS[screen]:
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("document.fonts.ready")
        assert page.locator("main .formula, main .scroll, main table").evaluate_all(CLIPPED) == [], f"at {width} px"
        assert page.evaluate(TOO_WIDE) <= 0, f"unfolded, it scrolls sideways at {width} px"
    if screen == 1280 or path in OF_EACH_KIND:
        assert harm(page, contrast=path in OF_EACH_KIND) == []
