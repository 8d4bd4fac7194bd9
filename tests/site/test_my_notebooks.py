"""`make lab` after an update of the course: no answer of a learner is ever lost."""

import json
import shutil
import subprocess
import sys

import my_notebooks
import pytest
from course import ROOT
from jupyterlab.labapp import LabApp
from my_notebooks import lay_out

LESSON = "02_formula.ipynb"


def write(path, *sources, output="", tags=(), **fields):
    """A notebook with one code cell for each source, in the bytes of `make notebooks`."""
    cells = [
        {
            "cell_type": "code",
            "execution_count": 1,
            "metadata": {"tags": [*tags]},
            "outputs": [{"name": "stdout", "output_type": "stream", "text": output}],
            "source": [source],
            **fields,
        }
        for source in sources
    ]
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


def notebooks(folder):
    return sorted(path.name for path in folder.glob("*.ipynb"))


def test_first_time_copies_every_lesson(course, mine):
    assert (mine / LESSON).read_bytes() == (course / LESSON).read_bytes()
    assert notebooks(mine) == [LESSON]


def test_answers_to_predictions_stay_in_the_course(course, mine):
    write(course / LESSON, "answer = ...", output="the answer", tags=["predict"])
    stored = (course / LESSON).read_bytes()
    assert lay_out(course, mine) == []
    (cell,) = cells(mine / LESSON)
    assert (cell["outputs"], cell["execution_count"], cell["source"]) == ([], None, ["answer = ..."])
    assert (course / LESSON).read_bytes() == stored == (mine / ".course" / LESSON).read_bytes()

    write(mine / LESSON, "answer = 42", tags=["predict"])
    write(course / LESSON, "answer = ...", "new cell", output="the answer", tags=["predict"])
    lay_out(course, mine)
    assert [cell["outputs"] for cell in cells(mine / "02_formula.new.ipynb")] == [[], []]


def test_no_copy_of_a_real_lesson_shows_the_answer_to_a_prediction(tmp_path):
    lay_out(my_notebooks.COURSE, tmp_path)
    predictions = 0
    for lesson in my_notebooks.COURSE.glob("*.ipynb"):
        for stored, own in zip(cells(lesson), cells(tmp_path / lesson.name), strict=True):
            if "predict" in stored["metadata"].get("tags", []):
                predictions += 1
                stored |= {"outputs": [], "execution_count": None}
            assert own == stored
    assert predictions


def test_prediction_that_was_only_run_is_no_edit(course, mine):
    write(course / LESSON, "answer = ...", output="the answer", tags=["predict"])
    lay_out(course, mine)
    write(mine / LESSON, "answer = ...", output="the learner ran it", tags=["predict"])
    write(course / LESSON, "answer = ...", "new cell", tags=["predict"])
    assert lay_out(course, mine) == []
    assert len(cells(mine / LESSON)) == 2


def test_attached_picture_is_an_edit(course, mine):
    write(mine / LESSON, "answer = ...", attachments={"sketch.png": {"image/png": "AAAA"}})
    before = (mine / LESSON).read_bytes()
    write(course / LESSON, "answer = ...", "new cell")
    assert len(lay_out(course, mine)) == 1
    assert (mine / LESSON).read_bytes() == before


def test_broken_lesson_of_the_course_is_copied_as_it_is(course, mine):
    (course / LESSON).write_bytes(b"<<<<<<< HEAD")
    lay_out(course, mine)
    assert (mine / LESSON).read_bytes() == b"<<<<<<< HEAD"


@pytest.mark.parametrize("arguments, opened", [(["--port=8899"], [["--port=8899"]]), (["--lay-out-only"], [])])
def test_jupyterlab_is_opened_unless_it_is_not_wanted(course, tmp_path, monkeypatch, capsys, arguments, opened):
    found = []
    monkeypatch.setattr(my_notebooks, "COURSE", course)
    monkeypatch.setattr(my_notebooks, "MINE", tmp_path / "my_notebooks")
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
    assert started[0][2:] == [*allowed, "--port=8899"]
    assert capsys.readouterr().out.count("You are root") == (user == 0)


def test_new_lesson_is_added(course, mine):
    write(course / "03_loop.ipynb", "answer = ...")
    assert lay_out(course, mine) == []
    assert notebooks(mine) == [LESSON, "03_loop.ipynb"]


