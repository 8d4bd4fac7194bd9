"""The learner's record: where it is kept and where not, what it survives, and what the map and a tutor get of it."""

import html
import json
import os
import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import course
import nbformat
import pytest
from course import ROOT, exercises_of
from nbclient import NotebookClient

from pe_course import check, installation, recall, tutor
from pe_course.__main__ import COMMANDS, main
from pe_course.checking import Reply
from pe_course.exercises import EXERCISES
from pe_course.judges.known import pages
from pe_course.progress import map as map_module
from pe_course.progress import progress, record
from pe_course.progress.lessons import LESSONS
from pe_course.recalling.schedule import INTERVALS

PERSON = {"JPY_SESSION_NAME": "my_notebooks/03_loop.ipynb"}


def lines(folder):
    """What the lines say; an empty one, as two writers at once may leave, says nothing."""
    path = folder / record.FILE
    found = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in found if line]


def answers(folder):
    return [(line["id"], line["status"]) for line in lines(folder)]


def kernel(folder, *cells):
    """What each of these cells shows in a kernel that is started in a folder: plain text."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    client = NotebookClient(
        notebook,
        timeout=None,  # a busy machine may be slow
        startup_timeout=600,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    )
    inherited = {name: value for name, value in os.environ.items() if name not in ("NBGRADER_EXECUTION", *PERSON)}
    client.execute(env=inherited)
    return ["\n".join(o.get("text") or o.data["text/plain"] for o in cell.outputs) for cell in notebook.cells]


SESSION = (
    "import os\nfrom pe_course import check, recall\nfrom pe_course.progress import progress",
    'check("00.1", ...)\nrecall("05", ..., ...)',  # run, and not answered
    "orders = 4 ** 4",
    'check("00.1", orders)',
    "_.for_a_tutor()",
    'os.chdir("/")\ncheck("00.1", orders)',  # once more the same
    'check("00.1", 24)',
    'recall("05", "c", ...)',
    'recall("05", "c", "a")',
    "progress()",
)


ANSWERED = """
os.environ.update({environment})
shown = [check("00.1", 24), recall("05", "a", "b"), progress()]
for name in {environment}:
    del os.environ[name]
shown[-1]"""


@pytest.mark.slow
def test_a_person_s_answers_are_recorded_and_shown_and_elsewhere_none_is_written_or_read(tmp_path):
    """Elsewhere: in a kernel as nbval and `make notebooks` start one; in nbgrader's; where a person switched it off."""
    (tmp_path / LESSONS["00"][0]).write_bytes((ROOT / "notebooks" / LESSONS["00"][0]).read_bytes())
    record.add(tmp_path, "02.1", "wrong")
    elsewhere = {}, {**PERSON, "NBGRADER_EXECUTION": "1"}, {**PERSON, "PE_LIB_PROGRESS": "off"}
    before = [SESSION[0], *(ANSWERED.format(environment=environment) for environment in elsewhere)]
    shown = kernel(tmp_path, *before, f"os.environ.update({PERSON})", *SESSION[1:])
    assert shown[1:4] == [map_module.NOTHING] * 3
    assert answers(tmp_path) == [
        ("02.1", "wrong"),
        ("00.1", "wrong"),
        ("00.1", "right"),
        ("05-recall-1", "right"),
        ("05-recall-2", "wrong"),
    ]
    assert all(set(line) == {"time", "id", "status"} for line in lines(tmp_path)), "nothing else, and no code"
    age = datetime.now(timezone.utc) - datetime.fromisoformat(lines(tmp_path)[1]["time"])
    assert 0 <= age.total_seconds() < 3600
    assert "◐ begun  00 Start here         1 of 2\n○ open   01 Embedding          0 of 3" in shown[-1]
    text = shown[len(before) + SESSION.index("_.for_a_tutor()")]
    assert "A sentence has four different tokens." in text and "```python\norders = 4 ** 4\n```" in text
    assert "### Hint 2\n\nWith three tokens there are 3 · 2 · 1 = 6." in text and "4 * 3 * 2 * 1" not in text


