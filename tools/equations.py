r"""Displayed formulas of the pages: one equation a line, and a line that is too long for a telephone goes on below.

MathML has no line breaks that browsers follow. So a formula is cut at \qquad into lines, and a line before = and before
+ and − that stand in no brackets; each piece is a formula of its own, and a browser breaks between them if it must.
"""

from bs4 import BeautifulSoup, Tag
from mathml import mathml

RELATIONS = {"=", "≈", "≠", "<", ">", "≤", "≥", "→"}
SIGNS = {"+", "−"}
OPENING, CLOSING = set("([{⌊⌈"), set(")]}⌋⌉")
BETWEEN = ("2em", "1em")  # \qquad and \quad


def equations(tex: str) -> str:
    """The formula as lines of pieces; what stands in an environment, such as a matrix, stays whole."""
    formula = BeautifulSoup(mathml(tex, display="block"), "html.parser").math
    row = formula.find("mrow", recursive=False)
    parts = row.find_all(recursive=False) if row else []
    if not parts or formula.find("mtable"):
        return f'<span class="formula"><span class="equation">{formula}</span></span>'
    lines = split(parts, lambda part: part.name == "mspace" and part.get("width") in BETWEEN, keep=False)
    return f'<span class="formula">{"".join(equation(line) for line in lines)}</span>'


def equation(parts: list[Tag]) -> str:
    sides = split(parts, lambda part: part.get_text() in RELATIONS)
    return f'<span class="equation">{"<wbr>".join(side(one) for one in sides)}</span>'


def side(parts: list[Tag]) -> str:
    """What stands from one = to the next."""
    pieces = "<wbr>".join(piece(some) for some in split(parts, is_sum))
    return f'<span class="side">{pieces}</span>'


def piece(parts: list[Tag]) -> str:
    if parts[0].get_text() in RELATIONS | SIGNS:
        parts[0]["form"] = "infix"  # at the beginning of a piece a browser would take − for a sign
    inner = "".join(map(str, parts))
    return f'<math display="inline" displaystyle="true"><mrow>{inner}</mrow></math>'


def is_sum(part: Tag) -> bool:
    """A + or − between two terms, and not the sign of one."""
    before = part.find_previous_sibling()
    after_term = before is not None and (before.name != "mo" or before.get_text() in CLOSING)
    return part.get_text() in SIGNS and after_term


def split(parts: list[Tag], at, keep: bool = True) -> list[list[Tag]]:
    """Lists of parts: a new one begins at each part for which ``at`` holds, outside brackets; with that part, if
    ``keep``."""
    found, depth = [[]], 0
    for part in parts:
        begins = depth == 0 and at(part)
        if begins:
            found.append([])
        if keep or not begins:
            found[-1].append(part)
        bracket = part.find("mo") if part.name in ("msup", "msub", "msubsup") else part
        sign = bracket.get_text() if bracket is not None and bracket.name == "mo" else ""
        depth += (sign in OPENING) - (sign in CLOSING)
    return [some for some in found if some]
