"""What a class handed in: every learner's file below a folder, however it was renamed, copied or cut short.

Files come from strangers. None can stop the class, and none can change what another file says: a file belongs to the
number in its first line, and two files of one number are put together only if one holds all that the other says.
"""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from ..learner_file import shown
from ..progress import record
from .bank import PARTS
from .keeping import FILE, read
from .sitting import sittings

LARGEST = 1_000_000  # bytes; a learner's file has 43 lines, 9,000 bytes


@dataclass(frozen=True)
class Collected:
    """``learners``: {random number: {name: `Sitting`}}. ``told``: a sentence for each file that needs a look."""

    files: int
    learners: dict
    told: tuple[str, ...]


def collect(folder):
    """Read every file below ``folder`` that could be a learner's; none is changed. Each answer counts once."""
    paths, told = _below(Path(folder))
    handed_in, files = {}, 0
    for path in paths:
        name = shown(path.relative_to(folder).as_posix(), 200)
        entries, problem = _entries(path)
        files += bool(entries)
        if problem:
            told.append(f"{name}: {problem}")
        if entries:
            handed_in.setdefault(entries[0].learner, []).append((name, entries))
    learners = {}
    for number, of_number in sorted(handed_in.items()):
        for learner, names, entries in _apart(number, of_number, told):
            learners[learner] = sittings(entries)
            told += _unfinished(names[0], learners[learner])
    return Collected(files, learners, tuple(told))


def _below(folder):
    """The files at any depth that could be a learner's, in order, and a sentence for each folder that is closed."""
    paths, told, waiting = [], [], [folder]
    while waiting:  # no recursion: folders may lie a thousand deep
        here = waiting.pop()
        try:
            found = [Path(entry.path) for entry in os.scandir(here) if _could_be(entry, waiting)]
        except OSError as error:
            if here != folder:
                told.append(f"{shown(here.relative_to(folder).as_posix(), 200)}: {error.strerror}; left out.")
            continue
        paths += found
    return sorted(paths), told


def _could_be(entry, waiting):
    if entry.is_dir(follow_symlinks=False):
        waiting.append(Path(entry.path))
        return False
    path = Path(entry.name)
    named = Path(FILE).stem in path.name and path.suffix not in (".html", ".part")
    return (path.suffix == ".jsonl" or named) and path.name != record.FILE


def _entries(path):
    """The entries of the learner whose file it is, and what is wrong with the rest of it, or ""."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return (), "no ordinary file; left out."
        if status.st_size > LARGEST:
            return (), f"larger than {LARGEST:,} bytes; left out."
        found, problems = read(path)
    except OSError as error:
        return (), f"{error.strerror}; left out."
    if not found:
        return (), f"{'no line is of this test' if problems else 'empty'}; left out."
    entries = tuple(entry for entry in found if entry.learner == found[0].learner)
    if foreign := len(found) - len(entries):
        problems = (f"{foreign} lines are of another learner", *problems)
    if not problems:
        return entries, ""
    more = f"; and {len(problems) - 2} more such lines" if len(problems) > 2 else ""
    return entries, f"{'; '.join(problems[:2])}{more}. The other {len(entries)} lines count."


def _apart(number, handed_in, told):
    """(learner, file names, entries) for each learner who uses a number; nearly always there is one."""
    learners = []
    for name, entries in sorted(handed_in, key=lambda file: (-len(file[1]), str(file[1]))):
        whole = next((learner for learner in learners if set(entries) <= set(learner[1])), None)
        if whole:
            whole[0].append(name)
        else:
            learners.append(([name], entries))
    for names in (sorted(names) for names, _ in learners if len(names) > 1):
        told.append(f"{' and '.join(names)}: of one learner. Each answer counts once.")
    if len(learners) > 1:
        files = " and ".join(sorted(min(names) for names, _ in learners))
        told.append(f"{files}: the same number, and different answers. They count as {len(learners)} learners.")
    for place, (names, entries) in enumerate(learners, start=1):
        yield number if place == 1 else f"{number} ({place})", sorted(names), entries


def _unfinished(name, done):
    for part in PARTS:
        sat = [done[sitting] for sitting in part.sittings if sitting in done]
        for sitting in sat:
            if not sitting.over:
                answered = f"{len(sitting.answers)} of {part.count} questions are answered"
                yield f"{name}: {sitting.name} is not over, {answered}."
        if sat and sat[0].name != part.sittings[0]:
            yield f"{name}: no first sitting of part {part.number}, so there is nothing to compare with."
