"""A forward that takes token ids: a layer for x, where what its embedding of the tokens gives is x."""

import re

from ..sandbox.guard import Failed, run
from ..sandbox.mistakes import found
from ..sandbox.state import loaded_torch
from ..sandbox.values import is_tensor
from .adapting import NOTHING_ADDED
from .file import LAYER_SIZES
from .of_objects import has_embedding
from .parameters import arguments_of

# What a further argument gets: nothing, or kinds of tokens, all of one kind.
OTHERS = ("None", "torch.ones(x.shape[:2], dtype=torch.long, device=x.device)")


def layer_of_ids(file, text, module, answers):
    """The line for a forward of token ids, with x for the embedded tokens where it embeds them; else None.

    ``answers(file, line)`` tells whether a line gives a layer. `Failed` where tokens are embedded and nothing is added.
    """
    required = [a for a in arguments_of(module.forward) or [] if a.required]
    if not required or required[0].role not in ("ids", "x", None) or not has_embedding(module):
        return None
    trained = any(parameter.requires_grad for parameter in module.parameters())
    for other in OTHERS if required[1:] else OTHERS[:1]:
        more = "".join(f", {a.parameter.name}={other}" for a in required[1:])
        line = f"layer_with({text}, lambda layer, x: of_tokens(layer, x{more}))"
        if answers(file, line):
            return line
        if trained and _gives(file, line, NOTHING_ADDED):
            raise Failed(
                found("tokens-only", f"{text.partition('(')[0]} gives every token its row, wherever it stands")
            )
        line = f"layer_with({text}, lambda layer, x: layer(torch.full(x.shape[:2], 2, device=x.device){more}))"
        if trained and answers(file, line):
            return line
    return None


def refuse_a_whole_model(file, text, module):
    """`Failed` for a forward that embeds token ids, and goes on to something that is no longer as wide."""
    out = _first(file, f"layer_with({text}, lambda layer, x: of_tokens(layer, x))") if has_embedding(module) else None
    if is_tensor(out):
        parts = [name for name, _ in module.named_modules() if re.search(r"pos|rot|pe$", name.split(".")[-1].lower())]
        path = text.partition("(")[0]
        said = f"{path} is a whole model: for token ids of shape (2, 3) it gives the shape {tuple(out.shape)}"
        like = ", ".join(f"{path}.{name}" for name in parts[:3])
        raise Failed(found("whole-model", f"{said}; give the part for the positions{like and ', ' + like}"))


def _gives(file, line, words):
    """Does it stop with an error of these words?"""
    problem = _first(file, line)
    return isinstance(problem, Failed) and words in problem.finding.evidence


def _first(file, line):
    """What the layer gives for x of shape (2, 3, width), or the `Failed` that came."""
    x = loaded_torch().ones(2, 3, LAYER_SIZES[1])
    try:
        return run("a first look", lambda: file.evaluate(line, *LAYER_SIZES).eval()(x))
    except Failed as failed:
        return failed
    except NotImplementedError:
        return None
