"""The questions that open the lessons: what is claimed right is computed, every letter has a reply, days are kept."""

import csv
import re
from collections import Counter
from dataclasses import replace
from datetime import date, datetime, timedelta
from types import SimpleNamespace
from unittest.mock import Mock

import course
import numpy as np
import pytest
import torch
from course import shown
from oracle import refuses
from torch import nn

from pe_course import recall
from pe_course.__main__ import main
from pe_course.judges.known import pages
from pe_course.progress import record
from pe_course.recalling import anki, review, reviewing, schedule
from pe_course.recalling.asking import questions_of
from pe_course.recalling.questions import PAGE, QUESTIONS
from pe_lib import sinusoidal_vectorized

LESSONS = {lesson.number: lesson for lesson in course.NUMBERED}
TODAY = date(2026, 3, 31)

every_question = pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)


def right(question):
    return next(option.letter for option in question.options if option.right)


def wrong(question):
    return next(option.letter for option in question.options if not option.right)


def test_every_lesson_from_01_asks_two_and_all_but_the_last_two_come_again():
    assert [*QUESTIONS] == [f"{number}-recall-{n}" for number in [*LESSONS][1:] for n in (1, 2)]
    assert {question.about for question in QUESTIONS.values()} == set([*LESSONS][:-2])
    marks = re.findall("✔|✘", PAGE.read_text(encoding="utf-8").partition("\n## ")[2])
    assert len(marks) == sum(len(question.options) for question in QUESTIONS.values()), "an option is passed over"
    letters = Counter(map(right, QUESTIONS.values()))
    longest = sum(max(q.options, key=lambda option: len(option.text)).right for q in QUESTIONS.values())
    assert min(letters[letter] for letter in "abc") >= len(QUESTIONS) / 4, "the letter tells the right option"
    assert longest <= len(QUESTIONS) / 2, "the length does"


@every_question
def test_a_question_is_short_about_an_earlier_lesson_and_has_one_right_option(question):
    assert len(question.text.split()) <= 35
    assert [option.letter for option in question.options] == [*"abcd"[: len(question.options)]]
    assert len(question.options) in (3, 4) and sum(option.right for option in question.options) == 1
    assert len({option.text for option in question.options}) == len(question.options)
    assert all(5 <= len(option.reply.split()) <= 30 for option in question.options)
    asking, about = int(question.lesson), int(question.about)
    assert about < asking - 1 or (asking, about) == (1, 0)
    headings = re.findall("^#+ (.+)$", "\n".join(cell.source for cell in LESSONS[question.about].text_cells), re.M)
    assert question.heading in headings
    given = [recall(question.lesson, option.letter, ...) for option in question.options]
    assert len({repr(reply) for reply in given}) == len(question.options), "each option has a reply of its own"
    assert all(repr(reply).endswith("\n○ Question 2: not answered yet.") for reply in given)


def ten_sines_are_unique_and_no_matrix_shifts_them():
    def left_over(table):
        return np.abs(table[:-1] @ np.linalg.lstsq(table[:-1], table[1:], rcond=None)[0] - table[1:]).max()

    angles = np.arange(1000)[:, None] * 0.5 ** np.arange(10)
    sines, pairs = np.sin(angles), np.hstack([np.sin(angles), np.cos(angles)])
    unique = torch.pdist(torch.from_numpy(sines)).min() > 0.01
    return unique and left_over(sines) > 0.01 and left_over(pairs) < 1e-6


def halves_fit_and_differ():
    table = sinusoidal_vectorized(20, 16)
    halves = np.hstack([table[:, 0::2], table[:, 1::2]])
    return halves.shape == table.shape and (~np.isclose(halves, table).all(axis=0)).mean() > 0.5


def another_base_falls_from_left_to_right_too():
    usual, other = (sinusoidal_vectorized(100, 64, base=base) for base in (10000.0, 10000.0**2))
    turns = [(np.diff(np.sign(table[:, 0::2]), axis=0) != 0).sum(axis=0) for table in (usual, other)]
    return all((np.diff(count) <= 0).all() and count[0] > 20 for count in turns) and not np.allclose(usual, other)


