"""Every known mistake gets its own name, right code is called right, and nothing wrong is."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from catalogue import catalogue
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import refuses
from torch.nn import functional
from zoo_layers import Tutorial, layer
from zoo_tables import CONVENTIONS, MISTAKES, RARE, wrong_table

from pe_clinic import diagnose_layer, diagnose_table
from pe_clinic.table import search
from pe_lib import PositionalEncoding, sinusoidal_stack_flatten


def primary(diagnosis):
    return [finding.id for finding in (*diagnosis.findings, *diagnosis.usage) if finding.kind != "note"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("mistake", [*MISTAKES, *RARE])
def test_table_mistake_is_named_and_no_other(mistake):
    diagnosis = diagnose_table(wrong_table(mistake))
    assert not diagnosis.ok
    assert primary(diagnosis) == [mistake]
    assert diagnosis.convention == (mistake if mistake in CONVENTIONS else None)
    assert ((*diagnosis.findings, *diagnosis.usage)[0].kind == "convention") == (mistake in CONVENTIONS)
    finding = (*diagnosis.findings, *diagnosis.usage)[0]
    assert finding.title and finding.evidence and finding.explanation and finding.fix
    assert re.search(r"\S$", finding.evidence) and "  " not in finding.evidence, "naming.py does not say what is seen"


@pytest.mark.parametrize("layout", ["sequence-first", 0, 1.0])
def test_a_layout_that_is_none_is_refused(layout):
    with refuses(TypeError, "batch_first must be True or False", f"got {layout!r}"):
        diagnose_layer(PositionalEncoding, batch_first=layout)


@pytest.mark.slow
def test_the_layout_is_found_out_where_none_is_demanded():
    assert diagnose_layer(PositionalEncoding, batch_first=None).ok and diagnose_layer(Tutorial, batch_first=False).ok
    found = diagnose_layer(Tutorial, batch_first=None).verdict
    assert found.line.startswith("The table is right; it is sequence-first") and found.status == 0
    assert "batch-axis" in primary(diagnose_layer(Tutorial))
    twice = layer(lambda self, x: x + 2 * self.rows(x))
    assert primary(diagnose_layer(twice, batch_first=None)) == ["added-twice"]

    def wrong(d_model, max_len):
        layer = Tutorial(d_model, 0.0, max_len)
        layer.pe[:, 0] = torch.as_tensor(wrong_table("doubled-column")(max_len, d_model))
        return layer

    assert primary(diagnose_layer(wrong, batch_first=None)) == ["doubled-column", "sequence-first"]


@pytest.mark.parametrize("table", ["doubled-column", "halves", "scaled"])
def test_the_table_of_a_layer_that_returns_it_alone_is_judged(table):
    diagnosis = diagnose_layer(layer(lambda self, x: self.rows(x)[0], table=wrong_table(table)))
    assert primary(diagnosis) == [table, "only-encoding"]
    assert not str(diagnosis).startswith("The table is right")


def test_a_numpy_table_is_diagnosed_in_a_room_that_does_not_know_torch():
    for module in (Path(search.__file__).parent).glob("*.py"):
        assert not re.search(r"^\s*(import|from) torch", module.read_text(encoding="utf-8"), re.M), module.name


def test_batch_first_mistakes_are_named_in_the_other_layout_too():
    def make(d_model, max_len):
        layer = Tutorial(d_model, 0.0, max_len)
        layer.forward = lambda x: x + layer.pe[: x.size(1)].transpose(0, 1)
        return layer

    (finding,) = diagnose_layer(make, batch_first=False).findings[:1]
    assert finding.id == "batch-axis" and "axis 0 of x: pe[:x.shape[0]]" in finding.fix
    assert diagnose_layer(make).ok


def test_a_cut_to_the_batch_is_told_in_the_words_of_the_layout_that_is_asked_about():
    def make(d_model, max_len):
        layer = Tutorial(d_model, 0.0, max_len)
        layer.forward = lambda x: x + layer.pe[: x.size(1)]
        return layer

    (finding,) = diagnose_layer(make, batch_first=False).findings[:1]
    assert finding.id == "slice-by-batch" and "axis 1 of x, the batch size" in finding.title
    assert "(batch, length)" in finding.evidence and finding.fix.startswith("pe[:x.shape[0]]")


EVIDENCE = {
    "column 2 turns 0.01": wrong_table("doubled-column"),
    "base 1000:": wrong_table("wrong-base"),
    "base 54.6:": wrong_table("wrong-base", base=54.598),
    "0.5 times": wrong_table("scaled"),
    "256 and 257": wrong_table("low-precision"),
    "k/d": wrong_table("wrong-base", base=100.0),
    "4k/d": wrong_table("wrong-base", "doubled-pair"),
    "base squared": wrong_table("doubled-pair"),
}


@pytest.mark.parametrize("words", EVIDENCE)
def test_evidence_is_the_table_s_own_numbers_and_both_causes_of_one_table_are_named(words):
    assert words in " ".join(str(diagnose_table(EVIDENCE[words])).split())


OTHERS = ("starts-at-one", "zero-first-row", "scaled", "transposed", "halves")


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(
    base=st.floats(2, 9000) | st.floats(12000, 1e6),
    others=st.sets(st.sampled_from(OTHERS), max_size=3),
    scale=st.floats(0.05, 0.9) | st.floats(1.1, 20),
)
def test_any_base_is_read_from_the_numbers_whatever_else_was_done(base, others, scale):
    diagnosis = diagnose_table(
        lambda T, d: np.float32(wrong_table("wrong-base", *others, base=base, scale=scale)(T, d))
    )
    assert {*primary(diagnosis)} == {"wrong-base", *others}
    (evidence,) = (finding.evidence for finding in diagnosis.findings if finding.id == "wrong-base")
    assert math.isclose(float(re.search(r"base ([\d.e+]+):", evidence)[1]), base, rel_tol=2e-3)


def test_every_text_is_complete_and_has_a_kind_tone():
    for id, mistake in catalogue().items():
        assert mistake.title.endswith("."), id
        link = mistake.found("").link
        case = r"https://arxiv\.org/abs/[\d.]+|https://github\.com/[\w.-]+/[\w.-]+(/((issues|pull)/\d+|blob/[\w./-]+\.py))?"
        assert not link or re.fullmatch(case, link), link
        words = " ".join((mistake.title, mistake.explanation, mistake.fix)).lower()
        assert not any(word in words.split() for word in ("simply", "obviously", "just", "trivial", "easy")), id


@pytest.mark.slow
@pytest.mark.parametrize("table", ["doubled-column", "zero-first-row"])
def test_a_wrong_table_is_read_through_a_dropout_that_never_sleeps(table):
    """Other pairs of a layer's mistake and a table's stand in test_diagnosis_pairs.py."""
    both = layer(lambda self, x: functional.dropout(x + self.rows(x), 0.1), table=wrong_table(table))
    assert {*primary(diagnose_layer(both))} == {"dropout", table}


def test_a_function_with_short_names_gets_the_dropout_that_it_is_asked_for():
    assert diagnose_layer(lambda d, n, dropout=0.0: PositionalEncoding(d, n, dropout)).ok


def test_advice_for_a_sequence_first_layer_cuts_axis_0():
    class Fixed(torch.nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()
            self.register_buffer("pe", sinusoidal_stack_flatten(max_len, d_model).unsqueeze(1))

        def forward(self, x):
            return x + self.pe[: x.size(1)]

    (finding,) = diagnose_layer(Fixed, batch_first=False).findings
    assert finding.id == "slice-by-batch" and "pe[:x.shape[0]]" in finding.fix
