"""Files of the repository as notebooks, since every page is made from one: the first page, Markdown, and code."""

import re
from pathlib import Path, PurePosixPath

import links
import nbformat
from html_links import README
from run_notebooks import NOTHING_YET

PARTS = Path(__file__).resolve().parent / "html"
INDEX_SECTIONS = ("## The course\n", "## Licence\n")  # of README.md, below the toys and the doors
ABOUT = (
    "These pages hold every lesson with its figures and results, and need neither a network nor Jupyter. Pictures move "
    "here, and a question whose answer is a value or a letter replies; nothing is sent anywhere. Code needs a place to "
    "run, and every lesson says below its title which there are. Press a line that begins with ▸ to open it. "
    "[The source]({source}) is open, and every contribution is welcome."
)
# Of a lesson's first cell: the bar leads to its neighbours, and the box below its title to the places that run it.
ELSEWHERE = re.compile(r"^(?:\[.*[◀▶].*\)|Run a fresh copy on .*)\n*", re.M)
FOR_A_KERNEL = re.compile(r"^(installation|assessment\.test)\(", re.M)  # what is asked of the reader's own machine


class MissingSection(ValueError):
    """README.md has not what the first page is made from."""


def notebook_of(root: Path, file: PurePosixPath) -> nbformat.NotebookNode:
    """The file as a notebook: all that becomes a page comes through here."""
    if file.suffix == ".ipynb":
        return lesson(root / file)
    text = (root / file).read_text(encoding="utf-8")
    if file == README:
        source = links.link("clone", links.read_address(root)).removesuffix(".git")
        return nbformat.v4.new_notebook(cells=first_page(text, ABOUT.format(source=source)))
    if file.suffix == ".md":
        return nbformat.v4.new_notebook(cells=with_explorers(text))
    language = "python" if file.suffix == ".py" else "text"
    return nbformat.v4.new_notebook(cells=[markdown(f"# `{file}`\n\n~~~~{language}\n{text}\n~~~~", "text")])


def lesson(path: Path) -> nbformat.NotebookNode:
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = shown_cells(notebook.cells)
    notebook.cells[0].source = ELSEWHERE.sub("", notebook.cells[0].source)
    for cell in notebook.cells:
        if NOTHING_YET in cell.get("outputs", []):
            cell.outputs.remove(NOTHING_YET)
    return notebook


def shown_cells(cells: list) -> list:
    """Without cells that prepare a hosted notebook, and without what asks about the reader's own machine: the cell, and
    the text above it that leads to it."""
    out = set()
    for n, cell in enumerate(cells):
        if "colab" in cell.metadata.get("tags", []):
            out.add(n)
        elif cell.cell_type == "code" and FOR_A_KERNEL.search(cell.source):
            out |= {n, n - 1} if cells[n - 1].cell_type == "markdown" else {n}
    return [cell for n, cell in enumerate(cells) if n not in out]


def first_page(readme: str, about: str) -> list[nbformat.NotebookNode]:
    _, *sections = re.split(r"^(?=## )", readme, flags=re.M)
    chosen = [section for section in sections if section.startswith(INDEX_SECTIONS)]
    if len(chosen) != len(INDEX_SECTIONS):
        raise MissingSection(f"not all of {INDEX_SECTIONS} are there")
    front, doors = ((PARTS / name).read_text(encoding="utf-8") for name in ("front.html", "doors.html"))
    text = markdown("\n".join([*chosen, about]), "text")
    return [markdown(front, "front"), explorer("hero"), markdown(doors, "doors"), text]


def with_explorers(text: str) -> list[nbformat.NotebookNode]:
    """Markdown in which a line such as `<!-- explorer: broken -->` is a place for one."""
    parts = re.split(r"^<!-- explorer: (\w+) -->$", text, flags=re.M)
    return [explorer(part) if n % 2 else markdown(part, f"text-{n}") for n, part in enumerate(parts)]


def explorer(name: str) -> nbformat.NotebookNode:
    """One that stands on a page without its code."""
    return nbformat.v4.new_code_cell(f"explore.{name}()", id=f"page-{name}", metadata={"tags": ["explorer", "front"]})


def markdown(text: str, id: str) -> nbformat.NotebookNode:
    """The id goes into the page. Without one nbformat makes it up, anew at every run."""
    return nbformat.v4.new_markdown_cell(text, id=id)