def fits(a, b):
    try:
        return (a * b).shape == a.shape
    except ValueError:
        return False


def told_by(number, cell_id, words):
    """What the lesson's own output says, which nbval compares."""
    return re.search(words, shown(next(cell for cell in LESSONS[number].code_cells if cell.id == cell_id)))


def held_by(file, words):
    """A test of the library, or a line of its page of refusals, stands for it."""
    return words in (course.ROOT / "tests" / "lib" / file).read_text(encoding="utf-8")


ROWS, COLUMN = sinusoidal_vectorized(50, 8), np.arange(3.0)[:, None]
SECTIONS = pages(__file__.replace("test_recall", "recalled"), globals())
CLAIMS = {question: claim for claim, question in SECTIONS["claims"].entries}


@every_question
def test_what_is_claimed_right_is_so(question):
    assert eval(CLAIMS[question.id], globals())


def test_letters_get_the_reply_of_their_option_and_nothing_raises_not_even_under_nbgrader(monkeypatch):
    first, second = questions_of("05")
    replies = recall("05", right(first), wrong(second).upper()).replies
    assert repr(replies[0]) == f"✔ Question 1, {right(first)}: right.\n{first.option(right(first)).reply}"
    assert replies[1].status == "wrong" and second.option(wrong(second)).reply in replies[1].body
    assert replies[1].body.endswith("\nTo read again: lesson 03 Loop, “A published loop”.")
    monkeypatch.setenv("NBGRADER_EXECUTION", "1")
    assert repr(recall("05", ..., ...)) == (
        "○ Two questions, not answered yet. Put a letter in place of each ..., and run the cell."
    )
    for odd in (7, None, "", "e", "ab", "the waves", [], nn.Embedding, float("nan"), torch.zeros(3)):
        reply = recall("05", odd, "a").replies[0]
        assert repr(reply) == "○ Question 1: one letter is asked for, a, b or c."
    html = recall("05", "<b>", "c")._repr_html_()
    assert html.count("<div") == html.count("</div>") == 2 and "Question 2, c: no." in html

    with refuses(ValueError, "lesson must be one of 01, 02, 03, 04, 05, 06, 07, 08, 09, 10, 11, 12, 13, but got '00'"):
        recall("00", "a", "b")


def entries(*answers, known="05-recall-1"):
    """A record: (day of March, status), in order."""
    return tuple(
        record.Entry(datetime(2026, 3, 1, 12).astimezone() + timedelta(days=day - 1), known, status)
        for day, status in answers
    )


@pytest.mark.parametrize("answers, due", [tuple(map(eval, pair)) for pair in SECTIONS["days"].entries])
def test_right_answers_come_after_1_7_and_30_days_and_wrong_ones_at_once(answers, due):
    (card,) = schedule.cards(entries(*answers)).values()
    assert card.due == (due and date(2026, 3, 1) + timedelta(days=due - 1))


def test_due_are_those_whose_day_has_come_the_longest_waiting_first():
    found = (
        *entries((30, "right"), known="05-recall-1"),  # due on the 31st
        *entries((31, "right"), known="05-recall-2"),  # tomorrow
        *entries((20, "wrong"), known="02-recall-1"),
        *entries((1, "wrong"), known="05.1"),  # an exercise
        *entries((1, "wrong"), known="77-recall-1"),  # of another version of the course
    )
    assert schedule.due(found, TODAY) == ["02-recall-1", "05-recall-1"]
    assert schedule.reminder(found, TODAY).startswith("2 questions wait: python -m pe_course review")
    assert schedule.reminder(found[:1], TODAY).startswith("1 question waits")
    assert schedule.reminder(found[1:2], TODAY) == schedule.reminder((), TODAY) == ""


@pytest.fixture
def missed(tmp_path):
    """A learner's folder, with two questions missed."""
    for known in ("05-recall-1", "02-recall-1"):
        record.add(tmp_path, known, "wrong")
    return tmp_path