def test_a_script_records_nothing_and_vs_code_names_the_notebook_in_the_kernel(person, monkeypatch, tmp_path):
    monkeypatch.delenv("JPY_SESSION_NAME")
    assert record.folder() is None
    person.shell.user_ns["__vsc_ipynb_file__"] = str(tmp_path / "mine" / "02_formula.ipynb")
    assert record.folder() == tmp_path / "mine"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(record, "kernel", lambda: None)  # as here, even where a kernel started the process
    monkeypatch.setenv("JPY_SESSION_NAME", "x.ipynb")
    check("00.1", 24)
    recall("05", "a", "b")
    assert [*tmp_path.iterdir()] == []


@pytest.fixture
def person(tmp_path, monkeypatch):
    """A learner's folder, as if this process were a kernel there."""
    shell = SimpleNamespace(starting_dir=str(tmp_path), user_ns={"In": [""]})
    monkeypatch.setattr(record, "kernel", lambda: shell)
    monkeypatch.setattr(tutor, "kernel", lambda: shell)
    monkeypatch.setenv("JPY_SESSION_NAME", "my_notebooks/02_formula.ipynb")
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.delenv("PE_LIB_PROGRESS", raising=False)
    return SimpleNamespace(folder=tmp_path, shell=shell)


def test_two_open_lessons_lose_no_line(tmp_path):
    """Four processes write at once, each its own lines."""
    code = "import sys; from pe_course.progress import record\nfor n in range(100): record.add(*sys.argv[1:3], str(n))"
    started = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), f"writer {writer}"]) for writer in range(4)]
    assert [process.wait() for process in started] == [0] * 4
    if sys.platform == "win32":
        pytest.skip("Windows appends in two steps: two lines in the same microsecond may become one")
    expected = [(f"writer {writer}", str(n)) for writer in range(4) for n in range(100)]
    assert sorted(answers(tmp_path)) == sorted(expected)
    for writer in range(4):
        assert [status for known, status in answers(tmp_path) if known == f"writer {writer}"] == [*map(str, range(100))]


BROKEN = [
    eval(line) for line, _ in pages(__file__.replace("test_progress", "odd_values"), {})["no line of a record"].entries
]


@pytest.mark.slow
@pytest.mark.parametrize("broken", BROKEN, ids=lambda line: repr(line[:40]))
def test_a_broken_line_is_named_and_loses_nothing(person, broken):
    record.add(person.folder, "00.1", "right")
    with open(person.folder / record.FILE, "ab") as file:
        file.write(b"\n" + broken)  # an empty line, and one that is cut off before its end
    assert check("00.2", lambda f, x, order: True).status == "wrong"
    found = record.read(person.folder)
    assert [(entry.id, entry.status) for entry in found.entries] == [("00.1", "right"), ("00.2", "wrong")]
    assert [number for number, _ in found.unread] == [3]
    shown = progress()
    assert "Line 3 of progress.jsonl is no record of ours and was left out: " in repr(shown)
    assert broken in (person.folder / record.FILE).read_bytes(), "what somebody wrote there stays"
    assert "<script>" not in shown._repr_html_()
    assert len(repr(shown)) < 2000 and repr(shown).replace("\n", "").isprintable()


def test_many_broken_lines_are_one_line_of_the_map(person, monkeypatch):
    record.add(person.folder, "00.1", "right")
    with open(person.folder / record.FILE, "ab") as file:
        file.write(b"x\n" * 1000)
    (told,) = [line for line in repr(progress()).splitlines() if "no record" in line]
    assert told == "Line 2 of progress.jsonl is no record of ours and was left out: x (999 more such lines)"
    windows = type("Windows", (datetime,), {"astimezone": Mock(side_effect=OSError(22, "Invalid argument"))})
    monkeypatch.setattr(record, "datetime", windows)
    assert record.read(person.folder).unread[0][0] == 1, "a time that the machine cannot convert is a broken line"


def test_a_line_of_another_version_of_the_course_is_passed_over(person):
    record.add(person.folder, "77.1", "right")
    record.add(person.folder, "00.1", "right")
    assert "1 of 2" in repr(progress()) and "Line" not in repr(progress())
    assert "Next: exercise 00.2, in lesson 00 Start here." in repr(progress())


