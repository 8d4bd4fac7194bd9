"""The little Markdown of the questions: paragraphs, code, `code` and *emphasis*, in a terminal and on a page."""

import html
import re
import textwrap


def blocks(text):
    """("text" or "code", content) for each paragraph, item of a list, or block of code."""
    found = []
    for number, part in enumerate(re.split(r"^```(?:python)?\n(.*?)^```$", text, flags=re.M | re.S)):
        if number % 2:
            found.append(("code", part.rstrip("\n")))
        else:
            found += [("text", " ".join(piece.split())) for piece in re.split(r"\n\n|\n(?=- )", part) if piece.strip()]
    return found


def to_lines(text, width=88):
    """For a terminal: paragraphs wrapped, code set in."""
    lines = []
    for kind, content in blocks(text):
        if kind == "code":
            lines += ["", textwrap.indent(content, "    ")]
        else:
            following = "  " if content.startswith("- ") else ""
            lines += ["", textwrap.fill(content, width, subsequent_indent=following)]
    return "\n".join(lines[1:])


def to_html(text):
    """For a page: paragraphs, lists as paragraphs with a dot, and code."""
    return "".join(
        f"<pre>{html.escape(content)}</pre>" if kind == "code" else f"<p>{inline(re.sub('^- ', '• ', content))}</p>"
        for kind, content in blocks(text)
    )


def inline(text):
    """One line of text: `code` and *emphasis*, all else as it stands."""
    parts = re.split(r"`([^`]+)`", html.escape(text, quote=False))
    return "".join(
        f"<code>{part}</code>" if number % 2 else re.sub(r"\*([^*]+)\*", r"<em>\1</em>", part)
        for number, part in enumerate(parts)
    )
