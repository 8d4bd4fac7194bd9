"""What a Python object is, a table, a layer, a rotation, a bias or a maker of position ids; and its diagnosis."""

import contextlib
import re
from collections.abc import Callable

from .sandbox.guard import Failed
from .sandbox.state import loaded_torch
from .saying.result import Diagnosis

ROPE = r"(?i)rope|rotary|yarn|inv_freq|scaling_factor"

OF_PAIRS = rf"{ROPE}|ntk|freqs"


def recognise(thing: object) -> tuple[str, Callable]:
    """What a Python object is: ("layer", make_layer), ("rope", rotate), ("alibi", bias), ("positions", function) or
    ("table", function).

    A class of layers, or a function that makes one, is a layer, whose maker takes (d_model, max_len); what its name or
    its parameters tell to turn queries and keys is a rotation, and to count tokens a maker of position ids; all else
    should give a table.

    >>> recognise(lambda max_len, d_model: [[0.0] * d_model] * max_len)[0]
    'table'
    """
    from .calling.calling import in_order, roles
    from .sandbox.guard import run
    from .sandbox.values import is_module

    torch = loaded_torch()
    name = getattr(thing, "__name__", "")
    if torch and callable(thing) and not isinstance(thing, torch.nn.Module):
        from .kinds import kind_of, makes_positions

        if makes_positions(thing, name):
            return "positions", thing
        if kind := kind_of(thing, name):
            return kind, thing
    if torch and (is_module(thing) or (isinstance(thing, type) and issubclass(thing, torch.nn.Module))):
        known, unknown = roles(thing)
        alone = "d_model" in known and "max_len" not in known and not unknown
        return "layer", (lambda d_model, max_len: thing(d_model)) if alone else thing
    with contextlib.suppress(Failed, TypeError, NotImplementedError):
        if callable(thing) and is_module(run("a first call", in_order(thing, ("d_model", "max_len")), 8, 5)):
            return "layer", thing
    return "table", thing


def diagnose(thing: object, expect: str | None = None) -> Diagnosis:
    """Name what is wrong with a table, a layer, a rotation, a bias or position ids: a `Diagnosis` of any ``thing``.

    >>> from pe_lib import sinusoidal_loop
    >>> diagnose(sinusoidal_loop).ok, diagnose(sinusoidal_loop, expect="halves").verdict.id
    (True, 'unexpected')
    """
    import pe_clinic

    kind, call = recognise(thing)
    look = getattr(pe_clinic, f"diagnose_{kind}")
    found = look(call, None) if kind == "layer" else look(call)
    return found.expecting(expect)


def may_turn(outcome, source):
    """Is what was looked at as a table or a layer a rotation, or its cosines and sines, whatever its name?"""
    may = ["every cell is 0"] if "zeros(" in outcome.call else []
    may += ["function(max_len=5, d_model=8) gave the shape (2, 5, "] if re.search(OF_PAIRS, source) else []
    seen = (*outcome.diagnosis.findings, *outcome.diagnosis.usage)
    ids = {"turns-x", "complex", *(["tuple"] if re.search(ROPE, source) else [])}  # e^(iθ), or cosines and sines
    return any(f.id in ids or f.evidence.startswith((*may,)) for f in seen)
