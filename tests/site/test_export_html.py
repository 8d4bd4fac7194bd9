"""The pages hold all that the notebooks hold, and need neither Jupyter nor a network to show it.

What their scripts do is tested in a browser: test_browser_pages.py.
"""

import base64
import copy
import hashlib
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
import zipfile
from itertools import pairwise
from pathlib import PurePosixPath
from urllib.parse import unquote

import export_html
import html_front
import html_run
import links
import nbformat
import pytest
from bs4 import BeautifulSoup
from course import LESSONS, NUMBERED, ROOT, exercises_of, figures, in_every_lesson, pyproject, python_code, shown, tags
from export_html import Stop, export
from programs import computed

from pe_course.assessment.bank import bank
from pe_course.explore.widget import source

LARGEST_MAIL = 3_000_000  # bytes
FOR_TEACHERS = {  # the ZIP for learners leaves them out
    *("TEACHING.html", "docs/assessing.html", "docs/hosting.html", "pe_course/assessment/bank.html"),
    *("docs/sheets/a_table_by_hand.html", "docs/sheets/find_the_mistake.html", "tools/hosted/README.html"),
}


@pytest.fixture(scope="module")
def pages(exported):
    """Every page, parsed, by its path."""
    return {path: parsed(path.read_bytes()) for path in sorted(exported.rglob("*.html"))}


@pytest.fixture
def page_of(exported, pages):
    return lambda lesson: pages[exported / "notebooks" / f"{lesson.name}.html"]


def parsed(page):
    return BeautifulSoup(page, "html.parser")


def one_line(text):
    return " ".join(text.split())


def without_spaces(text):
    return "".join(text.split())


def shown_texts(lesson):
    return [cell for cell in html_front.shown_cells(lesson.cells) if cell.cell_type == "markdown"]


def without_code(lesson):
    """All text of a lesson, an x for each piece of code."""
    text = "\n".join(cell.source for cell in shown_texts(lesson))
    return re.sub(r"^```.*?^```|`[^`\n]*`", "x", text, flags=re.S | re.M)


def test_the_first_page_says_what_it_is_where_its_source_is_and_holds_the_table_of_the_readme(exported, pages):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = [line.strip("|").split("|") for line in readme.splitlines() if re.match(r"\| *\[(?:\d\d|A) ", line)]
    expected = [[re.sub(r"\[(.*?)\]\([^)]*\)|`(.*?)`", r"\1\2", cell).strip() for cell in row] for row in rows]
    table = pages[exported / "index.html"].table
    assert [[cell.get_text() for cell in row("td")] for row in table("tr")[1:]] == expected
    assert [row.a["href"] for row in table("tr")[1:]] == [f"notebooks/{lesson.name}.html" for lesson in LESSONS]
    page = pages[exported / "index.html"]
    assert page.find(class_="lead").b.get_text() == f"Positional encoding: a course in {len(NUMBERED)} lessons."
    source_of_all = links.link("clone", links.read_address()).removesuffix(".git")
    assert page.main.find("a", string="The source")["href"] == source_of_all
    game = pages[exported / "docs" / "check.html"]
    assert source("broken") in game.find("script", type="module").string and game.find(id="paste")


@in_every_lesson
def test_code_outputs_and_figures_are_all_there_and_what_is_to_be_predicted_is_folded(lesson, page_of):
    page = page_of(lesson)
    text = without_spaces(page.main.get_text())
    for cell in (cell for cell in html_front.shown_cells(lesson.cells) if cell.cell_type == "code"):
        assert without_spaces(cell.source) in text, lesson.at(cell, "its code is not on the page")
        if not figures([cell]) and "check" not in tags(cell):
            assert without_spaces(shown(cell)) in text, lesson.at(cell, "its output is not on the page")

    images = page.select(".output_png img")
    found = [("".join(image["src"].partition(",")[2].split()), image["alt"], image["width"]) for image in images]
    assert found == [(png, about["alt"], str(about["width"])) for png, about in figures(lesson.cells)]

    predicted = [cell for cell in lesson.code_cells if "predict" in tags(cell)]
    for fold, cell in zip(page("details", class_="predict"), predicted, strict=True):
        assert not fold.has_attr("open") and fold.find(class_="output"), lesson.at(cell, "is not folded")
    others = [cell for cell in lesson.code_cells if cell.outputs and not {"predict", "check"} & set(tags(cell))]
    shown_outputs = [one for one in page(class_="output") if not one.find_parent("details", class_=["predict", "code"])]
    assert len(shown_outputs) == len(others)


