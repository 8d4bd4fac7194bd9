"""docs/hero.svg and docs/hero.png are what their tool makes, and the SVG tells what the first page tells."""

import json
import re
import xml.etree.ElementTree as ElementTree

import hero_picture
import numpy as np
import pytest
from course import ROOT
from PIL import Image
from programs import computed

from pe_course.explore.widget import source

SVG = ROOT / "docs" / "hero.svg"


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
