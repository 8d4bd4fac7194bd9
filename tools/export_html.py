"""Export the course as pages that need neither Jupyter nor a network (`make html`).

    python tools/export_html.py [FOLDER]        FOLDER is build/html unless given; a ZIP of it is put beside it

The stored notebooks are taken as they are; nothing is run. The export mirrors the repository, and adds to it what its
pages link to:

    README.md, its table              ->  index.html, below two toys and four doors (html/front.html, doors.html)
    notebooks/02_formula.ipynb        ->  notebooks/02_formula.html, and a copy to download, without outputs
    pe_lib/loop.py                    ->  pe_lib/loop.py.html
    TEACHING.md                       ->  TEACHING.html
    tools/html/scripts/               ->  course.js: search, copy buttons; without it all can be read
    tools/html/font/                  ->  the font of formulas
    the text of all lessons           ->  search.js, which the search loads

The ZIP is for learners: it leaves out TEACHING.html, and the pages to which only TEACHING.html leads.

A formula that does not become MathML, or a link that leads nowhere, stops the export: the exit status is 1, and nothing
is written.
"""

import argparse
import posixpath
import re
import shutil
import sys
import zipfile
from pathlib import Path, PurePosixPath

try:
    from bs4 import BeautifulSoup
    from html_bar import bar, titles
    from html_front import MissingSection, notebook_of
    from html_links import README, BadLink, page_of, relative, relink
    from html_page import page
    from html_run import places_to_run, public_address, to_download
    from html_scripts import INDEX, SHARED, index_script, shared_script
    from mathml import BadFormula
except ModuleNotFoundError as missing:
    sys.exit(
        f"{missing.name} is not installed, and the pages need it: `make html` installs it, "
        'and so does `python -m pip install -e ".[pages]"`.'
    )

ROOT = Path(__file__).resolve().parent.parent
OURS = ROOT / "build" / "html"
FOLDER_IN_ZIP = "positional-encoding"
FONT = "stix-two-math.woff2"
FOR_TEACHERS = page_of(PurePosixPath("TEACHING.md"))
# What lies beside the pages: a page's path in the export -> the file of the repository.
BESIDE = {
    FONT: ROOT / "tools" / "html" / "font" / FONT,
    "stix-two-math.LICENSE.txt": ROOT / "tools" / "html" / "font" / "LICENSE",
    "hero.png": ROOT / "docs" / "hero.png",
}


class Stop(Exception):
    """The export cannot be right: one line that says where, and why."""


def export(root: Path) -> dict[PurePosixPath, bytes]:
    """All files of the export, by their paths in it: the index, the lessons, what they link to, and the scripts."""
    course = re.search(r"^# (.+)$", (root / README).read_text(encoding="utf-8"), re.M)[1]
    lessons = titles(root)
    files = [README, *lessons]
    pages, soups = {}, {}
    for file in files:  # grows while it is walked: each page may link to files that are not in it yet
        here = page_of(file)
        script, font = (relative(PurePosixPath(target), here) for target in (SHARED, FONT))
        about = {"course": course, "script": script, "font": font, "here": here, "public": public_address(root)}
        if file in lessons:
            about["run"] = places_to_run(root, file)
        try:
            soup = page(notebook_of(root, file), front=file == README, **about, **bar(lessons, file))
            linked = relink(root, file, soup)
        except (BadFormula, BadLink, MissingSection) as error:
            raise Stop(f"{file}: {error}") from None
        files += [target for target in linked if target not in files]
        pages[here] = str(soup).encode()
        if file in lessons:
            soups[str(here)] = soup
            pages[file] = to_download(root / file)
    scripts = {SHARED: shared_script(), INDEX: index_script(soups)}
    pages |= {PurePosixPath(name): text.encode() for name, text in scripts.items()}
    return pages | {PurePosixPath(name): source.read_bytes() for name, source in BESIDE.items()}


def for_learners(pages: dict[PurePosixPath, bytes]) -> dict[PurePosixPath, bytes]:
    """The export without TEACHING.html, without the door to it, and without the pages to which only it leads.

    Among these are the sheets with their answers, and the questions of the test with their marks.
    """
    first = page_of(README)
    index = BeautifulSoup(pages[first], "html.parser")
    for door in index("a", href=str(FOR_TEACHERS)):
        door.decompose()
    pages = {**pages, first: str(index).encode()}
    reached = [first]
    for here in reached:  # grows while it is walked
        links = re.findall(r'href="([^":#]+\.html)["#]', pages[here].decode())
        targets = {PurePosixPath(posixpath.normpath(here.parent / link)) for link in links}
        reached += sorted(target for target in targets if target in pages and target not in reached)
    return {name: content for name, content in pages.items() if name.suffix != ".html" or name in reached}


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
    write_zip(archive, for_learners(pages))
    print(f"{sum(name.suffix == '.html' for name in pages)} pages: open {folder / 'index.html'}")
    print(f"to mail to learners: {archive}, {archive.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
