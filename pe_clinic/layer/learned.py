"""A learned table: a tensor with a row for each position, drawn by chance or all one number."""

import re
from dataclasses import replace

import numpy as np
import torch
from torch.nn.parameter import is_lazy

from ..calling.layers import inner_of
from ..calling.parameters import source_of
from ..sandbox.guard import attempt, run
from .subject import D_MODEL, MAX_LEN
from .training import reached_in, tensors_of
from .words import found

POSITIONS = r"(?i)rel\w*_pos|pos\w*_(bias|emb)|(^|[._])(rel|pos|position\w*|alibi|bias_table)([._]|$)"
FROM_MEMORY = "in memory that nobody filled, so that training begins at whatever lies there, even nan"


def learned(subject):
    """The finding that a tensor is a table with a row for each position, drawn by chance or all one number; or None."""
    made = [attempt(subject.make, max_len=rows, seed=seed) for rows, seed in ((11, 1), (11, 2), (13, 1))]
    if not all(made):
        return None
    one, two, longer = made
    tables, others, more = (tensors_of(m.layer) for m in (one, two, longer))
    parameters, loaded = dict(one.layer.named_parameters()), _loaded(one.layer)
    for name, table in tables.items():
        known = name in others and name in more and not is_lazy(table)
        drawn = known and float((table == others[name]).double().mean()) < 0.4  # of a formula half would stay
        if not (drawn or (known and (table.requires_grad or name in loaded))):
            continue
        shape, width = tuple(table.shape), one.d_model
        grows = _has_rows_for_positions(shape, tuple(more[name].shape))
        wide = shape[-1:] == (width,) or (grows and len(shape) == 3 and shape[:2] == (1, width))  # channels first
        plain = bool((table == table.flatten()[0]).all())
        if wide and (plain or drawn or _from_memory(subject, name)) and (grows or _hands_out(subject, name)):
            kind = "parameter" if name in parameters else "plain tensor"
            mistake = "untrained" if not table.requires_grad else "learned" if name in parameters else "no-parameter"
            said = f"it holds the {kind} {name.removeprefix('inner.')}, of shape {shape}{' for max_len = 11' * grows}"
            if name in loaded:
                return found("learned, elsewhere", said.replace(kind, "tensor"))
            return found(mistake, said + (f", {FROM_MEMORY}" if _from_memory(subject, name) else ""))
    return None


LOADS = r"(?i)\bload|checkpoint|pre-?train|\bweights"
NOTHING, TOO_MUCH, TOLERANCE = 1e-20, 1e4, 1e-4  # beside x nothing is seen of the first, and of the second no x


def _loaded(layer):
    """What nothing trains, one number throughout, in code that speaks of loading: from names to tensors."""
    if not re.search(LOADS, source_of(type(inner_of(layer)))):
        return {}
    still = {n: t for n, t in tensors_of(layer).items() if t.ndim > 1 and not t.requires_grad and not is_lazy(t)}
    return {name: t for name, t in still.items() if bool((t == t.flatten()[0]).all())}


def told_apart(subject):
    """The ``subject`` with chance numbers where a parameter holds zeros, or one number throughout."""

    def make_layer(d_model, max_len):
        layer = subject.make_layer(d_model, max_len)
        loaded = _loaded(layer).values()
        trained = (held for held in layer.parameters() if held.requires_grad and not is_lazy(held))
        for held in (*trained, *loaded):
            same = (held == held.flatten()[0]).all() and (held.ndim > 1 or not held.any())
            if same or not NOTHING < held.abs().max() < TOO_MUCH:  # memory that nobody filled holds what it may
                torch.nn.init.normal_(held)
        return layer

    return replace(subject, make_layer=make_layer)


def held_twice(layer, rows):
    """What shows that ``rows`` are twice those of a parameter of the ``layer``; else ""."""
    for name, held in layer.named_parameters():
        own = held.detach().double().cpu().flatten(0, -2) if held.ndim > 1 else held[:0, None]
        shared = min(len(own), len(rows))
        if shared > 1 and own.shape[1] == rows.shape[1] and np.allclose(rows[:shared], 2 * own[:shared], atol=1e-4):
            return f"what is added is twice the rows of {name.removeprefix('inner.')}" if own.any() else ""
    return ""


def padding_row(subject):
    """The finding that a position gets the row that its own nn.Embedding keeps for padding; or None.

    Zeros for the first position are still a row of its own.
    """
    made, given = subject.make(), []
    for name, part in made.layer.named_modules():
        if isinstance(part, torch.nn.Embedding) and part.padding_idx is not None:
            said = f"{name.removeprefix('inner.')} has padding_idx={part.padding_idx}"
            part.register_forward_hook(lambda part, asked, out, said=said: given.append((said, out.flatten(0, -2))))
    subject.ask(made, 2, MAX_LEN)
    for said, rows in given:
        empty = (rows[:MAX_LEN] == 0).all(1).nonzero().flatten().tolist()
        if len(empty) == 1 and len(rows.unique(dim=0)) == MAX_LEN:
            kind = {} if empty[0] else {"kind": "note"}
            return found("gradient, of padding", f"{said}, and position {empty[0]} gets that row", **kind)
    return None


def _from_memory(subject, name):
    """Are its numbers those that happened to lie in memory? Torch can be told to put NaN there."""

    def made():
        torch.use_deterministic_algorithms(True, warn_only=True)  # the sandbox sets it back
        return tensors_of(subject.make_layer(D_MODEL, MAX_LEN))[name]

    held = attempt(run, "a layer in memory of NaN", made)
    return held is not None and bool(held.isnan().any())


def _has_rows_for_positions(shape, longer):
    """Is it as many rows longer as there are more positions? A class token, or padding, has rows besides;
    distances in both directions are twice as many."""
    more = [(n, m) for n, m in zip(shape, longer, strict=False) if n != m]
    return len(shape) == len(longer) and len(more) == 1 and more[0][0] >= 10 and more[0][1] - more[0][0] in (2, 4)


def _hands_out(subject, name):
    """Does every token get one of the rows of a table, however many it has?"""
    subject = told_apart(subject)
    made = subject.make()
    rows, got = tensors_of(made.layer)[name].detach().double().cpu().numpy(), subject.ask(made, 2, 3)
    rows = rows.reshape(-1, made.d_model)
    if len(rows) < MAX_LEN or got.out is None or got.out.shape[-2:] != got.x.shape[-2:]:
        return False
    rests = ((got.out - a * got.x)[..., None, :] for a in (0, 1, made.d_model**0.5))
    return any((abs(rest - rows).max(-1).min(-1) < TOLERANCE).all() for rest in rests)


def unused(subject):
    """Parameters of positions whose part is called, and never reaches what comes out: names and shapes."""
    made, called = subject.make(), set()
    for place, module in made.layer.named_modules():
        module.register_forward_hook(lambda *given, place=place: called.add(place))
    cut = [(name, p) for name, p, grad in reached_in(made, subject, 2, 3, 0) if grad is None]
    of_positions = [(n, p) for n, p in cut if re.search(POSITIONS, n) and n.rpartition(".")[0] in called - {""}]
    return tuple(f"{name} {tuple(p.shape)}" for name, p in of_positions)
