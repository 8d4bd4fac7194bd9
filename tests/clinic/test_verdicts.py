"""The five verdicts: a first line that stays true, the same in text, HTML and as data."""

import html

import pytest

from pe_clinic import Diagnosis, Finding, diagnose_table

MISTAKE = Finding("swapped", "Sine and cosine have changed places.", "column 0 begins with 1")
CONVENTION = Finding("halves", "All sines come first.", kind="convention")
NOTE = Finding("prints", "It prints while it works.", kind="note")
ALONE = Finding("only-encoding", "The encoding comes back without x.", "out = PE", kind="usage")
ODD = Finding("refuses-odd", "An odd width is refused.", "d_model=7 raised ValueError", kind="usage")
STOPPED = Finding("raises", "The code stops with an error.", "f(5, 8) raised KeyError", kind="not-run", paste="run me")


@pytest.mark.parametrize(
    "diagnosis, id, status, line",
    [
        (Diagnosis(True), "right", 0, "Right."),
        (Diagnosis(True, (NOTE,)), "right", 0, "Right."),
        (Diagnosis(True, (), "half-split, shifted"), "right", 0, "Right. Convention: half-split, shifted."),
        (Diagnosis(False, usage=(ODD,), kind="rotation"), "table-right", 0, "The rotation is right; an odd width"),
        (Diagnosis(False, usage=(ALONE,)), "table-right", 0, "The table is right; the encoding comes back without x."),
        (
            Diagnosis(False, (NOTE,), usage=(ALONE, ODD)),
            "table-right",
            0,
            "The table is right; the encoding comes back without x, and an odd width is refused.",
        ),
        (Diagnosis(False, (CONVENTION, NOTE), "halves"), "convention", 0, "A convention, not a mistake"),
        (Diagnosis(False, (CONVENTION,), "halves", usage=(ALONE,)), "convention", 0, "A convention, not a mistake"),
        (Diagnosis(False, (MISTAKE, CONVENTION), "halves"), "wrong", 1, "Not right yet."),
        (Diagnosis(False, (MISTAKE,), usage=(ALONE,)), "wrong", 1, "Not right yet."),
        (Diagnosis(False, (MISTAKE, MISTAKE)), "wrong", 1, "Not right yet: 2 things to mend."),
        (Diagnosis(False, (STOPPED, NOTE)), "not-run", 2, "Could not run: f(5, 8) raised KeyError."),
        (Diagnosis(False, (STOPPED, MISTAKE)), "wrong", 1, "Not right yet: 2 things to mend."),
        (Diagnosis(False), "wrong", 1, "Not right yet."),
    ],
)
def test_the_first_line_is_true_whatever_follows(diagnosis, id, status, line):
    verdict = diagnosis.verdict
    assert (verdict.id, verdict.status) == (id, status)
    assert verdict.line.startswith(line)
    assert str(diagnosis).splitlines()[0] == verdict.line == str(verdict)
    assert html.escape(verdict.line) in diagnosis._repr_html_()
    for finding in (*diagnosis.findings, *diagnosis.usage):
        assert (finding.evidence or finding.title) in str(diagnosis)


def test_a_title_that_the_verdict_quotes_is_not_said_twice():
    assert str(Diagnosis(False, usage=(ALONE,))).lower().count("comes back without x") == 1
    assert str(Diagnosis(False, (STOPPED,))).count("raised KeyError") == 1
    assert Diagnosis(False, (STOPPED,)).details.startswith("The code stops with an error.")  # there it stands alone


def test_a_line_to_paste_is_never_broken():
    line = "python -m pe_clinic model.py " + "--make 'Layer(d_model, max_len)' " * 5
    finding = Finding("raises", "It stops.", paste=line, kind="not-run")
    assert f"  paste: {line}" in str(Diagnosis(False, (finding,))).splitlines()


def test_code_that_cannot_be_run_is_not_called_wrong():
    def stops(max_len, d_model):
        raise KeyError(d_model)

    assert diagnose_table(stops).verdict.id == diagnose_table(3).verdict.id == "not-run"
    assert diagnose_table(lambda max_len, d_model: None).verdict.id == "wrong"
