"""The course in a class, with the field's own tools: nbgitpuller hands it out, nbgrader takes it in and grades it."""

import csv
import html
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import course
import pytest
from course import HOSTING, LESSONS, ROOT, commit, exercises_of, pull
from nbgrader.apps.nbgraderapp import NbGraderApp

from pe_course.assessment import keeping
from pe_course.assessment.collecting import collect
from pe_course.assessment.desk import desk
from pe_course.exercises import EXERCISES
from pe_course.progress import record

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="nbgrader's exchange and JupyterHub need Unix"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),  # nbgrader's own business
]

FOUND = {exercise.number: exercise for lesson in LESSONS for exercise in exercises_of(lesson)}
SOLUTIONS = {exercise.stub.id: exercise.solution for exercise in FOUND.values()}
FULL_SCORE = sum(exercise.points for exercise in EXERCISES.values())
# All lessons are handed out and in; one is graded. That nbgrader's kernels pass the solutions of all others, and with
# which words each fault fails, test_notebooks.py knows from a run of its own.
GRADED = "05_stack_flatten"
POINTS = sum(exercise.points for number, exercise in EXERCISES.items() if number.startswith(GRADED[:2]))
BROKEN = "05.1"  # handed in with the mistake of its first "I see" block, by a learner who leaves the next one out
UNTOUCHED = "05.2"

# What docs/hosting.md gives to the exchange: nbgrader refuses one that students cannot write to.
EXCHANGE_MODE = int(re.search(r"install -d -m (\d+) /usr/local/share/nbgrader/exchange", HOSTING)[1], base=8)


def test_nobody_can_remove_what_others_put_into_the_exchange_and_no_moving_branch_is_installed_as_root():
    assert EXCHANGE_MODE & stat.S_ISVTX and EXCHANGE_MODE & stat.S_IWOTH
    commands = re.findall(r"^sudo .*pip install.*$", HOSTING, re.M)
    assert len(commands) == 2
    assert all("--constraint constraints.txt" in command and "git+" not in command for command in commands)


@pytest.fixture(scope="module")
def classroom(tmp_path_factory):
    """A teacher's folder: the course as it stands, its assignment generated and released."""
    folder = tmp_path_factory.mktemp("class") / "course"
    folder.mkdir()
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    record.add(folder / "notebooks", "00.1", "right")  # the teacher has tried the lessons, and the test
    desk("before", folder / "notebooks").begin()
    nbgrader(folder, "generate_assignment", "notebooks")
    nbgrader(folder, "release_assignment", "notebooks")
    return folder


