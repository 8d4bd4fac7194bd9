"""What the lessons say about models and trainings, each sentence bound to a seeded experiment (`../claims.py`).

A lesson's module has ``CLAIMS``. To add a lesson, write its module and list it in `LESSONS`.
"""

LESSONS = ("07", "08", "10", "11")
