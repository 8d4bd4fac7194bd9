"""The plan of 90 minutes as slides: one file for the projector, which needs no network (`make slides`).

    python tools/slides.py [FILE]       build/slides.html unless given

docs/slides.md holds their text: ## is a time of the plan in TEACHING.md, ### a slide. These lines stand for more:

    <!-- answer -->                        the rest of the slide comes with a second key press
    <!-- explorer: hero -->                an explorer, as on the pages
    <!-- code: 06 swap-run -->             a cell of a lesson
    <!-- output: 02 scoreboard-run -->     what is stored below it
    <!-- sheet: find_the_mistake 1 -->     what stands below a heading of a sheet in docs/sheets/
"""

import re
import sys
from base64 import b64encode
from functools import cache
from html import escape
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup
from export_html import ROOT  # first: it says in a line what is not installed
from html_page import LOOK, markdown_to_html
from html_policy import declare
from nbconvert.filters import Highlight2HTML

from pe_course.explore.widget import as_html

DECK = ROOT / "docs" / "slides.md"
PLACE = re.compile(r"^<!-- (\w+): (.+) -->$", re.M)
ANSWER = "<!-- answer -->"
FONT = LOOK / "font" / "stix-two-math.woff2"


@cache
def cell(where):
    """The cell that "06 swap-run" names."""
    lesson, id = where.split()
    (path,) = (ROOT / "notebooks").glob(f"{lesson}_*.ipynb")
    return next(cell for cell in nbformat.read(path, as_version=4).cells if cell.id == id)


def code(where):
    return Highlight2HTML(pygments_lexer="python")(cell(where).source)


def output(where):
    return "".join(shown(one) for one in cell(where).outputs)


def shown(output):
    """One stored output: a figure, or text."""
    data = output.get("data", {"text/plain": output.get("text", "")})
    if "image/png" not in data:
        return f"<pre>{escape(data.get('text/plain', '').strip())}</pre>" if data else ""
    about = output.metadata["image/png"]
    source = f"data:image/png;base64,{data['image/png'].strip()}"
    return f'<img src="{source}" alt="{escape(about["alt"])}" width="{1.35 * about["width"]:.0f}">'


def sheet(where):
    name, heading = where.split(" ", 1)
    text = (ROOT / "docs" / "sheets" / f"{name}.md").read_text(encoding="utf-8")
    section = re.search(rf"^##+ {heading}\b[^\n]*\n(.*?)(?=^##|\Z)", text, re.M | re.S)[1]
    return markdown_to_html("\n".join(line for line in section.splitlines() if line.startswith("|")))


KINDS = {"explorer": as_html, "code": code, "output": output, "sheet": sheet}


def html_of(text):
    """Markdown, and what its places stand for."""
    text, kind, what, *rest = [*PLACE.split(text, maxsplit=1), None, None][:4]
    html = markdown_to_html(text)
    return html + KINDS[kind](what) + html_of(rest[0]) if kind else html


def plan():
    """The rows of the plan: when it begins -> what stands at the foot of its slides."""
    table = (ROOT / "TEACHING.md").read_text(encoding="utf-8").partition("### 90 minutes\n")[2].partition("\n### ")[0]
    rows = re.findall(r"^\| (\d:\d\d) \| (\d+) \| (\d\d) \|", table, re.M)
    return {start: f"{start} · {minutes} minutes · lesson {lesson}" for start, minutes, lesson in rows}


def slides(deck, clock):
    """Each slide as HTML."""
    for part in re.split(r"^## ", deck, flags=re.M)[1:]:
        start, _, text = part.partition("\n")
        for slide in re.split(r"^(?=### )", text, flags=re.M)[1:]:
            question, _, answer = slide.partition(ANSWER)
            hidden = f'<div class="answer">{html_of(answer)}</div>' if answer else ""
            yield f"<section><div>{html_of(question)}{hidden}</div><footer>{clock[start]}</footer></section>"


def page(deck):
    title = re.search(r"^# (.+)$", deck, re.M)[1]
    css = [(LOOK / name).read_text(encoding="utf-8") for name in ("course.css", "slides/slides.css")]
    source = f"data:font/woff2;base64,{b64encode(FONT.read_bytes()).decode()}"
    font = f'@font-face {{ font-family: "Course Math"; src: url("{source}"); }}'
    script = (LOOK / "slides" / "slides.js").read_text(encoding="utf-8")
    soup = BeautifulSoup(
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{font}\n{"".join(css)}</style></head>'
        f'<body class="slides"><main>{"".join(slides(deck, plan()))}</main><script>{script}</script></body></html>',
        "html.parser",
    )
    for heading in soup.main("h3"):
        heading.name = "h1"  # one slide is seen at a time
    declare(soup)
    return str(soup)


def main(arguments):
    target = Path(arguments[0]) if arguments else ROOT / "build" / "slides.html"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(DECK.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"open {target}: the arrow keys move, and an answer takes a key press; {target.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
