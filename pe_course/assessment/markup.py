"""The questions as text, in a terminal and on a page: paragraphs, code, `code` and *emphasis*.

`page` is the page that explains every option, for after the second sitting: one HTML file that needs nothing else.
"""

import html
import re
import textwrap

from .bank import bank

STYLE = """
body { font: 17px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
       color-scheme: light dark; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid #8888; border-radius: 4px; }
li { list-style: none; margin: .6rem 0; } ul { padding-left: 0; }
.mark { font-weight: bold; }
"""
SURE = {1: "a guess", 2: "not sure", 3: "rather sure", 4: "certain"}


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


def page(sittings):
    """The whole page for the `Sitting`s that are given, as HTML."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n<title>Every option, explained</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n{body(sittings)}\n</body>\n</html>\n"
    )


def body(sittings):
    """What stands on the page, also for a notebook."""
    parts = ["<h1>Every option, explained</h1>", "<p>✔ marks what is right, ● what you chose.</p>"]
    for form in dict.fromkeys(sitting.form for sitting in sittings):
        of_form = [sitting for sitting in sittings if sitting.form == form]
        said = [f"{sitting.name}, {sitting.began}, {sitting.score} right" for sitting in of_form]
        parts.append(f"<h2>Form {form}: {', '.join(said)}</h2>")
        parts += [_item(item, of_form) for item in bank().form(form)]
    return "\n".join(parts)


def _item(item, sittings):
    chosen = [(s.name, answer) for s in sittings for answer in s.answers if answer.item == item.id]
    options = "\n".join(_option(option, chosen) for option in item.options)
    return f"<h3>{item.number} · {item.idea}</h3>\n{to_html(item.stem)}\n<ul>\n{options}\n</ul>"


def _option(option, chosen):
    right = "✔ " if option.misconception is None else ""
    yours = "; ".join(f"{name}, {SURE[answer.sure]}" for name, answer in chosen if answer.letter == option.letter)
    mark = f'<span class="mark">{right}{"● " if yours else ""}</span>'
    belief = "" if right else f"Behind it: <em>“{bank().misconceptions[option.misconception]}”</em> "
    return (
        f"<li>{mark}<b>{option.letter}</b> {inline(option.text)}{f' <b>({yours})</b>' if yours else ''}<br>"
        f"{belief}{inline(option.why)} Read again: lesson {option.lesson}.</li>"
    )
