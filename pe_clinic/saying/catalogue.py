"""What is found, and the fixed words of it: each mistake has its own once, in a file beside the code that sees it.

The entries of such a file: ``## id``, the title, then lines ``- why:``, ``- try:``, …
"""

from dataclasses import dataclass
from pathlib import Path

GITHUB = "https://github.com/"
FIELDS = {"why": "explanation", "try": "fix", "case": "case", "kind": "kind"}


@dataclass(frozen=True)
class Finding:
    """One thing that was found: what it is, the numbers that show it, why people do it, the fix, a public case.

    ``kind`` is "mistake", "convention" for what other libraries do on purpose, "usage" for what a caller of a right
    table has to know, "note" for what does no harm here, "unexpected" for a design that is not the one expected, or
    "not-run" when nothing could be looked at.
    ``paste`` is a line for the terminal that works as it stands.
    """

    id: str
    title: str
    evidence: str = ""
    explanation: str = ""
    fix: str = ""
    link: str = ""
    kind: str = "mistake"
    paste: str = ""
    place: str = ""  # the line of the user's file that it is about

    def parts(self):
        """The labelled lines below the title, without the empty ones."""
        named = {
            "line": self.place,
            "seen": self.evidence,
            "why": self.explanation,
            "try": self.fix,
            "paste": self.paste,
            "case": self.link,
        }
        return [(label, text) for label, text in named.items() if text]

    @property
    def below(self):
        """What stands below the title, as lines of text."""
        return [f"  {label}: {text}" for label, text in self.parts()]

    def __str__(self):
        return "\n".join([self.title, *self.below])


@dataclass(frozen=True)
class Mistake:
    """An entry: the fixed words of a `Finding`. ``case`` is where on GitHub it was made, as owner/repository/…, or any https://…"""

    id: str
    title: str
    explanation: str = ""
    fix: str = ""
    case: str = ""
    kind: str = "mistake"
    hides: tuple[str, ...] = ()  # ids of what follows from it, and is not said beside it

    def found(self, evidence, **changes):
        """The `Finding` with ``evidence``, the numbers that show it; ``changes`` replace fixed words."""
        link = self.case if not self.case or self.case.startswith("https://") else GITHUB + self.case
        said = {"title": self.title, "explanation": self.explanation, "fix": self.fix, "link": link, "kind": self.kind}
        return Finding(**{"id": self.id, "evidence": evidence, **said, **changes})


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
