"""Find the rotation in anyone's file by name and shape, with the tables that stand beside it."""

import inspect
from dataclasses import dataclass

import torch

from ..running.guard import Failed, run
from ..saying.result import Diagnosis
from .diagnose import diagnose_rope
from .filling import HEAD_DIM, VALUES, Unknown, make
from .forms import KEYS, POSITIONS, form_of
from .tables import as_tuple, table_makers

WORDS = ("rope", "rotary", "rotat", "rot_emb", "freqs", "cos_sin")
TABLES = {
    *("cos", "sin", "cosine", "sine", "cos_cached", "sin_cached", "cos_sin", "freqs_cis", "freq_cis", "cis", "freqs"),
    *("freqs_complex", "rope_cache", "rope", "cache", "emb", "rotary_emb", "pos_emb"),
}
SIZES = {*VALUES} - {"t", "seq"}
ATTENTION = (
    "q_proj",
    "wq",
    "w_q",
    "qkv",
    "query",
    "to_q",
    "c_attn",
    "in_proj",
    "w_query",
    "q_linear",
    "to_qkv",
    "wqkv",
)
RANKS = ("right", "convention", "wrong", "not-run")
# Shapes in which tables (length, width) are handed over: as they are, and with axes of 1 for batch and heads.
SHAPES = (lambda t: t, lambda t: t[None], lambda t: t[None, None], lambda t: t[None, :, None], lambda t: t[:, None])


@dataclass(frozen=True)
class Reading:
    """A way to call what was found: ``call`` in words, ``rotate`` for `diagnose_rope`."""

    call: str
    rotate: object


def looks_like_rotation(thing, name):
    """Do the names say that this turns queries and keys?"""
    said = any(word in name.lower() for word in WORDS)
    if isinstance(thing, type):
        if not issubclass(thing, torch.nn.Module):
            return False
        if is_attention(thing):
            return False
        parameters = _parameters(thing.forward)[1:]
        return hasattr(thing, "rotate_queries_or_keys") or _query_and_key(parameters) or said
    parameters = _parameters(thing)
    return _query_and_key(parameters) or bool(TABLES & {*parameters[1:]}) or said


def is_attention(cls):
    """A module whose code holds projections: a whole attention layer, or a model."""
    code = getattr(cls.__init__, "__code__", None)
    return bool(code) and bool({*ATTENTION} & {name.lower() for name in code.co_names})


def _parameters(function):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name.lower() for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def _query_and_key(names):
    return len(names) > 1 and (
        names[1] in KEYS or (names[0].startswith(("q", "xq")) and names[1].startswith(("k", "xk")))
    )


def diagnose_by_name(names, name):
    """(Diagnosis, the call in words) of ``names[name]``, of all readings the best; None when there is none."""
    outcomes = []
    for reading in _both_orders(list(readings(names, name))):
        diagnosis = diagnose_rope(reading.rotate, HEAD_DIM)
        outcomes.append((diagnosis, reading.call))
        if diagnosis.verdict.id in RANKS[:2]:
            break
    return min(outcomes, key=lambda outcome: _rank(outcome[0])) if outcomes else None


def _rank(diagnosis: Diagnosis):
    vague = {"no-rotation", "keys-unlike", "rotation-shape", "raises", "heads-for-sequence", "unknown-frequencies"}
    return RANKS.index(diagnosis.verdict.id), len(vague & {f.id for f in diagnosis.findings}), len(diagnosis.findings)


def _both_orders(found):
    for reading in found:
        yield reading
    for reading in found:
        yield Reading(f"{reading.call}, x of shape (batch, length, heads, head_dim)", _transposed(reading.rotate))


def _transposed(rotate):
    """The same for x of shape (batch, length, heads, head_dim)."""
    form = form_of(rotate)
    count = 2 if form.pair else 1

    def swapped(*tensors_and_positions):
        tensors = [tensor.transpose(1, 2).contiguous() for tensor in tensors_and_positions[:count]]
        positions = tensors_and_positions[count] if form.takes else None
        out = form.call(rotate, tensors, positions)
        turned = [tensor.transpose(1, 2) for tensor in as_tuple(out)[:count]]
        return tuple(turned) if form.pair else turned[0]

    if form.pair:
        return (lambda q, k, positions: swapped(q, k, positions)) if form.takes else (lambda q, k: swapped(q, k))
    return (lambda x, positions: swapped(x, positions)) if form.takes else (lambda x: swapped(x))


