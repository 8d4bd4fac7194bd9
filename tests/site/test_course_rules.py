"""Each rule of test_notebooks.py, and the injection of solutions and faults, can fail: shown on broken lessons."""

import copy
import inspect
import subprocess
import sys
from functools import partial

import course
import pytest
import test_notebooks as rules
from course import Lesson, exercises_of

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


NINE = "\n\n".join([f"{rules.predictions.QUESTION} Why?"] * 9)
# A rule, without its test_, the part of a lesson that is changed, and what is done to it.
BREAKS = {
    ("cell_ids_have_a_meaning", "text"): [put(id="a1b2c3d4"), put(id="Cell"), put(id="cell_1")],
    ("metadata_is_the_same_on_every_machine", "code"): [metadata(scrolled=True)],
    ("executed_in_order", "code"): [put(execution_count=None)],
    ("no_path_of_a_machine", "text"): [append(" /home/ada/course")],
    ("no_path_of_a_machine", "code"): [output(text="C:\\course"), output(text="File /tmp/ipykernel_1/2.py")],
    ("no_error_and_no_warning_is_stored", "code"): [
        *(output(text="Traceback (most recent call last)\n"), output(output_type="error"), output(name="stderr")),
    ],
    ("no_trailing_semicolon", "code"): [append(";"), append(";  # shown without its value")],
    ("code_installs_and_downloads_nothing", "code"): [
        append("\n" + line) for line in ("%pip install numpy", "!ls", "import urllib.request")
    ],
    ("code_cells_have_short_lines", "code"): [append("\n" + "x" * 96)],
    ("tags", "code"): [
        *(metadata(tags=[tag]) for tag in ("hide", "nbval-skip", "nbval-ignore-output", "explorer")),
        append("\n# NBVAL_SKIP"),
    ],
    ("tags", "prediction"): [metadata(tags=[kind, "nbval-ignore-output"]) for kind in ("your-machine", "explorer")],
    ("output_to_predict_is_hidden", "prediction"): [
        *(lambda cell: cell.metadata.pop("jupyter"), metadata(tags=[]), put(outputs=[])),
        lambda cell: cell.update(outputs=cell.outputs[-1:]),
    ],
    ("what_follows_a_prediction_does_not_tell_the_result", "after a prediction"): [
        put(source=told) for told in ("The same. How many are still?", "Nearly. **Predict.** And now?\n\nThe same.")
    ],
    ("nothing_in_view_gives_a_prediction_away", "averages"): [append('\nprint("the second is larger")')],
    ("a_class_can_discuss_all_predictions", "end"): [append(NINE)],
    ("figures_have_alt_text", "figure"): [
        lambda cell: [shown.get("metadata", {}).clear() for shown in cell.outputs],
        lambda cell: cell.outputs[-1].data.update({"text/plain": "<Figure>"}),
    ],
    ("markdown_images_have_alt_text", "text"): [append("![](clock.png)")],
    ("headings_in_order", "title"): [
        *(replace("# ", "## "), replace(f"# {SOUND.number}", "# Lesson"), append("\n### Too deep"))
    ],
    ("headings_in_order", "text"): [append("\n# A second title")],
    ("links_exist", "text"): [
        append(f"[lost]({link})") for link in ("99_lost.ipynb", "../pe_lib/lost.py", "#No-such-heading", ".")
    ],
    ("first_and_last_cell_link_to_the_neighbours", "title"): [replace("▶", "")],
    ("first_and_last_cell_link_to_the_neighbours", "end"): [replace("_", ""), append("\n[◀ 09 Lost](09_lost.ipynb)")],
    ("minutes_agree_with_both_tables", "title"): [replace(" minutes", "1 minutes"), replace("minutes", "min")],
    ("minutes_are_what_a_lesson_takes", "title"): [replace(" minutes", "0 minutes")],
    ("lesson_opens_with_two_questions_from_memory", "code"): [put(source='recall("01", ..., ...)')],
    ("the_explorer_needs_nothing_but_the_set_up", "explorer"): [append("\nmade_further_up")],
    ("no_part_of_an_exercise_stands_alone", "code"): [metadata(tags=["check"])],
    ("no_part_of_an_exercise_stands_alone", "text"): [put(source="### Exercise 00.9 · Lost")],
    ("exercises_have_their_four_parts", "task"): [replace("###", "##"), replace("●", "")],
    ("exercises_have_their_four_parts", "stub"): [put(source="orders = 24"), metadata(nbgrader={})],
    ("exercises_have_their_four_parts", "check"): [
        *(lambda cell: cell.metadata.nbgrader.update(points=99), append("\nprint()"), metadata(tags=[])),
    ],
    ("exercises_have_their_folded_blocks", "folded"): [
        *(replace("Hint 2", "Hint"), replace("<summary>Solution", "<summary>Answer")),
        *(replace("```python", "```"), append("\n<details>lost")),
    ],
}


@pytest.mark.parametrize("name, part", BREAKS)
def test_rule_names_the_broken_cell(name, part):
    for change in BREAKS[name, part]:
        lesson = broken_copy()
        cell = PARTS[part](lesson)
        change(cell)
        with pytest.raises(AssertionError, match=f"{lesson.name}, cell {cell.id}: "):
            getattr(rules, f"test_{name}")(lesson)


GIVEN_AWAY = {  # the question speaks of fast pairs and of 64; the answer of a loss of speed
    "plots.curves('Fast pairs fall behind', x)": ["behin", "fall"],
    "loses_speed = x": ["los", "spe"],
    "x.shape   # (5, 3)": ["5, 3"],
    "print(x)   # 512 of them": ["512"],
    "print(f'{a} is larger than b')": ["“is larger than b”"],
    "try:\n    x\nexcept KeyError:\n    pass": ["except"],
    "for size in (5, 64):\n    print(size, fast_pairs)": [],
    "plots.curves('Which is larger?', x)": [],
}


@pytest.mark.parametrize("source", GIVEN_AWAY)
def test_what_gives_a_prediction_away_is_named(source):
    outputs = [rules.nbformat.from_dict({**TEXT_OUTPUT, "text": "(5, 3)"})]
    cell = rules.nbformat.v4.new_code_cell(source, outputs=outputs)
    views = "**Predict.** What happens to the fast pairs at 64?", source, "They lose speed and fall behind, by 512."
    assert rules.predictions.given_away(cell, *views) == GIVEN_AWAY[source]


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


BROKEN_ABOVE = {"test_notebook_is_small_and_valid", "test_lesson_runs_with_its_solutions"}


def test_every_rule_is_broken_here():
    tests = {name: test for name, test in vars(rules).items() if name.startswith("test_")}
    about_a_lesson = {name for name, test in tests.items() if "lesson" in inspect.signature(test).parameters}
    assert about_a_lesson == {f"test_{name}" for name, _ in BREAKS} | BROKEN_ABOVE
