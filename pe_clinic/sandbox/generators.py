"""The random generators of Python, NumPy and torch: begun anew, read, and put back."""

import random
import sys


def _generators(torch):
    """(its state, how to put it back, how to begin it) of Python's, NumPy's and torch's; None for what is not loaded.

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
