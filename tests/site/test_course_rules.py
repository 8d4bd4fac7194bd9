"""Each rule of test_notebooks.py, and the injection of solutions and faults, can fail: shown on broken lessons."""

import copy
import inspect
import subprocess
import sys
from functools import partial
from pathlib import Path

import course
import pytest
import test_notebooks as rules
from course import Lesson, exercises_of

from pe_course.judges.known import pages

SOUND = rules.LESSONS[0]
TEXT_OUTPUT = {"output_type": "stream", "name": "stdout", "text": "1.0"}


def broken_copy():
    return Lesson(SOUND.path, copy.deepcopy(SOUND.notebook))


def part_of_first(part, lesson):
    return getattr(exercises_of(lesson)[0], part)


def first(what):
    return lambda lesson: next(cell for cell in lesson.code_cells if what(cell))


PARTS = {
    "title": lambda lesson: lesson.cells[0],
    "end": lambda lesson: lesson.cells[-1],
    "text": lambda lesson: lesson.text_cells[1],
    "code": first(lambda cell: "colab" not in rules.tags(cell)),
    "prediction": first(lambda cell: "predict" in rules.tags(cell)),
    "averages": first(lambda cell: cell.id == "invariant-run"),
    "explorer": first(lambda cell: cell.id == "explorer"),
    "after a prediction": lambda lesson: next(rules.texts_after_predictions(lesson)),
    "figure": first(lambda cell: course.figures([cell])),
    **{part: partial(part_of_first, part) for part in ("task", "stub", "check", "folded")},
}


def append(text):
    return lambda cell: cell.update(source=cell.source + text)


def replace(old, new):
    return lambda cell: cell.update(source=cell.source.replace(old, new))


def output(**fields):
    return lambda cell: cell.outputs.append(rules.nbformat.from_dict({**TEXT_OUTPUT, **fields}))


def put(**fields):
    return lambda cell: cell.update(**fields)


def metadata(**fields):
    return lambda cell: cell.metadata.update(**fields)


SECTIONS = {name: known.entries for name, known in pages(str(Path(__file__).with_name("broken_lessons")), {}).items()}
GIVEN_AWAY = SECTIONS.pop("a prediction that is given away")
BREAKS = {tuple(name.split(", ")): [eval(change) for change, _ in changes] for name, changes in SECTIONS.items()}


@pytest.mark.parametrize("name, part", BREAKS)
def test_rule_names_the_broken_cell(name, part):
    for change in BREAKS[name, part]:
        lesson = broken_copy()
        cell = PARTS[part](lesson)
        change(cell)
        with pytest.raises(AssertionError, match=f"{lesson.name}, cell {cell.id}: "):
            getattr(rules, f"test_{name}")(lesson)


@pytest.mark.parametrize("source, told", GIVEN_AWAY)
def test_what_gives_a_prediction_away_is_named(source, told):
    source, outputs = source.replace("\\n", "\n"), [rules.nbformat.from_dict({**TEXT_OUTPUT, "text": "(5, 3)"})]
    cell = rules.nbformat.v4.new_code_cell(source, outputs=outputs)
    views = "**Predict.** What happens to the fast pairs at 64?", source, "They lose speed and fall behind, by 512."
    assert (", ".join(rules.predictions.given_away(cell, *views)) or "nothing") == told


def test_metadata_of_an_editor_and_a_large_file_are_refused(tmp_path):
    lesson = Lesson(tmp_path / "00_large.ipynb", copy.deepcopy(SOUND.notebook))
    lesson.notebook.metadata.language_info.version = "3.11.7"
    with pytest.raises(AssertionError, match="make notebooks"):
        rules.test_metadata_is_the_same_on_every_machine(lesson)
    lesson.path.write_bytes(bytes(rules.LARGEST_NOTEBOOK))
    with pytest.raises(AssertionError, match="over 1 MB"):
        rules.test_notebook_is_small_and_valid(lesson)


@pytest.mark.slow
def test_wrong_solution_wrong_promise_and_accepted_fault_are_found():
    """In one run: the first exercise has a wrong solution and promise, the second a fault that is accepted."""
    lesson = broken_copy()
    first, second = exercises_of(lesson)[:2]
    for sound, changes in (
        (first, {first.solution: "raise ValueError('no solution')", first.faults[0].promised: "no check shows this"}),
        (second, {second.faults[0].code: second.solution, second.faults[0].promised: "✔"}),
    ):
        for old, new in changes.items():
            sound.folded.source = sound.folded.source.replace(old, new)
    wrong, accepted = exercises_of(lesson)[:2]
    for test, about, said in (
        (rules.test_lesson_runs_with_its_solutions, lesson, f"cell {wrong.stub.id}: .*no solution"),
        (rules.test_solution_is_accepted, wrong, f"cell {wrong.check.id}: "),
        (rules.test_fault_shows_what_is_promised, wrong.faults[0], f"cell {wrong.folded.id}: "),
        (rules.test_fault_shows_what_is_promised, accepted.faults[0], "is accepted"),
    ):
        with pytest.raises(AssertionError, match=said):
            test(about)


@pytest.mark.parametrize(("megabytes", "complaint"), [(200, "200 MB; docs/hosting.md states"), (600, "600 MB")])
def test_memory_that_is_not_as_stated_is_named(megabytes, complaint, monkeypatch):
    monkeypatch.setattr(course, "version", lambda package: "2.13.0+cpu")
    course.assert_memory("02_formula", course.stated()["02"])
    with pytest.raises(AssertionError, match=f"02_formula: {complaint}"):
        course.assert_memory("02_formula", megabytes)


@pytest.mark.skipif(sys.platform != "linux", reason="no /proc")
def test_a_peak_is_seen_after_the_memory_was_given_back():
    code = "held = bytearray(300 << 20); del held; print(flush=True); input()"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as process:
        process.stdout.readline()
        assert 300 < course.peak_of(process.pid) < 400
        process.communicate(b"\n")


BROKEN_ELSEWHERE = {"test_notebook_is_small_and_valid", "test_lesson_runs_with_its_solutions"}


def test_every_rule_is_broken_here():
    tests = {name: test for name, test in vars(rules).items() if name.startswith("test_")}
    about_a_lesson = {name for name, test in tests.items() if "lesson" in inspect.signature(test).parameters}
    assert about_a_lesson == {f"test_{name}" for name, _ in BREAKS} | BROKEN_ELSEWHERE
