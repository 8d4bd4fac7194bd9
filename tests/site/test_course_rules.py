"""Each rule of test_notebooks.py, and the injection of solutions and faults, can fail: shown on broken lessons."""

import copy
import inspect
import subprocess
import sys

import course
import pytest
import test_notebooks as rules
from course import Lesson, exercises_of

SOUND = rules.LESSONS[0]
TEXT_OUTPUT = {"output_type": "stream", "name": "stdout", "text": "1.0"}


def broken_copy():
    return Lesson(SOUND.path, copy.deepcopy(SOUND.notebook))


def exercise(lesson):
    return exercises_of(lesson)[0]


def first(what):
    return lambda lesson: next(cell for cell in lesson.code_cells if what(cell))


PARTS = {
    "title": lambda lesson: lesson.cells[0],
    "end": lambda lesson: lesson.cells[-1],
    "text": lambda lesson: lesson.text_cells[1],
    "code": first(lambda cell: "colab" not in rules.tags(cell)),
    "prediction": first(lambda cell: "predict" in rules.tags(cell)),
    "averages": first(lambda cell: cell.id == "invariant-run"),
    "after a prediction": lambda lesson: next(rules.texts_after_predictions(lesson)),
    "figure": first(lambda cell: any("image/png" in output.get("data", {}) for output in cell.outputs)),
    "task": lambda lesson: exercise(lesson).task,
    "stub": lambda lesson: exercise(lesson).stub,
    "check": lambda lesson: exercise(lesson).check,
    "folded": lambda lesson: exercise(lesson).folded,
}


def append(text):
    return lambda cell: cell.update(source=cell.source + text)


def replace(old, new):
    return lambda cell: cell.update(source=cell.source.replace(old, new))


def tag(*tags):
    return lambda cell: cell.metadata.update(tags=[*tags])


def output(**fields):
    return lambda cell: cell.outputs.append(rules.nbformat.from_dict({**TEXT_OUTPUT, **fields}))


def figure_without(what):
    def change(cell):
        for shown in cell.outputs:
            if "image/png" in shown.get("data", {}):
                getattr(shown, what).clear()

    return change


