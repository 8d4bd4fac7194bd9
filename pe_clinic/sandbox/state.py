"""Save and restore global state around code that nobody has checked.

Restored are the random generators, the settings that `SETTINGS` and `of_torch` list, warnings, sys.stdin, stdout and
stderr, and the modules of sys.modules. Nothing else: not the inside of modules, nor signals, locale or umask.
"""

import builtins
import contextlib
import functools
import io
import os
import sys
import warnings

import numpy as np

from .traces import Traces, seeded, states


def loaded_torch():
    """The module torch if somebody has imported it, else None: code for NumPy alone never waits for it."""
    return sys.modules.get("torch")


def _environment():
    """The variables as the process holds them, bytes: twenty times faster than to decode each."""
    return dict(getattr(os.environ, "_data", os.environ))


def _put_environment(old):
    decode = os.environ.decodekey if hasattr(os.environ, "_data") else str
    for name in set(_environment()) - set(old):
        del os.environ[decode(name)]
    os.environ.update({decode(name): decode(value) for name, value in old.items()})


def _folder():
    """The working folder; None where somebody has removed it."""
    try:
        return os.getcwd()
    except OSError:
        return None


def _put_folder(old):
    if old is not None:
        with contextlib.suppress(OSError):  # gone by now: there is no way back
            os.chdir(old)


# What code under test may change for everybody: (name, how to read it, how to set it back).
SETTINGS = (
    ("NumPy's error handling", np.geterr, lambda old: np.seterr(**old)),
    ("NumPy's print options", np.get_printoptions, lambda old: np.set_printoptions(**old)),
    ("the working folder", _folder, _put_folder),
    ("the recursion limit", sys.getrecursionlimit, sys.setrecursionlimit),
    ("os.environ", _environment, _put_environment),
    ("sys.path", lambda: list(sys.path), lambda old: sys.path.__setitem__(slice(None), old)),
    ("sys.argv", lambda: list(sys.argv), lambda old: sys.argv.__setitem__(slice(None), old)),
    ("Python's own functions", vars(builtins).copy, vars(builtins).update),
)


@functools.cache
def of_torch(torch):
    """Torch's settings: those that change numbers, shapes of errors, or what is printed, in this thread."""
    shown = vars(torch._tensor_str.PRINT_OPTS)
    tiny, one = 1e-310, 1.0  # Python multiplies with the same instruction, in far less time than a tensor

    def deterministic():
        return torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()

    def set_device(old):  # reading gives "cpu" both when nothing was set and when "cpu" was; None is the former
        torch.set_default_device(None if old == torch.device("cpu") else old)

    def set_autocast(old):
        torch.set_autocast_enabled("cpu", old[0])
        torch.set_autocast_dtype("cpu", old[1])

    return (
        ("torch's default dtype", torch.get_default_dtype, torch.set_default_dtype),
        ("torch's default device", torch.get_default_device, set_device),
        ("torch's gradient mode", torch.is_grad_enabled, torch.set_grad_enabled),
        ("torch's number of threads", torch.get_num_threads, torch.set_num_threads),
        ("torch's deterministic algorithms", deterministic, lambda old: torch.use_deterministic_algorithms(
            old[0], warn_only=old[1])),
        ("torch's anomaly detection", torch.is_anomaly_enabled, torch.set_anomaly_enabled),
        ("torch's precision of matrix products", torch.get_float32_matmul_precision,
         torch.set_float32_matmul_precision),
        ("torch's print options", shown.copy, shown.update),
        ("torch's autocast", lambda: (torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")), set_autocast),
        ("flush_denormal", lambda: tiny * one == 0, torch.set_flush_denormal),
    )  # fmt: skip


class Screen(io.StringIO):
    """Takes what is printed and keeps none of it; whoever closes it cannot stop others from writing."""

    printed = False

    def write(self, text):
        self.printed = self.printed or bool(text)
        return len(text)

    def close(self):
        pass


@contextlib.contextmanager
def preserved(seed, traced=True):
    """Everything inside starts from ``seed`` and leaves no trace but its `Traces`, in the list that it is given.

    Where nobody asks for traces, the state of the generators afterwards is not read: ``traced=False``.
    """
    left, out = [], Screen()
    put_back_random = seeded(seed, loaded_torch())
    settings = (*of_torch(loaded_torch()), *SETTINGS) if loaded_torch() else SETTINGS
    old_settings = [read() for _, read, _ in settings]
    old_argv, old_stdin, old_path = sys.argv, sys.stdin, sys.path
    old_modules = [*sys.modules], [*sys.modules.values()]  # a third of the time that a copy takes
    sys.stdin = io.StringIO()  # input() ends at once
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            warnings.simplefilter("ignore")
            yield left
    finally:
        sys.argv, sys.stdin = old_argv, old_stdin
        generators = states(loaded_torch()) if traced else ()
        left.append(Traces(out.printed, tuple(_put_back(settings, old_settings, old_path, old_modules)), generators))
        put_back_random()


def _put_back(settings, old_settings, old_path, old_modules):
    if sys.path is not old_path:
        old_path[:], sys.path = sys.path, old_path
    taken = _taken(*old_modules)
    sys.modules.update(taken)
    for (name, read, put), old in zip(settings, old_settings, strict=True):
        if read() != old:
            put(old)
            yield name
    if taken:
        yield "sys.modules"


def _taken(names, modules):
    """The modules gone or replaced, by name; the comparison of the whole is done in C, by identity."""
    if [*sys.modules.values()] == modules and next(reversed(sys.modules)) == names[-1]:
        return {}  # a name that is gone leaves a gap, a new one stands last
    return {name: module for name, module in zip(names, modules, strict=True) if sys.modules.get(name) is not module}
