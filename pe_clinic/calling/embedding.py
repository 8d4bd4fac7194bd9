"""A torch module that embeds token ids: the layer that it is for the embedded tokens, or a whole model."""

import re

import torch

from ..sandbox.guard import Failed, run
from ..sandbox.mistakes import found
from ..sandbox.values import is_tensor
from .answering import answers
from .file import LAYER_SIZES
from .inputs import NONE
from .layers import IDS, NOTHING_ADDED, ONES, ONES_AND_ONE, has_embedding, of_tokens, with_forward
from .parameters import arguments_of, required_of, source_of
from .picking import Reading, is_misspelt
from .pictures import holds_pictures


def layer_of_ids(call, module):
    """The reading of a forward of token ids, with x for the embedded tokens where it embeds them; else None.

    `Failed` where tokens are embedded and nothing is added.
    """
    required = required_of(module.forward)
    of_ids = required and required[0].role in ("ids", "x", None) and not holds_pictures(required[0], module.forward)
    if not of_ids or not has_embedding(module) or _looks_positions_up(call, module):
        return None
    trained = any(parameter.requires_grad for parameter in module.parameters())
    for other in (NONE, ONES) if required[1:] else (NONE,):  # of further arguments: nothing, or kinds, all of one kind
        more = [(a.name, _one_longer(other, a, module)) for a in required[1:]]
        embedded = with_forward(call, [IDS, *more], of_tokens)
        if answers(embedded):
            return Reading("layer", embedded, embeds_tokens=True)
        problem = first_answer(embedded)
        if trained and isinstance(problem, Failed) and NOTHING_ADDED in problem.finding.evidence:
            raise Failed(found("tokens-only", f"{called(call)} gives every token its row, wherever it stands"))
        of_x = required[0].role == "x" and not more and answers(call)  # its embedding is of positions
        plain = call if of_x else with_forward(call, [IDS, *more])
        if trained and answers(plain) and getattr(first_answer(plain), "shape", (3, 8))[-2] > 2:  # a row for each
            return Reading("layer", plain)
    if isinstance(problem, Failed) and is_misspelt(problem):
        raise problem  # a name is misspelt in forward: numbers in place of ids would only hide it
    return None


def _looks_positions_up(call, module):
    """Is it, by its name, a table of positions, of which equal numbers get equal rows, and no part is for tokens?"""
    names = [*(a.name for a in arguments_of(type(module))), *(name for name, _ in module.named_modules())]
    if not re.search("(?i)pos|time|encoding", called(call)) or re.search("(?i)tok|word|vocab", " ".join(names)):
        return False
    out = first_answer(with_forward(call, [IDS]))
    return is_tensor(out) and out.ndim == 3 and bool((out == out[:1, :1]).all())


def _one_longer(value, argument, module):
    """``value``, of the tokens to be foretold: with one more where forward leaves the last one, or the first, out."""
    cut = re.search(rf"\b{re.escape(argument.name)}\[:, (:-1|1:)\]", source_of(module.forward))
    return ONES_AND_ONE if cut and value is ONES else value


def refuse_a_whole_model(call, module):
    """`Failed` for a forward that embeds token ids, and goes on to something that is no longer as wide."""
    out = first_answer(with_forward(call, [IDS], of_tokens)) if has_embedding(module) else None
    if is_tensor(out):
        parts = [name for name, _ in module.named_modules() if re.search(r"pos|rot|pe$", name.split(".")[-1].lower())]
        said = f"{called(call)} is a whole model: for token ids of shape (2, 3) it gives the shape {tuple(out.shape)}"
        like = ", ".join(f"{called(call)}.{name}" for name in parts[:3])
        raise Failed(found("whole-model", f"{said}; give the part for the positions{like and ', ' + like}"))


def called(call):
    return call.text.partition("(")[0]


def first_answer(call, shape=(2, 3)):
    """What the layer gives for x of ``shape`` and its width, or the error that came."""
    x = torch.ones(*shape, LAYER_SIZES["d_model"])
    said = f"{call.shown(**LAYER_SIZES)}{'' if 'layer' in call.made else '(x)'}, x of shape {tuple(x.shape)},"
    try:
        return run(said, lambda: call.give(LAYER_SIZES).eval()(x))
    except (Failed, NotImplementedError) as problem:
        return problem