told = rules.test_what_follows_a_prediction_does_not_tell_the_result
given_away = rules.test_nothing_in_view_gives_a_prediction_away
NINE = "\n\n".join([f"{rules.predictions.QUESTION} Why?"] * 9)
BREAKS = [
    (rules.test_cell_ids_have_a_meaning, "text", lambda cell: cell.update(id="a1b2c3d4")),
    (rules.test_cell_ids_have_a_meaning, "text", lambda cell: cell.update(id="Cell")),
    (rules.test_cell_ids_have_a_meaning, "code", lambda cell: cell.update(id="cell_1")),
    (rules.test_cell_ids_have_a_meaning, "code", lambda cell: cell.update(id="4")),
    (rules.test_metadata_is_the_same_on_every_machine, "code", lambda cell: cell.metadata.update(scrolled=True)),
    (rules.test_executed_in_order, "code", lambda cell: cell.update(execution_count=None)),
    (rules.test_no_path_of_a_machine, "text", append(" /home/ada/course")),
    (rules.test_no_path_of_a_machine, "code", output(text="C:\\course")),
    (rules.test_no_path_of_a_machine, "code", output(text="File /tmp/ipykernel_1/2.py")),
    (rules.test_no_error_and_no_warning_is_stored, "code", output(text="Traceback (most recent call last)\n")),
    (rules.test_no_error_and_no_warning_is_stored, "code", output(output_type="error", ename="E", traceback=[])),
    (rules.test_no_error_and_no_warning_is_stored, "code", output(name="stderr")),
    (rules.test_no_trailing_semicolon, "code", append(";")),
    (rules.test_no_trailing_semicolon, "code", append(";  # shown without its value")),
    (rules.test_code_installs_and_downloads_nothing, "code", append("\n%pip install numpy")),
    (rules.test_code_installs_and_downloads_nothing, "code", append("\n!ls")),
    (rules.test_code_installs_and_downloads_nothing, "code", append("\nimport urllib.request")),
    (rules.test_code_cells_have_short_lines, "code", append("\n" + "x" * 96)),
    (rules.test_tags, "code", tag("hide")),
    (rules.test_tags, "code", tag("raises-exception")),
    (rules.test_tags, "code", tag("nbval-skip")),
    (rules.test_tags, "code", tag("nbval-ignore-output")),
    (rules.test_tags, "code", tag("explorer")),
    (rules.test_tags, "prediction", tag("your-machine", "nbval-ignore-output")),
    (rules.test_tags, "prediction", tag("explorer", "nbval-ignore-output")),
    (rules.test_tags, "code", append("\n# NBVAL_SKIP")),
    (rules.test_output_to_predict_is_hidden, "prediction", lambda cell: cell.metadata.pop("jupyter")),
    (rules.test_output_to_predict_is_hidden, "prediction", tag()),
    (rules.test_output_to_predict_is_hidden, "prediction", lambda cell: cell.outputs.clear()),
    (rules.test_output_to_predict_is_hidden, "prediction", lambda cell: cell.update(outputs=cell.outputs[-1:])),
    (told, "after a prediction", lambda cell: cell.update(source="The same rows, in another order.")),
    (told, "after a prediction", lambda cell: cell.update(source="Shorter: it falls less. How many are still?")),
    (told, "after a prediction", lambda cell: cell.update(source="Nearly. **Predict.** And now?\n\nThe same.")),
    (told, "after a prediction", lambda cell: cell.update(source="Why?\n\n<details>…</details>")),
    (given_away, "averages", append("\n# they are equal")),
    (given_away, "averages", append('\nprint("the second is larger")')),
    (given_away, "averages", append("\ntry:\n    attention(x)\nexcept RuntimeError:\n    pass")),
    (rules.test_a_class_can_discuss_all_predictions, "end", append(NINE)),
    (rules.test_figures_have_alt_text, "figure", figure_without("metadata")),
    (rules.test_figures_have_alt_text, "figure", lambda cell: cell.outputs[-1].data.update({"text/plain": "<Figure>"})),
    (rules.test_markdown_images_have_alt_text, "text", append("![](clock.png)")),
    (rules.test_headings_in_order, "title", replace("# ", "## ")),
    (rules.test_headings_in_order, "title", replace(f"# {SOUND.number}", "# Lesson")),
    (rules.test_headings_in_order, "text", append("\n# A second title")),
    (rules.test_headings_in_order, "title", append("\n### Too deep")),
    (rules.test_links_exist, "text", append("[lost](99_lost.ipynb)")),
    (rules.test_links_exist, "text", append("[lost](../pe_lib/lost.py)")),
    (rules.test_links_exist, "text", append("[lost](#No-such-heading)")),
    (rules.test_links_exist, "text", append("[not copied](.)")),
    (rules.test_first_and_last_cell_link_to_the_neighbours, "title", replace("▶", "")),
    (rules.test_first_and_last_cell_link_to_the_neighbours, "end", replace("_", "")),
    (rules.test_first_and_last_cell_link_to_the_neighbours, "end", append("\n[◀ 09 Lost](09_lost.ipynb)")),
    (rules.test_minutes_agree_with_both_tables, "title", replace(" minutes", "1 minutes")),
    (rules.test_minutes_agree_with_both_tables, "title", replace("minutes", "min")),
    (rules.test_minutes_are_what_a_lesson_takes, "title", replace(" minutes", "0 minutes")),
    (rules.test_no_part_of_an_exercise_stands_alone, "code", tag("check")),
    (
        rules.test_no_part_of_an_exercise_stands_alone,
        "text",
        lambda cell: cell.update(source="### Exercise 00.9 · Lost"),
    ),
    (rules.test_exercises_have_their_four_parts, "task", replace("###", "##")),
    (rules.test_exercises_have_their_four_parts, "task", replace("●", "")),
    (rules.test_exercises_have_their_four_parts, "stub", lambda cell: cell.update(source="orders = 24")),
    (rules.test_exercises_have_their_four_parts, "stub", lambda cell: cell.metadata.nbgrader.update(locked=True)),
    (rules.test_exercises_have_their_four_parts, "check", lambda cell: cell.metadata.nbgrader.update(points=99)),
    (rules.test_exercises_have_their_four_parts, "check", append("\nprint()")),
    (rules.test_exercises_have_their_four_parts, "check", tag()),
    (rules.test_exercises_have_their_folded_blocks, "folded", replace("Hint 2", "Hint")),
    (rules.test_exercises_have_their_folded_blocks, "folded", replace("<summary>Solution", "<summary>Answer")),
    (rules.test_exercises_have_their_folded_blocks, "folded", replace("```python", "```")),
    (rules.test_exercises_have_their_folded_blocks, "folded", append("\n<details>lost")),
    (rules.test_exercise_not_attempted_says_so, "check", lambda cell: cell.outputs.clear()),
]