UNWRITABLE = {
    "read-only": lambda folder: folder.chmod(0o555),
    "no longer there": lambda folder: folder.rmdir(),
    "a file": lambda folder: (folder.rmdir(), folder.write_text("a file")),
    "a folder in its place": lambda folder: (folder / record.FILE).mkdir(),
}


@pytest.mark.parametrize("how", UNWRITABLE)
def test_where_nothing_can_be_written_the_check_replies_all_the_same(person, monkeypatch, how, capfd):
    if how == "read-only" and (sys.platform == "win32" or os.geteuid() == 0):
        pytest.skip("root, and Windows, write into a read-only folder")
    folder = person.folder / "mine"
    folder.mkdir()
    person.shell.starting_dir = str(folder)
    UNWRITABLE[how](folder)
    assert repr(check("00.1", 24)).startswith("✔ Exercise 00.1: right.")
    assert recall("05", "c", "a").replies[0].status == "right"
    assert repr(progress())
    assert capfd.readouterr() == ("", "")


def test_what_cannot_be_written_to_is_told_by_the_map(person, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(map_module.os, "access", lambda folder, mode: False)
        told = "This folder cannot be written to, so nothing new is recorded."
        assert repr(progress()) == f"{map_module.NOTHING}\n{told}" and progress()._repr_html_() is None
    record.add(person.folder, "00.1", "right")
    monkeypatch.setattr(map_module.os, "access", lambda path, mode: Path(path) != person.folder / record.FILE)
    assert repr(progress()).endswith("\nprogress.jsonl cannot be written to, so nothing new is recorded.")


def test_readme_and_teaching_tell_the_lessons_and_what_is_recorded_where_and_how_to_stop_it():
    page = (ROOT / "TEACHING.md").read_text(encoding="utf-8")
    told = " ".join(re.search(r"^## What is asked again.+", page, re.M | re.S)[0].split())
    assert record.FILE in told and f"{record.SWITCH}=off" in told and "_.for_a_tutor()" in told
    for command in re.findall(r"python -m pe_course (\w+)", told):
        assert command in COMMANDS
    assert f"after {', '.join(map(str, INTERVALS[:-1]))} and {INTERVALS[-1]} days" in told
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\d\d) (.+?)\]\(notebooks/(.+?\.ipynb)\)", readme, re.M)
    assert {number: (file, title) for number, title, file in rows} == LESSONS


LAST_LESSON = [number for number in EXERCISES if number[:2] == max(EXERCISES)[:2]]


def done(person, *ids, status="right"):
    for known in ids:
        record.add(person.folder, known, status)


NEXT = pages(__file__.replace("test_progress", "records"), {})["next steps"].entries


@pytest.mark.parametrize("right, following", NEXT)
def test_the_next_step(person, right, following):
    done(person, *eval(right))
    assert following in repr(progress()).splitlines()


def test_done_begun_and_open_are_told_by_mark_and_word(person):
    done(person, "00.1", "00.2")
    done(person, "00.2", "01.1", "03-recall-1", status="wrong")  # once right stays right
    (person.folder / LESSONS["01"][0]).touch()
    shown = progress()
    rows = repr(shown).splitlines()
    assert rows[:4] == [
        "✔ done   00 Start here         2 of 2",
        "◐ begun  01 Embedding          0 of 3",
        "○ open   02 Formula            0 of 3",
        "◐ begun  03 Loop               0 of 3",
    ]
    assert rows[-1].startswith("1 question waits: python -m pe_course review")
    page = shown._repr_html_()
    words = html.unescape(" ".join(re.sub("<[^>]+>", " ", page).split()))
    assert "✔ done 00 Start here 2 of 2 ◐ begun 01 Embedding 0 of 3" in words
    assert page.count("<tr>") == len(LESSONS) + 1 and "color" not in page
    assert re.findall("href='(.+?)'", page) == [LESSONS["01"][0]], "links to the lessons that are there"


def test_the_map_in_a_terminal_is_that_of_the_notebook(person, monkeypatch, capsys):
    """A pipe without these marks, as on Windows, where what is piped has 256 letters, gets the words."""
    command = [sys.executable, "-m", "pe_course", "progress", "--folder", str(person.folder)]
    piped = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "cp1252"})
    assert piped.returncode == 0 and b"done (?), begun (?) and open (?)" in piped.stdout
    done(person, "00.1")
    assert main(["progress", "--folder", str(person.folder)]) == 0
    assert capsys.readouterr().out == f"{progress()!r}\n"
    assert main(["progress", "--folder", "no/such"]) == 2
    assert capsys.readouterr().err == f"{Path('no/such')} is no folder\n"


