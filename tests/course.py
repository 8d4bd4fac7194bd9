"""The lessons as the tests see them: their cells, their exercises, and a run with solutions and faults put in."""

import contextlib
import functools
import html
import os
import pkgutil
import re
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from unittest import mock

import nbformat
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10, where pytest brings tomli
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
HOSTING = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")


def run(*command, **settings):
    """What a program says that succeeds."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, **settings)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def commit(folder, branch="main"):
    """Make a folder a git repository, if it is none, and commit what stands there."""
    git = ("git", "-C", folder, "-c", "user.name=test", "-c", "user.email=test@localhost")
    begin = ("init", "--quiet", "--initial-branch", branch)
    for command in (begin, ("add", "."), ("commit", "--quiet", "--message", "as it is now")):
        run(*git, *command)


def pull(repository, branch, learner):
    """Update a learner's folder from a repository, as nbgitpuller does."""
    command = (sys.executable, "-m", "nbgitpuller.pull", repository.as_uri(), branch, learner.name)
    run(*command, cwd=learner.parent)


def pyproject():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, eq=False, repr=False)
class Lesson:
    path: Path
    notebook: nbformat.NotebookNode

    @property
    def name(self):
        return self.path.stem

    @property
    def number(self):
        """What the file name begins with: two digits, or the letter of an appendix."""
        return self.name.partition("_")[0]

    @property
    def cells(self):
        return self.notebook.cells

    @property
    def code_cells(self):
        return [cell for cell in self.cells if cell.cell_type == "code"]

    @property
    def text_cells(self):
        return [cell for cell in self.cells if cell.cell_type == "markdown"]

    def at(self, cell, problem):
        return f"{self.name}, cell {cell.id}: {problem}"


@dataclass(frozen=True, eq=False, repr=False)
class Fault:
    """An "I see" block that shows a faulty stub: the text that it promises for it, on one line."""

    exercise: "Exercise"
    number: int
    promised: str
    code: str

    def cell_id(self, part):
        """The id of the cell that holds the fault ("stub") or checks it ("check") in a rehearsal."""
        return f"fault-{self.number}-of-{getattr(self.exercise, part).id}"


@dataclass(frozen=True, eq=False, repr=False)
class Exercise:
    """Four consecutive cells; the last one holds the folded blocks, each a (summary, body)."""

    lesson: Lesson
    number: str
    task: nbformat.NotebookNode
    stub: nbformat.NotebookNode
    check: nbformat.NotebookNode
    folded: nbformat.NotebookNode

    @property
    def blocks(self):
        return re.findall(r"^<details>\s*<summary>(.*?)</summary>(.*?)^</details>", self.folded.source, re.S | re.M)

    @property
    def solution(self):
        return "\n".join(code for summary, body in self.blocks if summary == "Solution" for code in python_code(body))

    @property
    def faults(self):
        seen = [(re.fullmatch("I see <code>(.+)</code>", summary, re.S), body) for summary, body in self.blocks]
        promises = [(see[1], code) for see, body in seen if see for code in python_code(body)]
        return [
            Fault(self, number, " ".join(html.unescape(promised).split()), code)
            for number, (promised, code) in enumerate(promises, start=1)
        ]


def read_lessons(folder):
    return [Lesson(path, nbformat.read(path, as_version=4)) for path in sorted(folder.glob("*.ipynb"))]


LESSONS = read_lessons(ROOT / "notebooks")  # the appendix last
NUMBERED = [lesson for lesson in LESSONS if lesson.number.isdigit()]
in_every_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)


def exercises_of(lesson):
    """The cells around each stub. Whether they are what they should be is for test_notebooks.py to say."""
    stubs = [position for position, cell in enumerate(lesson.cells) if "exercise" in tags(cell)]
    missing = nbformat.v4.new_markdown_cell(id="missing")
    padded = [missing, *lesson.cells, missing, missing]
    return [
        Exercise(lesson, number_of(lesson, lesson.cells[position]), *padded[position : position + 4])
        for position in stubs
    ]


def stated(what="MB at most"):
    """A row of the table of docs/hosting.md: of each lesson, by its number, and of JupyterLab if given."""
    names, numbers = (
        re.search(rf"^\| {first} \| (.*?)[\s|]*$", HOSTING, re.M)[1].split(" | ")
        for first in ("lesson(?= . 00 )", what)
    )
    return {name: int(number) for name, number in zip(names, numbers, strict=False)}


def is_about(megabytes, of_what):
    """Does docs/hosting.md state this? It speaks of PyTorch without CUDA; with it, a kernel is larger."""
    return not version("torch").endswith("+cpu") or 0.7 < megabytes / stated()[of_what] < 1.3


def assert_memory(name, megabytes):
    """With a JupyterLab and the kernel of another lesson, this lesson's kernel must fit into the 1 GB that is lent."""
    assert megabytes < 512, f"{name}: {megabytes} MB"
    number = name.partition("_")[0]
    assert is_about(megabytes, number), f"{name}: {megabytes} MB; docs/hosting.md states {stated()[number]}"


