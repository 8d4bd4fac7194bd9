"""Readings of a torch module, by what its forward takes: a layer first, or a table where it asks for positions."""

import re
from itertools import islice

from .calling import arguments_of
from .file import LAYER_SHAPES, LAYER_SIZES, SIZES, Reading, with_sizes
from .guard import Failed, run
from .mistakes import found
from .of_objects import forward_calls, has_embedding
from .picking import leaves_x_alone, picks, table_in
from .state import loaded_torch
from .values import is_tensor


def of_module(file, text, module):
    """Every `Reading` of what ``text`` gives; `Failed` where it stops at every x."""
    if picks(module, *SIZES[0]) and type(module).__module__.startswith("torch."):
        if module.weight.requires_grad and hasattr(module, "num_embeddings"):
            line = f"layer_with({text}, lambda layer, x: layer(torch.arange(x.shape[1])))"
            yield Reading(line, "layer", file)
            return
        table = table_in(file, text, module)
        if table:
            yield table
        return
    if type(module).__module__.startswith("torch."):
        return
    if is_as_layer(text):
        if _answers(file, text):
            yield Reading(text, "layer", file)
        return
    if for_ids := _layer_of_ids(file, text, module):
        yield Reading(for_ids, "layer", file)
        return
    before, as_layers, after = forward_calls(file, text, module)
    yield from filter(None, (_tried_table(file, call) for call in before))
    layers = list(islice((call for call in as_layers if _answers(file, call)), 1))
    yield from (Reading(call, "layer", file) for call in layers)
    tables = [] if layers else list(filter(None, (_tried_table(file, call) for call in after)))
    yield from tables
    if not layers and not tables and not before and as_layers:
        yield _without_an_answer(file, as_layers[0])


def _layer_of_ids(file, text, module):
    """The line for a forward of token ids that embeds them, with x for the embedded tokens; else None."""
    required = [a for a in arguments_of(module.forward) or [] if a.required]
    if not required or required[0].role not in ("ids", "x", None) or not has_embedding(module):
        return None
    more = "".join(f", {a.parameter.name}=None" for a in required[1:])
    line = f"layer_with({text}, lambda layer, x: of_tokens(layer, x{more}))"
    if _answers(file, line):
        return line
    line = f"layer_with({text}, lambda layer, x: layer(torch.full(x.shape[:2], 2){more}))"
    trained = any(parameter.requires_grad for parameter in module.parameters())
    return line if trained and _answers(file, line) else None


def _refuse_a_whole_model(file, text, module):
    """`Failed` for a forward that embeds token ids, and goes on to something that is no longer as wide."""
    if not has_embedding(module):
        return
    line = f"layer_with({text}, lambda layer, x: of_tokens(layer, x))"
    try:
        out = run("a first look", lambda: file.evaluate(line, *LAYER_SIZES).eval()(zeros(2, 3)))
    except (Failed, NotImplementedError):
        return
    if is_tensor(out):
        parts = [name for name, _ in module.named_modules() if re.search(r"pos|rot|pe$", name.split(".")[-1].lower())]
        path = text.partition("(")[0]
        said = f"{path} is a whole model: for token ids of shape (2, 3) it gives the shape {tuple(out.shape)}"
        like = ", ".join(f"{path}.{name}" for name in parts[:3])
        raise Failed(found("whole-model", f"{said}; give the part for the positions{like and ', ' + like}"))


def zeros(batch, length):
    return loaded_torch().zeros(batch, length, LAYER_SIZES[1])


def is_as_layer(text):
    """Is it a function of x, made a layer?"""
    return text.startswith(("as_layer(", "layer_with("))


def _tried_table(file, text):
    try:
        found = table_in(file, text, file.tried(text))
    except (Failed, NotImplementedError):
        return None
    return found if found and leaves_x_alone(file, text) else None


def _like_x(shape, axes):
    """Two axes or three, the last one the width, the others known."""
    return len(shape) in (2, 3) and shape[-1] == LAYER_SIZES[1] and set(shape[:-1]) <= axes


def _without_an_answer(file, text):
    """`Failed` when the layer stops at every x; a `Reading` when it gives no tensor, which its diagnosis names."""
    _refuse_a_whole_model(file, text, file.tried(text))
    torch, width = loaded_torch(), LAYER_SIZES[1]
    failures = []
    for shape in LAYER_SHAPES:
        call = f"{with_sizes(text, *LAYER_SIZES)}(x), x of shape {(*shape, width)},"
        try:
            run(call, lambda shape=shape: file.evaluate(text, *LAYER_SIZES).eval()(torch.randn(*shape, width)))
        except Failed as failed:
            failures.append(failed)
    if len(failures) == len(LAYER_SHAPES):
        raise failures[0]
    return Reading(text, "layer", file)


def _answers(file, text):
    """Does the layer give a tensor as wide as x, for some shape of x?"""
    torch = loaded_torch()

    def ask():
        layer = file.evaluate(text, *LAYER_SIZES).eval()
        for batch, length in LAYER_SHAPES:
            try:
                out = layer(torch.randn(batch, length, LAYER_SIZES[1]))
            except Exception:
                continue
            parts = out.values() if isinstance(out, dict) else out if isinstance(out, (tuple, list)) else (out,)
            axes = {1, batch, length, LAYER_SIZES[0]}
            if any(is_tensor(p) and p.is_floating_point() and _like_x(tuple(p.shape), axes) for p in parts):
                return True
        return False

    try:
        return run("a first look", ask)
    except (Failed, NotImplementedError):
        return False
