"""Sitting the test: which form comes when, what is saved and explained, in a terminal and in a notebook."""

import datetime
import json
import re
import sys
from unittest.mock import Mock

import pytest
from course import run

from pe_course import assessment, learner_file
from pe_course.__main__ import main
from pe_course.assessment import terminal, widgets
from pe_course.assessment.bank import NAMES, PARTS, bank, part_of
from pe_course.assessment.desk import command, desk
from pe_course.assessment.keeping import FILE, Entry, append, read
from pe_course.assessment.markup import to_html, to_lines
from pe_course.assessment.sitting import Answer, due

DAY = datetime.date(2030, 9, 2)
COUNT = PARTS[0].count
PAGE = "pe_test_part_1_explained.html"
in_each_part = pytest.mark.parametrize("part", PARTS, ids=lambda part: f"part {part.number}")


def typed(*lines):
    """A terminal at which these lines are typed; whoever asks for more finds it closed."""
    waiting = iter(lines)

    def read(_):
        for line in waiting:
            return line
        raise EOFError

    return read


def sit(name, path, *lines, today=DAY):
    """(exit status, what was said)."""
    said = []
    return terminal.sit(desk(name, path, today), typed(*lines), said.append), "\n".join(said)


def entries(path):
    return read(path)[0]


def sit_all(name, path, letter="A", today=DAY):
    status, said = sit(name, path, *[f"{letter}2"] * part_of(name).count, today=today)
    assert status == 0
    return said


@pytest.mark.parametrize("run", range(4))
def test_the_other_form_comes_after_and_the_first_again_later(tmp_path, run):
    """And each part is explained by itself."""
    for name in NAMES:
        said = sit_all(name, tmp_path)
    forms = [entry.form for entry in entries(tmp_path / FILE) if entry.answer is None]
    assert sorted(forms[:2]) == ["A", "B"] and forms[2] == forms[0] and sorted(forms[3:]) == ["C", "D"]
    page = (tmp_path / "pe_test_part_2_explained.html").read_text(encoding="utf-8")
    assert "Form C" in page and "Form D" in page and "Form A" not in page
    assert "Right: " in said and "after 13." in said and "before," not in said


@in_each_part
def test_the_sitting_after_is_named_when_the_first_is_over(tmp_path, part):
    first, second, *_ = part.sittings
    assert f"at the end of lesson {part.lessons[-2:]}" in sit_all(first, tmp_path)
    said = sit(second, tmp_path, "q")[1]
    assert f"{command(second)} goes on where you are" in said and command("after 13").endswith('test "after 13"')


def test_a_coin_gives_the_first_form_and_is_written_down_before_a_question_is_seen(tmp_path):
    forms = []
    for n in range(40):
        path = tmp_path / f"{n}.jsonl"
        sit("before", path)
        (entry,) = entries(path)
        forms.append(entry.form)
        sit("before", path)
        assert entries(path) == (entry,), "thrown again"
    assert 5 < forms.count("A") < 35  # a fair coin fails here once in ten million times


def test_the_third_sitting_tells_its_day_and_does_not_block(tmp_path):
    sit_all("before", tmp_path)
    assert "later" in sit_all("after", tmp_path, today=DAY + datetime.timedelta(40))
    done = desk("later", tmp_path).done()
    assert due(done) == datetime.date(2030, 10, 26)
    status, said = sit("later", tmp_path, "B2", today=datetime.date(2030, 10, 25))
    assert status == 0 and "most from 2030-10-26 on" in said and f"1 of {COUNT}" in said
    assert "2030-10-26" not in sit("later", tmp_path, today=datetime.date(2030, 10, 26))[1]
    assert len(desk("later", tmp_path).sitting().answers) == 1


def test_the_first_thing_asked_is_the_first_question_also_where_no_first_sitting_is_found(tmp_path):
    said = sit("before", tmp_path / "a.jsonl")[1]
    assert len(said.partition("1 of 6")[0].splitlines()) <= 5 and "Guessing is fine" in said
    _, said = sit("after", tmp_path)
    assert "No first sitting was found" in said and "--file" in said


