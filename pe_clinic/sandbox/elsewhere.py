"""Calls on the device "meta", which every machine has, and whose tensors have shapes and no numbers."""

import sys
import types
from contextlib import contextmanager

COMPILER = "torch._dynamo"
KEPT = "__dynamo_disable"  # where torch keeps, at a function of its own, what its compiler gave back for it


@contextmanager
def on_meta():
    """Operations on "meta" load torch's compiler, for some seconds, to be told that it shall leave them alone.

    Here a stand-in is told so, where the compiler is not loaded yet; afterwards all is as before.
    """
    if COMPILER in sys.modules:
        yield
        return
    asked, stand_in = [], types.ModuleType(COMPILER)
    stand_in.disable = lambda function, *how, **named: asked.append(function) or function
    sys.modules[COMPILER] = stand_in
    try:
        yield
    finally:
        if sys.modules.get(COMPILER) is stand_in:
            del sys.modules[COMPILER]
        for function in asked:
            vars(function).pop(KEPT, None)
