"""What a diagnosis says, as text for a terminal and as HTML for a notebook."""

import html
import textwrap
from dataclasses import dataclass, field

from .picture import Picture

WIDTH = 96  # characters in a line of text


@dataclass(frozen=True)
class Finding:
    """One thing that was found: what it is, the numbers that show it, why people do it, the fix, a public case.

    ``kind`` is "mistake", "convention" for what other libraries do on purpose, or "note" for what does no harm here.
    """

    id: str
    title: str
    evidence: str = ""
    explanation: str = ""
    fix: str = ""
    link: str = ""
    kind: str = "mistake"

    def parts(self):
        """The labelled lines below the title, without the empty ones."""
        named = (("seen", self.evidence), ("why", self.explanation), ("try", self.fix), ("case", self.link))
        return [(label, text) for label, text in named if text]

    def __str__(self):
        return "\n".join([self.title, *(f"  {label}: {text}" for label, text in self.parts())])


@dataclass(frozen=True, repr=False)
class Diagnosis:
    """``ok`` is True only for the paper's own table, or a layer that adds it; ``findings`` say why not.

    ``convention`` names what other libraries do on purpose ("halves", "tensor2tensor"), if that is what was found.
    """

    ok: bool
    findings: tuple[Finding, ...] = field(default=())
    convention: str | None = None
    picture: Picture | None = field(default=None, repr=False, compare=False)

    @property
    def verdict(self):
        """One line that holds whatever the findings say."""
        mistakes = sum(finding.kind == "mistake" for finding in self.findings)
        if self.ok:
            return "Right."
        if self.convention and not mistakes:
            return "A convention, not a mistake: right for code that expects it, and not the paper's own table."
        if mistakes > 1:
            return f"Not right yet: {mistakes} things to mend."
        return "Not right yet."

    @property
    def details(self):
        """The findings as text, without the verdict; empty when there are none."""
        main = [finding for finding in self.findings if finding.kind != "note"]
        blocks = [f"{n}. {finding}" if len(main) > 1 else str(finding) for n, finding in enumerate(main, 1)]
        return "\n".join(blocks + [f"Note: {finding}" for finding in self.findings if finding.kind == "note"])

    def __str__(self):
        """The verdict and the details, in lines that fit a terminal."""
        return "\n".join(map(_wrap, [self.verdict, *self.details.splitlines()]))

    __repr__ = __str__  # what a notebook shows where it cannot show HTML

    def details_html(self):
        """The findings in words, the picture beside them."""
        words = f"<div style='flex: 3 1 26em'>{''.join(map(_html, self.findings))}</div>"
        picture = self.picture.html() if self.picture else ""
        return (
            f"<div style='display: flex; flex-wrap: wrap; gap: 1.5em; align-items: flex-start'>{words}{picture}</div>"
        )

    def _repr_html_(self):
        return f"<div><b>{html.escape(self.verdict)}</b></div>{self.details_html()}"


def _html(finding):
    def shown(label, text):
        if label == "case":
            return f"<a href='{html.escape(text, quote=True)}'>{html.escape(text.removeprefix('https://'))}</a>"
        return html.escape(text)

    lines = "".join(f"<div><i>{label}</i>: {shown(label, text)}</div>" for label, text in finding.parts())
    return f"<div style='margin-top: 0.6em'><b>{html.escape(finding.title)}</b>{lines}</div>"


def _wrap(line):
    """``line`` in several of at most `WIDTH` characters; a link is never broken."""
    indent = " " * 8 if line.startswith("  ") else ""
    return textwrap.fill(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
