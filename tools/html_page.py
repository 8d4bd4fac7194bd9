"""One notebook as one HTML page that needs no network, and to be read no other file.

The look is in html/lesson (a template that extends nbconvert's `basic`) and html/course.css. The one script that the
page names (html_scripts.py) adds a search and buttons; the explorers are in the page itself.
"""

import functools
import re
from pathlib import Path
from urllib.parse import quote

import nbformat
from bs4 import BeautifulSoup
from equations import equations
from html_policy import declare
from html_questions import html_of_check, html_of_recall
from mathml import mathml
from nbconvert import HTMLExporter, TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from pe_course.explore.widget import as_html

QUESTIONS = {"question": html_of_check, "recalled": html_of_recall}
ABOUT = (
    "Attention without a mask cannot tell dog bites man from man bites dog. Derive, write, break and mend the table of "
    "sines that can, in short notebooks; then RoPE, ALiBi, and a check that names the mistake in anyone's code."
)
LOOK = Path(__file__).resolve().parent / "html"


class Renderer(IPythonRenderer):
    """nbconvert's Markdown, but formulas are MathML instead of TeX for MathJax."""

    def inline_math(self, body: str) -> str:
        return mathml(body)

    def block_math(self, body: str) -> str:
        return equations(body)

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(rf"\begin{{{name}}}{body}\end{{{name}}}")


def markdown_to_html(source: str) -> str:
    return MarkdownWithMath(renderer=Renderer(escape=False, exclude_anchor_links=True)).render(source)


def explorer(source: str) -> str:
    """The program that a cell such as `explore.table()` shows in a notebook."""
    return as_html(re.fullmatch(r"explore\.(\w+)\(\)", source)[1], remember=True)


def as_it_is(html: str) -> str:
    return html


class Exporter(HTMLExporter):
    """nbconvert's for HTML, without its second look at each page, for figures without words: tests forbid those."""

    def from_notebook_node(self, nb, resources=None, **more):
        return TemplateExporter.from_notebook_node(self, nb, resources, **more)


@functools.cache
def exporter() -> Exporter:
    return Exporter(
        template_name="lesson",
        extra_template_basedirs=[str(LOOK)],
        filters={
            "markdown2html": markdown_to_html,
            "highlight_code": Highlight2HTML(pygments_lexer="python"),
            "clean_html": as_it_is,  # what the course itself has written harms nobody
            "explorer": explorer,
            **QUESTIONS,
        },
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )


def page(notebook: nbformat.NotebookNode, **about: object) -> BeautifulSoup:
    """The notebook as a page. about: what the templates in html/lesson fill in, such as the title of the ``course``."""
    css = (LOOK / "course.css").read_text(encoding="utf-8")
    icon = "data:image/svg+xml," + quote((LOOK / "icon.svg").read_text(encoding="utf-8").strip())
    html, _ = exporter().from_notebook_node(notebook, {"about": ABOUT, **about, "css": css, "icon": icon})
    soup = BeautifulSoup(html, "html.parser")
    finish(soup, about["course"], is_lesson="run" in about)
    return soup


def finish(soup: BeautifulSoup, course: str, is_lesson: bool) -> None:
    """What concerns the page as a whole: its title, the anchors of its headings, wide tables, what it may load."""
    soup.title.string = f"{soup.h1.get_text()} · {course}"
    soup.find("meta", property="og:title")["content"] = soup.title.string
    if is_lesson and (text := first_sentences(soup)):
        for named in ({"name": "description"}, {"property": "og:description"}):
            soup.find("meta", attrs=named)["content"] = text
    for heading in soup.main(["h1", "h2", "h3", "h4", "h5", "h6"]):
        text = heading.get_text()
        heading["id"] = text.replace(" ", "-") if is_lesson else anchor(text)
    for table in soup("table"):
        table.wrap(soup.new_tag("div", attrs={"class": "scroll"}))  # on a phone the table scrolls, not the page
    declare(soup)


def first_sentences(soup: BeautifulSoup) -> str:
    """The first paragraph of a lesson that is more than a line, at most 200 characters."""
    paragraphs = (paragraph for paragraph in soup.main("p") if not paragraph.find_parent("details"))
    texts = (" ".join(paragraph.get_text().split()) for paragraph in paragraphs)
    text = next((text for text in texts if len(text) > 80), "")
    return text if len(text) <= 200 else text[:199].rsplit(" ", 1)[0] + " …"


def anchor(heading: str) -> str:
    """As GitHub does; in lessons links follow JupyterLab."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
