"""The course as a whole: what nbval, which compares every cell's output with the stored one, does not see.

Every complaint names the notebook and the cell id.
"""

import ast
import re
from itertools import pairwise
from urllib.parse import unquote

import course
import nbformat
import predictions
import pytest
import yaml
from course import LESSONS, NUMBERED, ROOT, exercises_of, figures, in_every_lesson, pyproject, shown, tags
from packaging.requirements import Requirement
from run_notebooks import CELL_METADATA, METADATA, NOT_STORED, NOTHING_YET

from pe_course.exercises import EXERCISES
from pe_course.recalling.asking import HEADING, OPEN, text_of

EXERCISES_FOUND = [exercise for lesson in LESSONS for exercise in exercises_of(lesson)]
FAULTS = [fault for exercise in EXERCISES_FOUND for fault in exercise.faults]

TAGS = {"predict", "exercise", "check", "colab", "nbval-ignore-output", *NOT_STORED}
LONGEST_CODE_LINE = 95  # about what JupyterLab shows on a laptop without scrolling
SHORTEST_ALT_TEXT = 20
LARGEST_NOTEBOOK = 1_000_000
MAP = "the map in lesson 00"

in_every_number = pytest.mark.parametrize("lesson", NUMBERED, ids=lambda lesson: lesson.name)  # not the appendix


def assert_none(problems):
    problems = list(problems)
    assert not problems, "\n".join(["", *problems])


def each(kind):
    """Make a test of every lesson of a function that says what is wrong with one of its cells; None: nothing is."""

    def make(problem):
        def test(lesson):
            assert_none(lesson.at(cell, said) for cell in getattr(lesson, kind) if (said := problem(cell)))

        test.__name__, test.__doc__ = problem.__name__, problem.__doc__
        return in_every_lesson(test)

    return make


def test_lessons_are_numbered_from_00_and_every_exercise_is_in_exactly_one():
    assert [lesson.number for lesson in NUMBERED] == [f"{number:02d}" for number in range(len(NUMBERED))]
    assert NUMBERED
    assert sorted(exercise.number for exercise in EXERCISES_FOUND) == sorted(EXERCISES)


@in_every_lesson
def test_notebook_is_small_and_valid(lesson):
    assert lesson.path.stat().st_size < LARGEST_NOTEBOOK, f"{lesson.name}: over 1 MB"
    nbformat.validate(lesson.notebook)


@in_every_lesson
def test_metadata_is_the_same_on_every_machine(lesson):
    assert lesson.notebook.metadata == METADATA, f"{lesson.name}: run `make notebooks`"
    for cell in lesson.cells:
        assert set(cell.metadata) <= CELL_METADATA, lesson.at(cell, f"metadata {[*cell.metadata]}: `make notebooks`")


