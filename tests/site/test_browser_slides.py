"""The slides in a real browser, as on two projectors: keys, answers, live explorers, and nothing that is cut off."""

import re

import pytest
import slides
from browser import harm, offline_browser
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
browser = offline_browser({"projector": {"viewport": {"width": 1280, "height": 720}}})

PROJECTORS = [(1280, 720), (1920, 1080)]
# What of a slide lies outside the screen, or is wider than its box.
CUT_OFF = """(slide) => [...slide.querySelectorAll("*")].filter((part) => {
  const box = part.getBoundingClientRect();
  const seen = box.width && !part.closest(".spoken") && getComputedStyle(part).position !== "absolute";
  const outside = box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1 || box.top < -1;
  const hides = ["PRE", "TABLE", "DIV", "SECTION"].includes(part.tagName) && part.scrollWidth > part.clientWidth + 1;
  return seen && (outside || hides);
}).map((part) => `${part.tagName} ${part.className} ${part.textContent.slice(0, 40)}`)"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    target = tmp_path_factory.mktemp("slides") / "slides.html"
    assert slides.main([str(target)]) == 0
    return target.as_uri()


@pytest.fixture
def page(quiet_page, address):
    quiet_page.goto(address)
    return quiet_page


def slide(page):
    return page.locator("section.now")


def go_to(page, title):
    """With → alone, as in the class."""
    for _ in range(100):
        if re.search(title, page.get_by_role("heading", level=1).inner_text()):
            return slide(page)
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"no slide {title}")


def test_arrows_lead_through_every_slide_and_each_answer_waits_for_its_key(page):
    titles, answers = [page.get_by_role("heading", level=1).inner_text()], 0
    for _ in range(100):
        answer = slide(page).locator(".answer")
        waits = answer.count() and not answer.is_visible()
        page.keyboard.press("ArrowRight")
        title = page.get_by_role("heading", level=1).inner_text()
        if waits:
            assert answer.is_visible()
            assert title == titles[-1], "the answer has a key press of its own"
            answers += 1
        elif title == titles[-1]:
            break
        else:
            titles.append(title)
    assert len(titles) == len(page.locator("main > section").all()) > 20
    assert answers == page.locator(".answer").count() > 8, "each was hidden at first"
    page.keyboard.press("Home")
    expect(page.get_by_role("heading", level=1)).to_have_text(titles[0])
    page.keyboard.press("End")
    expect(page.get_by_role("heading", level=1)).to_have_text(titles[-1])


def test_back_shows_the_slide_before_with_its_answer_and_a_reload_stays(page):
    page.get_by_role("button", name="On").click()  # as the arrows do
    expect(page.get_by_role("heading", level=1)).to_have_text("A sentence is a table of vectors")
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_text(re.compile("^0:00 · 5 minutes"))).to_be_visible()
    go_to(page, "who bites whom")
    for key in ("PageDown", "PageDown"):  # a presenter's remote: the answer, then the next slide
        page.keyboard.press(key)
    page.keyboard.press("PageUp")
    expect(page.get_by_role("heading", level=1)).to_have_text("Does it know who bites whom?")
    expect(slide(page).locator(".answer")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Does it know who bites whom?")


def test_an_explorer_takes_its_arrows_and_gives_them_back(page):
    there = go_to(page, "hand of a clock")
    slider, words = there.get_by_role("slider", name="position"), there.locator(".words")
    said, stood = words.inner_text(), slider.input_value()
    slider.press("ArrowRight")
    expect(slider).not_to_have_value(stood)
    expect(words).not_to_have_text(said)
    expect(page.get_by_role("heading", level=1)).to_have_text("Every pair is the hand of a clock")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", level=1)).to_contain_text("02.1")


@pytest.mark.parametrize("width, height", PROJECTORS)
def test_a_press_on_an_enlarged_drawing_is_where_it_is_seen(width, height, page):
    page.set_viewport_size({"width": width, "height": height})
    there = go_to(page, "hand of a clock")
    table, waves = there.locator(".shades").first, there.locator(".chart")
    for drawn, place in ((table, 0.5), (waves, 0.99)):
        box = drawn.bounding_box()
        page.mouse.click(box["x"] + place * box["width"], box["y"] + place * box["height"])
        expect(there.locator(".words")).to_contain_text("Position 25:" if drawn is table else "Position 49:")


@pytest.mark.parametrize("width, height", PROJECTORS)
def test_nothing_is_cut_off(width, height, page):
    """On any slide, with its answer."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("document.fonts.ready")
    for _ in page.locator("main > section").all():
        while slide(page).locator(".answer:not(.shown)").count():
            page.keyboard.press("ArrowRight")
        assert slide(page).evaluate(CUT_OFF) == [], page.get_by_role("heading", level=1).inner_text()
        page.keyboard.press("ArrowRight")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_harms_nobody(theme, page):
    page.emulate_media(color_scheme=theme)
    for title in ("A transformer cannot tell", "hand of a clock", "look-alikes"):
        go_to(page, title)
        page.keyboard.press("ArrowRight")
        assert harm(page) == []


def test_without_scripts_and_on_paper_every_slide_stands_there(browser, address):
    context = browser.context.browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert page.locator("main > section").count() > 20
    assert all(heading.is_visible() for heading in page.get_by_role("heading", level=1).all())
    assert all(answer.is_visible() for answer in page.locator(".answer").all())
    context.close()
