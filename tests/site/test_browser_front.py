"""The first page in a real browser: by mouse, by touch and by keyboard, what it says, and that it fits one screen."""

import re

import pytest
from browser import harm, offline_browser
from playwright.sync_api import expect

SCREENS = {
    "tablet": {"viewport": {"width": 820, "height": 1180}},
    "desk": {"viewport": {"width": 1400, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}

pytestmark = pytest.mark.browser
browser = offline_browser(SCREENS)

PAST_THE_EDGE = """(all) => {
  const right = (one) => one.getBoundingClientRect().right;
  return all.filter((one) => right(one) > right(one.closest(".toy"))).length;
}"""
LEAST_ROW_SHOWN = """() => {
  const [slider, now] = [document.querySelector(".hero [type=range]"), performance.now.bind(performance)];
  performance.now = () => now() + 500;
  globalThis.least = new Promise((told) => {
    let least = Number(slider.value);
    const look = () => {
      least = Math.min(least, slider.value);
      if (slider.value < 14) requestAnimationFrame(look);
      else told(least);
    };
    look();
  });
}"""
PLACES_OF_A_HAND = """() => new Promise((told) => {
  const [seen, start] = [new Set(), performance.now()];
  const look = () => {
    seen.add(document.querySelector(".hero .tip").getAttribute("cx"));
    if (performance.now() - start < 900) requestAnimationFrame(look);
    else told(seen.size);
  };
  look();
})"""


@pytest.fixture
def page(quiet_page, exported):
    quiet_page.goto((exported / "index.html").as_uri())
    return quiet_page


def press(page, place):
    """With a finger where there is one, else with the mouse."""
    touches = page.evaluate("matchMedia('(pointer: coarse)').matches")
    (place.tap if touches else place.click)()


def signs(page):
    return page.locator(".sign").all_inner_texts()


def shown_numbers(page):
    """Per word, the numbers of the first sentence and of the visitor's, all digits."""
    return page.locator(".outputs .numbers").evaluate_all(
        "all => all.map(numbers => [...numbers.children].map(number => number.title))"
    )


def test_everything_stands_on_one_screen_and_nothing_is_wider_than_its_cell(page):
    parts = [page.get_by_role("heading", level=1), page.locator(".toy").first, page.locator(".toy").last]
    for part in [*parts, *page.locator(".doors a").all()]:
        box = part.bounding_box()
        size = page.viewport_size
        assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"], f"below the edge: {part}"
        assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
    for part in page.locator(".tile, .number, .toy button").all():
        assert part.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), part.inner_text()
    assert page.locator(".tile, .number").evaluate_all(PAST_THE_EDGE) == 0


def test_equal_number_for_number_until_the_table_is_added(page):
    assert signs(page) == ["="] * 3
    first = shown_numbers(page)
    assert first[0::2] == first[1::2] and len(first[0]) == 4
    press(page, page.get_by_role("checkbox", name="add the table of positions"))
    expect(page.locator(".sign").first).to_have_text("≠")
    assert signs(page) == ["≠"] * 3
    now = shown_numbers(page)
    assert all(mine != given for given, mine in zip(now[0::2], now[1::2], strict=True))
    expect(page.get_by_role("status").first).to_contain_text("In your sentence the man bites.")
    press(page, page.get_by_role("button", name="⇄ swap"))
    assert signs(page) == ["="] * 3
    expect(page.get_by_role("status").first).to_contain_text("The same sentence twice")


def test_two_presses_swap_two_words_and_one_that_is_dragged_takes_its_place(page):
    tiles = page.get_by_role("group", name="Your sentence").get_by_role("button")
    press(page, tiles.nth(0))
    expect(tiles.nth(0)).to_have_attribute("aria-pressed", "true")
    press(page, tiles.nth(1))
    expect(tiles).to_have_text(["bites", "man", "dog"])
    assert signs(page) == ["="] * 3
    if not page.evaluate("matchMedia('(pointer: coarse)').matches"):  # Playwright has no finger that drags
        tiles.nth(0).drag_to(tiles.nth(2))
        expect(tiles).to_have_text(["dog", "man", "bites"])


def test_all_of_it_works_by_keyboard(page):
    """From the top with Tab: swap, tick, a word moved with an arrow, ▶, the slider; each is seen to have the focus."""
    page.get_by_role("button", name="⇄ swap").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("The same sentence twice")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.get_by_role("checkbox")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    tiles = page.get_by_role("group", name="Your sentence").get_by_role("button")
    expect(tiles).to_have_text(["bites", "dog", "man"])
    expect(tiles.nth(1)).to_be_focused()
    assert signs(page) == ["≠"] * 3
    page.get_by_role("button", name=re.compile("^Play")).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    page.keyboard.press("Enter")
    slider = page.get_by_role("slider", name="position")
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "row 0 of 39")


def test_play_turns_the_clocks_and_paints_rows(page):
    painted = "document.querySelector('.hero canvas').toDataURL()"
    before, hand = page.evaluate(painted), page.locator(".hero .tip").first.get_attribute("cx")
    press(page, page.get_by_role("button", name=re.compile("^Play")))
    expect(page.get_by_role("slider", name="position")).not_to_have_value("12")
    assert page.evaluate(painted) != before and page.locator(".hero .tip").first.get_attribute("cx") != hand
    press(page, page.get_by_role("button", name="Pause"))
    stood = page.get_by_role("slider", name="position").input_value()
    page.wait_for_timeout(300)
    assert page.get_by_role("slider", name="position").input_value() == stood


def test_play_never_goes_back(page):
    """A frame may be older than the press that asked for it."""
    page.evaluate(LEAST_ROW_SHOWN)
    press(page, page.get_by_role("button", name=re.compile("^Play")))
    assert page.evaluate("least") == 12


def test_who_wants_less_motion_gets_whole_steps(page):
    page.emulate_media(reduced_motion="reduce")
    press(page, page.get_by_role("button", name=re.compile("^Play")))
    places = page.evaluate(PLACES_OF_A_HAND)
    assert places <= 8, "the hands turn between two positions"


def test_it_harms_nobody(page):
    page.get_by_role("checkbox").check()
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert harm(page) == [], theme
