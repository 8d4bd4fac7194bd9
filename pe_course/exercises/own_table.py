"""Judge a module that a learner wrote to hold the table: its sizes, its numbers, and how it holds them."""

import re
from dataclasses import replace

import torch
from torch import nn

from pe_clinic import Diagnosis, diagnose_table
from pe_clinic.sandbox import Failed, run
from pe_lib.vectorized import sinusoidal_vectorized

from ..judges import explained, same, wrong

CALL = "MyTable(d_model=4, max_sequence_length=10)"


def own_table(module, errors):
    """The paper's table from ``module(d_model, max_len)()``: a module that holds it as a buffer."""
    if isinstance(module, nn.Module):
        title = "This is a finished module; the class itself is wanted, without round brackets."
        return wrong("no-class", title, f"got a {type(module).__name__}", fix="its name alone")
    if not callable(module):
        return wrong("no-class", "The class of a module is wanted.", f"got {type(module).__name__}")
    try:
        made = run(CALL, module, 4, 10)
        if not isinstance(made, nn.Module):
            fix = "class MyTable(nn.Module):"
            return wrong("no-module", "This is not an nn.Module.", f"got {type(made).__name__}", fix=fix)
        if lost := next((name for name, held in made._buffers.items() if held is None), None):
            title = f"self.{lost} is None: register_buffer keeps the table itself, and returns nothing."
            return wrong("lost", title, fix=f'self.register_buffer("{lost}", …), without self.{lost} = before it')
        table = run(f"{CALL}()", made)
        if diagnosis := _sizes(module, table) or _values(module, errors) or _held(made, table):
            return diagnosis
        run(CALL, lambda: module(d_model=4, max_sequence_length=10))  # the task's own call has to work, too
    except Failed as failed:
        return Diagnosis(False, (explained(failed.finding, errors),))
    return Diagnosis(ok=True)


def _sizes(module, table):
    """What sizes that have changed places, or are written down, look like."""
    if getattr(table, "shape", None) == (4, 10) and same(table, sinusoidal_vectorized(4, 10)):
        title = "The two sizes have changed places: MyTable takes the width first, table_by_stacking the length."
        seen = f"{CALL}() gave the paper's table for max_len = 4 and d_model = 10"
        return wrong("swapped-sizes", title, seen, fix="table_by_stacking(max_sequence_length, d_model)")
    other = run("MyTable(d_model=6, max_sequence_length=7)()", lambda: module(6, 7)())
    if isinstance(table, torch.Tensor) and isinstance(other, torch.Tensor) and table.shape == other.shape:
        seen = f"for (4, 10) and for (6, 7) its shape is {tuple(table.shape)}"
        return wrong("fixed-sizes", "The sizes are written down: MyTable has to use those that it is given.", seen)
    return None


def _values(module, errors):
    """What is wrong with the numbers, told of the module and not of the function that stands for it; or None."""
    diagnosis = diagnose_table(lambda max_len, d_model: module(d_model, max_len)())
    if diagnosis.ok:
        return None
    call = r"function\(max_len=(\d+), d_model=(\d+)\)"
    own = r"MyTable(d_model=\2, max_sequence_length=\1)()"
    findings = (replace(finding, evidence=re.sub(call, own, finding.evidence)) for finding in diagnosis.findings)
    return replace(diagnosis, findings=tuple(explained(finding, errors) for finding in findings))


def _held(made, table):
    """What is wrong with how a right table is held; None where nothing is."""
    if not isinstance(table, torch.Tensor):
        return wrong("no-table", "The numbers are right, but a tensor is wanted.", f"got {type(table).__name__}")
    parameters = list(made.parameters())
    if any(parameter.requires_grad for parameter in parameters):
        return wrong("trainable", "The table would be trained.", fix="register_buffer instead of nn.Parameter")
    if parameters:
        title = "A parameter is held. It is not trained, but a buffer says so from the start."
        return wrong("parameter", title, fix="register_buffer instead of nn.Parameter")
    if not any(buffer.shape[-2:] == (10, 4) for buffer in made.buffers()):
        return _without_buffer(made)
    if table.shape != (10, 4):
        return wrong("shape", "The table has an axis too many.", f"the shape is {tuple(table.shape)}, not (10, 4)")
    return None


def _without_buffer(made):
    plain = [name for name, held in vars(made).items() if isinstance(held, torch.Tensor)]
    if not plain:
        return wrong("no-buffer", "The table is right, but no buffer holds it.", fix='self.register_buffer("table", …)')
    title = f"The tensor self.{plain[0]} is not part of the module: it would stay behind when the module moves."
    return wrong("unregistered", title, fix=f'self.register_buffer("{plain[0]}", …) instead of self.{plain[0]} = …')