def reviewed(folder, *letters):
    """What a review shows to a learner who types these."""
    typed, said = iter(letters), []

    def ask(prompt):
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    review(folder, ask, said.append)
    return "\n".join(said)


def statuses(folder):
    return [(entry.id, entry.status) for entry in record.read(folder).entries]


def test_review_asks_replies_and_records(missed):
    first, second = QUESTIONS["02-recall-1"], QUESTIONS["05-recall-1"]
    said = reviewed(missed, "nonsense", right(first), wrong(second))
    assert said.startswith("2 to ask.") and "\n1 of 2 right." in said
    assert f"(lesson {first.about}): {first.text}" in said and "one letter is asked for" in said
    assert first.option(right(first)).reply in said and second.option(wrong(second)).reply in said
    assert statuses(missed)[2:] == [(first.id, "right"), (second.id, "wrong")]
    assert reviewed(missed).startswith("1 to ask.")


def test_a_question_that_is_left_stays_and_review_says_when_the_next_comes(missed, tmp_path_factory, monkeypatch):
    """So do the rest when the input ends."""
    before = statuses(missed)
    assert "0 of 2 right" in reviewed(missed, "") and statuses(missed) == before
    folder = tmp_path_factory.mktemp("another")
    assert reviewed(folder) == reviewing.NOBODY
    record.add(folder, "05-recall-1", "right")
    tomorrow = record.read(folder).entries[0].time.date() + timedelta(days=1)
    assert reviewed(folder) == f"Nothing is due today; the next question comes on {tomorrow}."
    monkeypatch.setattr(record, "add", Mock(side_effect=OSError(28, "No space left on device")))
    assert reviewed(missed, "a", "a").count("(not recorded: No space left on device)") == 2


def test_review_from_a_terminal(missed, monkeypatch, capsys):
    typed = Mock(side_effect=[right(QUESTIONS["02-recall-1"]), "", KeyboardInterrupt])
    monkeypatch.setattr("builtins.input", typed)
    assert main(["review", "--folder", str(missed)]) == 0
    assert "✔ Question 1 of 2" in capsys.readouterr().out
    assert main(["review", "--folder", str(missed)]) == 0
    assert capsys.readouterr().out.endswith("Stopped; what you answered is recorded.\n")
    assert main(["review", "--folder", str(missed / "none")]) == 2
    assert capsys.readouterr() == ("", f"{missed / 'none'} is no folder\n")


def test_the_file_for_anki_has_its_settings_and_every_question(tmp_path, capsys):
    """As Anki's manual has it (Importing, Text Files, File Headers): `#key:value` lines, then the rows."""
    path = tmp_path / "cards.csv"
    assert main(["review", "--anki", str(path)]) == 0
    lines = path.read_text(encoding="utf-8").splitlines()
    settings = [line for line in lines if line.startswith("#")]
    assert settings == [
        *("#separator:Comma", "#html:true", "#notetype:Basic", "#deck:Positional encoding"),
        *("#columns:Front,Back,Tags", "#tags column:3"),
    ]
    assert not any(line.startswith("#") for line in lines[len(settings) :]), "a comment to Anki, and lost"
    rows = [*csv.reader(lines[len(settings) :])]
    assert len(rows) == len({front for front, _, _ in rows}) == len(QUESTIONS)
    for question, (front, back, tags) in zip(QUESTIONS.values(), rows, strict=True):
        assert tags.split() == ["positional-encoding", f"lesson-{question.about}"]
        assert front.count("<br>") == len(question.options) and "✔" not in front
        assert back.startswith(f"✔ {right(question)}) ") and back.count("✘") == len(question.options) - 1

    assert main(["review", "--anki", str(path)]) == 2, "a file that is there is not written over"
    assert capsys.readouterr().err == f"{path}: File exists\n"
    option = replace(QUESTIONS["05-recall-1"].options[0], text="a < b & `x[:, <n>]`")
    front = anki.note(SimpleNamespace(text="`pe` and 1 < 2?", options=[option], about="02"))[0]
    assert front == "<code>pe</code> and 1 &lt; 2?<br>a) a &lt; b &amp; <code>x[:, &lt;n&gt;]</code>"