def test_each_answer_is_saved_and_who_stops_goes_on(tmp_path):
    status, said = sit("before", tmp_path, "b3", " C 1 ", "q")
    assert status == 0 and "test before goes on where you are" in said
    for line in map(json.loads, (tmp_path / FILE).read_text().splitlines()):  # nothing about the person
        assert line.keys() <= {"test", "version", "learner", "sitting", "form", "day", "item", "answer", "sure"}
        assert re.fullmatch("[0-9a-f]{16}", line["learner"])
    answers = [entry.answer for entry in entries(tmp_path / FILE) if entry.answer]
    form = answers[0].item[0]
    assert answers == [Answer(f"{form}1", "B", 3), Answer(f"{form}2", "C", 1)]
    _, said = sit("before", tmp_path, "E3", "B", "B5", "", "D4")
    assert f"2 of {COUNT} are answered" in said and f"3 of {COUNT} · frequency" in said
    assert f"1 of {COUNT} ·" not in said
    assert said.count("such as B3.") == 4
    assert len(desk("before", tmp_path).sitting().answers) == 3


def test_no_reply_before_the_second_sitting_is_over(tmp_path):
    right = {item.right.text for form in "AB" for item in bank().form(form)}
    said = sit_all("before", tmp_path)
    assert not re.search(r"✔|right\b.*\d of \d|Lesson \d", said) and not (tmp_path / PAGE).exists()
    sit("after", tmp_path, "B3")
    assert not (tmp_path / PAGE).exists() and desk("after", tmp_path).explain() is None
    said = sit("after", tmp_path, *["B3"] * (COUNT - 1))[1]
    page = (tmp_path / PAGE).read_text(encoding="utf-8")
    assert str(tmp_path / PAGE) in said and "Right: " in said
    assert page.count("✔ ") == 2 * COUNT + 1 and page.count("Read again: lesson ") == 2 * 4 * COUNT
    assert page.count("Behind it: ") == 2 * 3 * COUNT
    assert page.count("before, not sure") == page.count("after, rather sure") == COUNT
    assert all(to_html(text)[3:-4] in page for text in right)
    assert not re.search(r"<(script|link|img)|https?://", page), "the page needs nothing else"
    before = (tmp_path / FILE).read_bytes()
    (tmp_path / PAGE).unlink()
    status, said = sit("after", tmp_path, "B3")
    assert status == 0 and "is over" in said and (tmp_path / PAGE).exists(), "it stays, and its page comes again"
    assert (tmp_path / FILE).read_bytes() == before


def test_a_half_written_line_is_left_out_and_nothing_is_lost(tmp_path):
    path = tmp_path / FILE
    sit("before", path, "B3", "B3")
    whole = path.read_bytes()
    path.write_bytes(whole + whole.splitlines()[-1][:60])
    assert len(entries(path)) == 3 and read(path)[1] == ("line 4 is not whole, or not ours",)
    sit("before", path, "C1")
    assert len(entries(path)) == 4 and path.read_bytes().startswith(whole)


def test_two_windows_at_once_lose_nothing(tmp_path):
    one, other = (desk("before", tmp_path, DAY) for _ in range(2))
    form = one.begin().form
    assert other.begin().form == form
    one.answer(Answer(f"{form}1", "A", 1))
    other.answer(Answer(f"{form}1", "B", 4))
    other.answer(Answer(f"{form}2", "C", 2))
    sitting = one.answer(Answer(f"{form}3", "D", 3))
    assert [answer.letter for answer in sitting.answers] == ["A", "C", "D"], "the first answer counts"
    assert len(entries(tmp_path / FILE)) == 5


@pytest.mark.skipif(sys.platform == "win32", reason="the limit that stands for a full disk is POSIX's")
def test_a_disk_that_is_full_in_the_middle_of_a_line_is_told_and_the_next_line_is_whole(tmp_path):
    path = tmp_path / FILE
    program = (
        "import resource, sys; from pe_course import learner_file\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))\n"
        "try: learner_file.append(sys.argv[1], 'twenty bytes and more')\n"
        "except OSError as error: print(error.strerror, end='')"
    )
    assert run(sys.executable, "-c", program, path) == "No space left on device" and path.stat().st_size == 20
    learner_file.append(path, ["next"])
    assert [said for *_, said in learner_file.read(path)] == [None, ["next"]]


