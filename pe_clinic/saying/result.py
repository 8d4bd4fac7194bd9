"""What a diagnosis says, as text for a terminal and as HTML for a notebook."""

import html
import textwrap
from dataclasses import dataclass, field, replace

from .catalogue import Finding
from .heatmap import Picture
from .verdict import expected, verdict_on

WIDTH = 96  # characters in a line of text
FIRST = ("mistake", "not-run", "convention", "note")


@dataclass(frozen=True, repr=False)
class Diagnosis:
    """``ok`` is True only for the paper's own table, or a layer that adds it; ``findings`` say why not.

    ``usage`` says of a right table what its caller has to know: a layer returns it without x, refuses odd widths.
    ``convention`` names what other libraries do on purpose ("halves", "grid, row first"), if that is what was found.
    """

    ok: bool
    findings: tuple[Finding, ...] = field(default=())
    convention: str | None = None
    picture: Picture | None = field(default=None, repr=False, compare=False)
    usage: tuple[Finding, ...] = field(default=())
    kind: str = "table"  # what of the paper's it was compared with

    @property
    def verdict(self):
        """The `Verdict`: one of six; its line holds whatever the findings say."""
        return verdict_on(self)

    def expecting(self, expect):
        """The same, judged by the design that ``expect`` names; itself for None. See `verdict.expected`."""
        return self if expect is None else expected(self, expect)

    def mistaken(self, *findings):
        """The same, wrong for these findings alone."""
        return replace(self, ok=False, convention=None, findings=findings, usage=(), picture=None)

    @property
    def _main_and_beside(self):
        """The findings that the verdict stands on, and those that are said beside them."""
        main = [finding for finding in self.findings if finding.kind != "note"]
        notes = [finding for finding in self.findings if finding.kind == "note"]
        return (main, [*self.usage, *notes]) if main else (list(self.usage), notes)

    @property
    def details(self):
        """The findings as text, without the verdict; empty when there are none."""
        main, beside = self._main_and_beside
        blocks = [f"{n}. {finding}" if len(main) > 1 else str(finding) for n, finding in enumerate(main, 1)]
        return "\n".join(blocks + [_note(finding) for finding in beside])

    def __str__(self):
        """The verdict and the details, in lines that fit a terminal."""
        lines = self.details.splitlines()
        if len(self._main_and_beside[0]) == 1 and self.verdict.id in ("table-right", "not-run", "unexpected"):
            del lines[0]  # the verdict has quoted the title, or the error
            lines = [line for line in lines if line[8:] not in self.verdict.line or line[:8] != "  seen: "]
        return "\n".join([self.verdict.line, *map(_wrap, lines)])

    __repr__ = __str__  # what a notebook shows where it cannot show HTML

    def details_html(self):
        """The findings in words, the picture beside them."""
        words = f"<div style='flex: 3 1 26em'>{''.join(map(_html, (*self.findings, *self.usage)))}</div>"
        picture = self.picture.html() if self.picture else ""
        return (
            f"<div style='display: flex; flex-wrap: wrap; gap: 1.5em; align-items: flex-start'>{words}{picture}</div>"
        )

    def _repr_html_(self):
        return f"<div><b>{html.escape(self.verdict.line)}</b></div>{self.details_html()}"


def say(findings, ok=False, picture=None):
    """The `Diagnosis`: findings of kind "usage" go into `usage`, and conventions give `convention` its names."""
    usage = tuple(finding for finding in findings if finding.kind == "usage")
    others = sorted((finding for finding in findings if finding.kind != "usage"), key=_place)
    conventions = [finding.id for finding in others if finding.kind == "convention"]
    return Diagnosis(ok, tuple(others), ", ".join(conventions) or None, picture, usage)


def _place(finding):
    return finding.kind in FIRST[2:], FIRST.index(finding.kind)


def _note(finding):
    """One line: what was seen. Why, and what to do, stand in the HTML and in the data."""
    title = finding.title.removesuffix(".") if finding.evidence else finding.title
    return f"Note: {title}{': ' if finding.evidence else ''}{finding.evidence}"


def _html(finding):
    def shown(label, text):
        if label == "case":
            return f"<a href='{html.escape(text, quote=True)}'>{html.escape(text.removeprefix('https://'))}</a>"
        return f"<code>{html.escape(text)}</code>" if label in ("paste", "line") else html.escape(text)

    lines = "".join(f"<div><i>{label}</i>: {shown(label, text)}</div>" for label, text in finding.parts())
    return f"<div style='margin-top: 0.6em'><b>{html.escape(finding.title)}</b>{lines}</div>"


def _wrap(line):
    """``line`` in several of at most `WIDTH` characters; a link is never broken, nor a line to paste."""
    if line.startswith(("  paste: ", "  line: ")):
        return line
    indent = " " * 8 if line.startswith("  ") else ""
    return textwrap.fill(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
