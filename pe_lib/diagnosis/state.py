"""Keep the caller's world as it was: random numbers, settings of torch and NumPy, the folder, what is printed."""

import contextlib
import io
import os
import random
import sys
import warnings
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch

# What code under test may change for everybody: (name, how to read it, how to set it back).
SETTINGS = (
    ("torch's default dtype", torch.get_default_dtype, torch.set_default_dtype),
    # Reading gives "cpu" both when nothing was set and when "cpu" was; None is the former.
    (
        "torch's default device",
        torch.get_default_device,
        lambda old: torch.set_default_device(None if old == torch.device("cpu") else old),
    ),
    ("torch's gradient mode", torch.is_grad_enabled, torch.set_grad_enabled),
    ("torch's number of threads", torch.get_num_threads, torch.set_num_threads),
    ("NumPy's error handling", np.geterr, lambda old: np.seterr(**old)),
    ("NumPy's print options", np.get_printoptions, lambda old: np.set_printoptions(**old)),
    ("the working folder", os.getcwd, os.chdir),
    ("the recursion limit", sys.getrecursionlimit, sys.setrecursionlimit),
)


@dataclass
class Traces:
    """What a call left behind before it was put back."""

    printed: bool = False
    changed: tuple[str, ...] = ()
    generators: tuple[int, ...] = ()  # a number for the state of each random generator afterwards


@contextmanager
def preserved(seed):
    """Everything inside starts from ``seed`` and leaves no trace but the `Traces` that it is given."""
    traces, out = Traces(), io.StringIO()
    old_random = random.getstate(), np.random.get_state(), torch.get_rng_state()
    gpus = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else []
    old_settings = [read() for _, read, _ in SETTINGS]
    old_argv, old_stdin = sys.argv, sys.stdin
    random.seed(seed)
    np.random.seed(seed)
    torch.default_generator.manual_seed(seed)
    sys.stdin = io.StringIO()  # input() ends at once
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            warnings.simplefilter("ignore")
            yield traces
    finally:
        sys.argv, sys.stdin = old_argv, old_stdin
        traces.printed = bool(out.getvalue())
        traces.generators = _generators()
        traces.changed = tuple(_put_back(old_settings))
        random.setstate(old_random[0])
        np.random.set_state(old_random[1])
        torch.set_rng_state(old_random[2])
        if gpus:
            torch.cuda.set_rng_state_all(gpus)


def _generators():
    keys, place = np.random.get_state()[1:3]
    return hash(random.getstate()), hash((keys.tobytes(), place)), hash(torch.get_rng_state().numpy().tobytes())


def _put_back(old_settings):
    for (name, read, put), old in zip(SETTINGS, old_settings, strict=True):
        if read() != old:
            put(old)
            yield name
