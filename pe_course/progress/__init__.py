"""What a learner has done: `record` keeps it on the learner's own disk, `map` shows it, `lessons` names the lessons.

`progress`, the map, is loaded when it is first asked for: it reads the schedule of `recall`, which needs the record.
"""

import importlib

__all__ = ["progress"]


def __getattr__(name):
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(".map", __name__).progress
