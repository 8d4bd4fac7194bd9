"""The slides of the 90 minutes hold what the plan asks for, and their file needs nothing beside it."""

import re

import pytest
import slides
import torch
from bs4 import BeautifulSoup
from course import LESSONS, ROOT, figures
from test_teaching import rows

from pe_course.explore.widget import source
from pe_lib import sinusoidal_stack_flatten

DECK = slides.DECK.read_text(encoding="utf-8")
EXERCISE = re.compile(r"\d\d\.\d")


@pytest.fixture(scope="module")
def page():
    return BeautifulSoup(slides.page(DECK), "html.parser")


def test_every_row_of_the_plan_has_its_slides_in_order(page):
    """At the foot of each slide stands the clock of its row."""
    shown = list(dict.fromkeys(footer.get_text() for footer in page("footer")))
    plan = rows("90 minutes")
    assert shown == [f"{row['from']} · {row['minutes']} minutes · lesson {row['lesson']}" for row in plan]
    for row in plan:
        text = DECK.partition(f"## {row['from']}\n")[2].partition("\n## ")[0]
        assert set(EXERCISE.findall(row["exercises"])) <= set(EXERCISE.findall(text)), row
    with pytest.raises(KeyError, match="9:99"):
        slides.page("# Title\n\n## 9:99\n\n### A slide\n")


def test_the_line_to_mend_is_mended_by_its_answer():
    wrong, mended = re.findall(r"```python\n(.+)\n```", DECK.partition("### Mend the line\n")[2].partition("\n#")[0])
    x, table = torch.randn(2, 5, 6), sinusoidal_stack_flatten(8, 6)
    names = {"x": x, "pe_first": table[:, None]}
    assert torch.equal(eval(mended, names), x + table[:5]) and not torch.equal(eval(wrong, names), x + table[:5])
    with pytest.raises(RuntimeError):
        eval(mended.replace(", 0", ""), names)  # as the answer says


def test_every_slide_has_one_heading_answers_stand_apart_and_nothing_is_left_of_a_place(page):
    assert len(page.main("section", recursive=False)) == DECK.count("\n### ") == len(page("h1"))
    assert all(len(slide("h1")) == 1 for slide in page.main("section", recursive=False))
    assert len(page(class_="answer")) == DECK.count(slides.ANSWER)
    assert all(answer.find_next_sibling() is None for answer in page(class_="answer"))
    assert "<!--" not in str(page.main)


def test_figures_are_the_lessons_and_explorers_those_of_the_pages(page):
    stored = {png for lesson in LESSONS for png, _ in figures(lesson.cells)}
    there = ["".join(image["src"].partition("base64,")[2].split()) for image in page("img")]
    assert len(there) >= 8 and set(there) <= stored
    assert all(len(image["alt"]) > 20 for image in page("img"))
    names = re.findall(r"<!-- explorer: (\w+) -->", DECK)
    programs = [script.string for script in page("script", type="module")]
    assert len(names) >= 4 and len(set(names)) == len(names) == len(programs)
    assert all(source(name) in program for name, program in zip(names, programs, strict=True))


def test_the_file_needs_nothing_beside_it(page):
    assert not page("link") and not page("script", src=True)
    assert all(element["src"].startswith("data:image/png;base64,") for element in page(src=True))
    (policy,) = page("meta", attrs={"http-equiv": "Content-Security-Policy"})
    assert "default-src 'none'" in policy["content"] and not re.search(r"https?:", policy["content"])
    addresses = re.findall(r"url\(\"(.{5})", "".join(style.string for style in page("style")))
    assert set(addresses) == {"data:"}


def test_make_slides_writes_one_file(tmp_path, capsys):
    target = tmp_path / "new" / "slides.html"
    assert slides.main([str(target)]) == 0
    assert target.stat().st_size < 3_000_000 and str(target) in capsys.readouterr().out
    assert "build/slides.html" in (ROOT / "TEACHING.md").read_text(encoding="utf-8")
