"""pe_clinic: look at a table, layer, rotation, bias, model or position ids from outside, and name what is wrong.

In Python: ``diagnose_table``, ``diagnose_layer``, ``diagnose_rope``, ``diagnose_alibi``, ``diagnose_positions`` and
``diagnose_model``. In a terminal: ``python -m pe_clinic FILE[:NAME]``. Each room is loaded when it is first asked for:
a table of NumPy's is diagnosed without torch. Other packages enter here, or through `pe_clinic.sandbox`, which runs
code that nobody has checked.
"""

import importlib

ROOMS = {
    "Diagnosis": "saying.result",
    "Finding": "saying.catalogue",
    "diagnose": "recognising",
    "diagnose_alibi": "bias.diagnose",
    "diagnose_layer": "layer.diagnose",
    "diagnose_model": "model.diagnose",
    "diagnose_positions": "positions.diagnose",
    "diagnose_rope": "rotation.diagnose",
    "diagnose_table": "table.diagnose",
    "recognise": "recognising",
}
__all__ = sorted(ROOMS)


def __getattr__(name):
    if name not in ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{ROOMS[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__():
    return __all__