OLD = (
    '{"test": "positional encoding, before and after", "version": 1, "learner": "0123456789abcdef", '
    '"sitting": "before", "form": "A", "day": "2026-09-02"}\n'
)
FOREIGN = ["my notes\n", OLD, '{"a": 1}\n[2]\n', "3\n", '{"test": "another"}\n', "\xff\x00", "[" * 100_000]


@pytest.mark.parametrize("content", FOREIGN, ids=lambda text: repr(text[:20]))
def test_a_foreign_file_stays_as_it_is(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_text(content, encoding="latin-1")
    status, said = sit("before", path, "", "B3")
    assert status == 2 and str(path) in said and "stays as it is" in said and "--file" in said
    assert path.read_text(encoding="latin-1") == content

    assert content != OLD or f"line 1 is of version 1 of the test, and this is {bank().version}" in said


CHANGES = {
    **{"item": ("A7", "B1", "C1", ["A1"]), "answer": ("E", "AB", ""), "sure": (5, "3", None), "form": ("", "C")},
    **{"sitting": ("before 07", "never"), "version": (1,), "day": (3, "today"), "learner": (3,)},
}


@pytest.mark.parametrize("change", [{name: value} for name, values in CHANGES.items() for value in values])
def test_a_line_that_cannot_be_is_left_out(tmp_path, change):
    append(tmp_path / FILE, Entry("0123456789abcdef", "before", "A", DAY, Answer("A1", "B", 3)))
    line = json.loads((tmp_path / FILE).read_text())
    (tmp_path / FILE).write_text(json.dumps(line) + "\n" + json.dumps(line | change) + "\n")
    assert len(entries(tmp_path / FILE)) == 1 and len(read(tmp_path / FILE)[1]) == 1


def test_a_file_that_cannot_be_written_is_named_and_nothing_is_lost(tmp_path, monkeypatch):
    path = tmp_path / "no" / "folder" / FILE
    status, said = sit("before", path)
    assert status == 2 and str(path) in said and "No such file or directory" in said
    assert "--file" in said and "file=" in said

    sit("before", tmp_path, "B3")
    with monkeypatch.context() as patch:
        patch.setattr("pe_course.assessment.desk.append", Mock(side_effect=OSError(28, "No space left on device")))
        status, said = sit("before", tmp_path, "C2")
    assert status == 2 and "No space left on device" in said and "What was saved before is safe" in said
    assert len(desk("before", tmp_path).sitting().answers) == 1


PLACES = [("", ""), ("my_notebooks/", "my_notebooks/"), (f"notebooks/{FILE}", "notebooks/")]
PLACES += [(f"my_notebooks/ {FILE}", ""), (f"my_notebooks/{FILE} {FILE}", "my_notebooks/")]


@pytest.mark.parametrize("there, folder", PLACES)
def test_the_file_lies_beside_the_learners_lessons(tmp_path, there, folder):
    for name in there.split():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).mkdir() if name.endswith("/") else (tmp_path / name).touch()
    assert learner_file.find(FILE, tmp_path) == tmp_path / folder / FILE


def test_from_the_command_line(tmp_path, capsys):
    """A terminal needs neither widgets nor plots."""
    program = (
        "import sys; from pe_course.__main__ import main; status = main(sys.argv[1:]); "
        "sys.exit(9 if {'torch', 'numpy', 'matplotlib', 'ipywidgets'} & set(sys.modules) else status)"
    )
    command = [sys.executable, "-c", program, "test", "before", "--file", str(tmp_path)]
    assert f"2 of {COUNT}" in run(*command, input="B3\n", encoding="utf-8") and len(entries(tmp_path / FILE)) == 2
    with pytest.raises(SystemExit):
        main(["test", "sometime"])
    assert "before" in capsys.readouterr().err


