"""Every learner's answer gets the reply that stands beside it: nothing wrong accepted, nothing right refused."""

import pytest
from answers import CASES, answer_of

from pe_course import check
from pe_course.exercises import EXERCISES

LAST_RESORTS = ("The results differ", "That is another value", "The numbers are not the paper's")


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_learners_answers_get_their_replies(name):
    surprising = []
    for code, says in CASES[name]:
        reply = check(name, answer_of(code, name))
        named = (says == "…" or says in reply.body) and not reply.body.startswith(LAST_RESORTS)
        good = reply.body.startswith(EXERCISES[name].because) and reply.diagnosis is None
        if reply.status != ("right" if says == "right" else "wrong") or not (good if says == "right" else named):
            surprising.append(f"{code}\n-> {reply}\nnot: {says}")
    assert not surprising, "\n\n".join(surprising)
