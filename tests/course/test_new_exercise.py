"""`make exercise`: points are those of the exercises wherever they stand, and a new one gets its cells."""

import json
import shutil

import new_exercise
import pytest
from course import ROOT

from pe_course.exercises import EXERCISES, Exercise
from pe_course.judges import Value

PAGES = ("TEACHING.md", "docs/assessing.md")


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
