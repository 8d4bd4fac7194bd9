"""What a diagnosis says, and how it is shown."""

import html
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Finding:
    """One thing that was found: what it is, the numbers that show it, and what to change."""

    id: str
    title: str
    evidence: str = ""
    explanation: str = ""
    fix: str = ""

    def __str__(self):
        labelled = (("", self.title), ("seen: ", self.evidence), ("why: ", self.explanation), ("try: ", self.fix))
        return "\n".join(f"  {label}{text}" if label else text for label, text in labelled if text)


@dataclass(frozen=True)
class Diagnosis:
    """``ok`` is True only for the paper's own table, or a layer that adds it; ``findings`` say why not."""

    ok: bool
    findings: tuple[Finding, ...] = field(default=())
    convention: str | None = None

    def __str__(self):
        return "\n".join(map(str, self.findings)) or ("Right." if self.ok else "Wrong.")

    def _repr_html_(self):
        return f"<pre>{html.escape(str(self))}</pre>"