def nbgrader(folder, *arguments):
    """`nbgrader …` in the folder, in this process: to load it takes longer than most of its commands."""
    exchange = folder.parent / "exchange"
    exchange.mkdir(exist_ok=True)
    exchange.chmod(EXCHANGE_MODE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        # As in an activated environment: nbgrader starts alembic by its name.
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
        NbGraderApp.clear_instance()
        NbGraderApp.launch_instance([*arguments, f"--Exchange.root={exchange}"])


def edit(lesson, sources, output=None):
    """Change cells, by their ids, and save, with the outputs and metadata that JupyterLab then writes."""
    notebook = json.loads(lesson.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["id"] in sources:
            cell["source"] = sources[cell["id"]].splitlines(keepends=True)
            if output:
                cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": [output]}]
                notebook["metadata"]["language_info"]["version"] = "3.13.1"
    lesson.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def test_assignment_is_the_course_as_it_stands(classroom):
    """Every cell is there with its source: stubs are stubs. The answers to predictions are not handed out."""
    released = course.read_lessons(classroom / "class" / "release" / "notebooks")
    assert [lesson.name for lesson in released] == [lesson.name for lesson in LESSONS]
    for lesson, out in zip(LESSONS, released, strict=True):
        assert [(cell.id, cell.source) for cell in out.cells] == [(cell.id, cell.source) for cell in lesson.cells]
        assert [cell.outputs for cell in out.code_cells if cell.outputs] == []


@pytest.fixture(scope="module")
def learner(classroom):
    """Hands in through the exchange, from the folder that was pulled; nbgrader grades. What it takes this learner for:
    the account that the tests run under."""
    broken, untouched = (FOUND[number] for number in (BROKEN, UNTOUCHED))
    pulled = classroom.parent / "pulled"
    shutil.copytree(classroom, pulled, ignore=shutil.ignore_patterns("class", "gradebook.db"))
    record.add(pulled / "notebooks", "03.1", "wrong")
    desk("before", pulled / "notebooks").begin()
    shutil.copy(pulled / "notebooks" / keeping.FILE, pulled / "notebooks" / "results.jsonl")
    answers = {broken.stub.id: broken.faults[0].code, untouched.stub.id: untouched.stub.source}
    for path in (pulled / "notebooks").glob("*.ipynb"):
        edit(path, SOLUTIONS | answers)
    nbgrader(pulled, "submit", "notebooks")
    nbgrader(classroom, "collect", "notebooks")
    nbgrader(classroom, "autograde", "notebooks", "--notebook", GRADED)
    (folder,) = (classroom / "class" / "submitted").iterdir()
    return folder.name


def test_grades(classroom, learner, record_property):
    """A mistake and what is left out lose their points, and nothing else does: every other check is passed."""
    nbgrader(classroom, "export")
    with open(classroom / "grades.csv", newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    score, full = float(row["score"]), float(row["max_score"])
    record_property("figure: handed in: one mistake, one left out", f"{score:g} of {full:g} points")
    assert row["student_id"] == learner and full == FULL_SCORE
    assert score == POINTS - EXERCISES[BROKEN].points - EXERCISES[UNTOUCHED].points


def test_nobody_s_record_is_handed_out_or_in(classroom, learner):
    """When somebody answered what is theirs to know: pe_course/progress/record.py. Answers to the test are handed in
    by who copies them, as docs/assessing.md says: under another name, which the summary reads."""
    handed_in = [path.name for path in (classroom / "class" / "submitted" / learner).rglob("*")]
    assert "03_loop.ipynb" in handed_in and record.FILE not in handed_in
    for folder in (classroom / "class", classroom.parent / "exchange"):
        assert [*folder.rglob(record.FILE)] == [*folder.rglob(keeping.FILE)] == []
    collected = collect(classroom / "class" / "submitted")
    assert (len(collected.learners), collected.files) == (1, 1)


def test_learner_gets_the_replies_back(classroom, learner):
    """As docs/hosting.md says, to the learner who handed in through the exchange."""
    mine = ("--student", learner)
    nbgrader(classroom, "generate_feedback", "notebooks", "--notebook", GRADED, *mine)
    nbgrader(classroom, "release_feedback", "notebooks", *mine)
    pulled = classroom.parent / "pulled"
    nbgrader(pulled, "fetch_feedback", "notebooks")
    (page,) = (pulled / "notebooks" / "feedback").rglob(f"{GRADED}.html")
    assert FOUND[BROKEN].faults[0].promised in html.unescape(page.read_text(encoding="utf-8"))


needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="nbgitpuller needs git, which is not here")


@pytest.fixture
def upstream(tmp_path):
    """The course as a git repository, for learners to pull from."""
    folder = tmp_path / "upstream"
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    commit(folder)
    return folder


def source(lesson: Path, cell_id):
    notebook = json.loads(lesson.read_text(encoding="utf-8"))
    return next("".join(cell["source"]) for cell in notebook["cells"] if cell["id"] == cell_id)


@needs_git
def test_update_brings_new_text_and_keeps_every_answer(tmp_path, upstream):
    """Also where both changed the same cell."""
    learner = tmp_path / "learner"
    pull(upstream, "main", learner)
    lesson, other = (learner / "notebooks" / name for name in ("03_loop.ipynb", "04_vectorized.ipynb"))
    edit(lesson, {"exercise-03-1": "my_answer = 42"}, output="mine")

    there = upstream / "notebooks"
    for changes in ({"title": "# 03 · A new title"}, {"exercise-03-1": "another = 'stub'"}):
        edit(there / lesson.name, changes)
        edit(there / other.name, {"title": f"# 04 · {changes}"})
        commit(upstream)
        pull(upstream, "main", learner)
        assert source(lesson, "exercise-03-1") == "my_answer = 42"
        assert source(lesson, "title") == "# 03 · A new title"
        assert source(other, "title") == f"# 04 · {changes}"


@needs_git
def test_work_of_the_class_is_not_committed(tmp_path):
    """What nbgrader makes in the teacher's folder, with every answer and grade, stays out of the repository."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    made = ["class/submitted/ada/notebooks/02_formula.ipynb", "gradebook.db", "gradebook.db-journal", "grades.csv"]
    ignored = subprocess.run(["git", "check-ignore", *made], cwd=ROOT, capture_output=True, text=True)
    assert ignored.stdout.split() == made
