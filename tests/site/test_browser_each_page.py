"""Every page of `make html` fits a phone and a desk, and harms nobody: `make test-browser`."""

import pytest
from browser import PHONE_AND_DESK, harm, offline_browser
from course import LESSONS

LONG = ["pe_lib/loop.py", "docs/check", "TEACHING", "docs/sheets/a_table_by_hand", "docs/sheets/find_the_mistake"]
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
