"""The truth at the first try, on public code that nobody had tried here when its expectation was written.

The expectations stand in `bank/fresh_*.py`, in the form that `bank/fresh_form.py` describes. Each case is read strictly:
the right verdict, every fact told, and nothing false. Wrong code is never called right.
"""

import json

import pytest
from bank.fresh import CASES

from pe_clinic.__main__ import main

GOAL = 0.85
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