@each("cells")
def test_cell_ids_have_a_meaning(cell):
    """A slug such as shift-is-rotation, not the eight random digits that an editor makes."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", cell.id) or re.fullmatch(r"[0-9a-f]{8}", cell.id):
        return "an id is a slug of words; set it in the file, with a text editor"


@in_every_lesson
def test_executed_in_order(lesson):
    """nbval skips a cell that was never executed."""
    for expected, cell in enumerate(lesson.code_cells, start=1):
        found = cell.execution_count
        assert found == expected, lesson.at(cell, f"executed as number {found}, not {expected}: run `make notebooks`")


@each("cells")
def test_no_path_of_a_machine(cell):
    path = re.compile(r"(?<![\w.-])/(?:home|root|tmp|work|opt|mnt|Users)/|\bC:\\")
    found = [text[place.start() :][:60] for text in texts(cell) if (place := path.search(text))]
    return found and f"holds the path of a machine: …{found[0]!r}"


def texts(cell):
    """The source and all text of the outputs."""
    yield cell.source
    for output in cell.get("outputs", []):
        yield output.get("text", "")
        yield from output.get("traceback", [])
        yield from (str(value) for kind, value in output.get("data", {}).items() if not kind.startswith("image/"))


@each("code_cells")
def test_no_error_and_no_warning_is_stored(cell):
    for output in cell.outputs:
        if output.output_type == "error" or "Traceback (most recent call last)" in str(output.get("text", "")):
            return "stored output holds a traceback"
        if output.get("name") == "stderr":
            return "stored output holds a warning or other text of stderr"


@each("code_cells")
def test_code_is_short_installs_nothing_and_hides_no_value(cell):
    """The cell for Colab alone installs; tests/site/test_links.py holds it to the letter."""
    if re.search(r";\s*(#[^\n]*)?$", cell.source.rstrip()):
        return "ends in a semicolon, which hides the last value, and nbval cannot compare it"
    outside = re.compile(r"pip install|conda install|^\s*!|https?://|urllib|requests|torch\.hub", re.M)
    if "colab" not in tags(cell) and (found := outside.search(cell.source)):
        return f"uses {found[0].strip()!r}"
    longest = max(map(len, cell.source.splitlines()), default=0)
    return longest > LONGEST_CODE_LINE and f"a line of {longest} characters, over {LONGEST_CODE_LINE}"


@each("cells")
def test_tags(cell):
    """Only timings and sliders are exempt from comparison, and not stored; nothing else switches nbval off."""
    exempt = bool(NOT_STORED & set(tags(cell)))
    if unknown := set(tags(cell)) - TAGS:
        return f"unknown tags {unknown}"
    if ("nbval-ignore-output" in tags(cell)) != exempt:
        return f"nbval-ignore-output ⇔ one of {sorted(NOT_STORED)}"
    if exempt and cell.outputs:
        return "stores what no second run gives: run `make notebooks`"
    return re.search("NBVAL_|PYTEST_VALIDATE", cell.source) and "a comment switches nbval off"


@each("code_cells")
def test_output_to_predict_is_hidden(cell):
    hidden = cell.metadata.get("jupyter", {}).get("outputs_hidden", False)
    if hidden != ("predict" in tags(cell)):
        return "tag predict ⇔ outputs_hidden"
    if hidden and not cell.outputs:
        return "nothing to predict: no output"
    if hidden and cell.outputs[0] != NOTHING_YET:
        return "JupyterLab shows its first line, folded or not: run `make notebooks`"


@in_every_lesson
def test_predictions_can_be_discussed_and_nothing_in_view_tells_the_result(lesson):
    """What follows a prediction is folded, or asks for the next one, or opens a new section."""
    for cell in texts_after_predictions(lesson):
        assert not tells(cell.source), lesson.at(cell, "tells what was to be predicted: fold it, or ask on")
    # In view are the source of the next cell, its figure's title, and the heading below.
    for cell, *views in predictions.of(lesson):
        told = predictions.given_away(cell, *views)
        assert not told, lesson.at(cell, f"{', '.join(told)}: the answer, in view before it is run")
    asking = [cell for cell in lesson.text_cells for _ in range(cell.source.count(predictions.QUESTION))]
    assert len(asking) <= predictions.AT_MOST, lesson.at(asking[-1], f"prediction number {len(asking)}")


def texts_after_predictions(lesson):
    """The next text after each prediction."""
    for position, cell in enumerate(lesson.cells):
        if "predict" in tags(cell):
            yield next(text for text in lesson.cells[position:] if text.cell_type == "markdown")


def tells(text):
    opens = text.startswith(("<details>", "#"))
    asks_on = re.search(r"^\*\*Predict\.\*\*[^\n]*\?[^\n]*\Z", text.rstrip(), re.M)
    only_asks = re.fullmatch(r"[^.:;!]*\?", text.strip())
    return not (opens or asks_on or only_asks)


@each("code_cells")
def test_figures_have_alt_text(cell):
    for output in cell.outputs:
        for kind in (kind for kind in output.get("data", {}) if kind.startswith("image/")):
            alt = output.metadata.get(kind, {}).get("alt", "")
            if len(alt) < SHORTEST_ALT_TEXT:
                return f"alt text of the figure: {alt!r}"
            if alt not in output.data.get("text/plain", ""):
                return "text/plain, for nbval, lacks the alt text"


@each("text_cells")
def test_markdown_images_have_alt_text(cell):
    short = [alt for alt in re.findall(r"!\[(.*?)\]\(", cell.source) if len(alt) < SHORTEST_ALT_TEXT]
    return short and "an image without alt text"


@in_every_lesson
def test_headings_in_order(lesson):
    levels = [(cell, len(marks), title) for cell in lesson.text_cells for marks, title in headings(cell.source)]
    first, level, title = levels[0]
    assert first is lesson.cells[0] and level == 1, lesson.at(lesson.cells[0], "does not begin with the title, an H1")
    assert title.startswith(f"{lesson.number} · "), lesson.at(first, f"the title does not begin with {lesson.number} ·")
    for (_, before, _), (cell, level, title) in pairwise(levels):
        assert level > 1, lesson.at(cell, f"a second H1: {title}")
        assert level <= before + 1, lesson.at(cell, f"H{level} after H{before}: {title}")


def headings(text):
    """(marks, title) of each heading outside code."""
    return re.findall(r"^(#{1,6}) (.+)$", without_code(text), re.M)


def without_code(text):
    return re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.S | re.M)


@in_every_lesson
def test_links_exist(lesson):
    for cell in lesson.text_cells:
        for link in relative_links(cell.source):
            problem = broken(link, lesson.path) or not_copied(link)
            assert not problem, lesson.at(cell, f"link {link}: {problem}")


def not_copied(link):
    """The learner's folder gets the lessons only: a link to another file of notebooks/ would be broken there."""
    return None if link.startswith(("#", "../")) or ".ipynb" in link else "my_notebooks/ has no copy of it"


