"""A file that a learner's work adds to: beside the lessons, JSON in each line, one line for each step.

A line is appended in one piece, so that a crash, or the same lesson in two windows, loses nothing that was there.
"""

import contextlib
import errno
import json
import os
from pathlib import Path

YEARS = range(1900, 3000)  # any other date was not written by a clock, and adding days to it may overflow


def find(name, folder="."):
    """Where the file is, or else where it belongs: beside the learner's own copies of the lessons, if they are here."""
    folder = Path(folder)
    places = [folder / "my_notebooks" / name, folder / name, folder / "notebooks" / name]
    new = places[0] if places[0].parent.is_dir() else places[1]
    return next((place for place in places if place.exists()), new)


def read(path):
    """[(number, line as bytes, what it says)] for each line that is not empty; of what is no JSON it says None."""
    try:
        lines = Path(path).read_bytes().splitlines()
    except FileNotFoundError:
        return []
    found = []
    for number, line in enumerate(lines, start=1):
        said = None
        with contextlib.suppress(ValueError, RecursionError):
            said = json.loads(line)
        if line.strip():
            found.append((number, line, said))
    return found


def shown(text, limit=80):
    """Text from somebody's file as part of one line: what does not print is escaped, and a long text is cut."""
    text = text if len(text) <= limit else f"{text[:limit]}…"
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def append(path, said):
    """Add a line: behind those of a second window, and never into a half-written one. OSError, if the disk is full."""
    line = (json.dumps(said) + "\n").encode()
    with open(path, "ab+", buffering=0) as file:  # "a": wherever the end is at that moment
        if file.seek(0, os.SEEK_END) and (file.seek(-1, os.SEEK_END), file.read(1))[1] != b"\n":
            line = b"\n" + line  # the line before was cut off, by a full disk or by hand
        if file.write(line) != len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
