"""What Codespaces and VS Code read: it makes the environment as `make lab` does, and opens the learner's lesson 00."""

import json
import re
import shlex

import my_notebooks
import setup_env
from course import ROOT, pyproject
from packaging.specifiers import SpecifierSet

SETTINGS = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))


def test_its_python_is_one_that_the_course_runs_on():
    (version,) = re.findall(r"^python:(3\.\d+)-\w+$", SETTINGS["image"])
    assert version in SpecifierSet(pyproject()["project"]["requires-python"])
    assert f"python={version}" in (ROOT / "environment.yml").read_text(encoding="utf-8"), "one Python for all hosts"


def test_it_sets_up_as_make_lab_does_before_the_editor_opens_the_learners_own_lesson_00(tmp_path):
    set_up, lay_out = (shlex.split(line) for line in SETTINGS["postCreateCommand"].split("&&"))
    assert set_up == ["python", "tools/setup_env.py"] and (ROOT / set_up[1]).is_file()
    assert lay_out == [".venv/bin/python", "tools/my_notebooks.py", my_notebooks.LAY_OUT_ONLY]
    assert setup_env.VENV == ROOT / ".venv" and SETTINGS["waitFor"] == "postCreateCommand"
    interpreter = SETTINGS["customizations"]["vscode"]["settings"]["python.defaultInterpreterPath"]
    assert interpreter == "${containerWorkspaceFolder}/.venv/bin/python"

    (opened,) = SETTINGS["customizations"]["codespaces"]["openFiles"]
    assert opened == f"{my_notebooks.MINE.name}/{my_notebooks.FIRST_LESSON}"
    list(my_notebooks.lay_out(my_notebooks.COURSE, tmp_path / my_notebooks.MINE.name))
    assert (tmp_path / opened).is_file()