def test_in_a_notebook(tmp_path):
    """All steps of the widgets; that the keyboard reaches them, the test in a browser shows."""
    box = assessment.test("before", file=tmp_path)
    assert not (tmp_path / FILE).exists(), "shown is not begun"
    screen = widgets.Screen(desk("before", tmp_path, DAY))
    assert f"{COUNT} questions on lessons 00 to 06, about 5 minutes" in box.children[0].value
    screen.press.click()
    form = desk("before", tmp_path).sitting().form
    screen.press.click()
    assert "Choose one of the four answers" in screen.said.value
    for item in bank().form(form):
        assert f"{item.number} of {COUNT}" in screen.head.value and to_html(item.stem) in screen.head.value
        assert all(to_html(option.text)[3:] in screen.head.value for option in item.options)
        assert screen.letter.value is None and screen.sure.value is None
        assert [widget.layout.display for widget in (*screen.question, screen.press)] == [None] * 4
        screen.letter.value, screen.sure.value = "C", 4
        screen.press.click()
    assert "Thank you" in screen.head.value
    assert {widget.layout.display for widget in (*screen.question, screen.press)} == {"none"}
    assert [answer.letter for answer in desk("before", tmp_path).sitting().answers] == ["C"] * COUNT


def test_in_a_notebook_one_goes_on_and_in_the_end_reads_every_option(tmp_path):
    sit_all("before", tmp_path)
    sit("after", tmp_path, *["B3"] * (COUNT - 1))
    screen = widgets.Screen(desk("after", tmp_path, DAY))
    assert screen.press.description == "Go on" and f"{COUNT - 1} of {COUNT} are answered" in screen.head.value
    screen.press.click()
    screen.typed.value = "E9"
    assert "such as B3" in screen.said.value and screen.typed.value == ""
    screen.typed.value = "a 1"
    assert screen.head.value.count("Read again: lesson ") == 2 * 4 * COUNT and (tmp_path / PAGE).exists()
    assert "is over" in widgets.Screen(desk("after", tmp_path, DAY)).head.value


def test_a_notebook_says_what_is_in_the_way_and_keeps_the_question(tmp_path, monkeypatch):
    (tmp_path / "notes").write_text("mine")
    assert "stays as it is" in widgets.Screen(desk("before", tmp_path / "notes")).said.value
    screen = widgets.Screen(desk("before", tmp_path, DAY))
    screen.press.click()
    screen.letter.value, screen.sure.value = "C", 4
    (tmp_path / FILE).rename(tmp_path / "away")
    (tmp_path / FILE).mkdir()
    screen.press.click()
    assert "What was saved before is safe" in screen.said.value
    assert (screen.letter.value, screen.sure.value, screen.item.number) == ("C", 4, 1)
    (tmp_path / FILE).rmdir()
    (tmp_path / "away").rename(tmp_path / FILE)
    screen.press.click()
    assert screen.item.number == 2 and screen.said.value == ""


def test_markup_for_a_terminal_and_for_a_page_shows_every_question_whole():
    text = "Is `a < b` *so*?\nYes.\n\n```python\nx = a * b\n```\n\n- one\n  more\n- two"
    assert to_lines(text) == "Is `a < b` *so*? Yes.\n\n    x = a * b\n\n- one more\n\n- two"
    assert to_html(text) == (
        "<p>Is <code>a &lt; b</code> <em>so</em>? Yes.</p><pre>x = a * b</pre><p>• one more</p><p>• two</p>"
    )
    # Nothing of the Markdown is left over in the page, and a terminal's lines are short.
    for item in bank().items:
        shown = re.sub("<pre>.*?</pre>|<code>.*?</code>", "", to_html(item.stem), flags=re.S)
        assert not re.search(r"[`]|\*\w", shown), item.id
        assert max(map(len, to_lines(item.stem).splitlines())) <= 88


def test_without_ipywidgets_the_terminal_is_named_and_an_unknown_sitting_with_those_there_are(monkeypatch, tmp_path):
    with pytest.raises(ValueError, match="one of before, after, later, before 07, after 13, but got 'begin'"):
        assessment.test("begin")
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    with pytest.raises(ModuleNotFoundError, match="a terminal needs none: python -m pe_course test before"):
        assessment.test("before", file=tmp_path)
