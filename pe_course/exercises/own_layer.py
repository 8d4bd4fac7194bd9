"""Judge a layer that a learner wrote: right, held rightly, dropping as asked, and the learner's own."""

from contextlib import suppress
from inspect import isfunction

import torch
from torch import nn

from pe_clinic import Diagnosis, diagnose_layer
from pe_clinic.sandbox import Failed, run
from pe_lib.layer import PositionalEncoding
from pe_lib.vectorized import sinusoidal_vectorized

from ..judges import numbers, pages, same, told, wrong
from .slips import TABLES

NOT_MADE = pages(__file__, {})["a layer"].errors  # what stops when a module is made and called
LONG = 5001  # more than most layers have by default


def own_layer(make_layer):
    """A layer that is right, keeps its table in a buffer that is not saved, and drops as asked, in training only."""
    if taken := _taken(make_layer):
        return taken
    diagnosis = diagnose_layer(make_layer)
    if not diagnosis.ok and not {finding.id for finding in diagnosis.findings} <= {"dropout", "train-differs"}:
        return swapped_sizes(make_layer, "MyPositionalEncoding(6, 10)") or told(diagnosis, NOT_MADE)
    return _dropped(make_layer) or (_kept(make_layer) or _praised(diagnosis) if diagnosis.ok else diagnosis)


def _praised(diagnosis):
    """A right layer's diagnosis: what its caller has to know stays, remarks on what is a matter of taste do not."""
    odd = tuple(finding for finding in told(diagnosis, NOT_MADE).usage if finding.id.startswith("odd-"))
    return Diagnosis(ok=True, usage=odd)


def _taken(make_layer):
    """pe_lib's own layer, a subclass of it, or a module that holds one, where a layer of one's own is asked for."""
    title = None
    if make_layer is PositionalEncoding:
        title = "This is pe_lib's own layer; write one yourself."
    elif isinstance(make_layer, type) and issubclass(make_layer, PositionalEncoding):
        title = "This is a subclass of pe_lib's own layer, which does the work."
    else:
        with suppress(Failed, NotImplementedError):
            layer = run("the layer made with embed_size=6, max_len=8", make_layer, 6, 8)
            if isinstance(layer, nn.Module) and any(isinstance(part, PositionalEncoding) for part in layer.modules()):
                title = "It holds pe_lib's own layer, which does the work."
    fix = "write __init__ and forward: the table, the buffer, the slice, the sum and the dropout"
    return wrong("library", title, fix=fix) if title else None


def _output(make_layer, dropout, training):
    """What the layer makes of ones, in training or in use."""
    x, call = torch.ones(40, 8, 6), f"the layer made with dropout={dropout}, in {'training' if training else 'use'},"
    return run(call, lambda: make_layer(6, 8, dropout=dropout).train(training)(x).detach())


def _dropped(make_layer):
    """What is wrong with the dropout, tried with 0.5 and without."""
    sums = _output(make_layer, 0.0, training=False)
    if not same(_output(make_layer, 0.5, training=False), sums, 0.0):
        return _awake(same(_output(make_layer, 0.5, training=True), sums, 0.0))
    if not same(_output(make_layer, 0.0, training=True), sums, 0.0):
        return wrong("dropout", "In training something is dropped, though dropout=0.0 was asked for.")
    return None


def _awake(asleep_in_training):
    if asleep_in_training:
        title = "Dropout is the wrong way round: it drops in use, in eval(), and not in training."
        return wrong("dropout-in-eval", title, fix="training=self.training, or nn.Dropout, which knows it by itself")
    why = "F.dropout drops whenever it is called, unless training=False is handed to it."
    fix = "nn.Dropout knows eval(); with F.dropout: training=self.training"
    return wrong("dropout-in-eval", "Dropout is active in use, in eval(), too.", explanation=why, fix=fix)


def _kept(make_layer):
    """What is wrong with what a right sum is made from, and with the share that is dropped."""
    layer = run("the layer made with embed_size=6, max_len=8, dropout=0.0", lambda: make_layer(6, 8, dropout=0.0))
    if run("state_dict()", layer.state_dict):
        return wrong("saved", "The table is saved in checkpoints.", fix="register_buffer(…, persistent=False)")
    if not any(buffer.numel() >= 8 * 6 for buffer in layer.buffers()):
        return _unregistered(layer)
    out, sums = (_output(make_layer, 0.5, training) for training in (True, False))
    kept = out != 0
    if not 0.4 < kept.float().mean() < 0.6:
        return wrong("dropout", "The dropout that was asked for is not applied to the sum.", "dropout=0.5, in training")
    if not same(out[kept], 2 * sums[kept]):
        return wrong("dropout", "In training, with dropout=0.5, what is left should be twice the sum.")
    try:
        run(f"the layer made with max_len={LONG}", lambda: make_layer(4, LONG).eval()(torch.zeros(1, LONG, 4)))
    except Failed as failed:  # the table's length is written down in the code
        title, seen = "The table has another length than max_len.", f"at length {LONG} {failed.finding.evidence}"
        if failed.finding.id == "raises":
            return wrong("max-len", title, seen, fix="hand max_len on to what makes the table")
    return None


def _unregistered(layer):
    fix = 'self.register_buffer("pe", table, persistent=False)'
    if name := next((name for name, held in vars(layer).items() if isinstance(held, torch.Tensor)), None):
        title = f"The sums are right, but self.{name} is a plain attribute: no part of the module."
        why = "What forward moves, it moves again at every call; a buffer moves once, with the module."
        return wrong("unregistered", title, f"the module has no buffer; self.{name} is unknown to it", why, fix)
    title = "The sums are right, but no buffer holds the table: it is made again at every call."
    return wrong("no-buffer", title, fix=fix)


def blank_page(make_layer):
    """Judge a layer that is written from memory, its table included: nothing of pe_lib's that makes one is in it."""
    methods = [part for part in vars(make_layer).values() if isfunction(part)] if isinstance(make_layer, type) else []
    for method in methods:
        for name in sorted(TABLES & set(method.__code__.co_names)):
            made = method.__globals__.get(name)  # None where the method imports it itself
            if made is None or str(getattr(made, "__module__", "")).startswith("pe_lib"):
                return wrong("library", f"The table comes from pe_lib's {name}: write it, too.")
    return own_layer(make_layer)


def tensors_in(layer):
    """The tensors that a layer holds: its buffers first."""
    held = [*layer.buffers(), *layer.parameters(), *vars(layer).values()]
    return [tensor for tensor in held if isinstance(tensor, torch.Tensor)]


def swapped_sizes(make_layer, call):
    """The diagnosis of a layer whose table was made with both sizes in each other's place; else None."""
    try:
        layer = run(call, make_layer, 6, 10)
        tables = map(numbers, tensors_in(layer))
    except (Failed, NotImplementedError, AttributeError, TypeError):
        return None
    if not any(table is not None and same(table.squeeze(), sinusoidal_vectorized(6, 10)) for table in tables):
        return None
    title = "The sizes of the table have changed places: it has d_model rows and max_len columns."
    seen = f"{call} holds a table of 6 rows and 10 columns"
    fix = "a table is made as (max_len, d_model), and the layer as (d_model, max_len)"
    return wrong("sizes-swapped", title, seen, fix=fix)
