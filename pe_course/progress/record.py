"""The record of a learner's answers: a line for each in progress.jsonl, beside the lessons that the learner works in.

    {"time": "2026-11-22T05:40:12+00:00", "id": "05.2", "status": "right"}

The time, the exercise or question, right or wrong: nothing about the person, none of their code, and no network.
Deleting the file forgets everything; it may be read, copied and cut by hand.

One rule says whether anything is recorded (`folder`): a person has the notebook open. JupyterLab, Binder and a hub tell
a kernel so by JPY_SESSION_NAME in its environment, VS Code by a name in it. pytest, nbval, `make notebooks`, a script
and nbgrader's own kernels do not; there nothing is written, and none is read. PE_LIB_PROGRESS=off switches it off.
"""

import os
import sys
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from .. import learner_file

FILE = "progress.jsonl"
SWITCH = "PE_LIB_PROGRESS"
STATUSES = ("right", "wrong")


@dataclass(frozen=True)
class Entry:
    """An answer: when, in local time, to which exercise ("05.2") or question ("05-recall-1"), "right" or "wrong"."""

    time: datetime
    id: str
    status: str


@dataclass(frozen=True)
class Record:
    """The entries of a file, in its order, and the lines that are none: (number, text)."""

    entries: tuple[Entry, ...] = ()
    unread: tuple[tuple[int, str], ...] = ()


def folder():
    """Where the learner's record belongs, a Path; None where nobody has a notebook open."""
    shell = kernel()
    if shell is None or "NBGRADER_EXECUTION" in os.environ or os.environ.get(SWITCH) == "off":
        return None
    if "JPY_SESSION_NAME" in os.environ:
        return Path(shell.starting_dir)  # the notebook's folder, even after a chdir
    opened = shell.user_ns.get("__vsc_ipynb_file__")
    return Path(opened).parent if opened else None


def kernel():
    """The shell of IPython that runs the cells, if this process is a kernel; else None."""
    ipython = sys.modules.get("IPython")  # not loaded for this
    shell = ipython and ipython.get_ipython()
    return shell if getattr(shell, "kernel", None) else None


def read(folder):
    """The `Record` in a folder, empty where there is none."""
    lines = learner_file.read(Path(folder) / FILE)
    found = [(number, line, _entry(fields)) for number, line, fields in lines]
    unread = [(number, line.decode(errors="replace")) for number, line, entry in found if entry is None]
    return Record(tuple(entry for _, _, entry in found if entry), tuple(unread))


def _entry(fields):
    try:
        entry = Entry(datetime.fromisoformat(fields["time"]).astimezone(), fields["id"], fields["status"])
    except (ValueError, KeyError, TypeError, OverflowError, OSError):  # OSError: Windows, of a time before 1970
        return None
    ours = isinstance(entry.id, str) and entry.status in STATUSES and entry.time.year in learner_file.YEARS
    return entry if ours else None


def add(folder, answer_id, status):
    """Append a line, at once."""
    time = datetime.now(timezone.utc).isoformat(timespec="seconds")
    learner_file.append(Path(folder) / FILE, {"time": time, "id": answer_id, "status": status})


def note(answer_id, status):
    """Record an answer if a person gave it, and if it is news: a lesson that is run again repeats old ones.

    Nothing that a disk may do stops it, for the learner waits for a reply: what cannot be written is left out.
    """
    try:
        if (here := folder()) and status in STATUSES:
            before = {entry.id: entry.status for entry in read(here).entries}
            if before.get(answer_id) != status:
                add(here, answer_id, status)
    except (OSError, ValueError):
        pass