@in_every_lesson
def test_hints_and_solutions_are_folded_and_complete(lesson, page_of):
    page = page_of(lesson)
    ours = {"predict", "run", "code", "before"}
    folds = [fold for fold in page.main("details") if not ours & set(fold.get("class", []))]
    summaries = [one_line(fold.summary.get_text()) for fold in folds]
    code = [[block.get_text().strip() for block in fold.select(".highlight pre")] for fold in folds]
    blocks = [
        block
        for cell in shown_texts(lesson)
        for block in re.findall(r"^<details>\s*<summary>(.*?)</summary>(.*?)^</details>", cell.source, re.S | re.M)
    ]
    assert summaries == [one_line(parsed(summary).get_text()) for summary, _ in blocks]
    assert code == [[code.strip() for code in python_code(body)] for _, body in blocks]
    assert all(fold.select(".highlight span") for fold in folds if "Solution" in fold.summary), "not highlighted"
    assert summaries.count("Solution") == len(exercises_of(lesson))


@in_every_lesson
def test_explorers_questions_and_notes_stand_where_their_cells_are(lesson, page_of):
    """A note for a picture to move where no script runs, and instead of "not attempted yet"."""
    page, cells = page_of(lesson), [cell for cell in lesson.code_cells if "explorer" in tags(cell)]
    live = [cell for cell in lesson.code_cells if {"explorer", "check"} & set(tags(cell))]
    assert len(page(class_="note")) == len(live) and "not attempted" not in page.main.get_text()
    programs = [script.string for script in page("script", type="module")]
    names = [re.fullmatch(r"explore\.(\w+)\(\)", cell.source)[1] for cell in cells]
    assert len(page("details", class_="code")) == len(names), "the code is folded"
    assert all(source(name) in text for name, text in zip(names, programs, strict=True))
    # Imports, and questions about earlier lessons: who reads a page comes for what follows.
    imports, *questions = page("details", class_="before")
    asked = any(cell.id == "from-memory" for cell in lesson.cells)
    assert "import" in imports.pre.get_text()
    assert [fold.h2.get_text() for fold in questions] == ["From memory"] * asked


def test_what_a_page_has_no_use_for_is_left_out(tiny_course):
    """What asks about the own machine, with the text that leads to it; the cell for Colab; a badge as a picture."""
    kept = nbformat.v4.new_code_cell("print('kept')")
    asked = nbformat.v4.new_code_cell("from pe_course import installation\n\ninstallation()")
    colab = nbformat.v4.new_code_cell("print('set-up')", metadata={"tags": ["colab"]})
    badge = "[![Open in Colab](https://example.org/badge.svg)](https://example.org/open)"
    page = tiny_course("# Title", badge, colab, "Some text.", kept, "Run the next cell.", asked, "More text.")
    text = page.main.get_text()
    assert page.main.a.get_text() == "Open in Colab" and not page("img")
    assert all(words in text for words in ("Some text.", "kept", "More text."))
    assert not any(words in text for words in ("installation", "Run the next cell", "set-up"))


@in_every_lesson
def test_every_formula_is_mathml_and_every_link_is_there(lesson, page_of):
    """Links outside are unchanged. The title's are those that bar and box do not have."""
    text, page = without_code(lesson), page_of(lesson)
    formulas = re.findall(r"\$\$.+?\$\$|\$[^$\n]+\$|^\\begin\{.+?^\\end", text, flags=re.S | re.M)
    displayed = page("span", class_="formula")
    assert len(displayed) + len([one for one in page("math") if not one.find_parent(class_="formula")]) == len(formulas)
    raw = [text for text in page.main.strings if re.search(r"\$|\\[a-zA-Z]", text)]
    assert [text for text in raw if not text.find_parent(["pre", "code"])] == []

    pattern = r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)"
    found, titled = re.findall(pattern, text), re.findall(pattern, lesson.cells[0].source)
    found[: len(titled)] = [link for link in titled if link.endswith(".py")]
    expected = [
        link if link.startswith("https:") else link.replace(".py", ".py.html").replace(".ipynb", ".html")
        for link in found
    ]
    assert [anchor["href"] for anchor in page.main.select(".text_cell_render a")] == expected


