"""What a name in a file is looked at as; the forms that are judged at the first try stand in the pages of `forms`."""

import pytest
import torch
from test_forms import FORMS
from test_fresh_bank import ask

from pe_clinic import diagnose_layer
from pe_clinic.calling.file import File
from pe_clinic.kinds import of_expression, of_name
from pe_clinic.rotation import by_name
from pe_clinic.rotation.maker import once

HEAD = "import torch\nfrom torch import nn\n"
ALIBI = """
def get_alibi(n_heads, seq_len):
    slopes = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    return -slopes[:, None, None] * (torch.arange(seq_len)[:, None] - torch.arange(seq_len)).abs()
"""
TABLE = """
def sinusoid(max_len, d_model):
    return torch.zeros(max_len, d_model)
class PositionalEncoding(nn.Module):
    def forward(self, x):
        return x
"""


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


def test_alibi_is_found_by_its_name_or_by_kind():
    for kind in (None, "alibi"):
        diagnosis, found, _ = of_name(names(ALIBI), "get_alibi", kind)
        assert found == "alibi" and diagnosis.ok and diagnosis.convention == "slopes by the paper's text"


def test_tables_and_layers_are_left_to_others():
    for name in ("sinusoid", "PositionalEncoding"):
        assert of_name(names(TABLE), name) is None
    turn = "from pe_lib import rope_half_split as apply_rope"
    assert of_name(names(turn), "apply_rope", "table") is None


@pytest.mark.parametrize("later", [0, 1])
def test_a_rotation_given_as_a_layer_is_not_told_to_add(later):
    source = f"""
class Rotary(nn.Module):
    def __init__(self, d_model, max_len=64):
        super().__init__()
        rates = 100.0 ** -torch.arange(d_model // 2)
        self.register_buffer("theta", torch.outer(torch.arange(max_len) + {later}, rates))
    def forward(self, x):
        cos, sin = self.theta[: x.shape[-2]].cos(), self.theta[: x.shape[-2]].sin()
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)
"""
    diagnosis = diagnose_layer(names(source).names["Rotary"])
    assert diagnosis.verdict.id == "not-run" and "diagnose_rope" in str(diagnosis) and "+ pe" not in str(diagnosis)
