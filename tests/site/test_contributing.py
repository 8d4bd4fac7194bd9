"""What CONTRIBUTING.md, the workflow, the issue forms and the citation promise to those who carry the course on."""

import ast
import re
import shutil
import subprocess
import sys

import pytest
import yaml
from check_jsonschema import main as check_jsonschema
from click.testing import CliRunner
from course import LESSONS, ROOT, pyproject
from packaging.specifiers import SpecifierSet

from pe_course import check

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
WORKFLOW = ROOT / ".github" / "workflows" / "test.yml"
JOBS = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = [*re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.M), "setup"]
RECIPES = [title for title in re.findall("^## (.+)$", CONTRIBUTING, re.M) if re.match("A first|Add|Rename", title)]


@pytest.mark.parametrize(
    ("path", "schema"),
    [
        *((workflow, "github-workflows") for workflow in WORKFLOWS),
        (ROOT / "CITATION.cff", "citation-file-format"),
        *((form, "github-issue-config" if form.stem == "config" else "github-issue-forms") for form in FORMS),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_file_is_what_its_reader_expects(path, schema):
    done = CliRunner().invoke(check_jsonschema, ["--builtin-schema", f"vendor.{schema}", str(path)])
    assert done.exit_code == 0, done.output


def commands(job):
    return [step["run"] for step in JOBS[job]["steps"] if "run" in step]


def test_the_strict_jobs_run_what_ci_runs_and_what_trains_as_on_an_old_processor():
    """`make test` leaves out those lessons alone that `make test-default` runs."""
    assert commands("linux") == ["make test", "make test-default", "make test-browser"], "nothing relaxed"
    assert commands("long") == ["make test-long"]
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    called = re.findall(r"^ *(make [a-z-]+).* \|\| failed=1$", text, re.M)
    assert called == commands("linux")
    left_out = re.search(r"^TRAINING = \((.*?)\)", (ROOT / "conftest.py").read_text(encoding="utf-8"), re.M)[1]
    assert [f"notebooks/{begin}*.ipynb" for begin in re.findall(r'"(\w+)"', left_out)] == training()
    named = {path.name for glob in training() for path in ROOT.glob(glob)}
    trains = re.compile(r"(?<!\.)\b(train|fit)\(")
    assert named == {lesson.path.name for lesson in LESSONS if any(trains.search(c.source) for c in lesson.code_cells)}


def test_pages_are_published_from_main_once_every_test_of_a_push_has_passed():
    """No step is skipped, and a failure keeps its screenshots."""
    pages = JOBS["pages"]
    assert {*pages["needs"]} == JOBS.keys() - {"pages", "newest"}, "newest does not run at a push"
    assert pages["if"] == "github.event_name == 'push' && github.ref == 'refs/heads/main'"
    *_, upload, _ = pages["steps"]
    assert commands("pages") == ["make html"] and upload["with"]["path"] == "build/html"
    assert [job for job in JOBS.values() if "permissions" in job] == [pages], "the tests may only read"
    (shots,) = [step for job in JOBS.values() for step in job["steps"] if "if" in step]
    assert shots["if"] == "failure()" and shots["with"]["path"] == "build/browser"
    assert yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["defaults"]["run"]["shell"] == "bash", "as in Makefile"


def test_actions_are_pinned_by_commit_and_the_weekly_job_opens_the_links_of_the_target():
    """A tag can be moved to other code by whoever owns the action. One action has one commit everywhere."""
    jobs = [job for file in WORKFLOWS for job in yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"].items()]
    used = {step["uses"] for _, job in jobs for step in job["steps"] if "uses" in step}
    assert used and all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action) for action in used)
    assert len(used) == len({action.partition("@")[0] for action in used})
    given = dict(jobs)["outside"]["steps"][-1]["with"]
    assert f"\tlychee {given['args']}\n" in MAKEFILE and given["fail"] is True


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("make"), reason="no make here")
@pytest.mark.parametrize("value", ["x/y; touch F", "$$(touch F)", "`touch F`", "' ; touch F ; '", '" ; touch F ; "'])
@pytest.mark.parametrize("name", ["REPO", "BRANCH", "HUB", "NAMES", "PORT"])
def test_no_part_of_a_value_is_run_as_a_command(tmp_path, name, value):
    """In a copy of what `make links` needs; set-up does nothing there, and the other targets show their command."""
    for file in ("Makefile", "tools/links.py", "docs/address.json"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    target = {"NAMES": "notebooks", "PORT": "hub"}.get(name, "links")
    python = sys.executable if target == "links" else "true"
    command = ["make", target, f"PYTHON={python}", "RUN=echo", "REPO=owner/name", f"{name}={value}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert not (tmp_path / "F").exists()
    refused = done.returncode == 2 and "must look like" in done.stderr
    assert refused if target == "links" else done.returncode == 0 and "touch F" in done.stdout


def training():
    return re.search(r"^TRAINING = (.*)$", MAKEFILE, re.M)[1].split()


def test_workflow_runs_on_every_system_and_every_python():
    matrix = JOBS["elsewhere"]["strategy"]["matrix"]
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
    (strict,) = re.findall(r"on Python (3\.\d+)\.", (ROOT / "constraints.txt").read_text(encoding="utf-8"))
    assert strict in str(JOBS["linux"]["steps"]), "the strict job has the Python of the pins"
    allowed = SpecifierSet(pyproject()["project"]["requires-python"])
    pythons = {*matrix["python"], *(extra["python"] for extra in matrix["include"]), strict}
    assert pythons == {version for minor in range(8, 15) if (version := f"3.{minor}") in allowed}


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", "TEACHING.md", "docs/hosting.md", ".github/workflows/test.yml", ".ci/run"]
)
def test_targets_that_are_named_exist(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    code = re.findall(r"```.*?^```|`[^`\n]+`", text, re.S | re.M) if page.endswith(".md") else [text]
    named = re.findall(r"(?:^|`|run: |&& |then )make ([a-z-]+(?: [a-z-]+)*)", "\n".join(code), re.M)
    assert named
    assert {target for several in named for target in several.split()} <= {*TARGETS}


@pytest.mark.parametrize("recipe", RECIPES)
def test_recipe_has_at_most_six_steps_and_names_files_that_exist(recipe):
    text = CONTRIBUTING.partition(f"## {recipe}\n")[2].partition("\n## ")[0]
    steps = re.findall(r"^(\d)\. ", text, re.M)
    assert steps == [str(number) for number in range(1, len(steps) + 1)] and 1 < len(steps) <= 6 <= len(RECIPES)
    paths = re.findall(r"\b((?:tests|pe_lib|pe_clinic|pe_course|notebooks|tools|benchmarks)/[\w./]*\w)", text)
    placeholders = re.compile(r"NN|pe_lib/name\.py|tests/lib/test_name\.py")
    assert paths and [path for path in paths if not placeholders.search(path) and not (ROOT / path).exists()] == []


def test_the_picture_shows_the_folders_and_which_way_they_import():
    """tests/test_public_interface.py holds the way."""
    picture = CONTRIBUTING.partition("## How the parts connect\n")[2].partition("\n## ")[0]
    named = re.findall(r"^((?:\w+/?\w+/?(?:, )?)+) {2,}\w", picture, re.M)
    folders = [folder.strip("/") for line in named for folder in line.split(", ")]
    assert {"notebooks", "tests/site", "tools"} < {*folders}
    assert [name for name in folders if not (ROOT / name).is_dir()] == []
    assert [name for name in folders if name.startswith("pe_")] == ["pe_course", "pe_clinic", "pe_lib"]


def test_the_answer_of_the_first_contribution_has_no_reply_of_its_own():
    number, answer = re.search(r"check\('(\d\d\.\d)', (\(.+?\))\)", CONTRIBUTING).groups()
    page = (ROOT / "pe_course" / "exercises" / f"lesson_{number[:2]}.md").read_text(encoding="utf-8")
    assert f"## {number}\n" in page and f"- `{answer}`\n" not in page
    assert check(number, ast.literal_eval(answer)).status == "wrong"


def test_names_in_the_recipes_exist():
    """Functions, classes and tables that a recipe sends the reader to are defined somewhere."""
    code = "\n".join(
        file.read_text(encoding="utf-8")
        for room in ("pe_lib", "pe_clinic", "pe_course", "tests")
        for file in (ROOT / room).rglob("*.py")
    )
    names = {*re.findall(r"`([A-Z]\w+|[a-z]+_\w+)`", CONTRIBUTING)}
    assert {"JUDGES", "Picture", "ALTERATIONS"} <= names
    assert [name for name in sorted(names) if not re.search(rf"^(def |class )?{name}\b", code, re.M)] == []
