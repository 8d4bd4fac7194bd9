"""The sheets to print: they are what their tool writes, and their answers are right by other means."""

import math
import re

import pytest
import sheets
from course import LESSONS

SHEETS = {path.name: path.read_text(encoding="utf-8") for path in sorted(sheets.FOLDER.glob("*.md"))}
BY_HAND, FIND = SHEETS.values()


def table(sheet, heading):
    """The rows of the table below a heading, without its head."""
    section = re.search(rf"^##+ {heading}\b[^\n]*\n(.*?)(?=^##|\Z)", sheet, re.M | re.S)[1]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def numbers(cells):
    return [float(cell.replace("−", "-")) for cell in cells]


def test_the_sheets_are_what_the_tool_writes():
    assert sheets.sheets() == SHEETS


@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
def test_tasks_have_blanks_and_every_task_has_its_answer(sheet):
    tasks, _, answers = sheet.partition("\n## Answers\n")
    assert re.findall(r"^## (\d)", tasks, re.M) == re.findall(r"^### Answer (\d)", answers, re.M) != []
    assert re.search(r"\|  \|", tasks) and not re.search(r"\|  \|", answers)


def test_answers_by_hand_are_sines_and_cosines_and_three_candidates_pass_r5():
    rows = table(BY_HAND, "Answer 2")
    assert [row[0] for row in rows] == ["0", "1", "2", "3"]
    for pos, row in enumerate(rows):
        exact = [math.sin(pos), math.cos(pos), math.sin(pos / 100), math.cos(pos / 100)]
        assert numbers(row[1:]) == [round(value, 3) for value in exact]
    for k, (pair, exponent, frequency) in enumerate(table(BY_HAND, "Answer 4")):
        assert pair == str(k) and eval(exponent) == 2 * k / 6 and float(frequency) == round(10000 ** -(k / 3), 4)
    sum_of_two, result = re.search(r"^(0\.841.*) = ([\d.]+)\.", BY_HAND, re.M).groups()
    terms = re.sub("·", "*", sum_of_two.replace("−", "-"))
    assert math.isclose(eval(terms), math.sin(3), abs_tol=2e-3) and float(result) == round(math.sin(3), 3)
    # R5 holds where a product with one matrix gives the row n positions on.
    passed = [row[0] for row in table(BY_HAND, "Answer 1") if row[2].startswith("yes: ")]
    assert passed == ["`one_pair`", "`many_pairs`", "`one_hot`"]


def test_the_twenty_cells_are_those_of_lesson_06():
    code = next(cell.source for cell in LESSONS[6].code_cells if cell.source.startswith("sizes = "))
    head = re.search(r"^\| max_len 8 \|.*$", FIND, re.M)[0]
    assert re.findall(r"batch (\d), length (\d)", head) == re.findall(r"\((\d), (\d)\)", code)
    rows = table(FIND, "Answer 1")
    assert [row[0].strip("`") for row in rows] == re.findall(r'"(.+?)": lambda', code)
    wrong = "silently wrong"
    grown = ["error", "error", "right", wrong, wrong]
    assert [row[1:] for row in rows] == [["right"] * 5, grown, grown, [wrong, wrong, "error", wrong, wrong]]


def test_each_of_six_tables_is_made_by_the_line_that_is_named():
    lines = dict(re.findall(r"^(\d)   (angle = .+)$", FIND, re.M))
    answers = table(FIND, "Answer 2")
    assert sorted(row[1] for row in answers) == sorted(lines)
    for (letter, *shown), (same, line, said) in zip(table(FIND, "2"), answers, strict=True):
        assert letter == same
        formula = lines[line].partition("= ")[2].replace("np.", "math.")
        angles = [eval(formula, {"math": math, "pos": 1, "j": j, "d_model": 4}) for j in range(4)]
        cells = [(math.sin, math.cos)[j % 2](angle) for j, angle in enumerate(angles)]
        assert numbers(shown) == pytest.approx(cells, abs=5e-4)
        assert (said == "right") == (line == "1")
    assert len({tuple(row[1:]) for row in table(FIND, "2")}) == 6, "two tables look the same"
