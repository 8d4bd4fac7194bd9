"""The lessons as the tests see them: their cells, their exercises, and a run with solutions and faults put in."""

import copy
import functools
import html
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import nbformat
import torch
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, eq=False, repr=False)
class Lesson:
    path: Path
    notebook: nbformat.NotebookNode

    @property
    def name(self):
        return self.path.stem

    @property
    def number(self):
        """The two digits that the file name begins with."""
        return self.name[:2]

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
    """A row of TEACHING.md's table, memory or seconds: of each lesson, by its number, and of JupyterLab if given."""
    page = (ROOT / "TEACHING.md").read_text(encoding="utf-8")
    names, numbers = (
        re.search(rf"^\| {first} \| (.*?)[\s|]*$", page, re.M)[1].split(" | ") for first in ("lesson(?= . 00 )", what)
    )
    return {name: int(number) for name, number in zip(names, numbers, strict=False)}


def is_about(megabytes, of_what):
    """Does TEACHING.md state this? It speaks of PyTorch without CUDA; with it, a kernel is larger."""
    return not torch.__version__.endswith("+cpu") or 0.7 < megabytes / stated()[of_what] < 1.3


def number_of(lesson, stub):
    """ "05.4" for the stub exercise-05-4: numbers need not stand in order, for they are never given anew."""
    return f"{lesson.number}.{stub.id.rpartition('-')[2]}"


def tags(cell):
    return cell.metadata.get("tags", [])


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


PEAK = """
try:  # Linux; the fields that say how far this process has risen, and no other that ran under its number
    status = dict(line.split(":") for line in open("/proc/self/status"))
    risen, files = (int(status[field].split()[0]) for field in ("VmHWM", "RssFile"))
    print(risen - max(0, files - 90_000))  # pages of libraries: freshly installed, up to 80 MB more of them count
except OSError:
    print(0)
"""


# What the toys learn is for nbval, which runs the lessons as they stand; no exercise depends on it.
SHORT_TRAININGS = """
import functools
import pe_lib.toy
import pe_lib.toy.patches
import pe_lib.toy.signals

def short(function):
    return functools.wraps(function)(lambda *arguments, **options: function(*arguments, **options | {"steps": 10}))

pe_lib.toy.train = short(pe_lib.toy.train)
pe_lib.toy.patches.patch_accuracy = short(pe_lib.toy.patches.patch_accuracy)
pe_lib.toy.signals.denoising_error = short(pe_lib.toy.signals.denoising_error)
pe_lib.toy.signals.fit_curve = short(pe_lib.toy.signals.fit_curve)
"""


@functools.cache
def rehearsal(lesson):
    """Run a lesson with every stub solved, as nbgrader would, and then each fault, as a learner would. Cells by id.

    Toys are trained for a few steps only, where the lesson trains any: it takes the same memory, and seconds.
    It is alone in a folder, as on Colab. After a fault its solution comes back, so that the next fault meets the kernel
    that its learner has. The cell "peak" tells the memory, in KB, that the lesson took.
    """
    exercises = exercises_of(lesson)
    notebook = copy.deepcopy(lesson.notebook)
    solutions = {exercise.stub.id: exercise.solution for exercise in exercises}
    for cell in notebook.cells:
        cell.source = solutions.get(cell.id, cell.source)
    if "pe_lib.toy" in "".join(cell.source for cell in lesson.code_cells):
        notebook.cells.insert(0, nbformat.v4.new_code_cell(SHORT_TRAININGS))
    notebook.cells.append(nbformat.v4.new_code_cell(PEAK, id="peak"))
    notebook.cells.append(nbformat.v4.new_code_cell("import os; del os.environ['NBGRADER_EXECUTION']"))
    for exercise in exercises:
        for fault in exercise.faults:
            notebook.cells += [
                nbformat.v4.new_code_cell(fault.code, id=fault.cell_id("stub")),
                nbformat.v4.new_code_cell(exercise.check.source, id=fault.cell_id("check")),
                nbformat.v4.new_code_cell(exercise.solution),
            ]
    with tempfile.TemporaryDirectory() as alone:
        client = NotebookClient(
            notebook,
            timeout=None,  # a busy machine may be slow
            startup_timeout=600,
            kernel_name="python3",
            allow_errors=True,  # every cell is run, so that each test can tell what became of its own
            resources={"metadata": {"path": alone}},
        )
        client.execute(env={**os.environ, "NBGRADER_EXECUTION": "1"})
    return {cell.id: cell for cell in notebook.cells}
