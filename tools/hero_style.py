"""The look of docs/hero.svg: colours in light and in dark, and what moves (tools/hero_picture.py)."""

import math
import re
from pathlib import Path

import numpy as np

from pe_lib import frequencies

SHADES = Path(__file__).resolve().parent.parent / "pe_course" / "explore" / "shades.js"
LEVELS = 20  # of shades, below and above 0 together
SECONDS = 10  # of one round: half of it without the table, half with it


def palette(name: str) -> list[str]:
    """The colours of shades.js, at all levels."""
    script = SHADES.read_text(encoding="utf-8")
    anchors = re.search(rf'const {name} = anchors\("(.*?)"\)', script)[1].split()
    channels = [[int(hex[at : at + 2], 16) for hex in anchors] for at in (0, 2, 4)]
    places = np.linspace(0, len(anchors) - 1, LEVELS + 1)
    return ["#" + "".join(f"{round(np.interp(p, range(len(anchors)), c)):02x}" for c in channels) for p in places]


def style(rows: int, columns: int, step: float) -> str:
    """The styles, for a table of so many rows and columns whose rows are ``step`` high."""

    def shades(name):
        return "".join(f".s{n}{{fill:{colour}}}" for n, colour in enumerate(palette(name)))

    turns = "".join(
        f"@keyframes k{k}{{to{{transform:rotate({math.degrees(rows * f):.2f}deg)}}}}"
        f".k{k}{{animation:k{k} {SECONDS}s linear infinite}}"
        for k, f in enumerate(frequencies(columns))
    )
    return f"""
text {{ font: 600 17px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #1d2126 }}
.n {{ font-size: 15px; font-weight: 400; text-anchor: middle; fill: #000 }} .n.far {{ fill: #fff }}
.c {{ text-anchor: middle }} .q {{ fill: #59616b }} .big {{ font-size: 26px; text-anchor: middle }}
.tile, .box, .face, .frame {{ fill: none; stroke: #005a8f; stroke-width: 1.5 }}
.fixed, .face, .frame {{ stroke: #9aa3ad }}
.hand {{ stroke: #d55e00; stroke-width: 3; stroke-linecap: round }} .tip, .ne {{ fill: #d55e00 }}
.tick {{ stroke: #005a8f; stroke-width: 3; fill: none }} .ground {{ fill: #fff }}
{shades("LIGHT")}
@media (prefers-color-scheme: dark) {{
text {{ fill: #e4e6e9 }} .n {{ fill: #fff }} .n.far {{ fill: #000 }} .q {{ fill: #a3abb5 }} .ground {{ fill: #16191d }}
.tile, .box, .tick {{ stroke: #7cc0ee }} .fixed, .face, .frame {{ stroke: #59616b }}
.hand {{ stroke: #ff9146 }} .tip, .ne {{ fill: #ff9146 }}
{shades("DARK")}
}}
@keyframes half {{ 0%, 50% {{ visibility: hidden }} 50.01%, 100% {{ visibility: visible }} }}
@keyframes other {{ 0%, 50% {{ visibility: visible }} 50.01%, 100% {{ visibility: hidden }} }}
@keyframes paint {{ to {{ transform: translateY({rows * step}px) }} }}
.on {{ animation: half {SECONDS}s infinite }} .off {{ animation: other {SECONDS}s infinite }}
.veil {{ animation: paint {SECONDS}s steps({rows}) infinite }}
{turns}
@media (prefers-reduced-motion: reduce) {{ * {{ animation: none !important }} .on, .veil {{ visibility: hidden }} }}
"""
