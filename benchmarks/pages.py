"""The pages of `make html`: size, time to the first picture and to the first reply, frames a second of each explorer.

    python benchmarks/pages.py [PAGE …]     such as index or 02_formula; all pages unless named. Chromium is needed,
                                            as for `make test-browser`

The connection is simulated in the browser: 1.6 Mbit/s, 150 ms for each answer, as on a telephone far from a mast. A
picture counts when it can be seen: a figure whose bytes have come, or an explorer that has drawn; the whole page, when
all has come. The first reply is the first page's: from a press on "add the table of positions" to ≠. A slider moves
once for each frame; the rate is that of the screen (60) unless a drawing takes longer than a frame.
"""

import contextlib
import functools
import http.server
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests")]

import export_html  # noqa: E402
from browser import open_browser  # noqa: E402

CONNECTION = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 1.6e6 / 8}
FIGURE = """() => new Promise((drawn) => {
  const look = () => {
    const images = [...document.querySelectorAll('.output_png img, .text_cell_render img, .pe-explorer canvas')];
    const come = (image) => image.tagName === 'CANVAS' || (image.complete && image.naturalWidth);
    const seen = images.some((image) => image.checkVisibility() && come(image));
    if (seen) requestAnimationFrame(() => drawn(performance.now()));
    else if (document.readyState === 'complete') drawn(null);
    else requestAnimationFrame(look);
  };
  look();
})"""
REPLY = """() => new Promise((told) => {
  const [box, start] = [document.querySelector('.tick input'), performance.now()];
  box.click();
  const look = () => {
    if (document.querySelector('.sign.differs')) told(performance.now() - start);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""
MOVES = 240
FRAMES = f"""(slider) => new Promise((told) => {{
  const [low, high] = [Number(slider.min), Number(slider.max)];
  let moves = 0, start = performance.now();
  const move = () => {{
    slider.value = low + (moves % (high - low + 1));
    slider.dispatchEvent(new Event("input"));
    if (++moves === {MOVES}) told(1000 * moves / (performance.now() - start));
    else requestAnimationFrame(move);
  }};
  requestAnimationFrame(move);
}})"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder):
    """The folder, on this machine's own address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def main(names):
    with tempfile.TemporaryDirectory() as temporary, open_browser() as browser:
        folder = Path(temporary) / "html"
        export_html.main([str(folder)])
        paths = [folder / "index.html", *sorted((folder / "notebooks").glob("*.html"))]
        with served(folder) as address:
            columns = f"{'KB':>5} {'first picture, s':>16} {'whole page, s':>14}   frames a second, each slider"
            print(f"\n{'page':24} {columns}")
            for path in (path for path in paths if not names or path.stem in names):
                print(row(browser, path, f"{address}/{path.relative_to(folder).as_posix()}"), flush=True)


def row(browser, path, address):
    with browser.page() as page:
        devtools = page.context.new_cdp_session(page)
        devtools.send("Network.enable")
        devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
        devtools.send("Network.emulateNetworkConditions", CONNECTION)
        page.goto(address, wait_until="commit")
        seconds = page.evaluate(FIGURE)
        picture = f"{seconds / 1000:.1f}" if seconds else "all are folded"
        page.wait_for_load_state()
        whole = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventStart") / 1000
        said = f"   first reply: {page.evaluate(REPLY):.0f} ms" if path.stem == "index" else ""
        rates = [f"{slider.evaluate(FRAMES):.0f}" for slider in page.get_by_role("slider").all()]
    return f"{path.stem:24} {path.stat().st_size // 1000:5} {picture:>16} {whole:>14.1f}   {' '.join(rates)}{said}"


if __name__ == "__main__":
    main(sys.argv[1:])
