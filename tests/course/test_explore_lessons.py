"""The explorers of single lessons: runs that were measured (07, 10), cells, wrong tables and orders (03 to 05, 12)."""

import json
import re

import explorer_runs
import numpy as np
import pytest
import torch
from programs import computed

from pe_clinic import diagnose_table
from pe_course.explore.widget import source
from pe_lib import frequencies

RUNS = computed(source("training"), "RUNS")
SCORES = computed(source("longer"), "SCORES")
VARIANTS = computed(source("formula"), "Object.keys(VARIANTS)")
WRONG = VARIANTS[1:]
WAYS = computed(source("stack"), "Object.keys(WAYS)")


def table_of(name, rows, d_model):
    return np.array(computed(source("formula"), f"tableOf({json.dumps(name)}, {rows}, {d_model})"))


def test_the_way_to_a_cell_leads_to_its_value():
    way = """range(16).map((pos) => range(8).map((j) => steps("the paper's", pos, j, 8)))"""
    found = computed(source("formula"), way)
    for pos, row in enumerate(found):
        for j, cell in enumerate(row):
            k = j // 2
            angle = pos / 10000 ** (2 * k / 8)
            assert (cell["k"], cell["exponent"], cell["wave"]) == (k, 2 * k / 8, ("sin", "cos")[j % 2])
            assert cell["angle"] == pytest.approx(angle, abs=1e-12)
            assert cell["value"] == pytest.approx((np.sin, np.cos)[j % 2](angle), abs=1e-12)


@pytest.mark.one_in(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    "name, words",
    [*zip(WRONG, ["exponent is doubled", "own", "minus|inver|multipl", "swapped|cosine", "begin|start"], strict=True)],
)
def test_the_clinic_calls_each_wrong_table_wrong_by_its_name(name, words):
    tables = {size: table_of(name, *size) for size in [(5, 8), (7, 6), (6, 7)]}
    said = diagnose_table(lambda max_len, d_model: tables.get((max_len, d_model), table_of(name, max_len, d_model)))
    assert not said.ok and re.search(words, str(said)), str(said)


def test_one_wrong_table_is_right_in_columns_0_and_1():
    """The question of the explorer has one answer."""
    paper = table_of("the paper's", 16, 8)[:, :2]
    assert [name for name in WRONG if np.allclose(table_of(name, 16, 8)[:, :2], paper)] == ["lost minus"]


@pytest.mark.parametrize("way", WAYS)
def test_tiles_end_in_the_order_of_torch(way):
    """Each number stands for a tile: wave, position, pair."""
    cells = torch.arange(16).view(2, 2, 4)
    expected = eval(way, {"torch": torch, "sin": cells[0], "cos": cells[1]}).flatten(1)
    names = [f"{('sin', 'cos')[n // 8]} {n // 4 % 2},{n % 4}" for n in range(16)]
    found = computed(source("stack"), f"flat({json.dumps(way)})")
    assert found == [[names[n] for n in row] for row in expected.tolist()]


def test_one_way_gives_the_papers_order_and_one_mixes_positions():
    flat = {way: computed(source("stack"), f"flat({json.dumps(way)})") for way in WAYS}
    paper = [[f"{wave} {pos},{k}" for k in range(4) for wave in ("sin", "cos")] for pos in range(2)]
    assert [way for way in WAYS if flat[way] == paper] == ["torch.stack((sin, cos), dim=2)"]
    mixed = [way for way in WAYS if any(len({tile.split()[1][0] for tile in row}) > 1 for row in flat[way])]
    assert mixed == ["torch.stack((sin, cos), dim=0)"]
    for way in WAYS:
        said = computed(source("stack"), f"seen({{ way: {json.dumps(way)}, step: 2 }})")
        assert ("the paper's table" in said) == (flat[way] == paper) and ("is wrong" in said) == (way in mixed)
        assert "(2, 8)" in said


def test_the_game_has_one_broken_table_in_each_round_and_both_sides_win():
    rounds = computed(source("broken"), "Array.from({ length: 8 }, (_, n) => round(n))")
    assert {game["mistake"] for game in rounds} == set(WRONG)
    assert [game["side"] for game in rounds].count(0) == 4
    for n, game in enumerate(rounds):
        right, wrong = computed(source("broken"), f"[reply({n}, {game['side']}), reply({n}, {1 - game['side']})]")
        assert right.startswith("Right: ") and wrong.startswith("No, the other one: ")


def test_attention_at_every_step_is_shares():
    names = json.dumps([*RUNS])
    shares = computed(source("training"), f"{names}.map((name) => [0, 144, 300].map((at) => attentionAt(name, at)))")
    shares = np.array(shares)
    assert shares.shape == (len(RUNS), 3, 12, 12) and (shares >= 0).all()
    assert np.allclose(shares.sum(axis=3), 1, atol=12 / 126)  # each is rounded to one of 64


def test_with_a_table_the_toy_learns_to_reverse_and_without_it_does_not_and_it_says_so():
    assert RUNS["none"]["right"][-1] < 0.35 and RUNS["the paper's"]["right"][-1] > 0.95
    found = {name: computed(source("training"), f"found(attentionAt({json.dumps(name)}, 300))") for name in RUNS}
    assert found["the paper's"] >= 10 and found["none"] <= 4
    assert RUNS["doubled exponent"]["right"][-1] > 0.9, "a wrong exponent does not stop it: the question's answer"
    run = RUNS["the paper's"]
    said = computed(source("training"), 'seen({ encoding: "the paper\'s", step: 120 })')
    right = round(100 * run["right"][10])
    assert said.startswith(f"Step 120, the paper's: loss {run['loss'][10]:.2f}, {right} % right.")


@pytest.mark.slow
def test_runs_are_those_that_the_tool_makes():
    """Another processor may round otherwise: the losses agree at the beginning, and the end is as good."""
    again = explorer_runs.watched(explorer_runs.adding(10000.0))
    stored = RUNS["the paper's"]
    assert np.allclose(again["loss"][:8], stored["loss"][:8], atol=0.05) and again["right"][-1] > 0.95
    assert len(again["attention"]) == len(stored["attention"]) == len(stored["loss"])


@pytest.mark.parametrize("length", [8, 16, 17, 40, 64])
def test_the_pairs_that_break_are_those_with_new_angles(length):
    """A pair that went round in training has met every angle."""
    seen, now = 15 * frequencies(8), (length - 1) * frequencies(8)
    expected = [k for k in range(4) if seen[k] < 2 * np.pi and now[k] > seen[k]]
    assert computed(source("longer"), f"breaking({length})") == expected
    assert (expected == []) == (length <= 16)


def test_scores_are_read_between_the_lengths_and_what_holds_beyond_training_is_what_lesson_10_finds():
    lengths = computed(source("longer"), "LENGTHS")
    for name, scores in SCORES.items():
        *measured, between = computed(source("longer"), f"[...LENGTHS, 18].map((n) => scoreAt({json.dumps(name)}, n))")
        assert measured == pytest.approx(scores)
        assert between == pytest.approx(np.interp(18, lengths, scores), abs=1e-12)
    at_64 = {name: scores[-1] for name, scores in SCORES.items()}
    assert at_64["ALiBi"] > 0.9 and max(at_64["learned"], at_64["sinusoidal"]) < 0.6
    assert all(scores[2] > 0.9 for name, scores in SCORES.items() if name != "none")
