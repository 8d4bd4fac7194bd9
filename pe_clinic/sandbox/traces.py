"""What code does beside its task, such as printing, seeding or changing settings: no table is wrong by it.

And the random generators of Python, NumPy and torch: begun anew, read, and put back.
"""

import random
import sys
from dataclasses import dataclass

from .mistakes import found

GENERATORS = ("Python's random", "NumPy's random", "torch's random")


@dataclass(frozen=True)
class Traces:
    """What a call left behind before it was put back."""

    printed: bool = False
    changed: tuple[str, ...] = ()
    generators: tuple[int, ...] = ()  # a number for the state of each random generator afterwards


def traces_findings(first, second):
    """``first`` and ``second`` are the `Traces` of the same call, begun with two different seeds."""
    states = zip(GENERATORS, first.generators, second.generators, strict=False)
    if reseeded := [name for name, one, two in states if one == two != 0]:
        said = f"after it, {', '.join(reseeded)} is in the same state whatever it was before"
        yield found("sets-seed", said, kind="note")
    changed = sorted({*first.changed, *second.changed})
    if changed:
        yield found("changes-state", f"changed: {', '.join(changed)}", kind="note")
    if first.printed or second.printed:
        yield found("prints", "something was written to the screen", kind="note")


def _generators(torch):
    """(its state, how to put it back, how to begin it) of each of `GENERATORS`; None for what is not loaded.

    NumPy itself does without its own until somebody draws.
    """
    numpy = sys.modules.get("numpy.random")
    return (
        (random.getstate, random.setstate, random.seed),
        numpy and (numpy.get_state, numpy.set_state, numpy.seed),
        torch and (torch.get_rng_state, torch.set_rng_state, torch.default_generator.manual_seed),
    )


def seeded(seed, torch):
    """Begin every generator anew; returns how to put them back."""
    old = []
    for read, put, begin in filter(None, _generators(torch)):
        old.append((put, read()))
        begin(seed)
    if torch and torch.cuda.is_initialized():
        old.append((torch.cuda.set_rng_state_all, torch.cuda.get_rng_state_all()))

    def put_back():
        for put, state in old:
            put(state)

    return put_back


def states(torch):
    """A number for the state of each generator, 0 for what is not loaded."""
    return tuple((generator and _number(generator[0]())) or 0 for generator in _generators(torch))


def _number(state):
    if hasattr(state, "numpy"):
        return hash(state.numpy().tobytes())
    return hash(tuple(part.tobytes() if hasattr(part, "tobytes") else part for part in state))
