"""What the pages of `forms` ask, each in a file of its own: rare forms of code, read and judged at the first try.

`bank/fresh.py` says what the lines of a page mean; "not-right" is any verdict but right or a convention.
"""

from pathlib import Path

import pytest
from bank.fresh import read
from test_fresh_bank import EXPECTED, ask, judged

PAGES = sorted((Path(__file__).parent / "forms").glob("*.md"))
FORMS = [case for page in PAGES for case in read(page.read_text(encoding="utf-8"))]


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("case", FORMS, ids=lambda case: case.name)
def test_it_is_judged_at_the_first_try(case, tmp_path):
    said = ask(case, tmp_path)
    if case.expected == "not-right":
        assert said["verdict"] not in (*EXPECTED["right"], "convention"), said
    else:
        assert judged(case, said) == "told", said
