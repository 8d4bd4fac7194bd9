"""Before and after: a test of what the course teaches, in two parts of two forms each, and what a class learned.

`bank.md` holds the questions, and `bank` reads them. `sitting` is a sitting as data, `keeping` the learner's file,
`desk` the learner's place at it, in a `terminal` or with `widgets`; `markup` explains every option after the second
sitting of a part. For teachers, `collecting` reads what a class handed in, `measures` computes, `report` makes tables
of a part, `summary` says it, `figure` draws it.
"""


def test(sitting, file=None):
    """Sit the test in a notebook.

    ``sitting`` is "before", "after" or "later" for lessons 00 to 06, "before 07" or "after 13" for lessons 07 to 13.

    Answers are saved after each question in ``file``, pe_test.jsonl beside the lessons unless another is named.
    Someone who stopped goes on there. What is right is said when the second sitting of a part is over.
    """
    from .desk import desk
    from .widgets import Screen

    return Screen(desk(sitting, file)).box
