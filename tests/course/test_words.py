"""What the lessons promise and store: quoted words still stand in the course, points are those of the exercises."""

import ast
import json
import re
import shutil

import new_exercise
import pytest
from course import LESSONS, ROOT, exercises_of

from pe_course.exercises import EXERCISES, Exercise
from pe_course.judges import Value

PACKAGES = ("pe_lib", "pe_clinic", "pe_course")
PAGES = ("TEACHING.md", "docs/assessing.md")
OF_TORCH = ("expected m1 and m2 to have the same dtype",)
FAULTS = [fault for lesson in LESSONS for exercise in exercises_of(lesson) for fault in exercise.faults]


def words_of_the_course():
    """All text that a reply may be made of: strings in code and pages, with {} where values come in."""
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.JoinedStr):
                    yield "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value
        for path in (ROOT / package).rglob("*.md"):
            yield path.read_text(encoding="utf-8")


TEXT = re.sub(r"\{\w*\}", "{}", "\n".join(words_of_the_course()))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.exercise.number}-{fault.promised[:30]}")
def test_what_a_lesson_quotes_of_a_reply_is_still_said(fault):
    promised = fault.promised
    with_a_value = (promised.replace(word, "{}") for word in re.findall(r"\w+", promised))
    assert promised in OF_TORCH or promised in TEXT or any(words in TEXT for words in with_a_value)


@pytest.fixture
def copy(tmp_path):
    """A copy of what the tool for exercises writes."""
    shutil.copytree(ROOT / "notebooks", tmp_path / "notebooks")
    (tmp_path / "docs").mkdir()
    for page in PAGES:
        shutil.copy(ROOT / page, tmp_path / page)
    return tmp_path


def files(root):
    paths = (*root.glob("notebooks/*.ipynb"), *(root / page for page in PAGES))
    return {path.relative_to(root): path.read_bytes() for path in paths}


def test_points_are_those_of_the_exercises_wherever_they_stand(copy):
    assert new_exercise.main([], copy) is None
    assert {path: (ROOT / path).read_bytes() for path in files(copy)} == files(copy), "run `make exercise`"


@pytest.mark.parametrize("head, called", [("def every_third(table):", "every_third"), ("count", "count")])
def test_a_new_exercise_gets_its_cells_points_and_place_once(copy, monkeypatch, head, called):
    monkeypatch.setitem(EXERCISES, "04.9", Exercise(2, Value(3), "Right."))
    for _ in range(2):
        assert new_exercise.main(["04.9", "Every third", head], copy) is None
    cells = json.loads((copy / "notebooks/04_vectorized.ipynb").read_text(encoding="utf-8"))["cells"]
    at = [cell["id"] for cell in cells].index("check-04-9")
    task, stub, check, folded = cells[at - 2 : at + 2]
    assert task["source"][0] == "### Exercise 04.9 · Every third\n" and "Hint 2" in "".join(folded["source"])
    assert "".join(stub["source"]).startswith(head) and check["source"] == [f'check("04.9", {called})']
    assert check["metadata"]["nbgrader"]["points"] == 2 and stub["metadata"]["tags"] == ["exercise"]
    plans, points = ((copy / page).read_text(encoding="utf-8") for page in PAGES)
    assert points.count("04.9: 2 |") == plans.count("| home | 04 | the exercise | alone | 04.9 |") == 1


@pytest.mark.parametrize("arguments, said", [(["04.9", "A", "b"], "04.9 is not in EXERCISES"), (["04.9"], "python")])
def test_an_exercise_without_a_judge_gets_no_cells(copy, arguments, said):
    before = files(copy)
    assert said in new_exercise.main(arguments, copy) and files(copy) == before
