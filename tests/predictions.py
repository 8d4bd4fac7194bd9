"""What a learner sees before answering a prediction, and whether it gives the answer away.

JupyterLab folds the *output* of the next cell. Its source, its figure's title and the heading below stay in view.
"""

import ast
import builtins
import io
import keyword
import re
import tokenize

from course import tags

QUESTION = "**Predict.**"
AT_MOST = 8  # in a lesson: what a class can discuss
SAYS_NOTHING = """
    about after always another because before between both does each else ever every gives given have here into just
    last less like mean more most much never none nothing number once only other over print same second some still such
    than that their them then there they this true false until value were what when where which whole will with would
    column columns model models paper pair pairs position positions row rows table token tokens
"""
VERDICT = re.compile(
    r"\b(?:is|are|was|were|has|have|no)\b.*\b(?:better|worse|larger|smaller|faster|slower|sooner|right|wrong)\b"
)


def of(lesson):
    """(cell, seen, shown, answer) of each prediction: four views of it, the last three as text.

    ``seen`` is what stands above, from the section's heading on; ``shown`` what stands below, in view; ``answer`` the
    first two sentences of what can be unfolded.
    """
    for place, cell in enumerate(lesson.cells):
        if "predict" in tags(cell):
            above, below = lesson.cells[:place], lesson.cells[place + 1 :]
            after = next((text.source for text in below if text.cell_type == "markdown"), "")
            headings = re.findall(r"^#+ .+$|<summary>.+?</summary>", after, re.M)
            yield cell, seen(above), "\n".join([cell.source, *headings]), answer(after)


def seen(cells):
    """The section so far, and the names in all code above it."""
    begins = max((n for n, cell in enumerate(cells) if re.search("^## ", cell.source, re.M)), default=0)
    names = (name for cell in cells if cell.cell_type == "code" for name in tokens(cell.source, tokenize.NAME))
    return "\n".join([*(cell.source for cell in cells[begins:]), *names])


def answer(text):
    folded = re.search(r"<details>\s*<summary>.*?</summary>(.*?)</details>", text, re.S)
    without_links = re.sub(r"\(https?:\S+\)", "", folded[1]) if folded else ""
    return " ".join(re.split(r"(?<=[.:!?])\s+", without_links.strip())[:2])


def given_away(cell, seen, shown, answer):
    """What in ``shown`` tells the answer: its words and numbers, its output in a comment, a verdict, an exception."""
    found = (words(shown) & words(answer)) - words(seen) - words(SAYS_NOTHING) - words(" ".join(PYTHON))
    found |= (numbers(shown) & numbers(answer)) - numbers(seen)
    found |= (numbers(" ".join(tokens(cell.source, tokenize.COMMENT))) & numbers(output(cell))) - numbers(seen)
    found |= {f"“{text.strip()}”" for text in strings(cell.source) if VERDICT.search(text) and not text.endswith("?")}
    return sorted(found | ({"except"} & {*cell.source.split()}))


PYTHON = [*keyword.kwlist, *dir(builtins)]


def words(text):
    """Words of four letters or more, without their endings; capitals and _ part a name into words."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower()
    return {re.sub("(?:est|er|ing|ed|es|(?<!s)s|e)$", "", word)[:5] for word in re.findall("[a-z]{4,}", parted)}


NUMBER = re.compile(r"(?<![\w.])(?:(?:\d[\d,]*\.)?\d[\d,]*\d|\d+\.\d)(?!\w)")


def numbers(text):
    """Numbers of two digits or more, a fraction or a shape: one digit alone tells nothing."""
    shapes = re.findall(r"(?<=[\[(])\d+(?:, \d+)+(?=[\])])", text)
    return {*shapes, *(each.replace(",", "") for each in NUMBER.findall(text))}


def tokens(source, kind):
    return [token.string for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type == kind]


def strings(source):
    """Literal text of the code; of an f-string its pieces."""
    constants = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    return [value for value in constants if isinstance(value, str)]


def output(cell):
    """Text that the cell printed, without what describes a figure."""
    texts = (out.get("text") or out.get("data", {}).get("text/plain", "") for out in cell.outputs)
    return "\n".join(text for text in texts if "Figure:" not in text)
