"""Before and after: a test of what the course teaches, in two forms of twelve questions, and what a class learned.

`bank.md` holds the questions, and `bank` reads them. `sitting` is a sitting as data, `keeping` the learner's file,
`desk` the learner's place at it, in a `terminal` or with `widgets`; `page` explains every option after the second
sitting. For teachers, `collecting` reads what a class handed in, `measures` computes, `summary` says it, `figure`
draws it.
"""


def test(sitting, file=None):
    """Sit the test in a notebook: ``sitting`` is "before", "after" or "later".

    Answers are saved after each question in ``file``, pe_test.jsonl beside the lessons unless another is named; who has
    stopped goes on there. What is right is said when the second sitting is over.
    """
    from .widgets import test as show

    return show(sitting, file)
