"""What a name in a file is looked at as; the forms that are judged at the first try stand in the pages of `forms`."""

import pytest
import torch
from test_forms import FORMS
from test_fresh_bank import ask

from pe_clinic.calling.file import File
from pe_clinic.kinds import of_expression, of_name
from pe_clinic.rotation import by_name
from pe_clinic.rotation.maker import once

HEAD = "import torch\nfrom torch import nn\n"


def names(source):
    space = {"__name__": "model"}
    exec(HEAD + source, space)
    return File(space, HEAD + source)


@pytest.mark.slow
def test_tables_that_the_code_does_not_look_at_are_not_tried_one_by_one(tmp_path, monkeypatch):
    tried = []
    diagnose = by_name.diagnose_as
    monkeypatch.setattr(by_name, "diagnose_as", lambda *given: tried.append(given) or diagnose(*given))
    (case,) = (case for case in FORMS if case.name == "numpy heads of one token, other names, wrong exponent")
    assert ask(case, tmp_path)["verdict"] == "wrong" and len(tried) == 1


def test_tables_that_are_kept_for_the_next_call_stay_as_they_were_made():
    tables = once(lambda positions: (positions.float().cos(), positions.float().sin()))
    tables(torch.arange(5), None)[0].zero_()
    assert torch.equal(tables(torch.arange(5), None)[0], torch.arange(5).cos())
    assert torch.equal(tables(torch.arange(4), None)[1], torch.arange(4).sin())


def test_a_line_that_stops_for_few_positions_is_tried_with_many():
    file = names("from pe_lib import rope_half_split as turn")
    line = "(lambda x, positions: turn(x, positions)) if max_len > 1000 else 1 / 0"
    assert of_expression(file, line, None)[0].ok


def test_a_rotation_that_is_asked_about_as_a_table_is_left_to_others():
    turn = "from pe_lib import rope_half_split as apply_rope"
    assert of_name(names(turn), "apply_rope", "table") is None
