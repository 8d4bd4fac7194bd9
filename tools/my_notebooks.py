"""Copy the lessons to my_notebooks/, where the learner works, and open JupyterLab there (`make lab`).

The course can then be updated without touching an answer. The folder stands beside notebooks/, so links between lessons
and to ../pe_lib stay valid, and git ignores it. my_notebooks/.course/ keeps each lesson as the course last had it, and
`handed_out` with a digest of every version that was ever copied, to tell what the learner edited from what the course
changed since:

    learner      course       what happens to the learner's lesson
    no copy yet  –            it is copied
    not edited   changed      the new one replaces it
    edited       unchanged    it stays
    edited       changed      it stays, and the new one is put beside it as 02_formula.new.ipynb

Each step leaves a whole state behind: it may be killed after any of them, and two runs may go on at once.

    python tools/my_notebooks.py                      arguments that are not listed here go to JupyterLab
    python tools/my_notebooks.py --lay-out-only       for another editor: do not open JupyterLab
    python tools/my_notebooks.py --here               for Binder, whose machine is the learner's own: no copies, the
                                                      lessons in notebooks/ lose the answers to their predictions

Standard library only but for JupyterLab itself.
"""

import contextlib
import hashlib
import itertools
import json
import os
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COURSE = ROOT / "notebooks"
MINE = ROOT / "my_notebooks"
FIRST_LESSON = "00_start_here.ipynb"
LAY_OUT_ONLY = "--lay-out-only"
HERE = "--here"


def lay_out(course: Path, mine: Path) -> Iterator[str]:
    """Bring the learner's folder up to date; yields one line for each lesson that needs the learner's eye."""
    for folder in (mine, mine / ".course"):
        if os.path.lexists(folder) and not folder.is_dir():
            raise OSError(f"{folder} is no folder, or a link to one that is missing: move it away, then try again")
        folder.mkdir(parents=True, exist_ok=True)
        remove_halves(folder)
    yield from (line for lesson in sorted(course.glob("*.ipynb")) if (line := lay_out_lesson(lesson, mine)))


def lay_out_lesson(lesson: Path, mine: Path) -> str | None:
    own, pristine = mine / lesson.name, mine / ".course" / lesson.name
    changed = not same_file(lesson, pristine)
    notice = None
    if own.is_symlink() and not own.exists():
        return f"{lesson.name} is a link that leads nowhere: it stays, and this lesson is not brought up to date"
    if not own.exists() or (changed and is_unedited(own, pristine)):
        hand_out_to(own, lesson, pristine)
    elif changed and not same_cells(lesson, pristine) and not same_cells(lesson, own):
        beside = place_beside(own, lesson, pristine)
        hand_out_to(beside, lesson, pristine)
        notice = f"{lesson.name} has a new version, and yours holds your work: it stays, the new one is {beside.name}"
    if changed:
        write(pristine, lesson.read_bytes())
    return notice


def place_beside(own: Path, lesson: Path, pristine: Path) -> Path:
    """The first of 02_formula.new.ipynb, 02_formula.new2.ipynb, … that is free, or holds no work of the learner."""
    names = (
        own.with_name(f"{own.stem}.new{number or ''}.ipynb") for number in itertools.chain([0], itertools.count(2))
    )
    return next(path for path in names if not os.path.lexists(path) or is_unedited(path, pristine))


def is_unedited(copy: Path, pristine: Path) -> bool:
    """True for a copy with the cells of any version that was handed out."""
    return same_cells(copy, pristine) or digest(copy) in handed_out(pristine).split()


def handed_out(pristine: Path) -> str:
    """The digests of every version that was handed out, of all lessons."""
    record = pristine.with_name("handed_out")
    return record.read_text(encoding="utf-8", errors="replace") if record.exists() else ""


def hand_out_to(copy: Path, lesson: Path, pristine: Path) -> None:
    """Hand out a lesson. Its digest is written first: a kill in between leaves no copy that passes for edited."""
    if (version := digest(lesson)) and version not in handed_out(pristine).split():
        with open(pristine.with_name("handed_out"), "ab") as record:
            record.write(f"\n{version}\n".encode())
    hand_out(lesson, copy)