@pytest.mark.parametrize("rule, part, change", BREAKS, ids=[f"{rule.__name__[5:]}-{part}" for rule, part, _ in BREAKS])
def test_rule_names_the_broken_cell(rule, part, change):
    lesson = broken_copy()
    cell = PARTS[part](lesson)
    change(cell)
    with pytest.raises(AssertionError, match=f"{lesson.name}, cell {cell.id}: "):
        rule(lesson)


@pytest.mark.parametrize(
    "text",
    [
        "<details>\n<summary>What you see</summary>\n\nThe same rows.\n</details>\n\nNow for four.",
        "## A new question\n\nShuffle them.",
        "Why is that?",
        "Now someone changes a line.\n\n**Predict.** Error, right, or wrong?",
        "**Predict.** Will they differ? (Three digits are enough.)",
    ],
)
def test_text_that_folds_or_asks_on_tells_nothing(text):
    assert not rules.tells(text)


@pytest.mark.parametrize(
    "source, told",
    [
        ("plots.curves('Fast pairs fall behind', x)", ["behin", "fall"]),
        ("loses_speed = x", ["los", "spe"]),
        ("x.shape   # (5, 3)", ["5, 3"]),
        ("print(x)   # 512 of them", ["512"]),
        ("print(f'{a} is larger than b')", ["“is larger than b”"]),
        ("try:\n    x\nexcept KeyError:\n    pass", ["except"]),
        ("for size in (5, 64):\n    print(size, fast_pairs)", []),
        ("plots.curves('Which is larger?', x)", []),
    ],
)
def test_what_gives_a_prediction_away_is_named(source, told):
    """The question speaks of fast pairs and of 64; the answer of a loss of speed."""
    outputs = [rules.nbformat.from_dict({**TEXT_OUTPUT, "text": "(5, 3)"})]
    cell = rules.nbformat.v4.new_code_cell(source, outputs=outputs)
    views = "**Predict.** What happens to the fast pairs at 64?", source, "They lose speed and fall behind, by 512."
    assert rules.predictions.given_away(cell, *views) == told


@pytest.mark.parametrize("table", ["README.md", rules.MAP])
@pytest.mark.parametrize(
    "row, problem",
    [
        ("| [01 Other](01_other.ipynb) | add | 15 |", "0 rows"),
        ("| [00 Start here](00_start_here.ipynb) | add | 15 |\n" * 2, "2 rows"),
        ("| [00 Start here](00_start_here.ipynb) | add | 16 |", "not 15 minutes"),
    ],
)
def test_table_that_disagrees_is_named(monkeypatch, table, row, problem):
    sound = "| [00 Start here](00_start_here.ipynb) | add | 15 |"
    lesson = broken_copy()
    lesson.cells[0].source = "# 00 · Start here\n\n*15 minutes.*"
    tables = dict.fromkeys(rules.tables_of_lessons(), sound)
    monkeypatch.setattr(rules, "tables_of_lessons", lambda: tables)
    rules.test_minutes_agree_with_both_tables(lesson)
    tables[table] = row
    with pytest.raises(AssertionError, match=f"{table}: {problem}"):
        rules.test_minutes_agree_with_both_tables(lesson)


def test_row_without_a_link_is_named(monkeypatch):
    lesson = broken_copy()
    lesson.cells[0].source = "*15 minutes.*"
    monkeypatch.setattr(rules, "tables_of_lessons", lambda: {"README.md": "| **00 Start here** | add | 15 |"})
    with pytest.raises(AssertionError, match=r"README.md: the row has no link"):
        rules.test_minutes_agree_with_both_tables(lesson)


