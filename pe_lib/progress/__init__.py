"""What a learner has done: `record` keeps it on the learner's own disk, `map` shows it, `lessons` names the lessons."""

from .map import progress

__all__ = ["progress"]
