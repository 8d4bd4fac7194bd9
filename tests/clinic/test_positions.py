"""`diagnose_positions`: makers of position ids, by their parameters' names."""

import pytest
import torch
from files import FILES
from test_zoo import ZOO, made

from pe_clinic import diagnose, recognise
from pe_clinic.__main__ import main
from pe_clinic.positions import diagnose as room
from pe_clinic.positions.diagnose import diagnose_positions


def test_expect_names_the_case():
    def make(past_length, length):
        return past_length + torch.arange(length)

    assert diagnose_positions(make, expect="cache").ok
    assert not diagnose_positions(make, expect="padding").ok


def test_every_alteration_has_words():
    assert {name for each in room.ALTERATIONS.values() for name, _ in each} <= set(room.MISTAKES)


OTHERS = ("causal_mask", "position_bias", "position_mask", "positions", "rot_pos_emb", "transpose", "segment_lengths")


@pytest.mark.parametrize("name", OTHERS)
def test_other_names_and_parameters_say_that_it_is_something_else(name):
    names = {}
    exec(FILES["position ids"], names)
    assert recognise(names[name])[0] != "positions"
    assert recognise(names["position_ids"])[0] == "positions" and diagnose(names["position_ids"]).ok


def test_a_line_of_a_mask_and_a_past_length_is_recognised(tmp_path, capsys):
    (tmp_path / "model.py").write_text(FILES["position ids"], encoding="utf-8")
    line = "lambda attention_mask, past_length: position_ids(attention_mask, past_length)"
    main([f"{tmp_path / 'model.py'}", "--make", line])
    assert "Right. Convention: padding." in capsys.readouterr().out


def test_the_convention_of_context_parallelism_is_told_and_can_be_expected(tmp_path):
    """NVIDIA/Megatron-LM#5243: for cu_seqlens [0, 4, 8] and rank 0 of 2, places in the row are 0, 3, 4, 7."""
    row, text = (
        made(case, tmp_path)
        for _, case in ZOO.values()
        if case.says[:1] and case.says[0].startswith("context parallel")
    )
    assert row(torch.tensor([0, 4, 8]), 2, 0) == [0, 3, 4, 7]
    assert diagnose_positions(row, expect="places in the row").ok
    assert diagnose_positions(text, expect="places in the row").verdict.id == "unexpected"