def test_formulas_of_every_kind(tiny_course):
    page = tiny_course(
        r"# A $\sqrt{2}$ in the title",
        r"Inline $a < b$, and $\frac{1}{2}$; in code `$c$` stays. So does \$5.",
        "$$\n\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}\n$$",
        "\\begin{aligned}\na &= b \\\\\n&= c\n\\end{aligned}",
        "| $x_1$ | b |\n|---|---|\n| $\\sin x$ | $\\sin(x)$ |",
        r"Escaped: $\{ 50\% \& more \}$",
    )
    assert [len(page(tag)) for tag in ("math", "msqrt", "mfrac", "msub", "mtable")] == [9, 1, 1, 1, 2]
    assert [len(table("mtr")) for table in page("mtable")] == [2, 2]
    assert len(page("span", class_="formula")) == 2
    assert page.code.get_text() == "$c$" and "$5" in page.main.get_text()
    *_, apart, close, escaped = page("math")
    assert (len(apart("mspace")), len(close("mspace"))) == (1, 0), "a space before x, not before a bracket"
    assert escaped.get_text() == "{50%&more}"


def test_an_equation_has_a_line_of_its_own_and_breaks_before_its_signs(tiny_course):
    r"""At \qquad, before = and before + between terms; not in brackets, and not after the sign of a term."""
    page = tiny_course("# Title", r"$$ f(a + b) = (a + b) + c_{model} \qquad pos(b) = - b - [c - d] $$")
    lines = [
        [[without_spaces(math.get_text()) for math in side("math")] for side in line(class_="side")]
        for line in page(class_="equation")
    ]
    assert lines == [[["f(a+b)"], ["=(a+b)", "+cmodel"]], [["pos(b)"], ["=−b", "−[c−d]"]]]
    assert [name.get_text() for name in page("mi") if len(name.get_text()) > 1] == ["model", "pos"]


BROKEN = (r"\foo{x}", r"\frac{a", r"\frac{a}", "a}", "a_", "x^2^3", r"\begin{foo}a\end{foo}", "a & b", r"\left( a")
NAMED = [(f"${formula}$", f"the formula {formula!r}") for formula in BROKEN]
NAMED += [(f"[there]({link})", f"the link {link} ") for link in ("gone.ipynb", "../../outside.py")]


@pytest.mark.parametrize(("text", "named"), NAMED)
def test_a_broken_formula_or_link_stops_the_export(text, named, tmp_path, tiny_course, monkeypatch, capsys):
    with pytest.raises(Stop):
        tiny_course("# Title", text)
    monkeypatch.setattr(export_html, "ROOT", tmp_path)
    assert export_html.main([str(tmp_path / "html")]) == 1
    assert capsys.readouterr().out.startswith(f"nothing exported: notebooks/00_tiny.ipynb: {named}")
    assert not (tmp_path / "html").exists() and not (tmp_path / "positional-encoding.zip").exists()


def test_links_lead_to_a_page_and_a_heading_every_page_is_reached_and_code_shown_whole(exported, pages):
    reached, waiting = set(), {exported / "index.html"}
    while waiting:
        reached.add(path := waiting.pop())
        for anchor in pages[path]("a", href=True):
            if not (link := anchor["href"]).startswith("https://"):
                file, _, heading = unquote(link).partition("#")
                target = (path.parent / file).resolve() if file else path
                assert target.is_file() and (target in pages or anchor.has_attr("download")), f"{path}: {link}"
                assert not heading or pages[target].find(id=heading), f"{path}: no heading {link}"
                waiting |= {target} & pages.keys() - reached
    assert reached == pages.keys()
    shown_files = sorted((exported / "pe_lib").rglob("*.html"))
    assert shown_files
    for path in shown_files:
        file = path.relative_to(exported).as_posix().removesuffix(".html")
        assert pages[path].h1.get_text() == file
        assert pages[path].select_one(".highlight pre").get_text().strip() == (ROOT / file).read_text("utf-8").strip()


