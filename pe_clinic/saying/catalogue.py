"""What is found, and the fixed words of it: each mistake has its own once, in a file beside the code that sees it.

The entries of such a file: ``## id``, the title, then lines ``- why:``, ``- try:``, … What an entry "id, more" leaves
out is that of "id". A mistake in the formula of a table has its effect there, too: see `Effect`.
"""

import re
from dataclasses import dataclass
from pathlib import Path

GITHUB = "https://github.com/"
FIELDS = {"why": "explanation", "try": "fix", "case": "case", "kind": "kind"}
LABELS = {"line": "place", "seen": "evidence", "why": "explanation", "try": "fix", "paste": "paste", "case": "link"}
MADE = re.compile(r"(rare )?(exponent|factor|positions|columns(?: or halves)?) (.+?) = (.+)")


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
        return [(label, text) for label, field in LABELS.items() if (text := getattr(self, field))]

    def __str__(self):
        return "\n".join([self.title, *(f"  {label}: {text}" for label, text in self.parts())])


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
    made: tuple[str, ...] = ()  # each an `Effect`

    def found(self, evidence, **changes):
        """The `Finding` with ``evidence``, the numbers that show it; ``changes`` replace fixed words.

        The finding of an entry such as "odd-crash, one short" has the id "odd-crash".
        """
        link = self.case if not self.case or self.case.startswith("https://") else GITHUB + self.case
        said = {"title": self.title, "explanation": self.explanation, "fix": self.fix, "link": link, "kind": self.kind}
        return Finding(**{"id": self.id.partition(", ")[0], "evidence": evidence, **said, **changes})


@dataclass(frozen=True)
class Effect:
    """What a mistake makes of one part of the formula: ``- made: positions from 1 = np.arange(T) + 1``.

    The ``kind`` is exponent, factor (of all positions), positions, columns, or columns or halves, and says what the
    ``formula`` may name. What is ``rare`` is tried only when nothing else fits.
    """

    id: str
    rare: bool
    kind: str
    name: str
    formula: str

    def function(self, parameters, **names):
        """The ``formula`` as a function of ``parameters``."""
        return eval(f"lambda {parameters}: {self.formula}", names)


class Words(dict[str, Mistake]):
    """From ids to entries."""

    def found(self, id, evidence, /, **changes):
        """The `Finding` of the mistake or design ``id``, with its evidence; ``changes`` replace fixed words."""
        return self[id].found(evidence, **changes)

    def effects(self, kind):
        """The `Effect` of each entry that is of this ``kind``, in the order of the entries."""
        effects = [effect_of(id, line) for id, mistake in self.items() for line in mistake.made]
        return [effect for effect in effects if effect.kind.startswith(kind)]


def effect_of(id, line):
    """The `Effect` that a line ``made`` of the entry ``id`` tells; ValueError for what is none."""
    if not (parts := MADE.fullmatch(line)):
        raise ValueError(f"{id}: the line must look like 'positions from 1 = np.arange(T) + 1', but is {line!r}")
    return Effect(id, bool(parts[1]), *parts.groups()[1:])


def words_beside(module: str, name="mistakes.md") -> Words:
    """The entries of the file ``name`` beside the file of a ``module``."""
    return words_in(Path(module).with_name(name).read_text(encoding="utf-8"))


def words_in(page: str) -> Words:
    """The entries of the text of such a file."""
    entries = Words()
    for block in page.split("\n## ")[1:]:
        id, title, *rest = block.strip().splitlines()
        lines = [line.removeprefix("- ").split(": ", 1) for line in rest]
        made, said = tuple(text for label, text in lines if label == "made"), dict(lines)
        hides = tuple(filter(None, said.pop("hides", "").split(", ")))
        known = entries.get(id.partition(", ")[0])
        fixed = {field: getattr(known, field) for field in FIELDS.values()} if known else {}
        fixed |= {FIELDS[label]: text for label, text in said.items() if label != "made"}
        entries[id] = Mistake(id, title, **fixed, hides=hides, made=made)
    return entries
