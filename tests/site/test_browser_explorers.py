"""Every explorer in a real browser: by keyboard, by pointer, with its state in the address, in both themes."""

import re
from itertools import product

import pytest
from browser import harm, offline_browser
from course import ROOT
from playwright.sync_api import expect

from pe_course import explore
from pe_course.explore.widget import as_html

CSS = (ROOT / "tools" / "html" / "course.css").read_text(encoding="utf-8")
STEERED = sorted(set(explore.__all__) - {"hero", "broken"})
SCREENS = {
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"},
    "desk": {"viewport": {"width": 1400, "height": 900}},
}
PICTURE = """(scene) => scene.innerHTML + [...scene.querySelectorAll("canvas")].map((one) => one.toDataURL()).join()"""

pytestmark = pytest.mark.browser
browser = offline_browser(SCREENS)
every_explorer = pytest.mark.parametrize("name", STEERED)
# What neither the width nor a finger changes is tested on one screen.
at_the_desk = pytest.mark.parametrize("browser", [SCREENS["desk"]], ids=["desk"], indirect=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One page for each explorer, as the export would write it."""
    folder = tmp_path_factory.mktemp("explorers")
    for name in explore.__all__:
        body = f"<main><h1>{name}</h1>{as_html(name, remember=True)}</main>"
        head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{name}</title>'
        page = f'<!DOCTYPE html><html lang="en"><head>{head}<style>{CSS}</style></head><body>{body}</body></html>'
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


@pytest.fixture
def open_explorer(quiet_page, folder):
    def opened(name, address=""):
        quiet_page.goto((folder / f"{name}.html").as_uri() + address)
        expect(quiet_page.locator(".pe-explorer")).to_be_visible()
        return quiet_page

    return opened


@at_the_desk
@every_explorer
def test_every_control_moves_by_keyboard(name, open_explorer):
    """→ changes its value and the drawing or the words; when it rests, a screen reader is told the words. It plays."""
    page = open_explorer(name)
    scene, words = page.locator(".scene"), page.locator(".words")
    sliders = page.get_by_role("slider")
    assert sliders.count() >= 1
    for slider in sliders.all():
        drawn, said, stood = scene.evaluate(PICTURE), words.inner_text(), slider.input_value()
        slider.press("ArrowLeft" if stood == slider.get_attribute("max") else "ArrowRight")
        expect(slider).not_to_have_value(stood)
        expect(words).not_to_have_text(said)
        assert scene.evaluate(PICTURE) != drawn, "the slider has moved, and the drawing is the same"
    for row in page.get_by_role("group").all():
        chosen, said = row.get_by_role("radio", checked=True), words.inner_text()
        stood = chosen.get_attribute("value")
        chosen.press("ArrowRight")
        expect(chosen).not_to_have_attribute("value", stood)
        expect(words).not_to_have_text(said)
    expect(page.get_by_role("status")).to_have_text(words.inner_text())
    play, said = page.get_by_role("button", name=re.compile("^Play")), words.inner_text()
    if play.count():
        play.press("Enter")
        expect(words).not_to_have_text(said)
        if (pause := page.get_by_role("button", name="Pause")).count():
            pause.press("Enter")
        expect(play).to_be_visible()


@at_the_desk
@every_explorer
def test_a_link_holds_what_was_seen(name, open_explorer):
    """The address changes with the state, and opens the same state again; what no control allows is left out."""
    page = open_explorer(name)
    slider = page.get_by_role("slider").last
    slider.press("ArrowLeft" if slider.input_value() == slider.get_attribute("max") else "ArrowRight")
    page.wait_for_function("location.hash.includes('?')")
    words, address = page.locator(".words").inner_text(), page.evaluate("location.hash")
    page.goto("about:blank")
    page = open_explorer(name, address)
    expect(page.locator(".words")).to_have_text(words)
    page.goto("about:blank")
    page = open_explorer(name, f"#explorer-{name}?pos=1e9&d_model=-1&nonsense=1&length=x")
    expect(page.locator(".words")).not_to_be_empty()


@every_explorer
def test_nothing_is_cut_off_and_it_harms_nobody(name, open_explorer):
    page = open_explorer(name)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert harm(page) == []


@pytest.mark.parametrize(
    "name, place, said",
    [
        ("table", ".shades", "Position "),
        ("formula", ".shades", "column 7"),
        ("patches", ".shades", "Patch (7, 7)"),
        ("offsets", ".chart", "offset 59"),
        ("turns", ".chart", "key at 59"),
        ("longer", ".chart", "Length 64"),
        ("training", ".chart", "Step 300"),
    ],
)
def test_a_press_on_the_drawing_steers(name, place, said, open_explorer):
    page = open_explorer(name)
    drawn, before = page.locator(place).first, page.locator(".words").inner_text()
    drawn.scroll_into_view_if_needed()
    box = drawn.bounding_box()
    drawn.click(position={"x": box["width"] - 11, "y": box["height"] - 11 if place == ".shades" else 40})
    expect(page.locator(".words")).to_contain_text(said)
    expect(page.locator(".words")).not_to_have_text(before)


@at_the_desk
def test_pointing_at_a_cell_reads_it(open_explorer):
    page = open_explorer("formula")
    page.locator(".shades").first.hover(position={"x": 5, "y": 5})
    expect(page.locator(".read").first).to_have_text("pos 0, column j 0: 0.0000")


@at_the_desk
def test_numbers_change_their_colours_with_the_theme(open_explorer):
    page = open_explorer("table")
    pixel = "[...document.querySelector('canvas').getContext('2d').getImageData(4, 0, 1, 1).data].slice(0, 3)"
    found = {}
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.wait_for_timeout(200)
        found[theme] = sum(page.evaluate(pixel))
    assert found["light"] > 3 * 220 and found["dark"] < 3 * 80, "sin 0 = 0 has the colour of the ground"


@at_the_desk
def test_a_game_can_be_won_by_keyboard(open_explorer):
    page = open_explorer("broken")
    for _ in range(8):
        page.get_by_role("button", name="A is broken").press("Enter")
        expect(page.get_by_role("status")).to_contain_text(re.compile("^(Right|No, the other one): "))
        expect(page.get_by_role("button", name="Next")).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator(".question")).to_contain_text("4 of 8")
    page.get_by_role("button", name="Once more").click()
    expect(page.locator(".question")).to_contain_text("1 of 8: which table is broken? So far 0 right.")


@at_the_desk
@pytest.mark.parametrize("a, b", [*product([0, 5], [0, 1])])
def test_offsets_say_what_stays(a, b, open_explorer):
    """The last move changed the first position by a and the offset by b."""
    page = open_explorer("offsets", f"#explorer-offsets?first={a}&offset=7")
    slider = page.get_by_role("slider").nth(b)
    slider.press("ArrowRight")
    words = ["first hands", "second hands", "arcs", "dot product"]
    changed = [["changed", "changed", "same", "same"], ["same", "changed", "changed", "changed"]][b]
    expect(page.locator(".badge")).to_have_text([f"{word}: {said}" for word, said in zip(words, changed, strict=True)])
