"""What a teacher gets from a class's files: the true gain of simulated classes, and no file that is lost in silence."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
import simulated_class
from course import ROOT
from PIL import Image

from pe_course.__main__ import main
from pe_course.assessment.bank import PARTS, bank
from pe_course.assessment.collecting import collect
from pe_course.assessment.desk import command
from pe_course.assessment.figure import figure
from pe_course.assessment.keeping import FILE, TEST, Entry, append, read
from pe_course.assessment.measures import ENOUGH, discrimination, gain
from pe_course.assessment.report import report
from pe_course.assessment.sitting import Answer
from pe_course.assessment.summary import cell, summarize
from pe_course.judges.known import pages

CLASSES = 1000
PAGE = pages(__file__.replace("test_assessment_summary", "records"), {})
PART = PARTS[0]
COUNT = PART.count


def summed_up(folder, out=None):
    """(exit status, what was said)."""
    said = []
    return summarize(folder, out, said.append), "\n".join(said)


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    return folder, simulated_class.hand_in(folder, 24, seed=3)


@pytest.mark.parametrize("learners", [20, 60, 200])
@pytest.mark.slow
def test_the_interval_holds_the_true_gain_in_95_of_100_classes(learners, record_property):
    """Of 1,000 classes 95 % come out within 1.8 % by chance alone (2.58 standard errors)."""
    found = gain(*simulated_class.classes(learners, CLASSES, seed=learners))
    true = simulated_class.true_gain()
    held, off = (np.mean((found.low <= value) & (value <= found.high)) for value in (true, true - 0.08))
    record_property(f"figure: intervals that hold the true gain, classes of {learners}", f"{held:.1%}")
    assert abs(held - 0.95) <= 2.58 * (0.95 * 0.05 / CLASSES) ** 0.5
    assert off < 0.6 or learners < 200


def test_gain_by_hand():
    before, after = np.repeat([0.25, 0.5], 10), np.repeat([0.5, 1.0], 10)
    found = gain(before, after)
    assert found.value == pytest.approx((0.75 - 0.375) / (1 - 0.375)) and found.pairs == 20
    assert (found.before, found.after) == (0.375, 0.75)
    assert found.low < found.value < found.high
    assert gain(before, after) == found, "another run, other numbers"
    # No interval where there are too few, or all are alike, or nothing is left to gain.
    for before, after, pairs, value in ((0.5, 0.75, 5, 0.5), (0.5, 0.75, 20, 0.5), (1.0, 1.0, 12, np.nan)):
        found = gain([before] * pairs, [after] * pairs)
        np.testing.assert_equal([found.value, found.low, found.high], [value, np.nan, np.nan])


def test_discrimination_is_the_correlation_with_the_other_questions():
    """What was learned between two sittings does not discriminate."""
    rng = np.random.default_rng(0)
    ability = rng.normal(size=300)
    answers = (rng.random((300, 4)) < 1 / (1 + np.exp(-2 * ability[:, None]))).astype(float)
    answers[:, 3] = rng.random(300) < 0.5  # a question that tells nothing
    values = discrimination([answers])
    for n in range(4):
        rest = np.delete(answers, n, axis=1).sum(axis=1)
        assert values[n] == pytest.approx(np.corrcoef(answers[:, n], rest)[0, 1])
    assert values[:3].min() > 0.3 > 0.15 > abs(values[3])
    before, after = (rng.random((400, COUNT)) < 0.2).astype(float), (rng.random((400, COUNT)) < 0.9).astype(float)
    assert abs(discrimination([before, after])).max() < 0.15
    assert discrimination([np.vstack([before, after])]).min() > 0.5
    assert np.isnan(discrimination([before[: ENOUGH - 1]])).all()


def test_what_teaching_says_of_the_numbers():
    page = (ROOT / "docs" / "assessing.md").read_text(encoding="utf-8")
    page = " ".join(page.partition("## Before and after\n")[2].split())
    chance = [f"{np.sqrt(0.25 / part.count):.2f} in part {part.number}" for part in PARTS]
    assert f"up to {' and '.join(chance)} (one standard error)" in page
    found = gain(*simulated_class.classes(20, 200, seed=1))
    assert 0.3 < np.mean(found.high - found.low) < 0.4 and "it is 0.3 to 0.4 wide" in page
    assert all(f"two forms of {('six', 'ten')[part.number - 1]} questions" in page for part in PARTS)
    assert all(f"about {part.minutes} minutes" in page and command(part.sittings[1]) in page for part in PARTS)
    assert all(idea in page for idea in {item.idea for item in bank().items})


def test_the_summary_of_a_class(handed_in):
    folder, (before, after) = handed_in
    status, said = summed_up(folder)
    found = gain(before, after)
    assert status == 0
    assert "═══ Part 1, lessons 00 to 06\n\nPilot, not validated: 24 matched pairs" in said and "Part 2" not in said
    assert f"before {before.mean():.2f}, after {after.mean():.2f}, in 24 matched pairs" in said
    assert f"<g> {found.value:.2f}, 95 % interval {found.low:.2f} to {found.high:.2f}" in said
    assert "seed 0" in said and "To look at" not in said
    assert re.search(r"^before +24 +24$", said, re.M) and re.search(r"^later +0 +0$", said, re.M)
    assert summed_up(folder) == (status, said)


def test_tables_against_counting_the_lines(handed_in):
    """Difficulty, forms and confident errors, counted from the files without the report's own way to them."""
    folder, _ = handed_in
    made = report(collect(folder).learners, PART)
    lines = [entry for path in folder.rglob(FILE) for entry in read(path)[0] if entry.answer]
    keys = {item.id: item.right.letter for item in bank().items}
    for row in made.items:
        of_item = [line for line in lines if line.answer.item == row["question"] and line.sitting == "after"]
        right = [line.answer.letter == keys[row["question"]] for line in of_item]
        assert row["after"] == pytest.approx(np.mean(right))
    for row in made.forms:
        of_form = [line for line in lines if line.form == row["form"] and line.sitting == "before"]
        right = [line.answer.letter == keys[line.answer.item] for line in of_form]
        assert row["before"] == pytest.approx(np.mean(right)) and row["began with it"] * COUNT == len(right)
    for row in made.errors:
        options = {(i.id, o.letter) for i in bank().items for o in i.options if o.misconception == row["misconception"]}
        sure = [line for line in lines if (line.answer.item, line.answer.letter) in options and line.answer.sure >= 3]
        assert row["before"] == sum(line.sitting == "before" for line in sure)
    assert sum(row["before"] for row in made.errors) > 0
    assert len(made.ideas) == 6 and len(made.items) == 2 * COUNT and len(made.learners) == 24


