"""`expect=`: right means the design that is named, any other design is not what was expected, a mistake stays one."""

import pytest
from oracle import refuses

from pe_clinic import Diagnosis, Finding

BASE = Finding("base", "The base is 500000.", "pair 1 turns 0.66", kind="convention")
MISTAKE = Finding("signs", "A sign is wrong.", "column 0")


def design(convention):
    return Diagnosis(False, (BASE,), convention, kind="rotation")


@pytest.mark.parametrize(
    "convention, expect, ok",
    [
        ("base 500000", "base 500000", True),
        ("base 500000", "Base 5e5", True),
        ("base 500000", "base 500,000", True),
        ("half-split, base 500000", "base 500000", True),
        ("half-split, base 500000", "base 500000, half-split", True),
        ("base 500000", "half-split, base 500000", False),
        ("half-split, base 500000", "interleaved, base 500000", False),
        ("base 500000", "interleaved, base 500000", True),
        ("base 500000", "base 50000", False),
        ("partial 16 of 64", "partial 16 of 64", True),
        ("partial 16 of 64", "partial 32 of 64", False),
        ("partial 16 of 64, base 500000", "partial 16 of 64", False),
        ("base 500000", "base 10000", False),
    ],
)
def test_a_design_is_right_exactly_where_it_is_expected(convention, expect, ok):
    judged = design(convention).expecting(expect)
    assert judged.ok == ok
    assert judged.verdict.id == ("right" if ok else "unexpected")
    assert judged.verdict.line.startswith("Right." if ok else "Not what was expected: it is ")
    assert judged.verdict.status == (0 if ok else 1)
    assert "The base is 500000" in str(judged)


def test_the_paper_s_own_is_not_another_design():
    own = Diagnosis(True, (), "half-split", kind="rotation")
    assert own.expecting("half-split").ok and own.expecting("base 10000").ok and own.expecting(None) is own
    assert not own.expecting("base 500000").ok
    plain = Diagnosis(True)
    assert "the paper's own table" in plain.expecting("halves").verdict.line


def test_a_mistake_stays_a_mistake_and_usage_stays():
    wrong = Diagnosis(False, (MISTAKE, BASE), "base 500000")
    assert wrong.expecting("base 500000") is wrong
    odd = Finding("odd-crash", "It refuses odd widths.", "d_model=7", kind="usage")
    judged = Diagnosis(False, (BASE,), "halves", usage=(odd,)).expecting("halves")
    assert not judged.ok and judged.verdict.line == "The table is right; it refuses odd widths."


def test_what_is_no_text_is_refused():
    with refuses(TypeError, "expect must be a text such as 'base 500000'", "5000 (int)"):
        design("base 500000").expecting(5000)
