"""Every learner's answer gets the reply that stands beside it: nothing wrong accepted, nothing right refused."""

import pytest
from answers import CASES, answer_of

from pe_course import check
from pe_course.exercises import EXERCISES

LAST_RESORTS = ("The results differ", "That is another value", "The numbers are not the paper's")


@pytest.mark.slow
@pytest.mark.one_in(5)
@pytest.mark.parametrize("name, code, says", [(name, *entry) for name in CASES for entry in CASES[name]])
def test_a_learners_answer_gets_its_reply(name, code, says):
    reply = check(name, answer_of(code, name))
    if says == "right":
        assert reply.status == "right" and reply.diagnosis is None
        assert reply.body.startswith(EXERCISES[name].because)
    else:
        assert reply.status == "wrong" and not reply.body.startswith(LAST_RESORTS)
        assert says == "…" or says in reply.body
