"""The pages of `make html`: their size, the time to a lesson's first figure, frames a second of each explorer.

    python benchmarks/pages.py          Chromium is needed, as for `make test-browser`

The connection is simulated in the browser: 1.6 Mbit/s, 150 ms for each answer, as on a telephone far from a mast. A
figure counts when it can be seen: its bytes have come, it is drawn, and not folded; the whole page, when all has come.
A slider moves once for each frame; the rate is that of the screen (60) unless a drawing takes longer than a frame.
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
    const images = [...document.querySelectorAll('.output_png img, .text_cell_render img')];
    const seen = images.some((image) => image.checkVisibility() && image.complete && image.naturalWidth);
    if (seen) requestAnimationFrame(() => drawn(performance.now()));
    else if (document.readyState === 'complete') drawn(null);
    else requestAnimationFrame(look);
  };
  look();
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


def main():
    with tempfile.TemporaryDirectory() as temporary, open_browser() as browser:
        folder = Path(temporary) / "html"
        export_html.main([str(folder)])
        with served(folder) as address:
            columns = f"{'KB':>5} {'first figure, s':>16} {'whole page, s':>14}   frames a second, each slider"
            print(f"\n{'lesson':24} {columns}")
            for path in sorted((folder / "notebooks").glob("*.html")):
                print(row(browser, path, f"{address}/notebooks/{path.name}"), flush=True)


def row(browser, path, address):
    with browser.page() as page:
        devtools = page.context.new_cdp_session(page)
        devtools.send("Network.enable")
        devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
        devtools.send("Network.emulateNetworkConditions", CONNECTION)
        page.goto(address, wait_until="commit")
        seconds = page.evaluate(FIGURE)
        figure = f"{seconds / 1000:.1f}" if seconds else "all are folded"
        page.wait_for_load_state()
        whole = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventStart") / 1000
        rates = [f"{slider.evaluate(FRAMES):.0f}" for slider in page.get_by_role("slider").all()]
    return f"{path.stem:24} {path.stat().st_size // 1000:5} {figure:>16} {whole:>14.1f}   {' '.join(rates)}"


if __name__ == "__main__":
    main()