def test_lesson_that_was_only_run_is_replaced(course, mine):
    write(mine / LESSON, "answer = ...", output="the learner ran it")
    write(course / LESSON, "answer = ...", "new cell")
    assert lay_out(course, mine) == []
    assert (mine / LESSON).read_bytes() == (course / LESSON).read_bytes()


def test_outputs_of_the_learner_stay_while_the_course_is_unchanged(course, mine):
    write(mine / LESSON, "answer = ...", output="the learner ran it")
    before = (mine / LESSON).read_bytes()
    assert lay_out(course, mine) == []
    assert (mine / LESSON).read_bytes() == before


def test_answer_stays_while_the_course_is_unchanged(course, mine):
    write(mine / LESSON, "answer = 42")
    before = (mine / LESSON).read_bytes()
    assert lay_out(course, mine) == []
    assert (mine / LESSON).read_bytes() == before
    assert notebooks(mine) == [LESSON]


def test_answer_stays_and_the_new_version_is_put_beside_it(course, mine):
    write(mine / LESSON, "answer = 42")
    before = (mine / LESSON).read_bytes()
    write(course / LESSON, "answer = ...", "new cell")
    (notice,) = lay_out(course, mine)
    assert LESSON in notice and "02_formula.new.ipynb" in notice
    assert (mine / LESSON).read_bytes() == before
    assert (mine / "02_formula.new.ipynb").read_bytes() == (course / LESSON).read_bytes()
    assert lay_out(course, mine) == [], "said once, not at every start"


def test_learner_who_made_the_same_change_as_the_course_gets_no_second_copy(course, mine):
    write(mine / LESSON, "answer = 1", output="run by the learner")
    write(course / LESSON, "answer = 1")
    assert lay_out(course, mine) == [] and notebooks(mine) == [LESSON]
    assert "run by the learner" in (mine / LESSON).read_text()


def test_new_outputs_alone_are_no_new_version(course, mine):
    write(mine / LESSON, "answer = 42")
    write(course / LESSON, "answer = ...", output="a sharper figure")
    assert lay_out(course, mine) == []
    assert notebooks(mine) == [LESSON]


def test_learner_who_moved_to_the_new_version_gets_the_next_one(course, mine):
    write(mine / LESSON, "answer = 42")
    write(course / LESSON, "second version")
    lay_out(course, mine)
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


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"cells": 1}', b"\xff\xfe", b"answer = 42"])
def test_file_that_is_no_notebook_is_left_alone(course, mine, content):
    (mine / LESSON).write_bytes(content)
    assert lay_out(course, mine) == []
    write(course / LESSON, "second version")
    assert len(lay_out(course, mine)) == 1
    assert (mine / LESSON).read_bytes() == content


def test_without_the_copies_in_dot_course_nothing_is_overwritten(course, mine):
    write(mine / LESSON, "answer = 42")
    before = (mine / LESSON).read_bytes()
    (mine / ".course" / LESSON).unlink()
    assert len(lay_out(course, mine)) == 1
    assert (mine / LESSON).read_bytes() == before


def test_lesson_removed_from_the_course_stays_with_the_learner(course, mine):
    (course / LESSON).unlink()
    assert lay_out(course, mine) == []
    assert notebooks(mine) == [LESSON]


def test_make_test_after_make_lab_sorts_imports_as_before(tmp_path):
    """A folder called my_notebooks beside the tool of that name must not change what ruff takes the tool for."""
    for name in ("pe_lib", "pe_clinic", "pe_course", "tools", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    lay_out(ROOT / "notebooks", tmp_path / "my_notebooks")
    done = subprocess.run([sys.executable, "-m", "ruff", "check", "--no-cache", "."], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stdout.decode()


def test_full_disk_leaves_the_learner_s_lesson_as_it_was(course, mine, monkeypatch):
    def half(path, content):
        with open(path, "wb") as file:
            file.write(content[:10])
        raise OSError("no space left on device")

    before = (mine / LESSON).read_bytes()
    write(course / LESSON, "answer = ...   # a new version")
    monkeypatch.setattr(type(mine), "write_bytes", half)
    with pytest.raises(OSError, match="no space left"):
        lay_out(course, mine)
    assert (mine / LESSON).read_bytes() == before
