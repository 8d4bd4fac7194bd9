"""Readings of a torch module, by what its forward takes: a layer first, or a table where it asks for positions."""

from itertools import islice

from ..sandbox.guard import Failed, run
from ..sandbox.state import loaded_torch
from ..sandbox.values import is_tensor
from .file import LAYER_SHAPES, LAYER_SIZES, SIZES, Reading, with_sizes
from .of_ids import layer_of_ids, refuse_a_whole_model
from .of_objects import forward_calls
from .picking import leaves_x_alone, picks, table_in


def of_module(file, text, module):
    """Every `Reading` of what ``text`` gives; `Failed` where it stops at every x."""
    if picks(module, *SIZES[0]) and type(module).__module__.startswith("torch."):
        if module.weight.requires_grad and hasattr(module, "num_embeddings"):
            line = f"layer_with({text}, lambda layer, x: layer(torch.arange(x.shape[1], device=x.device)))"
            yield Reading(line, "layer", file)
            return
        table = table_in(file, text, module)
        if table:
            yield table
        return
    if type(module).__module__.startswith("torch.") and not isinstance(module, loaded_torch().nn.Sequential):
        return
    if is_as_layer(text):
        if _answers(file, text):
            yield Reading(text, "layer", file)
        return
    if for_ids := layer_of_ids(file, text, module, _answers):
        yield Reading(for_ids, "layer", file)
        return
    before, as_layers, after = forward_calls(file, text, module)
    yield from filter(None, (_tried_table(file, call) for call in before))
    layers = list(islice((call for call in as_layers if _answers(file, call)), 1))
    yield from (Reading(call, "layer", file) for call in layers)
    tables = [] if layers else list(filter(None, (_tried_table(file, call) for call in after)))
    yield from tables
    if not layers and not tables:
        refuse_a_whole_model(file, text, module)
    if not layers and not tables and not before and as_layers:
        yield _without_an_answer(file, as_layers[0])


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
