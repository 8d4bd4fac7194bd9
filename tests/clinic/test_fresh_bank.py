"""The truth at the first try, on public code that nobody had tried here when its expectation was written.

The expectations stand in `bank/fresh_*.md`, in the form that `bank/fresh.py` describes. Each case is read
strictly: the right verdict, every fact told, and nothing false. Wrong code is never called right.
"""

import json

import pytest
from bank.fresh import CASES

from pe_clinic.__main__ import main

GOAL = 0.75  # raise it with what the clinic learns to tell
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
def test_the_truth_at_the_first_try_on_fresh_code(tmp_path, capsys, record_property):
    """What is missed is told, so that the goal can be raised: the first run, before any change, told 141 of 181."""
    replies = {case.name: ask(case, tmp_path, capsys) for case in CASES}
    outcomes = {case.name: judged(case, replies[case.name]) for case in CASES}
    told = sum(outcome == "told" for outcome in outcomes.values())
    record_property("figure: the truth at the first try on fresh code", f"{told} of {len(CASES)} cases")
    wrong = [case.name for case in CASES if case.expected == "wrong"]
    called_right = [name for name in wrong if replies[name]["verdict"] == "right"]
    missed = [f"{replies[name]['line']} <- {name}" for name, outcome in outcomes.items() if outcome != "told"]
    assert not called_right
    assert told >= GOAL * len(CASES), "\n".join(missed)
