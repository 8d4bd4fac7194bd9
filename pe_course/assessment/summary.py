"""A class's results as text, CSV and a figure: `python -m pe_course test summary FOLDER`."""

import csv
import math

from .bank import PARTS
from .collecting import collect
from .keeping import FILE
from .measures import ENOUGH, RESAMPLES, SEED
from .report import report

VALIDATED = 100  # pairs before which nothing can be said about the questions themselves
MOST_TOLD = 200  # lines about files to look at
TABLES = ("people", "forms", "ideas", "items", "errors", "learners")


def summarize(folder, out=None, write=print):
    """Read the class's files below ``folder`` and say what they hold; returns the exit status."""
    collected = collect(folder)
    if not collected.learners:
        write(f"{folder}: no answers. Looked at every depth for files such as {FILE}.")
        write("\n".join(_first(collected.told)))
        return 2
    made = [report(collected.learners, part) for part in PARTS]
    made = [of_part for of_part in made if any(row["began"] for row in of_part.people)]
    text = "\n\n".join(_said(collected, made))
    write(text)
    if out is not None:
        try:
            _store(out, made, text)
        except OSError as error:
            write(f"\n{out}: {error.strerror}. Name a folder that can be written: --out FOLDER.")
            return 2
        write(f"\nWritten into {out}: summary.txt, and for each part a figure and a CSV for each table.")
    return 0


def _said(collected, made):
    yield f"{collected.files} files, {len(collected.learners)} learners."
    for of_part in made:
        yield from _sections(of_part)
    if collected.told:
        yield "\n".join(["To look at", *_first(collected.told)])


def _sections(made):
    yield f"═══ Part {made.part.number}, lessons {made.part.lessons}"
    pairs = made.gain.pairs if made.gain else 0
    if pairs < VALIDATED:
        yield f"Pilot, not validated: {pairs} matched pairs. From {VALIDATED} on the questions can be judged."
    yield table(made.people)
    yield "\n".join(_gain(made))
    yield "\n".join(_forms(made))
    yield f"Share right, by idea\n{table(made.ideas)}"
    yield (
        "Share right, by question: its difficulty. Discrimination: how its answer goes with the score in the other\n"
        "questions of its form (item–rest correlation within sittings; below 0.2 read the question again)\n"
        + table(made.items)
    )
    shown = [row for row in made.errors if any(row[name] for name in made.part.sittings)][:12]
    yield "Confident errors: wrong, and rather sure or certain\n" + (table(shown) if shown else "none")


def _first(told):
    more = [f"… and {len(told) - MOST_TOLD} more"] if len(told) > MOST_TOLD else []
    return [*told[:MOST_TOLD], *more]


def _gain(made):
    gain = made.gain
    yield "Gain of averages, <g> = (after − before) / (1 − before)"
    if gain is None:
        yield "none: nobody has both sittings over"
        return
    first, second, *_ = made.part.sittings
    yield f"{first} {gain.before:.2f}, {second} {gain.after:.2f}, in {gain.pairs} matched pairs"
    if not math.isfinite(gain.value):
        yield "none: all was right before"
    elif math.isfinite(gain.low):
        yield f"<g> {gain.value:.2f}, 95 % interval {gain.low:.2f} to {gain.high:.2f}"
        yield f"(studentized bootstrap: {RESAMPLES:,} draws of the learners, seed {SEED})"
    else:
        yield f"<g> {gain.value:.2f}; for an interval there are too few pairs (below {ENOUGH}), or all gained alike"
    yield "It is about the class: the gains of single people are biased, and are not computed."
    if made.stayed:
        all_three = "Of {n} who sat the third as well: {before:.2f} before, {after:.2f} after, {later:.2f} later"
        yield all_three.format(**made.stayed)


def _forms(made):
    first, (one, other) = [row["began with it"] for row in made.forms], made.part.forms
    yield "Forms\n" + table(made.forms)
    yield "The gain compares two forms. A coin chose which came first, so that an easier form helps both sittings"
    yield f"alike, if about as many pairs began with {one} as with {other}."
    if sum(first) and abs(first[0] - first[1]) > 2 * math.sqrt(sum(first)):
        yield f"Here they did not: {first[0]} and {first[1]}. By chance that comes about once in twenty classes."


def _store(out, made, text):
    from .figure import figure

    for of_part in made:
        folder = out / f"part-{of_part.part.number}"
        folder.mkdir(parents=True, exist_ok=True)
        figure(of_part).figure.savefig(folder / "summary.png", dpi=150)
        for name in TABLES:
            _write(folder / f"{name}.csv", getattr(of_part, name))
    (out / "summary.txt").write_text(text + "\n", encoding="utf-8")


def _write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        lines = csv.DictWriter(file, rows[0])
        lines.writeheader()
        lines.writerows({key: cell(value) for key, value in row.items()} for row in rows)


def cell(value):
    """A value as text in a CSV. A spreadsheet would run text that begins as a formula does; a ' keeps it text."""
    text = plain(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def table(rows):
    """Rows of dicts with the same keys as text, numbers to the right."""
    cells = [list(rows[0]), *([plain(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    left = [isinstance(value, str) for value in rows[0].values()]
    set_in = [str.ljust if to_left else str.rjust for to_left in left]
    lines = [[put(cell, width) for put, cell, width in zip(set_in, line, widths, strict=True)] for line in cells]
    return "\n".join("  ".join(line).rstrip() for line in lines)


def plain(value):
    """A number as text: shares with two digits, what is not known as nothing."""
    if isinstance(value, float):
        return f"{value:.2f}" if math.isfinite(value) else ""
    return str(value)
