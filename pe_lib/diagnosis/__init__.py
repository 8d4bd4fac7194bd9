"""Look at a table, layer, rotation or bias from outside and say whether it is right, and what is wrong with it.

Each room is loaded when it is first asked for: a table of NumPy's is diagnosed without torch.
"""

import importlib

ROOMS = {
    "Diagnosis": "saying.result",
    "Finding": "saying.result",
    "diagnose_alibi": "bias.diagnose",
    "diagnose_layer": "layer.diagnose",
    "diagnose_rope": "rotation.diagnose",
    "diagnose_table": "table.diagnose",
}
__all__ = [*ROOMS]


def __getattr__(name):
    if name not in ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{ROOMS[name]}", __name__), name)
    globals()[name] = value
    return value
