"""The scripts of the exported pages: one that all pages share, and the index that its search reads.

Both are plain scripts that the pages name by a path: a page opened from a folder may load these, and neither a module
nor a file of data.
"""

import json
import re
from pathlib import Path

from bs4 import BeautifulSoup

SCRIPTS = Path(__file__).resolve().parent / "html" / "scripts"
ORDER = (
    *("make", "run", "scroll", "print", "contents", "copy", "search"),
    *("reading", "showing", "answers", "questions", "paste"),
)
SHARED, INDEX = "course.js", "search.js"  # their names in the export


def shared_script() -> str:
    """All of them as one."""
    return f'(() => {{\n"use strict";\n{joined(*ORDER)}}})();\n'


def joined(*names: str) -> str:
    """Some of them, each written as a module of its own, in one scope: so tests can ask them, too."""
    parts = "\n".join((SCRIPTS / f"{name}.js").read_text(encoding="utf-8") for name in names)
    return re.sub(r"^import .*\n|^export ", "", parts, flags=re.M)


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
