"""TeX formulas as MathML, which browsers draw by themselves: no script, no font, no network."""

import re

from bs4 import BeautifulSoup
from latex2mathml.converter import convert

# How many parts an element needs. With fewer a browser draws it as an error, or draws nothing.
PARTS = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}

WORDS = ("pos", "model")  # the course's names of more than one letter


class BadFormula(ValueError):
    """A formula that would not be drawn as it is meant."""

    def __init__(self, tex: str, why: str):
        super().__init__(f"the formula {' '.join(tex.split())!r} does not become MathML: {why}")


def mathml(tex: str, display: str = "inline") -> str:
    """The formula as a <math> element; display is "inline" or "block".

    latex2mathml passes on what it does not know. Here that is an error: a reader must never meet raw TeX.
    """
    try:
        markup = convert(tex.replace("{aligned}", "{split}"), display=display)  # it knows one name of the two
    except Exception as error:  # latex2mathml has an exception for each mistake, and no common one
        raise BadFormula(tex, f"{type(error).__name__} {error}".strip()) from None
    formula = BeautifulSoup(markup, "html.parser")
    if problem := problem_in(tex, formula):
        raise BadFormula(tex, problem)
    space_around_names(formula)
    join_words(formula)
    return str(formula)


def space_around_names(formula: BeautifulSoup) -> None:
    r"""As TeX does, leave a thin space between \sin and what stands beside it, unless that is a sign or a bracket."""
    for name in formula("mi", string=re.compile("^[a-z]{2,}$")):
        before, after = name.find_previous_sibling(), name.find_next_sibling()
        if name.parent.name == "mrow" and after and after.name != "mo":
            name.insert_after(formula.new_tag("mspace", attrs={"width": "0.167em"}))
        if name.parent.name == "mrow" and before and before.name not in ("mo", "mspace"):
            name.insert_before(formula.new_tag("mspace", attrs={"width": "0.167em"}))


def join_words(formula: BeautifulSoup) -> None:
    """Letters in a row that are one name become one: else a browser draws a product, p o s."""
    letters = formula("mi", string=re.compile("^[a-z]$"))
    for first in letters:
        for word in WORDS:
            run = [first, *first.find_next_siblings(limit=len(word) - 1)]
            if [part.get_text() for part in run] == list(word) and all(part.name == "mi" for part in run):
                for part in run[1:]:
                    part.extract()
                first.string = word


def problem_in(tex: str, formula: BeautifulSoup) -> str | None:
    """What is wrong with a converted formula; None if nothing is."""
    bare = re.sub(r"\\.", "", tex)
    if bare.count("{") != bare.count("}"):
        return "a brace is missing"
    if unknown := re.search(r"\\\w*", formula.get_text()):
        return f"unknown command {unknown[0]}"
    if tex.count(r"\begin") > len(formula("mtable")):
        return "an environment is not known"
    if "&" in bare and formula.find("mi", string="&"):
        return "& outside a table"
    for element in formula(list(PARTS)):
        if len(element.find_all(recursive=False)) != PARTS[element.name]:
            return f"a part of <{element.name}> is missing"
    return None