def test_metadata_of_an_editor_and_a_large_file_are_refused(tmp_path):
    lesson = Lesson(tmp_path / "00_large.ipynb", copy.deepcopy(SOUND.notebook))
    lesson.notebook.metadata.language_info.version = "3.11.7"
    with pytest.raises(AssertionError, match="make notebooks"):
        rules.test_metadata_is_the_same_on_every_machine(lesson)
    lesson.path.write_bytes(bytes(rules.LARGEST_NOTEBOOK))
    with pytest.raises(AssertionError, match="over 1 MB"):
        rules.test_notebook_is_small_and_valid(lesson)


QUESTIONS_BROKEN = {  # what is done to text and answers of lesson 01, and to which of the two the complaint points
    "another wording": (0, lambda cells, at: cells[at].update(source=cells[at].source.replace("**b**", "**c**"))),
    "answered": (1, lambda cells, at: cells[at + 1].update(source='recall("01", "b", ...)')),
    "of another lesson": (1, lambda cells, at: cells[at + 1].update(source='recall("02", ..., ...)')),
    "stored with a reply": (1, lambda cells, at: cells[at + 1].outputs.clear()),
    "not below the set-up": (0, lambda cells, at: cells.insert(at, cells.pop())),
    "twice": (0, lambda cells, at: cells.append(copy.deepcopy(cells[at]))),
}


@pytest.mark.parametrize("how", QUESTIONS_BROKEN)
def test_broken_questions_from_memory_are_named(how):
    lesson = Lesson(rules.LESSONS[1].path, copy.deepcopy(rules.LESSONS[1].notebook))
    at = next(place for place, cell in enumerate(lesson.cells) if cell.source.startswith(rules.HEADING))
    part, change = QUESTIONS_BROKEN[how]
    change(lesson.cells, at)
    with pytest.raises(AssertionError, match=f"{lesson.name}, cell {lesson.cells[at + part].id}: "):
        rules.test_lesson_opens_with_two_questions_from_memory(lesson)


def test_questions_from_memory_in_lesson_00_are_named():
    lesson = broken_copy()
    lesson.cells[3].source = 'recall("01", ..., ...)'
    with pytest.raises(AssertionError, match=f"cell {lesson.cells[3].id}: there is no earlier lesson"):
        rules.test_lesson_opens_with_two_questions_from_memory(lesson)


@pytest.mark.slow
def test_wrong_solution_wrong_promise_and_accepted_fault_are_found():
    """In one run: the first exercise has a wrong solution and promise, the second a fault that is accepted."""
    lesson = broken_copy()
    one, two = (part.folded for part in exercises_of(lesson)[:2])
    one.source = one.source.replace(exercises_of(lesson)[0].solution, "raise ValueError('no solution')")
    one.source = one.source.replace(exercises_of(lesson)[0].faults[0].promised, "a text that no check shows")
    sound = exercises_of(lesson)[1]
    two.source = two.source.replace(sound.faults[0].code, sound.solution).replace(sound.faults[0].promised, "✔")
    wrong, accepted = exercises_of(lesson)[:2]
    with pytest.raises(AssertionError, match=f"cell {wrong.stub.id}: .*no solution"):
        rules.test_lesson_runs_with_its_solutions(lesson)
    with pytest.raises(AssertionError, match=f"cell {wrong.check.id}: "):
        rules.test_solution_is_accepted(wrong)
    with pytest.raises(AssertionError, match=f"cell {one.id}: "):
        rules.test_fault_shows_what_is_promised(wrong.faults[0])
    with pytest.raises(AssertionError, match="is accepted"):
        rules.test_fault_shows_what_is_promised(accepted.faults[0])


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


BROKEN_ABOVE = {  # what a changed cell alone does not break, and the test that does
    rules.test_lesson_opens_with_two_questions_from_memory: test_broken_questions_from_memory_are_named,
    rules.test_notebook_is_small_and_valid: test_metadata_of_an_editor_and_a_large_file_are_refused,
    rules.test_lesson_runs_with_its_solutions: test_wrong_solution_wrong_promise_and_accepted_fault_are_found,
}


def test_every_rule_is_broken_here():
    tests = [test for name, test in vars(rules).items() if name.startswith("test_")]
    about_a_lesson = {test for test in tests if "lesson" in inspect.signature(test).parameters}
    broken = {rule for rule, _, _ in BREAKS} | BROKEN_ABOVE.keys()
    assert about_a_lesson
    assert sorted(rule.__name__ for rule in about_a_lesson ^ broken) == []
