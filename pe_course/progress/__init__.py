"""What a learner has done: `record` keeps it on the learner's own disk, `map` shows it, `lessons` names the lessons."""

from importlib import import_module


def progress():
    """The map of the course with what you have done, from the record beside your lessons."""
    here = import_module(".map", __name__)  # late: it reads the schedule of `recall`, which needs the record
    return here.map_here()
