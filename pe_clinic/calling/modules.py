"""Readings of a torch module, by what its forward takes: a layer first, or a table where it asks for positions."""

import inspect
from itertools import islice

import torch

from ..sandbox.guard import Failed, first_look
from ..sandbox.mistakes import found
from ..sandbox.values import is_tensor
from .answering import SHAPES, answers, counts_the_last_axis, has_axes_too_many, may_have_four, of_other_samples
from .arrays import like_x, tokens
from .embedding import called, first_answer, layer_of_ids, refuse_a_whole_model
from .file import LAYER_SIZES
from .holders import has_no_forward, never_set_up, of_torch, of_what_it_holds, prepared
from .inputs import SIZE, alternatives, given
from .layers import IDS, NUMBERS, has_embedding, with_forward, without_tokens
from .lines import Call, expression, then
from .methods import refuse_a_name
from .more_than_x import of_several, with_more
from .names import SIZE_OF_WORD, words_of
from .parameters import arguments_of, required_of, source_of
from .picking import Reading, most_telling, tried_table
from .pictures import apart, of_boxes, of_patches, of_pictures
from .projected import before_network, has_network, learns_rows, projected, without_norms


def of_module(file, call, module):
    """Every `Reading` of what ``call`` gives; `Failed` where it stops at every x, or is a whole model."""
    if (whole := _as_a_whole(file, call, module)) is not None:
        yield from whole
        return
    call, module = prepared(file, call, module)
    call = without_norms(call, module)
    if as_one := projected(call, module) or layer_of_ids(call, module):
        yield as_one
        return
    before, as_layers, after = _forward_calls(file, call, module)
    if learns_rows(module) and any(not one.arguments for one in before) and first_look(module) is not None:
        before, as_layers = [], [with_forward(call, [])]  # forward() gives rows that are trained
    of_mask = [a.role for a in required_of(module.forward)] == ["mask"]
    of_mask = of_mask and first_look(module, torch.ones(1, 5, dtype=torch.long)) is None  # no text's
    if (of_mask or "sides" in call.made) and not before and (tables := _of_pictures(file, call, module)):
        yield from tables
        return
    if before and has_network(module):
        calls = [call, *_as_wide(call, module)]
        before = [before_network(Call(made, one.arguments)) for made in calls for one in before]
    yield from filter(None, (tried_table(file, one) for one in before))
    as_layers = [] if as_layers == [call] and counts_the_last_axis(call) else as_layers
    several = of_several(call) if as_layers == [call] and may_have_four(call, module) else []
    fitting = filter(answers, [*as_layers, *(one for one in several if is_tensor(first_answer(one, (2, 8))))])
    if layer := next(fitting, None):
        yield Reading("layer", layer)
        if layer.text.endswith("=ones)"):  # where it is added and not multiplied, zeros change nothing
            yield from (Reading("layer", other) for other in islice(fitting, 1))
        return
    yield from _without_a_layer(file, call, module, before, as_layers, after)


def _without_a_layer(file, call, module, before, as_layers, after):
    """Every `Reading` where no layer answers: of tables that x brings, or of what is wrong with the layer."""
    tables = {one: table for one in after if (table := tried_table(file, one))}
    ids = [one for one in tables if "ids" in one.made and of_other_samples(file, one)]
    if ids or (as_layers == [call] and has_axes_too_many(call)):
        tables = {call: Reading("layer", with_forward(call, [IDS]) if ids else call)}
    if tables := [*tables.values()] or _of_pictures(file, call, module):
        yield from tables
        return
    refuse_a_whole_model(call, module)
    refuse_a_name(file, [*before, *after])
    if has_network(module) and any(file.tried(one) is not None for one in before):
        weights = ", ".join([name for name, _ in module.named_parameters()][:2])
        raise Failed(found("whole-model", f"{called(call)} hands positions to trained weights: {weights}"))
    if as_layers and (not before or file.tried(before[0]) is None):
        yield _without_an_answer(as_layers[0])


