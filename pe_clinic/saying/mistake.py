"""What is said of a mistake whatever the numbers: each stands, once, beside the code that recognises it."""

from dataclasses import dataclass

from .result import Finding

GITHUB = "https://github.com/"


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
