"""Every link with the course's public address holds the one of docs/address.json, and `make links` changes all."""

import re
import shutil
import subprocess
from functools import partial
from urllib.parse import unquote

import links
import pytest
from course import LESSONS, ROOT, in_every_lesson, tags

from pe_course.judges.known import pages

# Whatever the rest of such a link looks like, it is one of ours: nothing else in the course leads to these services.
SERVICES = {
    "pages": r"\[Read the course\]",
    "Binder": r"https?://(?:[\w.]*\.)?mybinder\.org/(?!badge)",
    "Colab": r"https?://colab\.research\.google\.com/(?!assets/colab-badge)",
    "nbgitpuller": r"https?://[^\s/]+/hub/user-redirect/git-pull",
    "pip": r"git\+https?://",
    "clone": r"https?://github\.com/[\w.-]+/[\w.-]+\.git\b",
    "ZIP": r"https?://github\.com/[\w./-]+/archive/",
    "citation": r"repository-code:",
}


ADDRESSES = pages(__file__.replace("test_links", "addresses"), {})


def disagreeing(text, address):
    """The links of a page that do not begin as one of that form with that address does."""
    places = [(form, found.start()) for form, service in SERVICES.items() for found in re.finditer(service, text)]
    return [text[place:].split()[0] for form, place in places if not text.startswith(links.link(form, address), place)]


@pytest.mark.parametrize("page", links.pages(), ids=lambda page: page.name)
def test_links_hold_the_address(page):
    assert disagreeing(page.read_text(encoding="utf-8"), links.read_address()) == [], "run `make links`"


@in_every_lesson
def test_lesson_opens_by_link(lesson):
    """The title, and the lesson's row in README.md, lead to this lesson on Binder and on Colab."""
    address = links.read_address()
    wanted = [
        links.link("Binder", address) + f"urlpath=lab/tree/notebooks/{lesson.path.name}",
        links.link("Colab", address) + f"notebooks/{lesson.path.name}",
    ]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    row = next((line for line in readme.splitlines() if f"notebooks/{lesson.path.name}) |" in line), "")
    for text in (lesson.cells[0].source, row):
        assert re.findall(r"\]\((https[^)\s]+)\)", text) == wanted, f"{lesson.name}: its title or its row in README.md"


def test_the_first_link_of_readme_is_the_page():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    owner, name = links.read_address()["repository"].split("/")
    assert re.search(r"(?<!!)\[[^\]]*\]\(([^)]*)\)", readme)[1] == f"https://{owner}.github.io/{name}/"


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """The pages of the course and the address, which `make links` rewrites."""
    for page in [*links.pages(), ROOT / links.ADDRESS]:
        target = tmp_path / page.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(page, target)
    monkeypatch.setattr(links, "rewrite", partial(links.rewrite, root=tmp_path))
    return tmp_path


def assert_all_agree(copy, address):
    assert links.read_address(copy) == address
    for page in links.pages(copy):
        assert disagreeing(page.read_text(encoding="utf-8"), address) == []


NEW = {"repository": "ada-l/positions.2", "branch": "class-2027", "hub": "hub.example.edu"}


def test_make_links_rewrites_every_link_and_changes_nothing_else(copy):
    stored = {page: page.read_bytes() for page in [*links.pages(copy), copy / links.ADDRESS]}
    before = links.read_address(copy)
    assert links.rewrite(before) == []
    wrong = [page for page in links.pages(copy) if disagreeing(page.read_text(encoding="utf-8"), NEW)]
    changed = links.rewrite(NEW)
    assert {*changed} - {*wrong} <= {copy / links.ADDRESS} and {*wrong} <= {*changed}
    assert_all_agree(copy, NEW)
    assert not any(before["repository"] in unquote(page.read_text(encoding="utf-8")) for page in links.pages(copy))
    assert len([page for page in changed if page.suffix == ".ipynb"]) == len(LESSONS)
    assert {"README.md", "hosting.md", "CITATION.cff"} <= {page.name for page in changed}
    links.rewrite(before)
    assert stored == {page: page.read_bytes() for page in stored}


