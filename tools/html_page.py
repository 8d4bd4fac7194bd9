"""One notebook as one HTML page that needs no network, and to be read no other file.

The look is in html/lesson (a template that extends nbconvert's `basic`) and html/course.css. The one script that the
page names (html_scripts.py) adds a search and buttons; the explorers are in the page itself.
"""

import functools
import re
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup
from html_questions import html_of_check, html_of_recall
from mathml import mathml
from nbconvert import HTMLExporter, TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from pe_course.explore.widget import as_html

QUESTIONS = {"question": html_of_check, "recalled": html_of_recall}
LOOK = Path(__file__).resolve().parent / "html"


class Renderer(IPythonRenderer):
    """nbconvert's Markdown, but formulas are MathML instead of TeX for MathJax."""

    def inline_math(self, body: str) -> str:
        return mathml(body)

    def block_math(self, body: str) -> str:
        return f'<span class="formula">{mathml(body, display="block")}</span>'

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(rf"\begin{{{name}}}{body}\end{{{name}}}")


def markdown_to_html(source: str) -> str:
    return MarkdownWithMath(renderer=Renderer(escape=False, exclude_anchor_links=True)).render(source)


def explorer(source: str) -> str:
    """The program that a cell such as `explore.table()` shows in a notebook."""
    return as_html(re.fullmatch(r"explore\.(\w+)\(\)", source)[1])


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
    """The notebook as a page. about: the title of the whole ``course``, the links to its first page (``home``) and its
    ``script``, and for a lesson the places to ``run`` it."""
    css = (LOOK / "course.css").read_text(encoding="utf-8")
    html, _ = exporter().from_notebook_node(notebook, {**about, "css": css})
    soup = BeautifulSoup(html, "html.parser")
    finish(soup, about["course"])
    return soup


def finish(soup: BeautifulSoup, course: str) -> None:
    """What concerns the page as a whole: its title, the anchors of its headings, wide tables."""
    title = soup.h1.get_text()
    soup.title.string = title if title == course else f"{title} · {course}"
    for heading in soup.main(["h1", "h2", "h3", "h4", "h5", "h6"]):
        heading["id"] = heading.get_text().replace(" ", "-")  # as JupyterLab does: links between lessons rely on it
    for table in soup("table"):
        table.wrap(soup.new_tag("div", attrs={"class": "scroll"}))  # on a phone the table scrolls, not the page