def test_tables_and_figure_are_written_with_a_mark_for_each_sitting(handed_in, tmp_path):
    out = tmp_path / "new" / "out"
    status, said = summed_up(handed_in[0], out)
    assert status == 0 and str(out) in said
    assert (out / "summary.txt").read_text(encoding="utf-8").startswith("24 files")
    with open(out / "part-1" / "items.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * COUNT and 0 <= float(rows[0]["before"]) <= 1
    assert {path.name for path in out.iterdir()} == {"summary.txt", "part-1"}
    tables = [f"{name}.csv" for name in ("people", "forms", "ideas", "items", "errors", "learners")]
    assert {path.name for path in (out / "part-1").iterdir()} == {"summary.png", *tables}
    assert Image.open(out / "part-1" / "summary.png").width > 1000
    (tmp_path / "file").touch()
    status, said = summed_up(handed_in[0], tmp_path / "file")
    assert status == 2 and "Name a folder that can be written" in said and "Pilot" in said
    picture = figure(report(collect(handed_in[0]).learners, PART))
    lines = {line.get_label(): line for line in picture.figure.axes[0].lines}
    assert set(lines) == {"before", "after"} and len(lines["after"].get_xdata()) == 6
    assert len({line.get_marker() for line in lines.values()}) == 2
    assert re.search(r"broadcasting: 0\.\d\d before, 0\.\d\d after", picture.alt)


def test_what_stayed_is_told_of_those_who_sat_all_three(tmp_path):
    before, after, later = simulated_class.hand_in(tmp_path, 12, seed=6, third=True).mean(axis=1)
    said = summed_up(tmp_path)[1]
    assert f"Of 12 who sat the third as well: {before:.2f} before, {after:.2f} after, {later:.2f} later" in said
    assert len(figure(report(collect(tmp_path).learners, PART)).figure.axes[0].lines) == 3


@pytest.mark.slow
def test_each_part_is_summed_up_by_itself(handed_in, tmp_path):
    """Learners of part 2 change no number of part 1, and theirs are counted from their own lines."""
    folder = tmp_path / "class"
    shutil.copytree(handed_in[0], folder)
    shares = simulated_class.hand_in(folder, 24, seed=5, part=PARTS[1])
    said = summed_up(folder, tmp_path / "out")[1]
    first, second = said.split("═══ Part 2, lessons 07 to 13")
    alone = summed_up(handed_in[0])[1]
    assert first.rstrip().endswith(alone.partition("═══")[2])
    assert "before 07 {:.2f}, after 13 {:.2f}, in 24 matched pairs".format(*shares.mean(axis=1)) in second
    made = report(collect(folder).learners, PARTS[1])
    assert len(made.items) == 20 and len(made.ideas) == 5 and made.stayed == {}
    assert "later" not in second and (tmp_path / "out" / "part-2" / "items.csv").exists()


@pytest.mark.slow
def test_from_a_hundred_pairs_on_it_is_no_pilot(tmp_path):
    simulated_class.hand_in(tmp_path, 100, seed=4)
    assert "Pilot" not in summed_up(tmp_path)[1]
    shutil.rmtree(tmp_path / "learner-050")
    assert "Pilot, not validated: 99 matched pairs" in summed_up(tmp_path)[1]


def snapshot(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_broken_doubled_foreign_and_half_written_files_are_told_and_lose_nothing(handed_in, tmp_path):
    folder = tmp_path / "class"
    shutil.copytree(handed_in[0], folder)
    whole = summed_up(folder)[1].partition("\n\n")[2]
    path = folder / "learner-000" / FILE
    path.write_bytes(path.read_bytes() + b'{"test": "positional enc')
    shutil.copytree(folder / "learner-001", folder / "autograded" / "learner-001")
    (folder / "learner-002" / FILE).rename(folder / "learner-002" / "pe_test (1).jsonl.txt")
    (folder / "notes.jsonl").write_text('{"mine": 1}\n')
    (folder / "empty" / FILE).parent.mkdir()
    (folder / "empty" / FILE).touch()
    (folder / "lesson.ipynb").write_text("{}")
    (folder / "progress.jsonl").write_text("the course's own\n")
    before = snapshot(folder)
    _, said = summed_up(folder)
    body, _, told = said.partition("\n\n")[2].partition("\n\nTo look at\n")
    assert body.splitlines()[1:] == whole.splitlines()[1:], "numbers have changed"
    assert told.splitlines() == [
        "empty/pe_test.jsonl: empty; left out.",
        f"learner-000/pe_test.jsonl: line {len(before[path].splitlines())} is not whole, or not ours. "
        f"The other {len(before[path].splitlines()) - 1} lines count.",
        "notes.jsonl: no line is of this test; left out.",
        "autograded/learner-001/pe_test.jsonl and learner-001/pe_test.jsonl: of one learner. Each answer counts once.",
    ]
    assert snapshot(folder) == before


def test_starters_who_did_not_finish_are_counted_and_told(handed_in, tmp_path):
    folder = tmp_path / "class"
    shutil.copytree(handed_in[0], folder)
    day = simulated_class.SEPTEMBER
    append(folder / "pe_test_x.jsonl", Entry("aaaaaaaaaaaaaaaa", "before", "A", day))
    append(folder / "pe_test_x.jsonl", Entry("aaaaaaaaaaaaaaaa", "before", "A", day, Answer("A1", "B", 3)))
    append(folder / "pe_test_y.jsonl", Entry("bbbbbbbbbbbbbbbb", "after", "B", day))
    _, said = summed_up(folder)
    assert "24 matched pairs" in said and re.search(r"^before +25 +24$", said, re.M)
    assert "pe_test_x.jsonl: before is not over, 1 of 6 questions are answered." in said
    assert "pe_test_y.jsonl: no first sitting of part 1, so there is nothing to compare with." in said


def test_two_halves_of_one_learner_are_put_together(handed_in, tmp_path):
    """Handed in after the first sitting, and again, whole, after the second, under another name."""
    source = handed_in[0] / "learner-000" / FILE
    (tmp_path / "first").mkdir()
    (tmp_path / "first" / FILE).write_bytes(b"".join(source.read_bytes().splitlines(keepends=True)[: COUNT + 1]))
    shutil.copy(source, tmp_path / "whole.jsonl")
    _, said = summed_up(tmp_path)
    assert "in 1 matched pairs" in said and "too few pairs" in said


def test_a_folder_without_answers_says_what_it_looked_for(tmp_path, capsys):
    (tmp_path / "other.jsonl").write_text("{}\n")
    assert main(["test", "summary", str(tmp_path)]) == 2
    said = capsys.readouterr().out
    assert "no answers" in said and FILE in said and "other.jsonl: no line is of this test" in said
    assert main(["test", "summary", str(tmp_path / "nowhere")]) == 2


def test_a_lopsided_coin_is_told(handed_in, tmp_path):
    assert "Here they did not" not in summed_up(handed_in[0])[1]
    for path in handed_in[0].rglob(FILE):
        if read(path)[0][0].form == "A":
            shutil.copytree(path.parent, tmp_path / path.parent.name)
    assert "Here they did not" in summed_up(tmp_path)[1]


HOSTILE_LINES = {name: eval(changes) for changes, name in PAGE["hostile"].entries}
VISIBLE = re.compile(r"[^\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]*")


def line_of(**changes):
    """A line of a learner's file, as JSON."""
    said = {"test": TEST, "version": bank().version, "learner": "c" * 16, "sitting": "before", "form": "A"}
    return json.dumps(said | {"day": "2030-09-02"} | changes).encode() + b"\n"


def assert_class_is_told(folder, out):
    """The summary works, its screen and its files hold nothing but plain text; returns what is said at the end."""
    status, said = summed_up(folder, out)
    assert status == 0 and "in 24 matched pairs" in said
    assert VISIBLE.fullmatch(said) and len(said) < 30_000
    said.encode()
    for path in out.glob("*/*.csv"):
        rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
        assert not [cell for row in rows for cell in row if cell.startswith(("=", "@", "+"))]
    return said.partition("\n\nTo look at\n")[2].partition("\n\nWritten into")[0].splitlines()


@pytest.fixture
def attacked(handed_in, tmp_path):
    """The class's folder with one more, whose owner means harm; and where the results go."""
    shutil.copytree(handed_in[0], tmp_path / "class")
    (tmp_path / "class" / "mallory").mkdir()
    return tmp_path / "class", tmp_path / "class" / "mallory", tmp_path / "out"


NO_ORDINARY_FILES = {
    "a link to itself": lambda file: file.symlink_to(file),
    "a pipe": lambda file: os.mkfifo(file),
    "an endless file": lambda file: file.symlink_to("/dev/zero"),
    "ten gigabytes": lambda file: (file.touch(), os.truncate(file, 10_000_000_000)),  # takes no room on the disk
}
HOSTILE_NAMES = [b"\xff\xfe.jsonl", b"\x1b[2J.jsonl", b"a\nlearner-001.jsonl", b"x" * 240 + b".jsonl"]


def test_a_hostile_line_file_or_name_is_told_in_one_line(attacked):
    folder, mallory, out = attacked
    for attack, changes in HOSTILE_LINES.items():
        (mallory / f"{attack}.jsonl").write_bytes(line_of(**changes))
    if sys.platform != "win32":  # links and pipes are POSIX's
        for attack, make in NO_ORDINARY_FILES.items():
            make(mallory / f"{attack}.jsonl")
    if sys.platform == "linux":  # elsewhere a file name must be text
        for name in HOSTILE_NAMES:
            with open(os.fsencode(mallory) + b"/" + name, "wb") as file:
                file.write(b"{}\n")
    told = assert_class_is_told(folder, out)
    assert len(told) == len(os.listdir(mallory))
    assert all(line.startswith("mallory/") and "left out" in line and len(line) < 300 for line in told)


def test_a_hundred_thousand_bad_lines_are_summed_up(attacked):
    folder, mallory, out = attacked
    (mallory / FILE).write_bytes(line_of() + b"x\n" * 100_000)
    told = assert_class_is_told(folder, out)
    assert told[0] == (
        "mallory/pe_test.jsonl: line 2 is not whole, or not ours; line 3 is not whole, or not ours; "
        "and 99998 more such lines. The other 1 lines count."
    )


def test_a_thousand_bad_files_do_not_fill_the_screen(attacked):
    folder, mallory, out = attacked
    for n in range(1000):
        (mallory / f"{n}.jsonl").touch()
    told = assert_class_is_told(folder, out)
    assert len(told) == 201 and told[-1] == "… and 800 more"


@pytest.mark.skipif(sys.platform == "win32", reason="a path of Windows has an end")
def test_folders_a_thousand_deep_stop_no_summary(attacked, monkeypatch):
    folder, mallory, out = attacked
    with monkeypatch.context() as patch:
        patch.chdir(mallory)
        for _ in range(1500):
            os.mkdir("d")
            os.chdir("d")
    try:
        assert assert_class_is_told(folder, out) == []
    finally:
        subprocess.run(["rm", "-rf", mallory], check=True)  # pytest's own way to clean up is no match for such a tree


@pytest.mark.parametrize("name", ["0-first-of-all.jsonl", "z-last-of-all.jsonl"])
def test_nobody_can_replace_another_s_answers_by_using_their_number(handed_in, attacked, name):
    folder, *_ = attacked
    victim = (folder / "learner-000" / FILE).read_bytes()
    spoiled = [json.loads(line) for line in victim.splitlines()]
    for line in spoiled:
        if "answer" in line:
            line["answer"] = "ABCD"["DABC".index(line["answer"])]
    (folder / name).write_text("".join(f"{json.dumps(line)}\n" for line in spoiled))
    alone, both = collect(handed_in[0]).learners, collect(folder)
    number = spoiled[0]["learner"]
    assert alone[number] in (both.learners.pop(number), both.learners.pop(f"{number} (2)"))
    alone.pop(number)
    assert both.learners == alone
    (told,) = both.told
    assert "the same number, and different answers. They count as 2 learners." in told
    assert name in told and "learner-000/pe_test.jsonl" in told


def test_a_file_speaks_for_its_first_number_alone(handed_in, attacked):
    folder, *_ = attacked
    others = (folder / "learner-001" / FILE).read_bytes().replace(b'"answer": "A"', b'"answer": "B"')
    (folder / "0.jsonl").write_bytes(line_of() + others)
    found = collect(folder)
    assert found.learners.pop("c" * 16)["before"].answers == ()
    assert found.learners == collect(handed_in[0]).learners
    assert f"0.jsonl: {len(others.splitlines())} lines are of another learner. The other 1 lines count." in found.told


@pytest.mark.parametrize("text", ['=HYPERLINK("x")', "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_text_in_a_csv_is_a_formula(text):
    assert cell(text) == f"'{text}"
    assert cell(-0.25) == "-0.25" and cell("order") == "order"
