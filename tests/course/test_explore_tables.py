"""The explorers of lessons 03 to 05 and 12: cells, wrong tables, and the order that stack and flatten give."""

import json
import re

import numpy as np
import pytest
import torch
from programs import computed

from pe_clinic import diagnose_table
from pe_course.explore.widget import source

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
