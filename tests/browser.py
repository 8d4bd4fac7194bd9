"""A Chromium for tests: it reaches this machine alone, and keeps what a failed test needs."""

import io
import os
import re
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from course import ROOT
from PIL import Image
from playwright.sync_api import Error, expect, sync_playwright

PICTURES = ROOT / "build" / "browser"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60_000  # milliseconds for anything to appear: a busy machine is slow, and a test that passes never waits
ARGUMENTS = [
    "--no-sandbox",  # a container's root may not make one
    "--disable-gpu",
    "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # whatever is asked elsewhere fails at once
]
HOW_TO_GET_ONE = (
    "No Chromium was found. Debian, Ubuntu: `sudo apt install chromium`; elsewhere: `.venv/bin/playwright install "
    "chromium` (Windows: `.venv\\Scripts\\playwright install chromium`). Or name one: CHROMIUM=/path/to/chromium."
)
PHONE_AND_DESK = {
    "phone": {"viewport": {"width": 380, "height": 800}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"},
    "desk": {"viewport": {"width": 1280, "height": 900}},
}


class Browser:
    """Opens pages, and keeps what they did: ``elsewhere``, requests to other machines, and ``errors`` of any page."""

    def __init__(self, context):
        self.context, self.elsewhere, self.errors = context, [], []
        context.on("request", self._note_request)
        context.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        context.on("weberror", lambda error: self.errors.append(str(error.error)))

    def _note_request(self, request):
        if re.match(r"(https?|wss?)://(?!127\.0\.0\.1[:/])", request.url):
            self.elsewhere.append(request.url)

    @contextmanager
    def page(self):
        """A new page, closed at the end; the errors are from now on its own."""
        self.errors.clear()
        page = self.context.new_page()
        try:
            yield page
        finally:
            page.close()

    def picture(self, name):
        """Store what the newest page shows, and return the file's path from the course's folder."""
        path = PICTURES / f"{re.sub(r'[^A-Za-z0-9]+', '-', name).strip('-')}.png"
        self.context.pages[-1].screenshot(path=path, full_page=True)
        return path.relative_to(ROOT)

    def evidence(self, name):
        """What a failure report adds: a picture of the page, its address and its errors."""
        errors = [f"error on the page: {error[:500]}" for error in self.errors]
        if not self.context.pages:
            return "\n".join(["no page was open", *errors])
        try:
            picture = self.picture(name)
        except Error as error:  # a page that has crashed must not hide the failure that is being reported
            picture = f"none: {error}"
        return "\n".join([f"picture: {picture}", f"page: {self.context.pages[-1].url}", *errors])


@contextmanager
def open_browser(**options):
    """A `Browser` without a window on the screen; ``options`` are Playwright's: width, touch, theme."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        program = find_chromium() or own_chromium(playwright)
        if program is None:
            raise FileNotFoundError(HOW_TO_GET_ONE)
        chromium = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 1000}, "locale": "en-US", **options})
        context.set_default_timeout(PATIENCE)
        try:
            yield Browser(context)
        finally:
            chromium.close()


def offline_browser(screens):
    """A fixture: for each of these screens, by name, a `Browser` without a network."""

    @pytest.fixture(scope="module", params=screens.values(), ids=screens)
    def browser(request):
        with open_browser(**request.param) as browser:
            browser.context.set_offline(True)
            yield browser

    return browser


def harm(page, contrast=True):
    """What axe-core calls serious or critical on a page: (rule, what it asks for, where)."""
    page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": contrast}}}
    found = page.evaluate("options => axe.run(options)", options)["violations"]
    harmful = [one for one in found if one["impact"] in ("serious", "critical")]
    return [(one["id"], one["help"], one["nodes"][0]["html"]) for one in harmful]


def assert_drawn(picture, width=None):
    """An image in which something can be seen; in a lesson, of the promised width."""
    assert width in (None, picture.evaluate("async image => { await image.decode(); return image.width }"))
    shades = Image.open(io.BytesIO(picture.screenshot())).convert("L").getcolors()
    assert len(shades) > 10, "the picture is blank"


def find_chromium():
    """The one that CHROMIUM names, or the first that the machine has as a command; None if there is neither."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)


def own_chromium(playwright):
    """The one that `playwright install chromium` has put where Playwright looks for it, or None."""
    program = playwright.chromium.executable_path
    return program if Path(program).exists() else None


if __name__ == "__main__":  # for .ci/run: is there one?
    with sync_playwright() as playwright:
        sys.exit(0 if find_chromium() or own_chromium(playwright) else 1)