def peak_of(process):
    """The most memory, in MB, that the process of this number has held; None where there is no /proc to ask.

    Of the libraries' own pages 90 MB count: freshly installed, up to 80 more of them are in memory.
    """
    try:
        status = dict(line.split(":") for line in Path(f"/proc/{process}/status").read_text().splitlines())
    except OSError:
        return None
    risen, files = (int(status[field].split()[0]) for field in ("VmHWM", "RssFile"))
    return (risen - max(0, files - 90_000)) // 1024


def number_of(lesson, stub):
    """ "05.4" for the stub exercise-05-4: numbers need not stand in order, for they are never given anew."""
    return f"{lesson.number}.{stub.id.rpartition('-')[2]}"


def tags(cell):
    return cell.metadata.get("tags", [])


def handed_out(lesson):
    """Its cells as a learner gets them: without the answers to predictions."""
    hidden = {"outputs": [], "execution_count": None}
    return [cell | hidden if "predict" in tags(cell) else cell for cell in lesson.cells]


def figures(cells):
    """(PNG as text, what is stored about it) of each figure below these cells."""
    outputs = [output for cell in cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    return [("".join(output.data["image/png"].split()), output.metadata.get("image/png")) for output in outputs]


def python_code(text):
    """The contents of the ```python fences in a text."""
    return re.findall(r"^```python\n(.*?)\n?^```", text, re.S | re.M)


def shown(cell):
    """What a reader sees under a code cell, as one line of plain text."""
    return " ".join(" ".join(visible_text(output) for output in cell.outputs).split())


def visible_text(output):
    if output.output_type == "stream":
        return output.text
    if output.output_type == "error":
        return f"{output.ename}: {output.evalue}"
    if "text/html" in output.data:
        return html.unescape(re.sub(r"<style.*?</style>|<[^>]+>", " ", output.data["text/html"], flags=re.S))
    return output.data.get("text/plain", "")


# What the toys learn, and how well, is for nbval, which runs the lessons as they stand; no exercise depends on it.
SHORT = {
    "pe_course.toy.train": {"steps": 3, "batch": 4},
    "pe_course.toy.accuracy": {"batches": 1, "batch": 4},
    "pe_course.toy.training.accuracy": {"batches": 1, "batch": 4},
    "pe_course.toy.fit": {"steps": 3},
}


def shorter(name, options):
    """The function of this name with other options than a lesson gives it."""
    function = pkgutil.resolve_name(name)
    return mock.patch(name, functools.wraps(function)(lambda *given, **more: function(*given, **more | options)))


@contextmanager
def shell():
    """IPython's shell, as a kernel has one, in this process, which has loaded torch already.

    Alone in a folder, as on Colab, and graded. No picture is drawn. Afterwards all is as before.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, {"NBGRADER_EXECUTION": "1"}))
        stack.callback(sys.modules.update, __main__=sys.modules["__main__"])  # a shell puts its own there
        stack.enter_context(mock.patch.multiple(sys, displayhook=sys.displayhook, excepthook=sys.excepthook))
        stack.callback(os.chdir, os.getcwd())
        os.chdir(stack.enter_context(tempfile.TemporaryDirectory()))
        stack.enter_context(np.printoptions())
        for name, options in SHORT.items():
            stack.enter_context(shorter(name, options))
        stack.enter_context(mock.patch("pe_clinic.diagnose_model"))  # of transformers' models: seconds, and nbval's too
        shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
        stack.callback(InteractiveShell.clear_instance)
        shell.display_formatter.active_types = ["text/plain", "text/html"]
        yield shell


def outputs_of(shell, code):
    """What a cell with this code shows below it, as a notebook keeps it."""
    with capture_output() as seen:
        shell.display_trap.hook = sys.displayhook  # the last line's value is caught as well
        ran = shell.run_cell(code, store_history=False)
    error = ran.error_before_exec or ran.error_in_exec
    return [
        nbformat.v4.new_output("stream", text=seen.stdout + seen.stderr),
        *(nbformat.v4.new_output("display_data", shown.data) for shown in seen.outputs),
        *([nbformat.v4.new_output("error", ename=type(error).__name__, evalue=str(error))] if error else []),
    ]


@functools.cache
def rehearsal(lesson):
    """Run a lesson with every stub solved, as nbgrader would, and then each fault, as a learner would. Cells by id.

    Toys are trained for a few steps only, where the lesson trains any. After a fault its solution comes back, so that
    the next fault meets the shell that its learner has.
    """
    exercises = exercises_of(lesson)
    solutions = {exercise.stub.id: exercise.solution for exercise in exercises}
    cells = [(cell.id, solutions.get(cell.id, cell.source)) for cell in lesson.code_cells]
    for fault in (fault for exercise in exercises for fault in exercise.faults):
        cells += [
            (fault.cell_id("stub"), fault.code),
            (fault.cell_id("check"), fault.exercise.check.source),
            ("solution", fault.exercise.solution),
        ]
    with shell() as here:
        return {cell: nbformat.v4.new_code_cell(code, id=cell, outputs=outputs_of(here, code)) for cell, code in cells}
