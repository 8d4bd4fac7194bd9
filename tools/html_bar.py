"""The bar on top of each page: the way home, the lessons, and where among them one is."""

import re
from pathlib import Path, PurePosixPath

import nbformat
from html_links import README, page_of, relative

NUMBERED = re.compile(r"\d\d_")


def titles(root: Path) -> dict[PurePosixPath, str]:
    """The lessons in their order, each with its title."""
    found = {}
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        first = nbformat.read(path, as_version=4).cells[0].source
        title = re.search(r"^# (.+)$", first, re.M)[1]
        found[PurePosixPath(path.relative_to(root).as_posix())] = re.sub(r"[`$*]", "", title)
    return found


def bar(lessons: dict[PurePosixPath, str], file: PurePosixPath) -> dict[str, object]:
    """What bar.html.j2 shows on the page of a file."""
    here = page_of(file)
    order = list(lessons)
    at = order.index(file) if file in lessons else None
    beside = {} if at is None else {"before": order[at - 1] if at else None, "after": [*order, None][at + 1]}
    return {
        "home": relative(page_of(README), here),
        "lessons": [
            {"title": title, "href": relative(page_of(lesson), here), "here": lesson == file}
            for lesson, title in lessons.items()
        ],
        "place": place(order, at),
        **{name: relative(page_of(lesson), here) for name, lesson in beside.items() if lesson},
    }


def place(order: list[PurePosixPath], at: int | None) -> str:
    """ "Lesson 09 · 10 of 14": its number, and its place; what is not, such as an appendix, is not counted."""
    numbers = [lesson.name[:2] for lesson in order if NUMBERED.match(lesson.name)]
    if at is None:
        return f"{len(numbers)} lessons"
    return f"Lesson {numbers[at]} · {at + 1} of {len(numbers)}" if at < len(numbers) else "Appendix"
