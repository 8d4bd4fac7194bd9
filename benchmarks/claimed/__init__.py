"""What the lessons say about models and trainings, each sentence bound to a seeded experiment (`../claims.py`).

A lesson's module has ``CLAIMS``. To add a lesson, write its module and list it in `LESSONS`.
"""

LESSONS = ("00", "01", "02", "05", "06", "07", "08", "09", "10", "11", "12", "13")
