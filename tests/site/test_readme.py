"""README.md and docs/check.md: what they print is what the clinic says, the way in is short, and the picture true."""

import json
import re
import xml.etree.ElementTree as ElementTree

import hero_picture
import numpy as np
import pytest
from course import ROOT
from PIL import Image
from programs import computed

from pe_clinic import command
from pe_clinic.__main__ import main
from pe_course.explore.widget import source

README = (ROOT / "README.md").read_text(encoding="utf-8")
CHECK = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
SAMPLE = ROOT / "docs" / "my_model.py"
SVG = ROOT / "docs" / "hero.svg"


@pytest.mark.parametrize("name, page", [("README.md", README), ("docs/check.md", CHECK)])
def test_the_reply_that_is_shown_is_the_clinics(name, page, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert main([f"{SAMPLE.relative_to(ROOT)}:positional_encoding"]) == 1
    said = capsys.readouterr().out.strip()
    shown = next(block for block in re.findall(r"^```text\n(.*?)^```", page, re.M | re.S) if "Not right yet." in block)
    assert shown.partition("\n")[2].strip() in said and said.partition("\n")[2] in shown


def test_readme_opens_with_the_problem_the_picture_and_two_commands():
    """In this order, before anything else is asked of a reader."""
    order = [README.index(part) for part in ("*dog bites man*", "](docs/hero.svg)", "git clone", "make lab", "## ")]
    assert order == sorted(order)
    assert len(README[: order[-1]].split()) < 160
    assert SAMPLE.read_text(encoding="utf-8").strip() in README


def test_check_md_names_three_mistakes_of_each_kind():
    kinds = re.findall(r'<section data-kind="(\w+)">(.*?)</section>', CHECK, re.S)
    assert {kind for kind, _ in kinds} == {"table", "rotation", "bias"}
    for kind, text in kinds:
        assert re.findall(r"^\*\*(\d)\.", text, re.M) == ["1", "2", "3"], kind
        for code in re.findall(r"```python\n(.*?)```", text, re.S):
            compile(code, kind, "exec")


def test_options_that_are_named_exist():
    import argparse

    parser = argparse.ArgumentParser()
    command.fill(parser)
    known = {option for action in parser._actions for option in action.option_strings}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", CHECK)) <= known


def test_the_picture_is_what_the_tool_makes_asks_nobody_and_runs_nothing():
    text = SVG.read_text(encoding="utf-8")
    assert text == hero_picture.svg()
    ElementTree.parse(SVG)
    assert set(re.findall(r"https?://[^\"\s]+", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<script|href|url\((?!#)|\bon\w+=", text) and "prefers-reduced-motion" in text
    assert Image.open(ROOT / "docs" / "hero.png").size == (1200, 630)


@pytest.mark.parametrize("table", [False, True])
@pytest.mark.parametrize("order", [["dog", "bites", "man"], ["man", "bites", "dog"]])
def test_its_numbers_are_those_of_the_page(order, table):
    """Equal without the table, and unequal with it."""
    on_page = computed(source("hero"), f"attend({json.dumps(order)}, {json.dumps(table)})")
    for word, output in hero_picture.attended(order, table).items():
        assert np.allclose(output, on_page[word], rtol=0, atol=1e-12)
    assert hero_picture.numbers(table).count(">≠<" if table else ">=<") == 3
