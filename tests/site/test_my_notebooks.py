"""`make lab` after an update of the course: no answer of a learner is ever lost."""

import errno
import json
import os
import shutil
import subprocess
import sys
from unittest.mock import Mock

import my_notebooks
import pytest
from course import LESSONS, ROOT, handed_out, read_lessons
from jupyterlab.labapp import LabApp

LESSON = "02_formula.ipynb"


def lay_out(course, mine):
    return [*my_notebooks.lay_out(course, mine)]


def write(path, *sources, output="", tags=(), source=None, **fields):
    """A notebook with one code cell for each source, in the bytes of `make notebooks`."""
    cell = {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {"tags": [*tags]},
        "outputs": [{"name": "stdout", "output_type": "stream", "text": output}],
    }
    cells = [{**cell, "source": [text], **fields} for text in (sources or [source])]
    path.write_bytes((json.dumps({"cells": cells}, indent=1) + "\n").encode())


def cells(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


@pytest.fixture
def course(tmp_path):
    folder = tmp_path / "notebooks"
    folder.mkdir()
    write(folder / LESSON, "answer = ...")
    return folder


@pytest.fixture
def mine(tmp_path, course):
    """The learner's folder after a first `make lab`."""
    folder = tmp_path / "my_notebooks"
    assert lay_out(course, folder) == []
    return folder


@pytest.fixture
def in_place(course, tmp_path, monkeypatch):
    """`make lab` takes these two folders for its own."""
    monkeypatch.setattr(my_notebooks, "COURSE", course)
    monkeypatch.setattr(my_notebooks, "MINE", tmp_path / "my_notebooks")


def notebooks(folder):
    return sorted(path.name for path in folder.glob("*.ipynb"))


def test_every_lesson_is_copied_and_a_new_one_added_and_a_broken_one_as_it_is(course, mine):
    assert (mine / LESSON).read_bytes() == (course / LESSON).read_bytes()
    write(course / "03_loop.ipynb", "answer = ...")
    assert lay_out(course, mine) == []
    assert notebooks(mine) == [LESSON, "03_loop.ipynb"]
    (course / LESSON).write_bytes(b"<<<<<<< HEAD")
    lay_out(course, mine)
    assert (mine / LESSON).read_bytes() == b"<<<<<<< HEAD"


def test_no_copy_of_a_real_lesson_shows_the_answer_to_a_prediction(tmp_path):
    """The copy in .course/ keeps it: with it the course's lesson is compared."""
    lay_out(my_notebooks.COURSE, tmp_path)
    for lesson, copy in zip(LESSONS, read_lessons(tmp_path), strict=True):
        assert copy.cells == handed_out(lesson)
        assert (tmp_path / ".course" / lesson.path.name).read_bytes() == lesson.path.read_bytes()


@pytest.mark.parametrize("arguments, opened", [(["--port=8899"], [["--port=8899"]]), (["--lay-out-only"], [])])
def test_jupyterlab_is_opened_unless_it_is_not_wanted(in_place, monkeypatch, capsys, arguments, opened):
    found = []
    monkeypatch.setattr(my_notebooks, "open_lab", found.append)
    my_notebooks.main(arguments)
    assert found == opened
    assert notebooks(my_notebooks.MINE) == [LESSON]
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.parametrize("user, allowed", [(0, ["--allow-root"]), (1000, [])])
def test_root_is_told_and_let_in(monkeypatch, capsys, user, allowed):
    started = []
    monkeypatch.setattr(my_notebooks.os, "geteuid", lambda: user, raising=False)
    monkeypatch.setattr(LabApp, "launch_instance", started.append)
    my_notebooks.open_lab(["--port=8899"])
    assert started[0][5:] == [*allowed, "--port=8899"]
    style = ["--LabApp.app_settings_dir", "--LabApp.custom_css", "--ServerApp.tornado_settings"]
    assert [option.partition("=")[0] for option in started[0][2:5]] == style
    assert capsys.readouterr().out.count("You are root") == (user == 0)


@pytest.mark.parametrize("kept", [{}, {"tags": ["predict"]}])
def test_lesson_that_was_only_run_is_replaced(course, tmp_path, kept):
    """Also where the copy has lost the answer to a prediction."""
    write(course / LESSON, "answer = ...", output="the answer", **kept)
    mine = tmp_path / "my_notebooks"
    lay_out(course, mine)
    write(mine / LESSON, "answer = ...", output="the learner ran it", **kept)
    write(course / LESSON, "answer = ...", "new cell", **kept)
    assert lay_out(course, mine) == []
    assert [cell["source"] for cell in cells(mine / LESSON)] == [["answer = ..."], ["new cell"]]


STAYS = {  # what the learner made of the lesson, what the course makes of its own, and of how many versions is told
    "run, and the course is unchanged": ({"output": "the learner ran it"}, {}, 0),
    "an answer, and the course is unchanged": ({"source": "answer = 42"}, {}, 0),
    "an answer, and new outputs alone": ({"source": "answer = 42"}, {"output": "a sharper figure"}, 0),
    "the same change as the course's": ({"source": "answer = 1", "output": "mine"}, {"source": "answer = 1"}, 0),
    "a picture is attached": ({"attachments": {"sketch.png": {"image/png": "AAAA"}}}, {"source": "new"}, 1),
}


@pytest.mark.parametrize("case", STAYS)
def test_lesson_of_the_learner_stays(course, mine, case):
    ours, theirs, told = STAYS[case]
    for folder, fields in ((mine, ours), (course, theirs)):
        write(folder / LESSON, **{"source": "answer = ...", **fields})
    before = (mine / LESSON).read_bytes()
    assert len(lay_out(course, mine)) == told
    assert (mine / LESSON).read_bytes() == before
    assert len(notebooks(mine)) == 1 + told


def test_answer_stays_and_the_new_version_is_put_beside_it(course, mine):
    """Without the answer to its prediction."""
    write(mine / LESSON, "answer = 42")
    before = (mine / LESSON).read_bytes()
    write(course / LESSON, "answer = ...", "new cell", output="the answer", tags=["predict"])
    (notice,) = lay_out(course, mine)
    assert LESSON in notice and "02_formula.new.ipynb" in notice
    assert (mine / LESSON).read_bytes() == before
    found = [(cell["source"], cell["outputs"]) for cell in cells(mine / "02_formula.new.ipynb")]
    assert found == [(["answer = ..."], []), (["new cell"], [])]
    assert lay_out(course, mine) == [], "said once, not at every start"
    # A learner who moves to the new version gets the next one.
    (mine / "02_formula.new.ipynb").replace(mine / LESSON)
    write(course / LESSON, "third version")
    assert lay_out(course, mine) == []
    assert (mine / LESSON).read_bytes() == (course / LESSON).read_bytes()


def test_version_beside_it_is_replaced_unless_it_was_edited(course, mine):
    write(mine / LESSON, "answer = 42")
    beside = mine / "02_formula.new.ipynb"
    for version in ("second version", "third version"):
        write(course / LESSON, version)
        lay_out(course, mine)
        assert beside.read_bytes() == (course / LESSON).read_bytes()
    write(beside, "answer = 43")
    edited = beside.read_bytes()
    write(course / LESSON, "fourth version")
    (notice,) = lay_out(course, mine)
    assert "02_formula.new2.ipynb" in notice
    assert beside.read_bytes() == edited


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"cells": 1}', b"\xff\xfe", b"answer = 42", b"[" * 100_000])
def test_file_that_is_no_notebook_is_left_alone(course, mine, content):
    (mine / LESSON).write_bytes(content)
    assert lay_out(course, mine) == []
    write(course / LESSON, "second version")
    assert len(lay_out(course, mine)) == 1
    assert (mine / LESSON).read_bytes() == content
    (course / LESSON).unlink()
    assert lay_out(course, mine) == [], "a lesson that is gone from the course stays"
    assert (mine / LESSON).read_bytes() == content


