"""The first page's toys as pictures: docs/hero.svg, which moves, for README.md, and docs/hero.png for a shared link.

    python tools/hero_picture.py            both; for the PNG Chromium is needed, as for `make test-browser`

The SVG needs no script. A tick comes and goes, = turns to ≠ and back, and clocks paint the table, row by row. Its
numbers are computed here, from the seed that pe_course/explore/attention.js names.
"""

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from hero_style import LEVELS, style  # noqa: E402

from pe_lib import sinusoidal_vectorized  # noqa: E402

WORDS = ["dog", "bites", "man"]
ROWS, COLUMNS = 40, 16
LEFT, TOP, CELL, HIGH = 76, 92, 54, 40  # of the numbers: cells 54 wide and 40 high
PANEL, WIDE, STEP = 576, 26, 5.5  # of the table: its left edge, and its cells


def attended(order: list[str], table: bool) -> dict[str, np.ndarray]:
    """What attention without a mask makes of each word."""
    seed = np.random.default_rng(2271)
    vectors = dict(zip(WORDS, seed.uniform(-1, 1, (3, 4)).round(2), strict=True))
    query, key, value = (seed.uniform(-1, 1, (4, 4)).round(2) for _ in range(3))
    x = np.array([vectors[word] for word in order]) + table * sinusoidal_vectorized(3, 4)
    scores = (x @ query) @ (x @ key).T / 2
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return dict(zip(order, shares @ (x @ value), strict=True))


def level(value: float) -> int:
    return round((value + 1) * LEVELS / 2)


def rect(kind: str, x: float, y: float, width: float, height: float, more: str = "") -> str:
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {more}/>'


def sentence(words: list[str], left: float, kind: str) -> str:
    widths = {"dog": 56, "bites": 68, "man": 60}
    parts = []
    for word in words:
        middle = left + widths[word] / 2
        parts.append(f'<rect class="tile {kind}" x="{left}" y="44" width="{widths[word]}" height="34" rx="17"/>')
        parts.append(f'<text class="c {"q" if kind else ""}" x="{middle}" y="67">{word}</text>')
        left += widths[word] + 6
    return "".join(parts)


def numbers(table: bool) -> str:
    """Both sentences' outputs, word by word, and = or ≠ between them."""
    first, second = attended(WORDS, table), attended(WORDS[::-1], table)
    parts = []
    for n, word in enumerate(WORDS):
        y = TOP + n * (HIGH + 8)
        for left, output in ((LEFT, first[word]), (LEFT + 4 * CELL + 42, second[word])):
            for column, value in enumerate(output):
                x = left + column * CELL
                shown = f"{round(value, 2) + 0:.2f}".replace("0.", ".", 1).replace("-", "−")
                parts.append(rect(f"s{level(value)}", x, y, CELL - 3, HIGH, 'rx="4"'))
                far = " far" if abs(value) > 0.66 else ""
                parts.append(f'<text class="n{far}" x="{x + CELL / 2 - 1}" y="{y + 26}">{shown}</text>')
        same = np.allclose(first[word], second[word], rtol=0, atol=1e-12)
        sign = f'class="big{"" if same else " ne"}" x="{LEFT + 4 * CELL + 19}" y="{y + 29}">{"=" if same else "≠"}'
        parts.append(f"<text {sign}</text>")
    said = "Every word comes out different." if table else "Every word comes out the same, number for number."
    return f'<g class="{"on" if table else "off"}">{"".join(parts)}<text x="0" y="{TOP + 174}">{said}</text></g>'


def clocks() -> str:
    parts = []
    for k in range(COLUMNS // 2):
        middle = PANEL + (2 * k + 1) * WIDE
        hand = '<line class="hand" y2="-19"/><circle class="tip" cy="-19" r="4"/>'
        inner = f'<circle class="face" r="21"/><g class="k{k}">{hand}</g>'
        parts.append(f'<g transform="translate({middle} 66)">{inner}</g>')
    return "".join(parts)


def table() -> str:
    """The whole table, and a veil in the colour of the ground that goes down one row at a time."""
    rows = [
        rect(f"s{level(value)}", PANEL + column * WIDE, TOP + pos * STEP, WIDE, STEP)
        for pos, values in enumerate(sinusoidal_vectorized(ROWS, COLUMNS))
        for column, value in enumerate(values)
    ]
    whole = PANEL, TOP, COLUMNS * WIDE, ROWS * STEP
    veil = f'<g clip-path="url(#edge)">{rect("ground veil", *whole)}</g>'
    edge = f'<clipPath id="edge">{rect("edge", *whole)}</clipPath>'
    return f'{edge}<g shape-rendering="crispEdges">{"".join(rows)}{veil}</g>{rect("frame", *whole)}'


def svg() -> str:
    words = "".join(f'<text x="0" y="{TOP + n * (HIGH + 8) + 26}">{word}</text>' for n, word in enumerate(WORDS))
    box = '<rect class="box" x="0" y="4" width="20" height="20" rx="4"/><path class="tick on" d="M4 14l5 6l9 -13"/>'
    caption = f'<text x="{PANEL}" y="20">Clocks paint the table of positions</text>'
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-14 -8 1020 330" role="img">',
            "<title>dog bites man and man bites dog: attention without a mask gives each word the same four numbers in "
            "both. With the table of positions, they differ. Eight clocks paint the table, row by row.</title>",
            f"<style>{style(ROWS, COLUMNS, STEP)}</style>",
            '<rect class="ground" x="-14" y="-8" width="1020" height="330" rx="12"/>',
            f'{box}<text x="30" y="20">add the table of positions</text>{caption}',
            sentence(WORDS, LEFT + 8, "fixed"),
            sentence(WORDS[::-1], LEFT + 4 * CELL + 50, ""),
            f"{words}{numbers(False)}{numbers(True)}",
            f"{clocks()}{table()}",
            "</svg>\n",
        ]
    )


CARD = """<!DOCTYPE html><style>body {{ margin: 0; width: 1200px; height: 630px; background: #fff; overflow: hidden }}
h1 {{ font: 700 52px/1.2 system-ui, sans-serif; margin: 62px 84px 34px; color: #1d2126 }} em {{ white-space: nowrap }}
svg {{ width: 1040px; margin-left: 72px }}</style>
<h1>A transformer cannot tell <br><em>dog bites man</em> from <em>man bites dog</em>.</h1>{svg}"""


def write_png(path: Path) -> None:
    """1200 x 630, as those who show a shared link want it."""
    from browser import open_browser

    size = {"width": 1200, "height": 630}
    with open_browser(viewport=size, reduced_motion="reduce") as browser, browser.page() as page:
        page.set_content(CARD.format(svg=svg()))
        page.screenshot(path=path)


if __name__ == "__main__":
    (ROOT / "docs" / "hero.svg").write_text(svg(), encoding="utf-8")
    write_png(ROOT / "docs" / "hero.png")
