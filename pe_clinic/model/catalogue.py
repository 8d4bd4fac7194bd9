"""The words of mistakes, read from a file beside the code: ``## id``, the title, then ``- why:``, ``- try:``, ``- case:``."""

from pathlib import Path

from ..saying.mistake import Mistake

FIELDS = {"why": "explanation", "try": "fix", "case": "case", "kind": "kind"}


def read(path):
    """{id: `Mistake`} of all entries of the file."""
    entries = {}
    for block in Path(path).read_text(encoding="utf-8").split("\n## ")[1:]:
        name, title, *rest = block.strip().splitlines()
        lines = (line.removeprefix("- ").split(": ", 1) for line in rest)
        entries[name] = Mistake(name, title, **{FIELDS[label]: text for label, text in lines})
    return entries


MISTAKES = read(Path(__file__).with_name("mistakes.md"))
