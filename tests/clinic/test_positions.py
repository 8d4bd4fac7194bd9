"""`diagnose_positions`: makers of position ids, by their parameters' names."""

import pytest
import torch
import zoo_positions

from pe_clinic.model.catalogue import read
from pe_clinic.positions import diagnose as room
from pe_clinic.positions.diagnose import diagnose_positions


@pytest.mark.parametrize("name", zoo_positions.RIGHT)
def test_right_positions_are_right(name):
    make, convention = zoo_positions.RIGHT[name]
    diagnosis = diagnose_positions(make)
    assert diagnosis.ok, diagnosis
    assert diagnosis.convention == convention


@pytest.mark.parametrize("name", zoo_positions.WRONG)
def test_a_fault_is_named(name):
    make, mistake = zoo_positions.WRONG[name]
    diagnosis = diagnose_positions(make)
    assert not diagnosis.ok
    assert mistake in [finding.id for finding in diagnosis.findings], diagnosis


def test_the_evidence_shows_a_call_its_ids_and_the_right_ones():
    make, _ = zoo_positions.WRONG["cache restarts"]
    assert "past_length 5, length 1: [0]; right is [5]" in diagnose_positions(make).findings[0].evidence


@pytest.mark.parametrize(
    "make", [lambda table: table, lambda past_length, length: 1 / 0, lambda past_length, length: "no"]
)
def test_a_call_that_is_not_possible_is_not_run(make):
    diagnosis = diagnose_positions(make)
    assert diagnosis.verdict.status == 2, diagnosis


def test_unknown_parameters_are_named_with_those_that_work():
    text = str(diagnose_positions(lambda table: table))
    assert "(table)" in text and "attention_mask" in text and "grid_thw" in text


def test_expect_names_the_case():
    def make(past_length, length):
        return past_length + torch.arange(length)

    assert diagnose_positions(make, expect="cache").ok
    assert not diagnose_positions(make, expect="padding").ok


def test_every_alteration_has_words():
    mistakes, _ = read(room.Path(room.__file__).with_name("mistakes.md"))
    assert {name for each in room.ALTERATIONS.values() for name, _ in each} <= set(mistakes)
