"""The files of files.md, by their headings, and what the command is asked about them."""

from pathlib import Path

from bank.fresh import read

PAGE = [*read(Path(__file__).with_suffix(".md").read_text(encoding="utf-8"))]
FILES = {case.name: case.source for case in PAGE if not case.says}
ASKED = [case for case in PAGE if case.says]