@pytest.mark.parametrize("text, healed", ADDRESSES["astray"].entries)
def test_make_links_heals_a_link_that_went_astray_and_nothing_around_it(copy, text, healed):
    page = copy / "README.md"
    page.write_text(text)
    links.rewrite(NEW)
    assert page.read_text() == healed


POSSIBLE, IMPOSSIBLE = ([eval(text) for text, _ in ADDRESSES[name].entries] for name in ("possible", "impossible"))


@pytest.mark.slow
@pytest.mark.parametrize("possible", POSSIBLE)
def test_possible_address_is_accepted_and_found_again(possible, copy):
    address = {**NEW, **possible}
    assert all(re.fullmatch(links.ALLOWED[name], value) for name, value in address.items())
    for written in (address, NEW):
        links.rewrite(written)
        assert_all_agree(copy, written)


def complained(address):
    """The arguments of an address, and what is said of them: an example of the part that cannot be."""
    ((name, value),) = address.items()
    example = {"repository": "owner/name", "branch": "main", "hub": "hub.example.edu"}[name]
    return [value] if name == "repository" else ["a/b", f"--{name}={value}"], f"{name} must look like {example}"


@pytest.mark.parametrize("arguments, complaint", [*map(complained, IMPOSSIBLE), (["positions"], "but got 'positions'")])
def test_unusable_address_is_refused(arguments, complaint, capsys, copy):
    with pytest.raises(SystemExit):
        links.main(arguments)
    assert complaint in capsys.readouterr().err
    assert links.pages(copy) and links.read_address(copy) == links.read_address()


@pytest.fixture
def clone(tmp_path):
    """A repository whose origin the test names; nothing is fetched from there."""

    def make(url):
        for command in (["init", "--quiet"], ["remote", "add", "origin", url]):
            subprocess.run(["git", *command], cwd=tmp_path, check=True)
        return tmp_path

    return make


@pytest.mark.parametrize("url, repository", ADDRESSES["origins"].entries)
def test_repository_is_the_one_that_the_clone_came_from(clone, url, repository):
    """An origin elsewhere is refused by its name, and without its password."""
    if repository != "refused":
        assert links.origin(clone(url)) == repository
        return
    with pytest.raises(ValueError) as refused:
        links.origin(clone(url))
    assert str(refused.value) == f"this clone's origin is not on GitHub: {url.replace('ada:secret@', '')}"


def test_folder_that_is_no_clone_is_told_what_to_type(clone, monkeypatch, capsys):
    unpacked = clone("https://github.com/ada/homework") / "course"
    unpacked.mkdir()
    monkeypatch.setattr(links, "origin", lambda origin=links.origin: origin(unpacked))
    monkeypatch.setattr(links, "rewrite", lambda address: pytest.fail("written all the same"))
    with pytest.raises(SystemExit):
        links.main([])
    told = "this folder has no origin that git knows; say where the course lives, as in `make links REPO=owner/name`"
    assert told in capsys.readouterr().err.replace("\n", " ")


@pytest.mark.parametrize(("arguments", "repository"), [(["ada/positions"], "ada/positions"), ([], "ada/fork")])
def test_what_is_not_given_stays_and_a_fork_knows_its_own_name(copy, monkeypatch, capsys, arguments, repository):
    monkeypatch.setattr(links, "origin", lambda: "ada/fork")
    links.main(arguments)
    before = links.read_address()
    assert f"lead to {repository}, branch {before['branch']}" in capsys.readouterr().out
    assert_all_agree(copy, {**before, "repository": repository})


@in_every_lesson
def test_only_the_cell_for_colab_installs(lesson):
    """It is the first code cell of every lesson, the same in all; where pe_lib comes from is the course's address."""
    assert [cell.id for cell in lesson.cells if "colab" in tags(cell)] == ["colab"]
    cell = lesson.code_cells[0]
    assert (cell.id, cell.metadata) == ("colab", {"tags": ["colab"], "jupyter": {"source_hidden": True}})
    comment, *code = cell.source.splitlines()
    assert comment.startswith("# On Google Colab")
    assert code == [
        "import sys",
        "",
        'if "google.colab" in sys.modules:',
        f"    %pip install --quiet --no-deps {links.link('pip', links.read_address())}",
    ]
