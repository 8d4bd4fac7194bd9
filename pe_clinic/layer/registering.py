"""How the layer holds its table: as a buffer, which moves with it and is not trained, or otherwise."""

import re

import numpy as np
import torch

from ..sandbox.elsewhere import on_meta
from ..sandbox.guard import Failed, attempt, run
from ..table.look import Tables
from .outputs import as_array
from .subject import Subject
from .words import MISTAKES, found

MOVES = r"\.to\(|\.cuda\(|(?<!self)(?<!torch)\.device\b|device\s*=\s*(?!None)\w[\w.]*\s*[,)]|type_as"
ELSEWHERE = r"on device|same device|expected device"


def left_behind(subject, batch, length, tables):
    """The finding that the table stays where it is as the layer moves; else None. x has a shape at which it works.

    It is tried, where the table is not registered or something else is held.
    """
    made = subject.make()
    plain = plain_tensors(made.layer)
    if not made.is_module or (not plain and _registered(made.layer, tables)):
        return None  # it moves nowhere, or whole
    x = subject.x(made, batch, length)
    for part in made.layer.modules():
        if isinstance(part, torch.nn.Embedding):
            part.register_forward_pre_hook(_on_one_device)
    try:  # "meta" is a device on every machine, whose tensors have shapes and no numbers
        with on_meta():
            out = run("a layer that was moved to another device", lambda: made.layer.to("meta")(x.to("meta")))
        if plain and f"{getattr(out, 'device', 'meta')}" != "meta":
            said = "after layer.to(device) its rows come from the old one; the attribute {} is no buffer"
            return stays(said, plain[0], kind="usage")
    except NotImplementedError:
        return None
    except Failed as failed:
        if re.search(ELSEWHERE, failed.finding.evidence):
            if not plain:
                return found("made-on-the-cpu", "with x on another device it stops")
            said = "after layer.to(device) x is on the new device and the table on the old one; the attribute {} is "
            return stays(f"{said}neither buffer nor parameter", plain[0])
    return None


def stays(said, name, **changes):
    """The finding about the attribute ``name``, which has its place in what is ``said``, and in the fix."""
    fix = MISTAKES["unregistered"].fix.format(name=name)
    return found("unregistered", said.format(name), **{"fix": fix, **changes})


def _on_one_device(part, asked):
    """As a real device does, and "meta" does not."""
    if isinstance(asked[0], torch.Tensor) and asked[0].device != part.weight.device:
        raise RuntimeError(f"Expected all tensors to be on the same device: {asked[0].device}, {part.weight.device}")


def table_left_behind(module, source):
    """As `left_behind`, of a ``module`` that returns a table: a plain attribute, where the ``source`` moves nothing."""
    plain = plain_tensors(module)
    lines = (line for line in source.splitlines() if "arange(" not in line or any(f".{n}" in line for n in plain))
    plain = [] if re.search(MOVES, "\n".join(lines)) else plain  # positions that are made elsewhere move no table
    said = "the attribute {} is neither buffer nor parameter, and nothing moves it"
    return [stays(said, plain[0], kind="usage")] if plain else []


def plain_tensors(layer):
    """The names of attributes that are tensors, or lists of them, and known to nobody; the largest first."""
    held = {}
    for name, value in (item for module in layer.modules() for item in vars(module).items()):
        things = value if isinstance(value, (list, tuple)) else [value]
        if tensors := [thing for thing in things if isinstance(thing, torch.Tensor)]:
            held[name] = sum(tensor.numel() for tensor in tensors)
    return sorted(held, key=held.get, reverse=True)


def _registered(layer, tables):
    """Does a buffer or a parameter hold row 1 of the table?"""
    if not isinstance(tables, Tables):
        return False
    row = torch.as_tensor(tables.short[0].values[1])
    held = (tensor.detach().cpu().double() for tensor in (*layer.buffers(), *layer.parameters()))
    return any(
        bool((tensor.reshape(-1, len(row)) - row).abs().max(dim=1).values.min() < 1e-4)
        for tensor in held
        if tensor.numel() and tensor.numel() % len(row) == 0
    )


def never_filled(make_layer):
    """A finding, where a layer made on the meta device holds other numbers once it is on the CPU; else none."""
    subject = Subject(make_layer)
    made = attempt(subject.make)
    modules = made.layer.named_modules() if made else ()
    names = {f"{place}.{n}".strip(".") for place, m in modules for n in m._non_persistent_buffers_set}
    if not names:
        return []

    def filled():
        with on_meta(), torch.device("meta"):
            layer = subject.make_layer(made.d_model, made.max_len)
        layer = layer.to_empty(device="cpu").eval()
        for name, buffer in layer.named_buffers():
            buffer.fill_(7.0) if name in names else buffer.copy_(dict(made.layer.named_buffers())[name])
        x = subject.x(made, 2, 3)
        return as_array(layer(x), True), as_array(made(x), True)

    try:
        out, expected = run("a layer made on the meta device", filled)
    except (Failed, NotImplementedError, AttributeError):
        return []
    if out.shape == expected.shape and np.abs(out - expected).max() < 1e-3:
        return []
    own = sorted(name.removeprefix("inner.") for name in names)  # of the user's layer in ours
    said = f"the buffer {', '.join(own)} is in no checkpoint, and empty after to_empty"
    return [found("never-filled", said)]