def _as_a_whole(file, call, module):
    """The readings where no look into a forward is needed; None where it is."""
    if never_set_up(module):  # its diagnosis says so
        return [Reading("layer", call)]
    if type(module).__init__ is torch.nn.Sequential.__init__ and not len(module):
        raise Failed(found("whole-model", f"{called(call)} is a container: it is empty until it is handed parts"))
    if type(module).__module__.startswith("torch."):
        return of_torch(call, module)
    if has_no_forward(module):
        return of_what_it_holds(file, call, module)
    if "layer" in call.made:
        return [Reading("layer", call)] if answers(call) else []
    return None


def _of_pictures(file, call, module):
    """The readings of a picture, or else of its patches, with more of the widths as d_model or without."""
    wide = _as_wide(call, module)
    whole = [found for made in (call, *wide) for found in of_pictures(file, made, module)]
    whole = whole or of_boxes(file, call, module)
    return whole[:2] or [found for made in (*wide, call) for found in of_patches(file, made, module)]


def _as_wide(call, module):
    """``call`` with d_model for every default width, as the table has; or as wide as what gives the network a part."""
    given = {name for name, _ in getattr(call, "arguments", ())}
    told = [a for a in arguments_of(type(module)) if type(a.parameter.default) is int]
    into = next((part.in_features for part in module.modules() if isinstance(part, torch.nn.Linear)), None)
    words = {a: [SIZE_OF_WORD.get(word) for word in words_of(a.name)] for a in told}
    wide = [a for a in told if "d_model" in words[a] or a.parameter.default == into]
    more = [a.with_value(SIZE["d_model"]) for a in wide if a.name not in given]
    times, arguments = LAYER_SIZES["d_model"] // (into or LAYER_SIZES["d_model"]), getattr(call, "arguments", ())
    wider = [(n, expression(f"{times} * d_model") if v.text == "d_model" else v) for n, v in arguments]
    ways = [[*arguments, *more]] * bool(more) + [wider] * (times > 1)
    return [Call(call.target, tuple(way)) for way in ways] if isinstance(call, Call) else []


def _forward_calls(file, call, module):
    """Calls that give a table and come first, calls that give a layer, and calls of tables that come after these.

    A forward whose parameter is called positions, ids or length is asked for a table first.
    """
    arguments = arguments_of(module.forward)
    required = [a for a in arguments if a.required]
    has_any = any(p.kind is p.VAR_POSITIONAL for p in inspect.signature(module.forward).parameters.values())
    if not required and not has_any:
        if not arguments:
            return [Call(call)], [], []
        sized = arguments[0].role in ("positions", "max_len")
        x = (tokens if arguments[0].role == "ids" else like_x)(file.library)[:1]
        first = [arguments[0].with_value(v) for v in (alternatives(arguments[0], True, file)[:4] if sized else x)]
        return [Call(call), *(Call(call, (value,)) for value in first)], [call], []
    quiet = then(call, lambda m: m.eval() if "sin(" in source_of(type(m)) else m.eval().apply(apart))
    calls = [Call(quiet, way) for way in given(module.forward, True, file)]
    if has_embedding(module):
        calls = [Call(without_tokens(quiet), one.arguments) if "ids" in one.made else one for one in calls]
    tables_first = required and required[0].role in ("positions", "ids", "max_len", "column", "batch")
    layers = [call] if len(required) <= 1 else with_more(file, call, required, source_of(module.forward))
    # A layer is looked at from many sides, and the table that x of zeros gives from one: it comes last.
    of_x = [one for one in calls if "d_model))" in one.text]
    others = [one for one in calls if one not in of_x]
    return (others, layers, of_x) if tables_first else ([], layers, [*others, *of_x])


def _without_an_answer(call):
    """`Failed` when the layer stops at every x; a `Reading` when it gives no tensor, which its diagnosis names."""
    flat = with_forward(call, [(None, NUMBERS[0])])  # with one number for each token
    failed, others = ([first_answer(one, shape) for shape in SHAPES] for one in (call, flat))
    failures = [one for one in failed if isinstance(one, Failed)]
    if len(failures) < len(SHAPES) or None in others:
        return Reading("layer", call if len(failures) < len(SHAPES) else flat)
    raise most_telling(failures)
