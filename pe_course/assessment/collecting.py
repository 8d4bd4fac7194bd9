"""What a class handed in: every learner's file below a folder, however it was renamed, copied or cut short."""

from dataclasses import dataclass
from pathlib import Path

from ..progress import record
from .bank import COUNT
from .keeping import FILE, read
from .sitting import sittings


@dataclass(frozen=True)
class Collected:
    """``learners``: {random number: {name: `Sitting`}}. ``told``: a sentence for each file that needs a look."""

    files: int
    learners: dict
    told: tuple[str, ...]


def collect(folder):
    """Read every file below ``folder`` that could be a learner's; none is changed. Each answer counts once."""
    told, entries, files_of, files = [], {}, {}, 0
    for path in sorted(Path(folder).rglob("*")):
        if not _could_be(path):
            continue
        name = path.relative_to(folder).as_posix()
        try:
            found, problems = read(path)
        except OSError as error:
            told.append(f"{name}: {error.strerror}; left out.")
            continue
        if not found:
            told.append(f"{name}: {'no line is of this test' if problems else 'empty'}; left out.")
            continue
        files += 1
        if problems:
            told.append(f"{name}: {'; '.join(problems)}. The other {len(found)} lines count.")
        for entry in found:
            entries.setdefault(entry.learner, []).append(entry)
            files_of.setdefault(entry.learner, {})[name] = True
    several = [names for names in files_of.values() if len(names) > 1]
    told += [f"{' and '.join(names)}: of one learner. Each answer counts once." for names in several]
    # In an order that no file name changes: then neither do the draws of the interval.
    learners = {learner: sittings(lines) for learner, lines in sorted(entries.items())}
    told += [line for learner, done in learners.items() for line in _unfinished(next(iter(files_of[learner])), done)]
    return Collected(files, learners, tuple(told))


def _could_be(path):
    named = Path(FILE).stem in path.name and path.suffix not in (".html", ".part")
    return (path.suffix == ".jsonl" or named) and path.name != record.FILE and path.is_file()


def _unfinished(name, done):
    for sitting in done.values():
        if not sitting.over:
            yield f"{name}: {sitting.name} is not over, {len(sitting.answers)} of {COUNT} questions are answered."
    if "before" not in done:
        yield f"{name}: no first sitting, so there is nothing to compare with."
