"""The words of mistakes, from a file beside the code: ``## id``, the title, then lines ``- why:``, ``- try:``, …"""

from pathlib import Path

from .mistake import Mistake

FIELDS = {"why": "explanation", "try": "fix", "case": "case", "kind": "kind"}


class Words(dict[str, Mistake]):
    """From ids to entries."""

    def found(self, id, evidence, /, **changes):
        """The `Finding` of the mistake or design ``id``, with its evidence; ``changes`` replace fixed words."""
        return self[id].found(evidence, **changes)


def words_beside(module: str, name="mistakes.md") -> Words:
    """The entries of the file ``name`` beside the file of a ``module``."""
    entries = Words()
    for block in Path(module).with_name(name).read_text(encoding="utf-8").split("\n## ")[1:]:
        id, title, *rest = block.strip().splitlines()
        said = dict(line.removeprefix("- ").split(": ", 1) for line in rest)
        hides = tuple(filter(None, said.pop("hides", "").split(", ")))
        entries[id] = Mistake(id, title, **{FIELDS[label]: text for label, text in said.items()}, hides=hides)
    return entries