def test_pages_load_and_run_nothing_but_their_own_and_say_so_to_the_browser(exported, pages):
    """The script and the font of the folder, and scripts inside, by their hashes: nothing is put into a page."""
    for path, page in pages.items():
        assert not page(["iframe", "object", "embed", "base"]) and not page(srcset=True), path
        (icon,) = page("link")
        assert icon["rel"] == ["icon"] and icon["href"].startswith("data:image/svg+xml,"), path
        shared, *others = page("script")
        assert (path.parent / shared["src"]).resolve() == exported / "course.js" and shared.has_attr("defer"), path
        assert all(one["src"].startswith("data:image/") for one in page(src=True) if one is not shared), path
        styles = "".join(style.string for style in page("style"))
        (font,) = re.findall(r"url\(\"(.*?)\"\)", styles)
        assert (path.parent / font).resolve() == exported / export_html.FONT, path
        assert styles.count("url(") == 1 and not re.search(r"@import|https?:", styles), path

        (said,) = page("meta", attrs={"http-equiv": "Content-Security-Policy"})
        rules = dict(rule.split(" ", 1) for rule in said["content"].split("; "))
        assert rules["default-src"] == "'none'" and "unsafe" not in rules["script-src"], path
        inline = [script.string for script in others if script.get("type") != "application/json"]
        hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inline]
        assert rules["script-src"].split() == ["'self'", "file:", *(f"'sha256-{name}'" for name in hashes)], path
        assert not re.search(r"https?:|\*", said["content"]), path
        assert not [tag for tag in page(True) if any(name.startswith("on") for name in tag.attrs)], path


def test_pages_are_accessible_and_a_shared_link_shows_what_it_is(pages, exported):
    """Title, description, picture and icon: what a messenger and a search engine read."""
    for path, page in pages.items():
        levels = [int(heading.name[1]) for heading in page.main(re.compile("^h[1-6]$"))]
        assert levels[0] == 1 and levels.count(1) == 1, path
        assert all(level <= before + 1 for before, level in pairwise(levels)), path
        assert page.html["lang"] == "en" and page.h1.get_text() in page.title.get_text(), path
        ids = [element["id"] for element in page(id=True)]
        assert len(ids) == len(set(ids)), f"{path}: an id twice"
        assert all(len(image["alt"]) > 20 and "No description" not in image["alt"] for image in page("img")), path
        assert str(ROOT) not in str(page), path

        about = {tag.get("property") or tag.get("name"): tag["content"] for tag in page("meta", content=True)}
        assert about["og:title"] == page.title.string, path
        assert 50 < len(about["description"]) <= 250 and about["og:description"] == about["description"], path
        public = html_run.public_address(ROOT)
        assert about["og:image"] == f"{public}hero.png" and (exported / "hero.png").is_file(), path
        assert about["og:url"] == public + path.relative_to(exported).as_posix(), path
    texts = [page.find("meta", attrs={"name": "description"})["content"] for page in pages.values()]
    assert len(set(texts)) >= len(LESSONS)


@in_every_lesson
def test_the_bar_says_where_one_is_and_the_page_where_it_can_be_run(lesson, page_of, exported):
    header, place = page_of(lesson).header, LESSONS.index(lesson)
    steps = {link["rel"][0]: link["href"] for link in header("a", rel=True)}
    neighbours = {"prev": LESSONS[:place][-1:], "next": LESSONS[place + 1 : place + 2]}
    assert steps == {rel: f"{other.name}.html" for rel, found in neighbours.items() for other in found}
    counted = f"Lesson {lesson.number} · {place + 1} of {len(NUMBERED)}"
    assert header.summary.get_text() == (counted if lesson in NUMBERED else "Appendix")
    contents = [(link["href"], link.has_attr("aria-current")) for link in header.ol("a")]
    assert contents == [(f"{other.name}.html", other is lesson) for other in LESSONS]
    # The places to run it are those of its title cell, and of the course's address.
    box = page_of(lesson).find(id="run")
    titled = re.findall(r"\]\((https://[^)]+)\)", lesson.cells[0].source)
    assert [anchor["href"] for anchor in box("a")] == [*titled, lesson.path.name] and len(titled) == 2
    (first, second), address = (block.get_text() for block in box("pre")), links.read_address()
    assert links.link("pip", address) in first and links.link("clone", address) in second
    assert second.splitlines()[1] == "make lab" and not box.has_attr("open")

    copy = nbformat.read(exported / "notebooks" / lesson.path.name, as_version=4)
    nbformat.validate(copy)
    assert [(cell.id, cell.source) for cell in copy.cells] == [(cell.id, cell.source) for cell in lesson.cells]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in copy.cells)


