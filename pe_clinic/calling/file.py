"""Somebody's file as names and source, and one line of Python about it that gives a table or a layer."""

import ast
import inspect
import re
from dataclasses import dataclass

from ..sandbox.guard import run
from .adapting import HELPERS
from .inputs import Context

SIZES = ((5, 8), (7, 6))  # (max_len, d_model)
LAYER_SIZES = (8, 8)
LAYER_SHAPES = ((2, 3), (2, 8), (3, 3), (1, 4))  # (batch, length)
SIZE_NAMES = ("max_len", "d_model")
# batch, length, width = x.shape
BATCH_FIRST = re.compile(
    r"\b(b|bs|bsz|batch|batch_size|nbatches|n_batch)\s*,\s*"
    r"(n|t|l|s|sl|seq|seq_len|seqlen|seq_length|length|time|timesteps|tokens|num_tokens|n_tokens|frames)\s*(,\s*\w+\s*)?"
    r"=\s*\w+\.(shape|size\(\))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class File:
    """The names of somebody's file, and its source."""

    names: dict
    context: Context
    layout: bool | None = None  # True where x has to be batch-first, False where sequence-first

    def evaluate(self, text, max_len, d_model):
        space = {**HELPERS, **self.names, "max_len": max_len, "d_model": d_model}
        if "torch" in text and "torch" not in space:
            space["torch"] = __import__("torch")
        return eval(compile(text, "the call", "eval"), space)

    def tried(self, text, max_len=SIZES[0][0], d_model=SIZES[0][1]):
        """What ``text`` gives, under guard; `Failed` quotes it with its numbers."""
        return run(with_sizes(text, max_len, d_model), self.evaluate, text, max_len, d_model)


@dataclass(frozen=True)
class Reading:
    """``text`` is a line of Python about max_len, d_model and the names of the file; ``kind`` is "table" or "layer"."""

    text: str
    kind: str
    file: File

    def layer(self, d_model, max_len):
        return self.file.evaluate(self.text, max_len, d_model)

    def table(self, max_len, d_model):
        return self.file.evaluate(self.text, max_len, d_model)

    @property
    def embeds_tokens(self):
        return "of_tokens(" in self.text

    def calls_x_batch_first(self):
        """Does the code itself say batch, length, width = x.shape?"""
        name = re.match(r"(?:as_layer\(lambda x: |layer_with\(|with_globals\()?(\w+)", self.text)
        thing = self.file.names.get(name[1]) if name else None
        try:
            return bool(BATCH_FIRST.search(inspect.getsource(getattr(thing, "forward", thing))))
        except (OSError, TypeError):
            return False

    def shown(self):
        """The call with the sizes of the first look."""
        return with_sizes(self.text, *(LAYER_SIZES if self.kind == "layer" else SIZES[0]))


def with_sizes(text, max_len, d_model):
    """``text`` with numbers in place of the two sizes."""

    class Sizes(ast.NodeTransformer):
        def visit_Name(self, node):
            return (
                ast.Constant({"max_len": max_len, "d_model": d_model}.get(node.id)) if node.id in SIZE_NAMES else node
            )

    return ast.unparse(Sizes().visit(ast.parse(text, mode="eval"))).replace("__import__('types').", "")
