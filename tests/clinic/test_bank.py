"""The truth at the first try: a bank of what people hand in, through the command line and without a flag.

The expectation was written down before the tool ran. Nothing right may be called wrong, nothing wrong right.
"""

import json

import pytest
from bank import cases_calls, cases_other, cases_pairs, cases_right

from pe_clinic.__main__ import main

GOAL = 0.95
BESIDE = ("other-dtype",)  # the main thing is right, and this is said beside it


def ask(tmp_path, capsys, source, target):
    path = tmp_path / "model.py"
    path.write_text(source)
    main([f"{path}:{target}", "--json"])
    return json.loads(capsys.readouterr().out)


def truth(expected, says, said):
    """Is it told, and told truly? And was it false?"""
    ids = " ".join(finding["id"] for finding in (*said["findings"], *said["usage"]))
    if expected == "right":
        return said["verdict"] in ("right", "table-right") and says in ids
    if expected == "convention":
        return said["verdict"] == "convention" and says in said["convention"]
    if expected == "wrong":
        return said["verdict"] == "wrong" and says in ids
    return said["verdict"] == "not-run" and says in said["line"]


def cases():
    for name, (source, target) in (cases_right.RIGHT | cases_pairs.RIGHT).items():
        yield "right", name, source, target, ""
    others = {
        "convention": cases_other.CONVENTIONS | cases_pairs.CONVENTIONS,
        "wrong": cases_other.WRONG | cases_pairs.WRONG,
        "not-run": cases_other.NOT_RUN | cases_calls.NOT_RUN,
    }
    for expected, group in others.items():
        for name, (source, target, says) in group.items():
            yield "right" if says in BESIDE else expected, name, source, target, says


@pytest.mark.slow
def test_the_truth_at_the_first_try(tmp_path, capsys, record_property):
    told, false, missed = 0, [], []
    bank = list(cases())
    for expected, name, source, target, says in bank:
        said = ask(tmp_path, capsys, source, target)
        if truth(expected, says, said):
            told += 1
        else:
            missed.append(f"{expected}: {name}: {said['line']} {[f['id'] for f in said['findings']]} {said['call']}")
        if (said["verdict"] in ("right", "table-right")) != (expected == "right") and said["verdict"] != "not-run":
            false.append(missed[-1])
    print("\n".join(missed))
    record_property("figure: the truth at the first try", f"{told} of {len(bank)} cases")
    assert len(bank) >= 60
    assert not false, "\n".join(false)
    assert told >= GOAL * len(bank), "\n".join(missed)