@pytest.mark.parametrize(("tool", "target"), [("export_html", "html"), ("slides", "slides.html")])
def test_what_is_missing_is_named(tool, target, tmp_path):
    """After a plain `make lab`: one line, and no traceback."""
    (tmp_path / "latex2mathml.py").write_text("raise ModuleNotFoundError(name='latex2mathml')")
    command = [sys.executable, str(ROOT / "tools" / f"{tool}.py"), str(tmp_path / target)]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=paths)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("latex2mathml is not installed, and ")


def test_the_extra_pages_names_what_the_export_imports():
    """Third parties that tools/ import for the pages; PyTorch and NumPy come with the course."""
    extra = pyproject()["project"]["optional-dependencies"]
    names = {re.match(r"[\w-]+", line)[0].replace("beautifulsoup4", "bs4") for line in extra["pages"]}
    tools = [ROOT / "tools" / f"{name}.py" for name in ("export_html", "equations", "mathml", "html_run")]
    tools += (ROOT / "tools").glob("html_*.py")
    found = re.findall(r"^(?:from|import) (\w+)", "\n".join(path.read_text("utf-8") for path in tools), re.M)
    ours = {path.stem for path in (ROOT / "tools").glob("*.py")} | {"pe_course"}
    assert {name for name in found if name not in sys.stdlib_module_names} - ours == names


def test_scripts_ask_nobody_for_anything_and_can_be_read(exported, pages):
    """The one address in them is the name of SVG. Of the shared one the parts stand in one scope: a name that two of
    them give would stop all."""
    inline = [script for page in pages.values() for script in page("script") if script.string]
    scripts = {script.string for script in inline if script.get("type") != "application/json"}
    shared = (exported / "course.js").read_text(encoding="utf-8")
    asks = r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|localStorage|cookie|eval)\b"
    assert scripts
    for script in scripts | {shared}:
        assert set(re.findall(r"\w+://[^\s\"]+", script)) <= {"http://www.w3.org/2000/svg"}
        assert not re.search(rf"{asks}|^\s*import\b|\bimport\(", script, re.M)
    assert computed("", f"typeof new Function({json.dumps(shared)})") == "function"


def test_index_holds_every_heading_text_and_code_but_nothing_that_is_folded(exported, pages):
    script = (exported / "search.js").read_text(encoding="utf-8")
    index = json.loads(script.removeprefix("globalThis.courseIndex = ").removesuffix(";\n"))
    for (title, path, sections), lesson in zip(index, LESSONS, strict=True):
        page = pages[exported / path]
        headings = [h for h in page.main(re.compile("^h[1-6]$")) if not h.find_parent("details")]
        assert path == f"notebooks/{lesson.name}.html" and title == sections[0][0]
        assert [[heading, place] for heading, place, _ in sections] == [[h.get_text(), h["id"]] for h in headings]
        text = " ".join(text for *_, text in sections)
        shown_cells = [cell for cell in html_front.shown_cells(lesson.cells) if cell.cell_type == "code"]
        code = next(cell.source for cell in shown_cells if cell.id not in ("set-up", "from-memory-answers"))
        assert one_line(code) in text, lesson.name
        folded = [one_line(code.get_text()) for code in page.main.select("details pre")]
        assert not any(code in text for code in folded if len(code) >= 60), lesson.name