def digest(path: Path) -> str | None:
    """A digest of a notebook's cells, or None for a file that is no notebook."""
    cells = sources(path)
    return None if cells is None else hashlib.sha256(json.dumps(cells).encode()).hexdigest()


def same_cells(one: Path, other: Path) -> bool:
    """True when both hold the same cells; outputs do not count. A file that cannot be read equals none."""
    cells = sources(one)
    return cells is not None and cells == sources(other)


def sources(path: Path) -> list[tuple] | None:
    """What a person put into each cell, attached pictures too; None where the file is missing or is no notebook."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return [(cell["cell_type"], "".join(cell["source"]), cell.get("attachments") or {}) for cell in cells]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def same_file(one: Path, other: Path) -> bool:
    return other.exists() and one.read_bytes() == other.read_bytes()


def hand_out(lesson: Path, target: Path) -> None:
    """Copy a lesson without the answers: JupyterLab shows the first line even of an output that is folded away."""
    try:
        notebook = json.loads(lesson.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            if "predict" in cell["metadata"].get("tags", []):
                cell.update(outputs=[], execution_count=None)
    except (ValueError, KeyError, TypeError):  # not for this tool to mend, nor to stop at
        return write(target, lesson.read_bytes())
    write(target, (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode())


def hand_out_here(course: Path) -> None:
    for lesson in course.glob("*.ipynb"):
        hand_out(lesson, lesson)


def write(target: Path, content: bytes) -> None:
    """Write beside and rename, so that a full disk or a kill never leaves half a lesson. A link stays a link."""
    target = target.resolve()
    half = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")  # another run's has another name
    try:
        half.write_bytes(content)
        half.replace(target)
    finally:
        half.unlink(missing_ok=True)


def remove_halves(folder: Path) -> None:
    """Remove what a killed run has left; what is younger than an hour may be another run's."""
    for half in folder.glob(".*.part"):
        with contextlib.suppress(FileNotFoundError):  # the other run was quicker
            if time.time() - half.stat().st_mtime > 3600:
                half.unlink()


def open_lab(arguments: list[str]) -> None:
    from jupyterlab.labapp import LabApp

    # As default_url, not as the file to open: then the address that is printed leads to the lesson, too.
    lesson = f"/lab/tree/{MINE.name}/{FIRST_LESSON}"
    options = [f"--ServerApp.root_dir={ROOT}", f"--LabApp.default_url={lesson}"]
    ours = ROOT / "tools" / "lab"  # no question about news covers the lesson, and figures suit a dark theme
    options += [f"--LabApp.app_settings_dir={ours}", "--LabApp.custom_css=True"]
    options.append(f"--ServerApp.tornado_settings=static_custom_path={ours}")
    if getattr(os, "geteuid", lambda: None)() == 0:  # as in a container, where JupyterLab would refuse to start
        print("You are root, so JupyterLab is too; it answers on this machine's own address alone.", flush=True)
        options.append("--allow-root")
    LabApp.launch_instance([*options, *arguments])


def main(arguments: list[str]) -> None:
    try:
        if HERE in arguments:
            return hand_out_here(COURSE)
        for notice in lay_out(COURSE, MINE):
            print(notice, flush=True)
    except OSError as error:  # a full disk, or a folder that cannot be written to
        problem = ": ".join(str(part) for part in (error.filename, error.strerror) if part) or error
        sys.exit(f"The lessons could not be copied: {problem}. Nothing that you wrote was changed.")
    if LAY_OUT_ONLY in arguments:
        return print(f"Your copies of the lessons are in {MINE.name}/: begin with {FIRST_LESSON}.")
    print(f"Opening {MINE.name}/{FIRST_LESSON} in JupyterLab (Ctrl-C here stops it).", flush=True)
    open_lab(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
