"""TEACHING.md and docs/assessing.md agree with the course: minutes, points, exercises, headings and quotations."""

import ast
import html
import re
from collections import Counter
from functools import partial

import course
import links
import numpy as np
import pytest
import torch
from catalogue import catalogue
from course import ROOT, exercises_of

from pe_clinic import diagnose_table
from pe_course import check
from pe_course.exercises import EXERCISES
from pe_course.recalling.questions import QUESTIONS
from pe_lib import sinusoidal_stack_flatten, sinusoidal_vectorized

PAGE = (ROOT / "TEACHING.md").read_text(encoding="utf-8")
ASSESSING = (ROOT / "docs" / "assessing.md").read_text(encoding="utf-8")
LESSONS = {lesson.number: lesson for lesson in course.LESSONS}
NUMBERED = [lesson.number for lesson in course.NUMBERED]  # the appendix has neither exercises nor a section
PLANS = {"90 minutes": 90, "Half a day: 210 minutes": 210, "A week: 5 × 90 minutes": 5 * 90}
LABELS = ["Minutes", "Show", "Stalls", "Ask", "Wrong answers"]

in_every_plan = pytest.mark.parametrize("plan", PLANS)
in_every_lesson = pytest.mark.parametrize("number", NUMBERED)


def section(title):
    """The text below the one heading ``title`` of the two pages, up to the next heading."""
    found = re.findall(rf"^##+ {re.escape(title)}\n(.*?)(?=^##|\Z)", f"{PAGE}\n{ASSESSING}", re.M | re.S)
    assert len(found) == 1, f"{len(found)} headings {title!r}"
    return found[0]


def about(number):
    """What TEACHING.md says of a lesson, on one line."""
    return " ".join(section(heading(number)).split())


def heading(number):
    return LESSONS[number].cells[0].source.splitlines()[0].removeprefix("# ")


def rows(plan):
    """The rows of a plan as {column: cell}."""
    lines = [line.strip("|").split("|") for line in section(plan).splitlines() if line.startswith("|")]
    names, _, *body = [[cell.strip() for cell in line] for line in lines]
    return [dict(zip(names, cells, strict=True)) for cells in body]


def exercise_numbers(text):
    return re.findall(rf"\b(?:{'|'.join(LESSONS)})\.\d\b", text)


def minutes_of(number):
    """The minutes that an exercise says it takes."""
    task = next(ex.task for ex in exercises_of(LESSONS[number[:2]]) if ex.number == number)
    return int(re.search(r"^\*(\d+) minute", task.source, re.M)[1])


@in_every_plan
def test_minutes_of_a_plan_add_up_exercises_fit_into_their_row_and_what_it_names_exists(plan):
    """Each session has 90 minutes, where a plan has sessions; the clock of the 90 minutes follows."""
    passed, sessions = 0, Counter()
    for row in rows(plan):
        assert row.get("from", "").lstrip() in ("", f"{passed // 60}:{passed % 60:02}")
        home, numbers = row["minutes"] == "home", exercise_numbers(row["exercises"])
        minutes = 0 if home else int(row["minutes"])
        passed += minutes
        sessions[row.get("session")] += minutes
        assert ", ".join(numbers) == row["exercises"], f"not a list of exercises: {row}"
        assert {number[:2] for number in numbers} <= {row["lesson"]}, f"an exercise of another lesson: {row}"
        assert home or sum(map(minutes_of, numbers)) <= minutes, f"too little time: {row}"
        assert set(italics(row["what"])) <= (names_in(row["lesson"]) if row["lesson"] else set()), row
    assert passed == PLANS[plan]
    assert len(sessions) == 1 or sessions == dict.fromkeys("12345", 90)


def test_the_week_has_every_exercise_once_and_every_lesson_its_section_in_order():
    week = [number for row in rows("A week: 5 × 90 minutes") for number in exercise_numbers(row["exercises"])]
    assert sorted(week) == sorted(EXERCISES), f"not once in the plan of a week: {set(EXERCISES) ^ set(week) or week}"
    assert re.findall(r"^### (\d\d · .+)$", PAGE, re.M) == [heading(number) for number in NUMBERED]


def names_in(number):
    """The headings of a lesson, and every string of its code: the titles of the figures are among them."""
    lesson = LESSONS[number]
    titles = [title for cell in lesson.text_cells for title in re.findall(r"^#+ (.+)$", cell.source, re.M)]
    strings = [string for cell in lesson.code_cells for string in re.findall(r'"([^"\n]+)"', cell.source)]
    return {plain(name) for name in titles + strings}


def plain(name):
    return " ".join(re.sub(r"[*`]", "", name).split())


def italics(text):
    return [plain(name) for name in re.findall(r"(?<!\*)\*([^*\s][^*]*)\*(?!\*)", text)]


