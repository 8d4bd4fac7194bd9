"""Check a learner's answer to an exercise and reply in words. `exercises/` holds what each exercise asks for.

What needs NumPy or PyTorch is imported late, so that `installation` can say that one of them is missing.
"""

import contextlib
import importlib.util
import os
import sys

from .progress import record
from .reply import Reply

COMPARISONS = {"numpy": ("allclose", "array_equal", "isclose", "equal"), "torch": ("allclose", "equal", "isclose")}


def _found():
    """{(module, name): function} of `COMPARISONS`, in modules that are loaded."""
    loaded = {module: sys.modules[module] for module in COMPARISONS if module in sys.modules}
    return {(module, name): getattr(loaded[module], name) for module in loaded for name in COMPARISONS[module]}


GENUINE = _found()  # as they are when the course is loaded: an answer may put others in their place
NEEDED = ("numpy", "torch", "matplotlib")


def check(exercise_id, answer):
    """Reply to ``answer``, the learner's function, class or value for exercise ``exercise_id``, such as "02.1".

    Where a person works, "right" and "wrong" are recorded on their own disk (`pe_course.progress.record`). Under
    nbgrader (``NBGRADER_EXECUTION`` is set in its kernels) anything but a right answer raises AssertionError.
    """
    from .exercises import EXERCISES

    if not isinstance(exercise_id, str) or exercise_id not in EXERCISES:
        raise ValueError(f"exercise_id must be one of {', '.join(EXERCISES)}, but got {exercise_id!r}")
    with _genuine_comparisons():
        reply = _reply(exercise_id, EXERCISES[exercise_id], answer)
    record.note(exercise_id, reply.status)
    if reply.status != "right" and "NBGRADER_EXECUTION" in os.environ:
        raise AssertionError(repr(reply))
    return reply


@contextlib.contextmanager
def _genuine_comparisons():
    """What judges compare with is what it was when the course was loaded; afterwards all is as it was before."""
    before = _found()
    try:
        for (module, name), function in {**before, **GENUINE}.items():
            setattr(sys.modules[module], name, function)
        yield
    finally:
        for (module, name), function in before.items():
            setattr(sys.modules[module], name, function)


def _reply(exercise_id, exercise, answer):
    from pe_clinic import Diagnosis, Finding
    from pe_clinic.sandbox import Failed

    from .judges.written import leftover

    name, finding = f"Exercise {exercise_id}", None
    try:
        diagnosis = None if answer is ... else exercise.judge(answer)
    except Failed as failed:
        finding = failed.finding
    except NotImplementedError as error:
        diagnosis, finding = None, leftover(answer, error, exercise.given)
    except (Exception, SystemExit) as error:  # a value that nobody thought of: it gets a reply, too
        finding = Finding("unseen", "This answer cannot be looked at.", f"{type(error).__name__} in the check")
    if finding:
        diagnosis = Diagnosis(ok=False, findings=(finding,))
    if diagnosis is None:
        return Reply("open", f"{name}: not attempted yet. Fill in the cell above, run it, then run this one.")
    if diagnosis.ok:
        return Reply("right", f"{name}: right.", "\n".join(filter(None, [exercise.because, diagnosis.details])))
    return Reply("wrong", f"{name}: not yet.", diagnosis.details or "Wrong.", diagnosis, exercise_id, answer)


def installation():
    """Reply whether the packages of the course are here and work: a small layer is run, and its table compared."""
    if missing := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        said = f"not installed: {', '.join(missing)}; the README tells how to install"
        return Reply("wrong", "Something is missing.", said)
    try:  # NumPy, PyTorch and the bridge between them compute, and matplotlib is loaded
        import torch

        from pe_lib import PositionalEncoding, sinusoidal_vectorized

        from . import plots  # noqa: F401

        table = torch.from_numpy(sinusoidal_vectorized(3, 4)).float()
        added = PositionalEncoding(4, max_len=3)(torch.zeros(1, 3, 4))
        works = torch.allclose(added[0], table, atol=1e-6)
        problem = "" if works else "a small layer adds other numbers than it should"
    except Exception as error:  # whatever a broken package raises: the learner is to read it in words
        problem = f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"
    if problem:
        return Reply("wrong", "Something does not work.", f"{problem}; the README tells how to install")
    return Reply("right", "Everything is here.", "numpy, torch and matplotlib work: a small layer adds the right table")
