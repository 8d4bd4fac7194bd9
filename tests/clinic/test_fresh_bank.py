"""The truth at the first try, on code whose expectation was written before it was tried here.

The expectations stand in the pages of `bank`, in the form that `bank/fresh.py` describes. Each case
is read strictly: the right verdict, every fact told, and nothing false. Wrong code is never called right.
"""

import json

import pytest
from bank.fresh import BANKS

from pe_clinic.__main__ import main

GOAL = 0.95
# Before anything was changed for the bank.
FIRST_RUN = {"fresh": 141, "second": 111, "third": 91}
EXPECTED = {
    "right": ("right", "table-right"),
    "right-main": ("table-right",),
    "convention": ("convention", "right"),
    "wrong": ("wrong",),
    "not-run": ("not-run",),
}


def ask(case, tmp_path, capsys):
    path = tmp_path / "model.py"
    path.write_text(case.source, encoding="utf-8")
    main([f"{path}:{case.target}" if case.target else str(path), "--json"])
    return json.loads(capsys.readouterr().out)


def judged(case, said):
    """Which of the three a reply is: "told", "missed", or "false"."""
    text = json.dumps(said, ensure_ascii=False).lower()
    if said["verdict"] == "right" and case.expected in ("wrong", "not-run"):
        return "false"
    if any(word.lower() in text for word in case.never):
        return "false"
    told = all(any(word.lower() in text for word in fact.split("|")) for fact in case.says)
    return "told" if said["verdict"] in EXPECTED[case.expected] and told else "missed"


@pytest.mark.slow
@pytest.mark.parametrize("bank", BANKS)
def test_the_truth_at_the_first_try_on_fresh_code(bank, tmp_path, capsys, record_property):
    cases = BANKS[bank]
    replies = {case.name: ask(case, tmp_path, capsys) for case in cases}
    outcomes = {case.name: judged(case, replies[case.name]) for case in cases}
    told = sum(outcome == "told" for outcome in outcomes.values())
    figure = f"{told} of {len(cases)} cases; at first {FIRST_RUN.get(bank, 'not counted')}"
    record_property(f"figure: the truth at the first try, {bank} code", figure)
    called_right = [c.name for c in cases if c.expected == "wrong" and replies[c.name]["verdict"] == "right"]
    missed = [f"{replies[name]['line']} <- {name}" for name, outcome in outcomes.items() if outcome != "told"]
    assert not called_right
    assert told >= GOAL * len(cases), "\n".join(missed)