@pytest.mark.parametrize("page", sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]), ids=lambda page: page.name)
def test_links_of_pages_exist(page):
    links = relative_links(page.read_text(encoding="utf-8"))
    assert_none(f"{page.name}: link {link}: {problem}" for link in links if (problem := broken(link, page)))


def relative_links(text):
    links = re.findall(r"\]\(([^)\s]+)[^)]*\)|(?:href|src)=\"([^\"]+)\"", without_code(text))
    return [link for pair in links for link in pair if link and not re.match(r"[a-z]+:", link)]


def broken(link, page):
    """What is wrong with a link on a page; None if nothing is."""
    file, _, anchor = unquote(link).partition("#")
    target = page.parent / file if file else page
    if not target.exists():
        return "no such file"
    return "no such heading" if anchor and anchor not in anchors(target) else None


def anchors(target):
    """What JupyterLab (in a notebook) and a forge (in a page) call the headings."""
    if target.suffix == ".ipynb":
        cells = nbformat.read(target, as_version=4).cells
        titles = [plain(title) for cell in cells if cell.cell_type == "markdown" for _, title in headings(cell.source)]
        return {title.replace(" ", "-") for title in titles}
    titles = [plain(title).lower() for _, title in headings(target.read_text(encoding="utf-8"))]
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


def plain(title):
    return re.sub(r"[*`]|\[(.*?)\]\(.*?\)", r"\1", title).strip()


@in_every_number
def test_first_and_last_cell_link_to_the_neighbours(lesson):
    here = [other.name for other in NUMBERED].index(lesson.name)
    for cell in (lesson.cells[0], lesson.cells[-1]):
        for pattern, others in (
            (r"\[◀ (\d\d) [^\]]+\]\(([^)]+)\)", NUMBERED[:here][-1:]),
            (r"\[(\d\d) [^\]]+ ▶\]\(([^)]+)\)", NUMBERED[here + 1 :][:1]),
        ):
            found, expected = re.findall(pattern, cell.source), [(other.number, other.path.name) for other in others]
            assert found == expected, lesson.at(cell, f"links to {found}, not {expected}")


