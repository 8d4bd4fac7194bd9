"""What the pages of `zoo` ask, handed over as a Python object: its verdict, its design, and each mistake and no other.

Of a line's facts, “words” stand in the reply, "note …" is a note's id, and the rest is the design or the mistakes' ids.
A page's name says what is asked; `bank/fresh.py` says what its lines mean. A target is any expression of Python here.
"""

import sys
from dataclasses import replace
from importlib import util
from pathlib import Path

import pytest
from bank.fresh import changed, read

from pe_clinic import diagnose_alibi, diagnose_layer, diagnose_model, diagnose_positions, diagnose_rope, diagnose_table

ASKED = {
    "bias_pairs": diagnose_alibi,
    "biases": diagnose_alibi,
    "grids": diagnose_table,
    "layers": diagnose_layer,
    "models": diagnose_model,
    "positions": diagnose_positions,
    "rotation_pairs": diagnose_rope,
    "rotations": diagnose_rope,
    "tables": diagnose_table,
}
PAGES = Path(__file__).parent / "zoo"
CASES = [(page, case) for page in ASKED for case in read((PAGES / f"{page}.md").read_text(encoding="utf-8"))]
ZOO = {f"{page}, {case.name}": (page, case) for page, case in CASES}


def test_no_two_cases_bear_one_name():
    assert len(ZOO) == len(CASES)


def made(case, folder):
    """The object that a case's target makes, from a file: the clinic reads the code, too."""
    path = folder / "model.py"
    path.write_text(f"{case.source}\n\nasked = {case.target}\n", encoding="utf-8")
    spec = util.spec_from_file_location("code_of_the_zoo", path)
    module = sys.modules[spec.name] = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.asked


def mistakes_of(page):
    """The cases of a page that are not right, by their one mistake."""
    return {case.says[0]: case for of, case in CASES if of == page and case.expected != "right"}


def with_both(one, two):
    """A case with what ``two`` changes, too: both change the same code."""
    source, target = changed(one.source, one.target, two.name.partition(": ")[2])
    return replace(one, source=source, target=target)


def facts(case):
    """The words, the ids of notes, and the design or the mistakes that a case names."""
    words = [fact.strip("“”") for fact in case.says if fact.startswith("“")]
    notes = [fact.removeprefix("note ") for fact in case.says if fact.startswith("note ")]
    return words, notes, [fact for fact in case.says if not fact.startswith(("“", "note "))]


def told(diagnosis):
    """The design as the pages name it, without an order of columns, or the mistakes."""
    if diagnosis.verdict.id in ("right", "convention"):
        design = diagnosis.convention or ""
        return [design if diagnosis.ok else design.removeprefix("half-split, ").removeprefix("permuted, ")]
    return [finding.id for finding in (*diagnosis.findings, *diagnosis.usage) if finding.kind != "note"]


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", [name for name, (page, _) in ZOO.items() if page != "models"])
def test_it_is_named_and_nothing_else(name, tmp_path):
    page, case = ZOO[name]
    words, notes, named = facts(case)
    diagnosis = ASKED[page](made(case, tmp_path))
    assert diagnosis.verdict.id == case.expected, diagnosis
    assert told(diagnosis) == (named or [""]) or (case.expected == "convention" and words and not named), diagnosis
    assert all(word in " ".join(str(diagnosis).split()) for word in words), diagnosis
    seen = [finding.id for finding in diagnosis.findings if finding.kind == "note"]
    assert notes == seen or (not notes and case.expected != "right"), diagnosis
    mistakes = [finding for finding in diagnosis.findings if finding.kind == "mistake"]
    assert all(each.title and each.evidence and (each.fix or page == "positions") for each in mistakes), diagnosis
    if mistakes and page in ("biases", "rotations"):
        assert any(character.isdigit() for finding in diagnosis.findings for character in finding.evidence)


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", [name for name, (page, _) in ZOO.items() if page == "models"])
def test_a_model_is_right_or_its_fault_is_named(name, tmp_path):
    """A part of a right model's design is told, and of a fault's ids one."""
    _, case = ZOO[name]
    words, _, named = facts(case)
    diagnosis = diagnose_model(made(case, tmp_path))
    assert diagnosis.ok == (case.expected == "right"), diagnosis
    assert (diagnosis.verdict.status == 2) == (case.expected == "not-run"), diagnosis
    if diagnosis.ok:
        assert all(part in diagnosis.convention for part in named), diagnosis
    else:
        assert not named or {finding.id for finding in diagnosis.findings} & {*named}, diagnosis
    assert all(word in " ".join(str(diagnosis).split()) for word in words), diagnosis


DESIGNS = [name for name, (_, case) in ZOO.items() if case.expected == "convention" and facts(case)[2]]


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", DESIGNS)
def test_a_design_is_right_where_it_is_expected_and_nowhere_else(name, tmp_path):
    page, case = ZOO[name]
    asked = made(case, tmp_path)
    assert ASKED[page](asked, expect=facts(case)[2][0]).ok
    assert ASKED[page](asked, expect="base 123456").verdict.id == "unexpected"