@in_every_lesson
def test_lesson_has_its_five_blocks_and_its_minutes_and_what_it_shows_and_quotes_exists(number):
    assert re.findall(r"- \*\*(.+?)\*\*", about(number)) == LABELS
    minutes = re.search(r"^\*(\d+) minutes", LESSONS[number].cells[0].source, re.M)[1]
    assert re.search(rf"- \*\*Minutes\*\* {minutes}\b", about(number)), f"{number}: not {minutes} minutes"
    others = {name for row in re.findall(r"of lesson (\d\d)", about(number)) for name in names_in(row)}
    assert set(italics(about(number))) <= names_in(number) | others
    assert set(exercise_numbers(about(number))) <= set(EXERCISES)
    quoted, known = re.findall("“(.+?)”", about(number)), sayings(number)
    assert quoted and [phrase for phrase in quoted if not any(phrase in saying for saying in known)] == []


def test_what_may_be_left_out_exists_and_questions_about_it_are_named():
    """Who has left the section out cannot answer them."""
    everywhere = set().union(*map(names_in, LESSONS))
    for title in ("Mixed levels, and what to leave out", "When the network is down"):
        assert set(italics(section(title))) <= everywhere
    levels = section("Mixed levels, and what to leave out")
    first = levels.partition("**Leave out first:**")[2].partition("**Keep:**")[0]
    asked = {(one.lesson, one.id[-1]) for one in QUESTIONS.values() if one.heading in italics(first)}
    said = re.search(r"question (\d) of\s+\*From memory\* in\s+(\d\d) and in (\d\d)", section("Before the class"))
    assert asked == {(lesson, said[1]) for lesson in said.groups()[1:]}


def test_the_mail_has_the_links_of_its_lessons():
    """Ready to be sent once `make links` has run; 00 and every lesson of the 90 minutes in which learners run cells."""
    mail = "\n".join(re.findall(r"^  > ?(.*)$", section("Before the class"), re.M))
    address = links.read_address()
    assert links.link("ZIP", address) in mail
    binder = re.findall(rf"{re.escape(links.link('Binder', address))}urlpath=lab/tree/notebooks/(\S+)", mail)
    shown = {row["lesson"] for row in rows("90 minutes") if "prepared" not in row["what"]}
    assert [LESSONS[number].path.name for number in sorted(shown)] == binder


def sayings(number):
    """All that the checks of a lesson can say in fixed words, and what its folded blocks promise."""
    folder = ROOT / "pe_course" / "exercises"
    files = [file for file in folder.glob("*.py") if "lesson_" not in file.name or number in file.name]
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    fixed = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    promised = [html.unescape(fault.promised) for ex in exercises_of(LESSONS[number]) for fault in ex.faults]
    pages = [file.with_suffix(".md").read_text(encoding="utf-8") for file in files if file.with_suffix(".md").exists()]
    return [*fixed, *pages, *promised, *(mistake.title for mistake in catalogue().values())]


WRONG_VALUES = re.findall(r"\b(\d\d\.\d) `([^`]+)` “(.+?)”", " ".join(PAGE.split()))
assert len(WRONG_VALUES) > 15, "wrong values are found"


@pytest.mark.parametrize("number, answer, phrase", WRONG_VALUES)
def test_a_wrong_value_gets_the_quoted_reply(number, answer, phrase):
    reply = check(number, ast.literal_eval(answer))
    assert reply.status == "wrong" and phrase in repr(reply)


def question(number):
    """A question and, in brackets, its answer, on one line."""
    return " ".join(re.search(rf"^{number}\. (.+?\])$", section("Five questions for paper"), re.M | re.S)[1].split())


def test_questions_1_and_4_show_a_doubled_exponent_and_tables_that_hide():
    doubled = partial(sinusoidal_vectorized, base=10000.0**2)
    assert [float(number) for number in re.findall(r"\d\.\d{4}", question(1))] == [*doubled(2, 8)[1].round(4)]
    assert diagnose_table(doubled).findings[0].id == "doubled-pair" and "the exponent is doubled" in question(1)
    named = {"Base 1000": 1000.0, "a doubled exponent 4k/d": 10000.0**2, "inverted frequencies": 1 / 10000}
    sizes = [(8, 2), (1, 512)]
    for name, base in named.items():
        assert name in question(4)
        assert all(np.allclose(sinusoidal_vectorized(*s, base=base), sinusoidal_vectorized(*s)) for s in sizes)
        assert not np.allclose(sinusoidal_vectorized(5, 7, base=base), sinusoidal_vectorized(5, 7))


def test_question_2_gives_one_row_to_a_whole_sample():
    x, pe = torch.zeros(4, 10, 6), sinusoidal_stack_flatten(20, 6).unsqueeze(1)
    result = x + pe[: x.size(0)]
    assert f"x is {tuple(x.shape)}" in question(2) and f"pe is {tuple(pe.shape)}" in question(2)
    assert f"[{tuple(result.shape)}, silently wrong: all tokens of sample 2 get row 2." in question(2)
    assert torch.equal(result[2], pe[2].expand(10, 6))


def test_questions_3_and_5_name_an_angle_and_interleave_the_halves():
    angle = float(re.search(r"≈ (\d+\.\d+)", question(3))[1])
    assert np.isclose(np.sin(angle), sinusoidal_vectorized(101, 5)[100, 4], atol=1e-3)
    order = ast.literal_eval(re.search(r"\[(\d, .+?)\.\]", question(5))[1])
    table = sinusoidal_vectorized(9, 6)
    assert np.array_equal(np.hstack([table[:, 0::2], table[:, 1::2]])[:, order], table)