def readings(names, name):
    """Ways to call ``names[name]``, which may be a function, a class, or a maker of tables beside a rotation."""
    thing = names[name]
    if isinstance(thing, type):
        yield from _of_class(names, name, thing)
    else:
        yield from _of_function(names, name, thing)


def _of_function(names, name, function):
    parameters = _parameters(function)
    pair = _query_and_key(parameters)
    rest = parameters[2 if pair else 1 :]
    wanted = [p for p in rest if p in TABLES]
    if not wanted:
        if parameters and parameters[0] in SIZES:  # a maker of tables, for another function to apply
            for other, candidate in list(names.items()):
                if not isinstance(candidate, type) and callable(candidate) and TABLES & {*_parameters(candidate)[1:]}:
                    yield from _of_function(names, other, candidate)
            return
        yield Reading(f"{name}({', '.join(parameters[: 2 if pair else 1])}, …)", function)
        return
    for maker, tables in table_makers(names, but={name}):
        if len(tables(torch.arange(5), torch.zeros(1, 1, 5, HEAD_DIM))) == len(wanted):
            for shape in SHAPES:
                yield Reading(f"{name} with the tables of {maker}", _with_tables(function, pair, wanted, tables, shape))


def _with_tables(function, pair, wanted, tables, shape):
    real = {p.lower(): p for p in inspect.signature(function).parameters}
    later = next((p for p in real if p in POSITIONS and p not in wanted), None)

    def arguments(positions, x):
        rows = tables(positions, x)
        given = {real[p]: shape(row) for p, row in zip(wanted, rows, strict=True)}
        if later and inspect.signature(function).parameters[real[later]].default is inspect.Parameter.empty:
            given[real[later]] = torch.arange(len(positions))[None]
        return given

    if pair:
        return lambda q, k, positions: function(q, k, **arguments(positions, q))
    return lambda x, positions: function(x, **arguments(positions, x))


def _of_class(names, name, cls):
    try:
        module = make(cls)
    except (Failed, Unknown):
        return
    if hasattr(module, "rotate_queries_or_keys"):
        yield Reading(f"{name}(…).rotate_queries_or_keys(x)", module.rotate_queries_or_keys)
        return
    if not isinstance(module, torch.nn.Module):
        return
    if _gives_tables(module):
        for other, function in list(names.items()):
            if not isinstance(function, type) and callable(function) and TABLES & {*_parameters(function)[1:]}:
                yield from _of_function(names, other, function)
        return
    yield Reading(f"{name}(…)({', '.join(_parameters(module.forward))})", module)


def _gives_tables(module):
    """Does calling it give cosines and sines, for another function to apply?"""
    parameters = _parameters(module.forward)
    if not parameters or _query_and_key(parameters):
        return not parameters
    try:
        form = form_of(module)
        x = torch.zeros(1, 2, 5, HEAD_DIM)
        given = torch.arange(5)[None] if len(parameters) > 1 and parameters[1] == "position_ids" else torch.arange(5)
        value = run("the first call", lambda: form.call(module, [x], given))
    except (Failed, NotImplementedError):
        return False
    value = as_tuple(value)
    tensors = all(isinstance(part, torch.Tensor) for part in value)
    return tensors and (len(value) == 2 or value[0].is_complex() or value[0].shape != x.shape)


def what_can_be_looked_at(names):
    """Names of a file that look like rotations, for whoever gives a whole attention layer."""
    own = {n: t for n, t in names.items() if callable(t) and not n.startswith("__")}
    return [n for n, t in own.items() if _is_own(t, names) and looks_like_rotation(t, n)]


def _is_own(thing, names):
    module = getattr(thing, "__module__", "")
    return module == names.get("__name__") and not (isinstance(thing, type) and is_attention(thing))
