"""The scripts of the exported pages: one that all pages share, and the index that its search reads.

Both are plain scripts that the pages name by a path: a page opened from a folder may load these, and neither a module
nor a file of data.
"""

import json
import re
from pathlib import Path

from bs4 import BeautifulSoup

SCRIPTS = Path(__file__).resolve().parent / "html" / "scripts"
ORDER = ("run", "scroll", "copy", "search")
SHARED, INDEX = "course.js", "search.js"  # their names in the export


def shared_script() -> str:
    """All of them as one: each is written as a module, so that tests can ask it."""
    parts = "\n".join((SCRIPTS / f"{name}.js").read_text(encoding="utf-8") for name in ORDER)
    parts = re.sub(r"^import .*\n", "", parts, flags=re.M)
    return '(() => {\n"use strict";\n' + re.sub(r"^export ", "", parts, flags=re.M) + "})();\n"


def index_script(lessons: dict[str, BeautifulSoup]) -> str:
    """The index of the lessons, by their paths in the export."""
    index = [[soup.h1.get_text(), path, sections(soup)] for path, soup in lessons.items()]
    return f"globalThis.courseIndex = {json.dumps(index, ensure_ascii=False, separators=(',', ':'))};\n"


def sections(soup: BeautifulSoup) -> list[list[str]]:
    """(heading, its id, the text and code below it) of a lesson. What is folded, printed or a formula is left out."""
    found = []
    for part in soup.main.find_all(class_=["text_cell_render", "input"]):
        if part.find_parent("details"):
            continue
        for element in part.find_all(recursive=False) if "text_cell_render" in part["class"] else [part]:
            if re.fullmatch("h[1-6]", element.name):
                found.append([element.get_text(), element["id"], []])
            elif element.name != "details":
                found[-1][2].append(without_formulas(element))
    return [[heading, id, " ".join(" ".join(texts).split())] for heading, id, texts in found]


def without_formulas(element) -> str:
    return "".join(text for text in element.find_all(string=True) if not text.find_parent("math"))