@pytest.mark.parametrize("place", [".", "my_notebooks", "notebooks"])
def test_a_terminal_finds_the_record_of_the_lessons(tmp_path, monkeypatch, capsys, place):
    monkeypatch.chdir(tmp_path)
    assert main(["progress"]) == 0
    assert capsys.readouterr().out == f"{map_module.NOTHING}\n"
    (tmp_path / place).mkdir(exist_ok=True)
    record.add(tmp_path / place, "00.1", "right")
    assert main(["progress"]) == 0
    assert "1 of 2" in capsys.readouterr().out


LOOP = """def my_loop(max_len, d_model):
    return np.zeros((max_len, d_model)) * factor"""


def test_code_is_that_of_the_cells_that_made_the_answer_and_elsewhere_what_python_knows(person, monkeypatch):
    person.shell.user_ns["In"] = [
        *("", "def my_loop(max_len, d_model):\n    return None", "factor = 2", LOOP),
        *("for broken in", 'check("03.2", factor)', 'check("03.1", my_loop)'),
        "my_loop = 7",  # later than the check
    ]
    assert tutor.learners_code("03.1", None) == LOOP
    assert tutor.learners_code("03.2", None) == "factor = 2"
    person.shell.user_ns["In"] += ["class my_loop: pass", 'check("03.1", (my_loop, factor))']
    assert tutor.learners_code("03.1", None) == "factor = 2\n\nclass my_loop: pass"
    monkeypatch.setattr(tutor, "kernel", lambda: None)
    assert tutor.learners_code("03.1", done).startswith("def done(person")
    text = check("00.1", 4**4).for_a_tutor()
    assert "```python\n256\n```" in text and "## The exercise" not in text and "Hint" not in text.partition("##")[2]


FOUND = [exercise for lesson in course.LESSONS for exercise in exercises_of(lesson)]


@pytest.mark.parametrize("exercise", FOUND, ids=lambda exercise: exercise.number)
def test_task_and_hints_of_every_exercise_are_found_and_its_solution_is_not_given(person, exercise):
    person.shell.starting_dir = str(ROOT / "notebooks")
    task, hints = tutor.task_and_hints(exercise.number)
    assert task == exercise.task.source.removeprefix("### ")
    assert hints == [body.strip() for summary, body in exercise.blocks if summary.startswith("Hint")]
    reply = Reply("wrong", "No.", "seen: 7", exercise=exercise.number, answer=7)
    assert len(hints) == 2 and exercise.solution not in reply.for_a_tutor()


def test_a_copy_with_another_name_is_read_where_it_is_the_open_one(person, monkeypatch):
    copy = person.folder / "00_start_here.new.ipynb"
    copy.write_bytes((ROOT / "notebooks" / LESSONS["00"][0]).read_bytes())
    assert tutor.task_and_hints("00.1") == ("", [])
    monkeypatch.setenv("JPY_SESSION_NAME", str(copy))
    assert tutor.task_and_hints("00.1")[0].startswith("Exercise 00.1 ·")
    copy.write_text('{"cells": [{"id": 7}]}', encoding="utf-8")
    assert tutor.task_and_hints("00.1") == ("", [])


def test_only_a_wrong_answer_offers_a_text_that_asks_for_one_question_at_a_time(person):
    wrong = check("00.1", 4**4)
    text = wrong.for_a_tutor()
    assert isinstance(text, str) and repr(text) == str(text)
    request = " ".join(text.partition("##")[0].split())
    assert "Do not write the solution" in request and "one question at a time" in request
    assert "4⁴ lets one token stand in several places" in text
    assert "_.for_a_tutor()" in wrong._repr_html_() and "tutor" not in repr(wrong)
    for reply in (check("00.1", 24), check("00.1", ...), installation(), recall("05", "a", "b").replies[0]):
        assert "tutor" not in reply._repr_html_()
        with pytest.raises(ValueError, match="only the reply to a wrong answer"):
            reply.for_a_tutor()
