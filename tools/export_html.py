"""Export the course as pages that need neither Jupyter nor a network (`make html`).

    python tools/export_html.py [FOLDER]        FOLDER is build/html unless given; a ZIP of it is put beside it

The stored notebooks are taken as they are; nothing is run. The export mirrors the repository, and adds to it what its
pages link to:

    README.md, its title and table    ->  index.html
    notebooks/02_formula.ipynb        ->  notebooks/02_formula.html, and a copy to download, without outputs
    pe_lib/loop.py                    ->  pe_lib/loop.py.html
    tools/html/scripts/               ->  course.js: search, copy buttons; without it all can be read
    the text of all lessons           ->  search.js, which the search loads

A formula that does not become MathML, or a link that leads nowhere, stops the export: the exit status is 1, and nothing
is written.
"""

import argparse
import re
import shutil
import sys
import zipfile
from pathlib import Path, PurePosixPath

import nbformat
from html_links import README, BadLink, page_of, relative, relink
from html_page import page
from html_run import places_to_run, to_download
from html_scripts import INDEX, SHARED, index_script, shared_script
from mathml import BadFormula
from run_notebooks import NOTHING_YET

ROOT = Path(__file__).resolve().parent.parent
INDEX_SECTIONS = ("## The course\n", "## Licence\n")  # of README.md; with what stands above its first section
ABOUT = (
    "*These pages hold every lesson with its figures and results, and need neither a network nor Jupyter. Sliders move "
    "here, and a question whose answer is a value or a letter replies; nothing is sent anywhere. Code needs a place to "
    "run, and every lesson says below its title which there are. Answers and solutions are folded: press on a line "
    "that begins with ▸ to open it.*"
)
OURS = ROOT / "build" / "html"
LEFT_OUT = "colab"  # the tag of cells that prepare a hosted notebook
FOLDER_IN_ZIP = "positional-encoding"


class Stop(Exception):
    """The export cannot be right: one line that says where, and why."""


def export(root: Path) -> dict[PurePosixPath, bytes]:
    """All files of the export, by their paths in it: the index, the lessons, what they link to, and the scripts."""
    course = re.search(r"^# (.+)$", (root / README).read_text(encoding="utf-8"), re.M)[1]
    lessons = sorted((root / "notebooks").glob("*.ipynb"))
    files = [README, *(PurePosixPath(path.relative_to(root).as_posix()) for path in lessons)]
    pages, soups = {}, {}
    for file in files:  # grows while it is walked: each page may link to files that are not in it yet
        here = page_of(file)
        home, script = (relative(target, here) for target in (page_of(README), PurePosixPath(SHARED)))
        notebook = notebook_of(root, file)
        run = places_to_run(root, file) if file.suffix == ".ipynb" else None
        try:
            soup = page(notebook, course=course, home=home, script=script, run=run)
            linked = relink(root, file, soup)
        except (BadFormula, BadLink) as error:
            raise Stop(f"{file}: {error}") from None
        files += [target for target in linked if target not in files]
        pages[here] = str(soup).encode()
        if run:
            soups[str(here)] = soup
            pages[file] = to_download(root / file)
    scripts = {SHARED: shared_script(), INDEX: index_script(soups)}
    return pages | {PurePosixPath(name): text.encode() for name, text in scripts.items()}


def notebook_of(root: Path, file: PurePosixPath) -> nbformat.NotebookNode:
    """The file as a notebook: all that becomes a page comes through here."""
    if file.suffix == ".ipynb":
        notebook = nbformat.read(root / file, as_version=4)
        notebook.cells = [cell for cell in notebook.cells if LEFT_OUT not in cell.metadata.get("tags", [])]
        for cell in notebook.cells:
            if NOTHING_YET in cell.get("outputs", []):
                cell.outputs.remove(NOTHING_YET)
        return notebook
    text = (root / file).read_text(encoding="utf-8")
    if file == README:
        text = index_text(text)
    else:
        language = "python" if file.suffix == ".py" else "text"
        text = f"# `{file}`\n\n~~~~{language}\n{text}\n~~~~"
    # The id goes into the page. Without one nbformat makes it up, anew at every run.
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text, id="text")])


def index_text(readme: str) -> str:
    opening, *sections = re.split(r"^(?=## )", readme, flags=re.M)
    chosen = [section for section in sections if section.startswith(INDEX_SECTIONS)]
    if len(chosen) != len(INDEX_SECTIONS):
        raise Stop(f"{README}: not all of {INDEX_SECTIONS} are there")
    return "\n".join([opening, ABOUT, "", *chosen])


def write_folder(folder: Path, pages: dict[PurePosixPath, bytes]) -> None:
    for name, content in pages.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def write_zip(path: Path, pages: dict[PurePosixPath, bytes]) -> None:
    """The same pages give the same bytes: sorted, with one fixed date."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(pages):
            entry = zipfile.ZipInfo(f"{FOLDER_IN_ZIP}/{name}", date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, 0o644 << 16  # as written on Linux, wherever it is written
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, pages[name])


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Export the course as pages that need neither Jupyter nor a network.")
    parser.add_argument("folder", nargs="?", type=Path, default=OURS, help="default: build/html")
    folder = parser.parse_args(arguments).folder.resolve()
    try:
        pages = export(ROOT)
    except Stop as error:
        print(f"nothing exported: {error}")
        return 1
    if folder == OURS and folder.exists():
        shutil.rmtree(folder)  # a page of a lesson that is gone must not stay
    write_folder(folder, pages)
    archive = folder.with_name(f"{FOLDER_IN_ZIP}.zip")
    write_zip(archive, pages)
    print(f"{sum(name.suffix == '.html' for name in pages)} pages: open {folder / 'index.html'}")
    print(f"to mail: {archive}, {archive.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
