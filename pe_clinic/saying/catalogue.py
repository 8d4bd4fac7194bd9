"""The words of mistakes, from a file beside the code: ``## id``, the title, then lines ``- why:``, ``- try:``, …"""

from pathlib import Path

from .mistake import Mistake

FIELDS = {"why": "explanation", "try": "fix", "case": "case", "kind": "kind"}


def read(path: str | Path) -> tuple[dict[str, Mistake], dict[str, list[str]]]:
    """{id: `Mistake`} of the file's entries, and {id: the ids that it hides}."""
    mistakes, hides = {}, {}
    for block in Path(path).read_text(encoding="utf-8").split("\n## ")[1:]:
        name, title, *rest = block.strip().splitlines()
        said = dict(line.removeprefix("- ").split(": ", 1) for line in rest)
        hides[name] = said.pop("hides", "").split(", ")
        mistakes[name] = Mistake(name, title, **{FIELDS[label]: text for label, text in said.items()})
    return mistakes, hides