def test_without_the_copies_in_dot_course_nothing_is_overwritten(course, mine):
    write(mine / LESSON, "answer = 42")
    before = (mine / LESSON).read_bytes()
    (mine / ".course" / LESSON).unlink()
    assert len(lay_out(course, mine)) == 1 and (mine / LESSON).read_bytes() == before


def test_make_test_after_make_lab_sorts_imports_as_before(tmp_path):
    """A folder called my_notebooks beside the tool of that name must not change what ruff takes the tool for."""
    for name in ("pe_lib", "pe_clinic", "pe_course", "tools", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    lay_out(ROOT / "notebooks", tmp_path / "my_notebooks")
    done = subprocess.run([sys.executable, "-m", "ruff", "check", "--no-cache", "."], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stdout.decode()


RUN = """
import os, sys
from pathlib import Path
import my_notebooks

steps = int(sys.argv[3])

def step(function):
    def counted(*arguments, **options):
        global steps
        steps -= 1
        if steps < 0:
            os._exit(9)
        return function(*arguments, **options)
    return counted

if steps:
    for name in ("mkdir", "write_bytes", "replace", "unlink"):
        setattr(Path, name, step(getattr(Path, name)))
    my_notebooks.open = step(open)
    steps -= 1
list(my_notebooks.lay_out(Path(sys.argv[1]), Path(sys.argv[2])))
"""


def start(course, mine, steps=0, before=""):
    """`lay_out` in a process of its own, which dies before that step; with 0 it goes on to the end."""
    command = [sys.executable, "-c", before + RUN, str(course), str(mine), str(steps)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(ROOT / "tools")}, stderr=subprocess.PIPE)


def hand_out_version(course, version):
    for name in ("01_embedding.ipynb", LESSON, "03_loop.ipynb"):
        write(course / name, "answer = ...", f"version {version}")


def answered(course, mine):
    """The bytes of a learner's answer to the first version, which the learner has got."""
    hand_out_version(course, 1)
    lay_out(course, mine)
    write(mine / LESSON, "answer = 42", "version 1")
    return (mine / LESSON).read_bytes()


def assert_the_learner_has(course, mine, name, version):
    assert cells(mine / name) == cells(course / name) and version in str(cells(mine / name))


@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.slow
def test_killed_before_any_step_and_updated_again_loses_nothing(course, tmp_path, edited):
    kills = 0
    while True:
        mine = tmp_path / f"killed-before-{kills + 1}"
        written = edited and answered(course, mine)
        hand_out_version(course, 2)
        status = start(course, mine, steps=kills + 1).wait()
        hand_out_version(course, 3)
        notices = lay_out(course, mine)
        for name in ("01_embedding.ipynb", "03_loop.ipynb", *([] if edited else [LESSON])):
            assert_the_learner_has(course, mine, name, "version 3")
        if edited:
            assert (mine / LESSON).read_bytes() == written and len(notices) == 1
            assert cells(mine / "02_formula.new.ipynb") == cells(course / LESSON)
        assert len(notebooks(mine)) == 3 + edited
        if status == 0:
            break
        assert status == 9
        kills += 1
    assert kills > 20


@pytest.mark.skipif(sys.platform == "win32", reason="Windows renames no file that another process holds open")
@pytest.mark.slow
def test_two_runs_at_once_end_as_one_does(course, tmp_path):
    for n in range(5):
        mine = tmp_path / f"mine-{n}"
        written = answered(course, mine)
        hand_out_version(course, 2)
        for run in [start(course, mine), start(course, mine)]:
            assert (run.communicate()[1], run.returncode) == (b"", 0)
        assert (mine / LESSON).read_bytes() == written
        assert len(notebooks(mine)) == 4 and (mine / "02_formula.new.ipynb").exists()
        for name in ("01_embedding.ipynb", "03_loop.ipynb"):
            assert_the_learner_has(course, mine, name, "version 2")
        assert not [*mine.rglob("*.part")]


def test_halves_of_a_killed_run_go_after_an_hour(course, mine):
    old, young = mine / ".a.part", mine / ".course" / ".b.part"
    old.touch()
    young.touch()
    os.utime(old, (0, 0))
    lay_out(course, mine)
    assert young.exists() and not old.exists()


@pytest.fixture
def refused(in_place, monkeypatch):
    """What `make lab` says in one line when it cannot bring the folder up to date; it opens nothing."""
    monkeypatch.setattr(my_notebooks, "open_lab", lambda arguments: pytest.fail("opened all the same"))

    def run():
        with pytest.raises(SystemExit) as stopped:
            my_notebooks.main([])
        assert "\n" not in stopped.value.code and stopped.value.code.endswith("Nothing that you wrote was changed.")
        return stopped.value.code

    return run


@pytest.mark.parametrize("name", ["my_notebooks", "my_notebooks/.course"])
def test_what_stands_in_the_place_of_a_folder_is_told_and_stays(refused, tmp_path, name):
    place = tmp_path / name
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(tmp_path / "not plugged in")
    assert f"{place} is no folder, or a link to one that is missing: move it away" in refused()
    assert place.is_symlink()
    place.unlink()
    place.write_text("my notes")
    assert f"{place} is no folder" in refused()
    assert place.read_text() == "my notes"


def test_a_folder_and_a_lesson_that_are_links_are_used_and_one_that_leads_nowhere_stays(course, tmp_path):
    (tmp_path / "disk").mkdir()
    (mine := tmp_path / "mine").symlink_to(tmp_path / "disk")
    lay_out(course, mine)
    assert notebooks(tmp_path / "disk") == [LESSON]
    elsewhere = tmp_path / "elsewhere.ipynb"
    (mine / LESSON).replace(elsewhere)
    (mine / LESSON).symlink_to(elsewhere)
    hand_out_version(course, 2)
    assert lay_out(course, mine) == []
    assert (mine / LESSON).is_symlink() and cells(elsewhere) == cells(course / LESSON)

    (mine / LESSON).unlink()
    (mine / LESSON).symlink_to(tmp_path / "not plugged in")
    hand_out_version(course, 3)
    (notice,) = lay_out(course, mine)
    assert f"{LESSON} is a link that leads nowhere" in notice and (mine / LESSON).is_symlink()
    assert_the_learner_has(course, mine, "03_loop.ipynb", "version 3")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root, and Windows, write there all the same")
def test_a_read_only_folder_is_told_in_one_line(refused, course, mine):
    write(course / LESSON, "second version")
    mine.chmod(0o555)
    assert "Permission denied" in refused()
    mine.chmod(0o755)
    assert "answer = ..." in (mine / LESSON).read_text()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_disk_that_takes_nothing_is_told_in_one_line(refused, course, mine, monkeypatch, number):
    before = (mine / LESSON).read_bytes()
    write(course / LESSON, "second version")
    monkeypatch.setattr(type(mine), "write_bytes", Mock(side_effect=OSError(number, os.strerror(number), str(mine))))
    assert os.strerror(number) in refused()
    assert (mine / LESSON).read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="the limit that stands for a full disk is POSIX's")
@pytest.mark.slow
def test_a_disk_that_is_full_in_the_middle_of_a_lesson_leaves_no_half(course, mine):
    before = (mine / LESSON).read_bytes()
    write(course / LESSON, "a new version" * 1000)
    full = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
    assert b"File too large" in start(course, mine, before=full).communicate()[1]
    assert (mine / LESSON).read_bytes() == before and not [*mine.rglob("*.part")]
    assert lay_out(course, mine) == []
    assert cells(mine / LESSON) == cells(course / LESSON)