@pytest.fixture(scope="module")
def packed(exported):
    """What the ZIP holds, by its path."""
    with zipfile.ZipFile(exported.with_name("positional-encoding.zip")) as opened:
        return {name.partition("/")[2]: opened.read(name) for name in opened.namelist()}


def test_zip_holds_the_folder_but_not_the_answers_of_the_test_and_can_be_mailed(exported, packed):
    """All but the pages for teachers, as they are in the folder; the first page has a door less. No link leads to what
    is left out."""
    archive = exported.with_name("positional-encoding.zip")
    assert archive.stat().st_size < LARGEST_MAIL
    with zipfile.ZipFile(archive) as opened:
        assert {entry.external_attr >> 16 for entry in opened.infolist()} == {0o644}, "readable once it is unpacked"
    files = {path.relative_to(exported).as_posix(): path for path in exported.rglob("*") if path.is_file()}
    assert files.keys() - packed.keys() == FOR_TEACHERS and packed.keys() <= files.keys()
    assert [name for name, content in packed.items() if content != files[name].read_bytes()] == ["index.html"]
    for name in (name for name in packed if name.endswith(".html")):
        found = {unquote(link["href"].partition("#")[0]) for link in parsed(packed[name])("a", href=True)} - {""}
        inside = {posixpath.normpath(PurePosixPath(name).parent / link) for link in found if ":" not in link}
        assert inside <= packed.keys(), name
    # The bank's reasons name the answers; the first page has no door to the pages for teachers.
    reasons = [item.right.why for item in bank().items]
    assert len(reasons) > 30
    text = "".join(parsed(content).get_text() for name, content in packed.items() if name.endswith(".html"))
    assert [reason for reason in reasons if reason.replace("`", "") in text] == []
    doors = [door["href"] for door in parsed(packed["index.html"]).find(class_="doors")("a")]
    assert len(doors) == 3 and "TEACHING.html" not in doors


@pytest.fixture
def tiny_export(tmp_path, monkeypatch):
    """Export a course of one lesson with these cells, text or code: its files, by their names."""
    parts = tmp_path / "parts"  # without doors: they lead to lessons that are not there
    parts.mkdir()
    (parts / "front.html").write_text("<h1>Tiny</h1>\n")
    (parts / "doors.html").touch()
    monkeypatch.setattr(html_front, "PARTS", parts)
    (tmp_path / "README.md").write_text("# Tiny\n\n## The course\n\n## Licence\n", encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "notebooks").mkdir()
    shutil.copy(ROOT / links.ADDRESS, tmp_path / links.ADDRESS)

    def export_cells(*cells):
        cells = [nbformat.v4.new_markdown_cell(cell) if isinstance(cell, str) else cell for cell in cells]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "notebooks" / "00_tiny.ipynb")
        return {str(name): page for name, page in export(tmp_path).items()}

    return export_cells


@pytest.fixture
def tiny_course(tiny_export):
    """The page of such a lesson, parsed."""
    return lambda *cells: parsed(tiny_export(*cells)["notebooks/00_tiny.html"])


def test_second_run_gives_the_same_bytes(tiny_export, tmp_path):
    """Of all that lesson 02 holds, but its links to other files."""
    cells = copy.deepcopy(LESSONS[2].cells)
    for cell in cells:
        cell.source = re.sub(r"\]\((?!https?:)[^)]*\)", "]", cell.source)
    for name in ("one", "two"):
        pages = {PurePosixPath(path): page for path, page in tiny_export(*cells).items()}
        export_html.write_zip(tmp_path / name, pages)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize(("ours", "left"), [(False, True), (True, False)])
def test_only_the_folder_of_the_export_itself_is_emptied_first(ours, left, tmp_path, tiny_course, monkeypatch):
    """A page of a lesson that is gone must not stay; what somebody keeps in another folder must."""
    tiny_course("# Title")
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "old.html").touch()
    monkeypatch.setattr(export_html, "ROOT", tmp_path)
    monkeypatch.setattr(export_html, "OURS", folder if ours else tmp_path / "build" / "html")
    assert export_html.main([] if ours else [str(folder)]) == 0
    assert (folder / "index.html").exists() and (folder / "old.html").exists() == left