def tables_of_lessons():
    """The two tables with a row for every lesson, by name."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return {"README.md": readme, MAP: "\n".join(cell.source for cell in LESSONS[0].text_cells)}


@in_every_lesson
def test_minutes_agree_with_both_tables(lesson):
    """The title cell says *20 minutes …*; so does the last column of each table."""
    title = lesson.cells[0]
    minutes = re.findall(r"^\*(\d+) minutes\b", title.source, re.M)
    assert len(minutes) == 1, lesson.at(title, "has no one line that begins with *… minutes")
    for name, text in tables_of_lessons().items():
        rows = re.findall(rf"^\|[ *\[]*{lesson.number} .*\|$", text, re.M)
        assert len(rows) == 1, lesson.at(title, f"{name}: {len(rows)} rows for the lesson")
        row, own_map = rows[0], name == MAP and lesson.number == "00"  # the map does not link to its own lesson
        assert own_map or f"{lesson.path.name})" in row, lesson.at(title, f"{name}: the row has no link to the lesson")
        assert row.split("|")[-2].strip() == minutes[0], lesson.at(title, f"{name}: not {minutes[0]} minutes: {row}")


@in_every_lesson
def test_minutes_are_what_a_lesson_takes(lesson):
    """Those of the title, within a fifth."""
    stated = int(re.search(r"^\*(\d+) minutes", lesson.cells[0].source, re.M)[1])
    takes = minutes_at_a_reader_s_pace(lesson)
    assert 0.8 < stated / takes < 1.25, lesson.at(lesson.cells[0], f"{stated} minutes; at a reader's pace {takes:.0f}")


PLACES_TO_STOP = re.compile(r"\*\*(?:(?:Predict|Why)\b|\d\.\*\* \(lesson )")  # the last: a question from memory


def minutes_at_a_reader_s_pace(lesson):
    """The pace of two readers who took notes of their time: 90 words of text and 180 of what it unfolds take a minute,
    and so do ten lines of code. A question takes 45 seconds, a figure 90, an exercise what it says. Hints do not count.
    """
    given = {id(part) for exercise in exercises_of(lesson) for part in (exercise.stub, exercise.check, exercise.folded)}
    texts = [cell.source for cell in lesson.text_cells if id(cell) not in given]
    codes = [cell.source for cell in lesson.code_cells if id(cell) not in given and "colab" not in tags(cell)]
    plain = [re.sub(r"<details>.*?</details>|\(https?:\S+\)", " ", text, flags=re.S) for text in texts]
    words, unfolded = (sum(len(text.split()) for text in some) for some in (plain, texts))
    lines = sum(bool(line.strip()) for code in codes for line in code.splitlines())
    questions = sum(len(PLACES_TO_STOP.findall(text)) for text in texts)
    drawn = len(figures(lesson.cells))
    exercises = sum(int(re.search(r"\*(\d+) minutes?", exercise.task.source)[1]) for exercise in exercises_of(lesson))
    return words / 90 + (unfolded - words) / 180 + lines / 10 + 0.75 * questions + 1.5 * drawn + exercises


@in_every_number
def test_lesson_opens_with_two_questions_from_memory(lesson):
    """After the set-up of every lesson from 01 on, in the words of recalling/questions.md, and not answered."""
    found = [cell for cell in lesson.cells if cell.source.startswith(HEADING) or re.match(r"recall\b", cell.source)]
    if lesson.number == "00":
        assert not found, lesson.at(found[0], "there is no earlier lesson to ask about")
        return
    place = next(place for place, cell in enumerate(lesson.cells) if cell.id == "set-up")
    text, code = lesson.cells[place + 1 : place + 3]
    assert text.source == text_of(lesson.number), lesson.at(text, f"should be:\n{text_of(lesson.number)}")
    asks = f'recall("{lesson.number}", ..., ...)'
    assert code.source == asks, lesson.at(code, f"should be {asks}")
    assert shown(code) == f"○ {OPEN}", lesson.at(code, f"does not say that nothing is answered: {shown(code)}")
    assert found == [text, code], lesson.at(found[-1], "the questions stand once, below the set-up")


@in_every_lesson
def test_the_explorer_needs_nothing_but_the_set_up(lesson):
    """Who wants the sliders alone runs two cells."""
    code = {cell.id: ast.parse(cell.source) for cell in lesson.code_cells if cell.id in ("set-up", "explorer")}
    names = {cell: {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} for cell, tree in code.items()}
    given = {alias.asname or alias.name for node in ast.walk(code["set-up"]) for alias in getattr(node, "names", [])}
    for cell in (cell for cell in lesson.code_cells if cell.id == "explorer"):
        more = names["explorer"] - given - names["set-up"]
        assert not more, lesson.at(cell, f"needs more than the set-up: {more}")


@in_every_lesson
def test_exercises_have_their_four_parts(lesson):
    for exercise in exercises_of(lesson):
        slug = exercise.number.replace(".", "-")
        assert exercise.number in EXERCISES, lesson.at(exercise.stub, f"{exercise.number} is not in EXERCISES")
        points = EXERCISES[exercise.number].points
        for cell, name, given in ((exercise.stub, "exercise", None), (exercise.check, "check", points)):
            expected = {"id": f"{name}-{slug}", "tags": [name], "nbgrader": nbgrader(f"{name}-{slug}", given)}
            found = {"id": cell.id, "tags": tags(cell), "nbgrader": cell.metadata.get("nbgrader")}
            assert found == expected, lesson.at(cell, f"is {found}, not {expected}")
        for part, pattern in (
            ("task", rf"### Exercise {exercise.number} · .+\n+\*\d+ minutes? · (●○○|●●○|●●●)\*\n+.+"),
            ("stub", r".*(\braise NotImplementedError|^\w+ = \.\.\.).*"),
            ("check", rf'check\("{exercise.number}", [^\n]+\)'),
        ):
            cell = getattr(exercise, part)
            matches = re.fullmatch(pattern, cell.source, re.S | re.M)
            assert matches, lesson.at(cell, f"the {part} does not match {pattern}")
    parts = {id(part) for exercise in exercises_of(lesson) for part in (exercise.task, exercise.check)}
    for cell in lesson.cells:
        is_part = "check" in tags(cell) or cell.source.startswith("### Exercise")
        assert not is_part or id(cell) in parts, lesson.at(cell, "a part of an exercise that stands beside no stub")


def nbgrader(name, points):
    """The metadata of a check that gives points, or of a stub (None)."""
    checks = points is not None
    common = {"schema_version": 3, "task": False, "grade_id": name}
    given = {"points": points} if checks else {}
    return {**common, "grade": checks, "solution": not checks, "locked": checks, **given}


@in_every_lesson
def test_exercises_have_their_folded_blocks(lesson):
    for exercise in exercises_of(lesson):
        folded = exercise.folded
        summaries = [summary for summary, _ in exercise.blocks]
        seen = [summary for summary in summaries if re.fullmatch(r"I see <code>.+</code>", summary, re.S)]
        assert summaries == ["Hint 1", "Hint 2", *seen, "Solution"], lesson.at(folded, f"folded blocks: {summaries}")
        assert folded.source.count("<details>") == len(summaries), lesson.at(folded, "a <details> that is not read")
        codes = {summary: len(course.python_code(body)) for summary, body in exercise.blocks}
        assert codes["Solution"] == 1, lesson.at(folded, "the solution is one ```python block")
        assert all(codes[summary] <= 1 for summary in seen), lesson.at(folded, "I see: one ```python block at most")


@in_every_lesson
@pytest.mark.slow
def test_lesson_runs_with_its_solutions(lesson):
    cells = course.rehearsal(lesson)
    for cell in (cells[cell.id] for cell in lesson.code_cells):
        errors = [f"{output.ename}: {output.evalue}" for output in cell.outputs if output.output_type == "error"]
        assert not errors, lesson.at(cell, f"with the solutions filled in: {errors[0]}")


@pytest.mark.parametrize("exercise", EXERCISES_FOUND, ids=lambda exercise: exercise.number)
@pytest.mark.slow
def test_solution_is_accepted(exercise):
    text = shown(course.rehearsal(exercise.lesson)[exercise.check.id])
    assert text.startswith(f"✔ Exercise {exercise.number}"), exercise.lesson.at(exercise.check, f"the solution: {text}")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.exercise.number}-{fault.promised[:30]}")
@pytest.mark.slow
def test_fault_shows_what_is_promised(fault):
    lesson, folded = fault.exercise.lesson, fault.exercise.folded
    cells = course.rehearsal(lesson)
    stub, check = cells[fault.cell_id("stub")], cells[fault.cell_id("check")]
    reply = f"{shown(stub)} {shown(check)}"
    assert fault.promised in reply, lesson.at(folded, f"the reply to the fault holds no {fault.promised!r}: {reply}")
    raised = any(output.output_type == "error" for output in stub.outputs)
    assert raised or "✔" not in reply, lesson.at(folded, f"the fault of {fault.promised!r} is accepted")


def requirements(*extras):
    project = pyproject()["project"]
    listed = project["dependencies"] + [line for extra in extras for line in project["optional-dependencies"][extra]]
    return [required for line in listed if (required := Requirement(line)).name != project["name"]]


def test_environment_and_constraints_are_in_step_with_pyproject():
    conda = {"torch": "pytorch-cpu", "matplotlib": "matplotlib-base"}
    needed = requirements("course", "models")
    expected = [f"{conda.get(required.name, required.name)}{required.specifier}" for required in needed]
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert environment["dependencies"] == ["python=3.13", *expected, "pip", {"pip": ["-e ."]}]
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [Requirement(line) for line in lines if not line.startswith("#")]
    versions = {pin.name: str(pin.specifier).removeprefix("==") for pin in pins}
    assert_none(
        f"constraints.txt: {required.name}=={versions.get(required.name)} is not {required}"
        for required in requirements("course", "models", "class", "hub", "test")
        if versions.get(required.name) not in required.specifier
    )
