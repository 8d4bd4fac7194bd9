"""The cells of a new exercise in its lesson, and the points of all exercises wherever they stand (`make exercise`).

    python tools/new_exercise.py 04.4 "Every third column" "def every_third(table):"
    python tools/new_exercise.py 04.4 "How many?" count            for an answer that is a value
    python tools/new_exercise.py                                   only the points

The exercise has to be in `JUDGES` of its module: its points come from there, into the metadata of its check and into
docs/assessing.md, and so do those of all others. Its cells come below the lesson's last exercise, to be filled in.
"""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

from pe_course.exercises import EXERCISES

ROOT = Path(__file__).resolve().parent.parent
HELP = """<details>
<summary>Hint 1</summary>

…
</details>
<details>
<summary>Hint 2</summary>

…
</details>
<details>
<summary>Solution</summary>

```python
{stub}
```
</details>"""


def main(arguments: list[str], root: Path = ROOT) -> str | None:
    """Do it; the words of what is wrong with ``arguments``, or None."""
    if len(arguments) not in (0, 3):
        return __doc__
    if arguments and arguments[0] not in EXERCISES:
        module = f"pe_course/exercises/lesson_{arguments[0][:2]}.py"
        return f"{arguments[0]} is not in EXERCISES: write it into {module} first"
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        if arguments and path.name.startswith(f"{arguments[0][:2]}_"):
            add(notebook["cells"], *arguments)
        set_points(notebook["cells"])
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if arguments:
        rewrite(root / "TEACHING.md", lambda text: planned(text, arguments[0]))
    table = r"^\| lesson \| exercises and their points \|.*?\| all \|[^\n]*"
    rewrite(root / "docs" / "assessing.md", lambda text: re.sub(table, points_table(), text, flags=re.S | re.M))
    return None


def rewrite(page: Path, change: Callable[[str], str]) -> None:
    """Put what ``change`` makes of its text into a file."""
    page.write_text(change(page.read_text(encoding="utf-8")), encoding="utf-8")


def add(cells: list[dict], number: str, title: str, head: str) -> None:
    """Put the four cells of exercise ``number`` below the last one; ``head`` is its first line, or a value's name."""
    slug = number.replace(".", "-")
    if any(cell["id"] == f"exercise-{slug}" for cell in cells):
        return
    function = re.match(r"(?:def|class) (\w+)", head)
    stub = f'{head}\n    """…"""\n    raise NotImplementedError' if function else f"{head} = ..."
    last = max(n for n, cell in enumerate(cells) if re.fullmatch(r"exercise-\d\d-\d+-help", cell["id"]))
    cells[last + 1 : last + 1] = [
        cell("markdown", f"exercise-{slug}-text", f"### Exercise {number} · {title}\n*5 minutes · ●●○*\n\n…"),
        cell("code", f"exercise-{slug}", stub, ["exercise"], graded(f"exercise-{slug}", solution=True)),
        cell("code", f"check-{slug}", f'check("{number}", {function[1] if function else head})', ["check"],
             graded(f"check-{slug}", points=0)),
        cell("markdown", f"exercise-{slug}-help", HELP.format(stub=stub)),
    ]  # fmt: skip


def cell(kind: str, id: str, source: str, tags: list[str] | None = None, nbgrader: dict | None = None) -> dict:
    """A cell, its keys in the order in which notebooks are stored."""
    lines = source.splitlines(keepends=True)
    if kind == "markdown":
        return {"cell_type": kind, "id": id, "metadata": {}, "source": lines}
    metadata = {"nbgrader": nbgrader, "tags": tags}
    return {"cell_type": kind, "execution_count": None, "id": id, "metadata": metadata, "outputs": [], "source": lines}


def graded(id: str, solution: bool = False, **points: int) -> dict:
    """What nbgrader has to know of a stub (``solution``) or a check."""
    return {
        "grade": not solution, "grade_id": id, "locked": not solution, **points, "schema_version": 3,
        "solution": solution, "task": False,
    }  # fmt: skip


def set_points(cells: list[dict]) -> None:
    """Write the points of each exercise into its check."""
    for cell in cells:
        if match := re.fullmatch(r"check-(\d\d)-(\d+)", cell["id"]):
            cell["metadata"]["nbgrader"]["points"] = EXERCISES[".".join(match.groups())].points


def points_table() -> str:
    """The table of docs/assessing.md."""
    lines = ["| lesson | exercises and their points | sum |", "|---|---|---|"]
    for lesson in dict.fromkeys(number[:2] for number in EXERCISES):
        points = {number: exercise.points for number, exercise in EXERCISES.items() if number[:2] == lesson}
        listed = ", ".join(f"{number}: {value}" for number, value in points.items())
        lines.append(f"| {lesson} | {listed} | {sum(points.values())} |")
    total = sum(exercise.points for exercise in EXERCISES.values())
    return "\n".join([*lines, f"| all | {len(EXERCISES)} exercises | {total} |"])


def planned(text: str, number: str) -> str:
    """TEACHING.md with the exercise in the plan of a week, at home: a row below the last one of its lesson."""
    begin = text.index("### A week")
    week = text[begin:].split("\n\n|", 1)[1].split("\n\n", 1)[0]
    if number in week:
        return text
    rows = week.splitlines()
    last = max(n for n, row in enumerate(rows) if f"| {number[:2]} |" in row)
    session = rows[last].strip("| ").split(" | ")[0]
    rows.insert(last + 1, f"| {session} | home | {number[:2]} | the exercise | alone | {number} |")
    return text.replace(week, "\n".join(rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
