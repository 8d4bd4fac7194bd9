"""Every link with the course's public address holds the one of docs/address.json, and `make links` changes all."""

import re
import shutil
import subprocess
from functools import partial
from urllib.parse import unquote

import links
import pytest
from course import LESSONS, ROOT, in_every_lesson, tags

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


def test_make_links_rewrites_every_link(copy):
    before = links.read_address(copy)
    wrong = [page for page in links.pages(copy) if disagreeing(page.read_text(encoding="utf-8"), NEW)]
    changed = links.rewrite(NEW)
    assert {*changed} - {*wrong} <= {copy / links.ADDRESS} and {*wrong} <= {*changed}
    assert_all_agree(copy, NEW)
    assert not any(before["repository"] in unquote(page.read_text(encoding="utf-8")) for page in links.pages(copy))
    assert len([page for page in changed if page.suffix == ".ipynb"]) == len(LESSONS)
    assert {"README.md", "hosting.md", "CITATION.cff"} <= {page.name for page in changed}


def test_make_links_changes_nothing_else(copy):
    pages = {page: page.read_bytes() for page in [*links.pages(copy), copy / links.ADDRESS]}
    before = links.read_address(copy)
    assert links.rewrite(before) == []
    links.rewrite(NEW)
    links.rewrite(before)
    assert pages == {page: page.read_bytes() for page in pages}


@pytest.mark.parametrize(
    ("text", "healed"),
    [
        ("https://mybinder.org/v2/gh/another/course/old?urlpath=lab", "https://mybinder.org/v2/gh/{}/{}?urlpath=lab"),
        (
            "Install git+https://github.com/o/r@main. Then read on.",
            "Install git+https://github.com/{}@{}. Then read on.",
        ),
        ("https://github.com/o/r/issues/1", "https://github.com/o/r/issues/1"),
    ],
)
def test_make_links_heals_a_link_that_went_astray_and_nothing_around_it(copy, text, healed):
    page = copy / "README.md"
    page.write_text(text)
    links.rewrite(NEW)
    assert page.read_text() == healed.format(NEW["repository"], NEW["branch"])


LONG = "a" * 64
IMPOSSIBLE_REPOSITORIES = (
    *("a/b/c", "/b", "a/", "a/.", "a/..", "../b", "a_b/c", "a.b/c", "a-/b", "a--b/c", "ä/b", "a/ä", "a/b.git", "a/b."),
    *("a/b\n", "a/b;c", "a/$(b)", f"{'a' * 40}/b", f"a/{'b' * 101}", "a b/c", "@a/b", "a/b#c", "a/b?c"),
)
IMPOSSIBLE_BRANCHES = ("-x", ".x", "x..y", "x.lock", "x.", "ä", "x\n", "x&y", "x#y", "x" * 201, "x;y", "../..")
IMPOSSIBLE_HUBS = (
    *("-hub.org", "hub-.org", "hub..org", ".hub.org", "hub.org.", "hub_1.org", "hüb.org", "hub.org:", "hub.org:0"),
    *("hub.org:65536", "hub.org:8000:1", "hub.org/x", "a@hub.org", "hub.org\n", "hub.org;x", "[::1]", f"{LONG}.org"),
    ".".join([LONG[1:]] * 4 + ["org"]),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "possible",
    [
        *({"repository": name} for name in ("a/b", "Ada-L/x.y_z-1", f"{'a' * 39}/{'b' * 100}", "O/R", "a/.github")),
        *({"branch": name} for name in ("main", "class-2027", "v1.0", "a_b")),
        *({"hub": name} for name in ("localhost", "10.0.0.1:8000", "hub.example.org", "hub.example.edu:65535", "h:1")),
    ],
)
def test_possible_address_is_accepted_and_found_again(possible, copy):
    address = {**NEW, **possible}
    assert all(re.fullmatch(links.ALLOWED[name], value) for name, value in address.items())
    for written in (address, NEW):
        links.rewrite(written)
        assert_all_agree(copy, written)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["positions"], "repository must look like owner/name, but got 'positions'"),
        (["https://github.com/ada/positions"], "repository must look like owner/name"),
        (["a/b", "--branch", "a b"], "branch must look like main"),
        (["a/b", "--hub", "https://hub.example.edu"], "hub must look like hub.example.edu"),
        *(([repository], "repository must look like owner/name") for repository in IMPOSSIBLE_REPOSITORIES),
        *((["a/b", f"--branch={branch}"], "branch must look like main") for branch in IMPOSSIBLE_BRANCHES),
        *((["a/b", f"--hub={hub}"], "hub must look like hub.example.edu") for hub in IMPOSSIBLE_HUBS),
    ],
)
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


@pytest.mark.parametrize(
    "url",
    [
        *("https://github.com/ada-l/positions.2.git", "https://github.com/ada-l/positions.2"),
        *("https://www.github.com/ada-l/positions.2/", "https://ada:secret@GitHub.com/ada-l/positions.2.git"),
        *("git@github.com:ada-l/positions.2.git", "github.com:ada-l/positions.2"),
        *("ssh://git@github.com/ada-l/positions.2.git", "ssh://git@ssh.github.com:443/ada-l/positions.2.git"),
    ],
)
def test_repository_is_the_one_that_the_clone_came_from(clone, url):
    assert links.origin(clone(url)) == "ada-l/positions.2"


@pytest.mark.parametrize(
    "url",
    [
        *("https://ada:secret@gitlab.com/ada/positions.git", "git@github.com.example.org:ada/positions.git"),
        *("https://example.org/github.com/ada/positions", "https://github.com/ada", "/srv/positions.git"),
    ],
)
def test_origin_elsewhere_is_refused_by_name_and_without_its_password(clone, url):
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
