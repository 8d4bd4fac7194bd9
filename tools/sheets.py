"""The sheets to print, docs/sheets/*.md: the tasks on one page, their answers on the next.

    python tools/sheets.py       writes both anew; a test compares them with the files

Their text stands in tools/html/sheets/. Every number is computed here from pe_lib. Every verdict is that of the
lesson's own cells, or of the clinic.
"""

import re
import sys
from pathlib import Path

import nbformat
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "sheets"
TEXTS = ROOT / "tools" / "html" / "sheets"
sys.path.insert(0, str(ROOT))

from pe_clinic import diagnose_table  # noqa: E402
from pe_lib import frequencies, sinusoidal_vectorized  # noqa: E402

# Lesson 02: what the row of pos holds, and why a product with one matrix does or does not take it n positions on.
CANDIDATES = {
    "position": ("pos", "a product cannot add n to one number"),
    "fraction": ("pos / max_len", "a product cannot add n to one number"),
    "binary": ("the binary digits of pos", "a product cannot carry a digit"),
    "learned": ("trained numbers, 512 rows", "nothing in training guarantees it"),
    "one_sine": ("sin(pos)", "the new sine needs the old cosine, too"),
    "one_pair": ("sin(pos), cos(pos)", "a shift is a rotation"),
    "many_pairs": ("ten pairs, each half as fast as the one before", "a shift rotates each pair"),
    "one_hot": ("a column for each position", "a shift moves every 1 by n columns"),
}
# Six ways to write one line. Each is printed, and run.
LINES = (
    "angle = pos / 10000 ** (2 * (j // 2) / d_model)",
    "angle = pos / 10000 ** (2 * j / d_model)",
    "angle = pos / 10000 ** (j / d_model)",
    "angle = pos * 10000 ** (2 * (j // 2) / d_model)",
    "angle = (pos + 1) / 10000 ** (2 * (j // 2) / d_model)",
    "angle = np.radians(pos / 10000 ** (2 * (j // 2) / d_model))",
)
LETTERED = (4, 2, 5, 0, 3, 1)  # table A is made by line 5, and so on


def cells_of(lesson, *ids):
    """The names that some cells of a lesson define."""
    (path,) = (ROOT / "notebooks").glob(f"{lesson}_*.ipynb")
    cells = {cell.id: cell.source for cell in nbformat.read(path, as_version=4).cells}
    names = {}
    for id in ids:
        exec(cells[id], names)
    return names


def grid(heads, rows):
    """A table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def written(values):
    return [f"{value + 0.0:.3f}".replace("-0.000", "0.000").replace("-", "−") for value in values]


def requirement(answers):
    names = cells_of("02", "set-up", "position", "r5", "candidates-simple", "candidates-waves", "candidates-learned")
    said = {True: "yes", False: "no"}
    rows = [
        [f"`{name}`", row, f"{said[names['shift_is_a_matrix'](names[name])]}: {why}" if answers else ""]
        for name, (row, why) in CANDIDATES.items()
    ]
    return grid(["candidate", "the row of pos", "yes or no, and why"], rows)


def pairs(answers):
    known = [[f"{2 * k}/6", f"{frequency:.4f}"] for k, frequency in enumerate(frequencies(6))]
    rows = [[k, *(both if answers else ["", ""])] for k, both in enumerate(known)]
    return grid(["pair k", "exponent 2k/d_model", "frequency"], rows)


def rows_by_hand(answers):
    table = sinusoidal_vectorized(4, 4)
    rows = [[pos, *(written(row) if answers or pos < 2 else [""] * 4)] for pos, row in enumerate(table)]
    return grid(["pos", "sin(pos)", "cos(pos)", "sin(pos/100)", "cos(pos/100)"], rows)


def addition(_):
    (s1, c1), (s2, c2), (s3, _) = sinusoidal_vectorized(4, 2)[1:]
    one, two, three, four, result = written([s1, c2, c1, s2, s3])
    return f"{one} · ({two}) + {three} · {four} = {result}. From rounded numbers, the last digit may differ."


def twenty_cells(answers):
    names = cells_of("06", "set-up", "two-tensors-run", "outcome-run", "outcome-sizes")
    sizes = {name.replace("\n", ", "): size for name, size in names["sizes"].items()}
    rows = [
        [f"`{text}`", *(names["outcome"](run, *size) if answers else "" for size in sizes.values())]
        for text, run in names["expressions"].items()
    ]
    return grid([f"max_len {names['max_len']}", *sizes], rows)


def made_by(line):
    """The function (max_len, d_model) -> table around a line."""

    def table(max_len, d_model):
        names = {"np": np, "pos": np.arange(max_len)[:, np.newaxis], "j": np.arange(d_model), "d_model": d_model}
        exec(line, names)
        return np.where(names["j"] % 2 == 0, np.sin(names["angle"]), np.cos(names["angle"]))

    return table


def lines(_):
    return "\n".join(["```python", *(f"{n}   {line}" for n, line in enumerate(LINES, start=1)), "```"])


def six_tables(answers):
    lettered = list(zip("ABCDEF", LETTERED, strict=True))
    if not answers:
        rows = [[letter, *written(made_by(LINES[n])(2, 4)[1])] for letter, n in lettered]
        return grid(["table", *(f"column {j}" for j in range(4))], rows)
    seen = {n: diagnose_table(made_by(LINES[n])) for n in LETTERED}
    rows = [[letter, n + 1, "right" if seen[n].ok else seen[n].findings[0].title] for letter, n in lettered]
    return grid(["table", "line", "what the clinic says"], rows)


PARTS = {part.__name__: part for part in (requirement, rows_by_hand, addition, pairs, lines, twenty_cells, six_tables)}


def sheet(text):
    """The text of a sheet, with a part in the place of each line such as <!-- pairs --> or <!-- pairs answers -->."""
    return re.sub(r"^<!-- (\w+)( answers)? -->$", lambda place: PARTS[place[1]](bool(place[2])), text, flags=re.M)


def sheets():
    """Each sheet by the name of its file."""
    return {path.name: sheet(path.read_text(encoding="utf-8")) for path in sorted(TEXTS.glob("*.md"))}


if __name__ == "__main__":
    for name, text in sheets().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
