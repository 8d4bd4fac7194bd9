"""From a name in somebody's file to lines of Python that give a table or a layer: tried in a fixed order, under guard.

A reading counts only when it gives arrays of the right shape, at two pairs of sizes.
"""

import ast
from dataclasses import dataclass

from .adapting import HELPERS
from .guard import Failed, run
from .inputs import Context
from .makers import forward_calls, makers, method_calls
from .state import loaded_torch
from .values import as_numbers as read_numbers
from .values import is_module, is_tensor

SIZES = ((5, 8), (7, 6))  # (max_len, d_model)
LAYER_SIZES = (8, 8)
LAYER_SHAPES = ((2, 3), (2, 8), (3, 3), (1, 4))  # (batch, length)
ATTRIBUTES = (
    "pe",
    "encoding",
    "encodings",
    "table",
    "pos_encoding",
    "positional_encoding",
    "pos_embedding",
    "pos_table",
    "P",
    "emb",
    "weight",
)


@dataclass(frozen=True)
class Reading:
    """``text`` is a line of Python about max_len, d_model and the names of the file; ``kind`` is "table" or "layer"."""

    text: str
    kind: str
    file: "File"

    def layer(self, d_model, max_len):
        return self.file.evaluate(self.text, max_len, d_model)

    def table(self, max_len, d_model):
        return self.file.evaluate(self.text, max_len, d_model)

    def shown(self):
        """The call with the sizes of the first look."""
        return with_sizes(self.text, *(LAYER_SIZES if self.kind == "layer" else SIZES[0]))


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


def with_sizes(text, max_len, d_model):
    """``text`` with numbers in place of the two sizes."""

    class Sizes(ast.NodeTransformer):
        def visit_Name(self, node):
            return (
                ast.Constant({"max_len": max_len, "d_model": d_model}.get(node.id)) if node.id in SIZE_NAMES else node
            )

    return ast.unparse(Sizes().visit(ast.parse(text, mode="eval"))).replace("__import__('types').", "")


SIZE_NAMES = ("max_len", "d_model")


def readings(file, path):
    """Every `Reading` of the name ``path`` that gives something to look at, the likeliest first.

    What does not is skipped; the first `Failed` of all is raised when nothing is left.
    """
    return of_texts(file, makers(file, path))


def of_texts(file, texts):
    """As `readings`, of lines of Python that may give a table, a layer, or an object that gives one."""
    failures, seen, others = [], False, []
    for text in texts:
        try:
            value = file.tried(text)
            others += [Reading(text, "table", file)] if _direct(text, value) else []
            for reading in _of_value(file, text, value):
                seen = True
                yield reading
                if _is_as_layer(text):
                    return  # a function of x is one layer: other x would only hide what is wrong with it
        except Failed as failed:
            failures.append(failed)
    if others and not seen:
        yield others[0]  # a function of the two sizes that gives something else: its diagnosis says what
    elif failures and not seen:
        squares = [text for text in texts[:1] if _takes_squares_only(file, text)]
        if not squares:
            raise failures[0]
        yield Reading(squares[0], "table", file)


def _takes_squares_only(file, text):
    """Does it give a table for the patches of a square picture?"""
    try:
        return all(shape_of(file.tried(text, n, 16))[-2:] == (n, 16) for n in (25, 36))
    except (Failed, NotImplementedError, TypeError):
        return False


def _of_value(file, text, value):
    if is_module(value):
        yield from _of_module(file, text, value)
        return
    table = _table(file, text, value)
    if table:
        yield table
    elif not _is_data(value):
        for call in [
            *method_calls(file, text, value),
            *(f"{text}.{name}" for name in ATTRIBUTES if name in _vars(value)),
        ]:
            try:
                found = _table(file, call, file.tried(call))
            except (Failed, NotImplementedError):
                continue
            if found and _leaves_x_alone(file, call):
                yield found


def _is_as_layer(text):
    return text.startswith(("as_layer(", "layer_with("))


def _direct(text, value):
    """A call of a function with the two sizes themselves, which gave data or nothing."""
    plain = not any(word in text for word in (".arange(", ".zeros(", ".ones(", ".full(", "range("))
    return plain and all(name in text for name in SIZE_NAMES) and (value is None or _is_data(value))


def _is_data(value):
    return is_tensor(value) or isinstance(value, (list, tuple, dict, str, int, float)) or hasattr(value, "__array__")


def _vars(value):
    return getattr(value, "__dict__", {})


def _table(file, text, value):
    """The `Reading` of ``text`` and what picks the table out of ``value``; None when there is none at both sizes."""
    for pick in picks(value, *SIZES[0]):
        picked = text + pick
        try:
            other = run("a second look", _shape, file, picked, *SIZES[1])
        except (Failed, NotImplementedError):
            continue
        if other in ((SIZES[1]), (1, *SIZES[1])):
            return Reading(picked, "table", file)
    return None


def _shape(file, text, max_len, d_model):
    return shape_of(file.evaluate(text, max_len, d_model))


def shape_of(value):
    """The shape of an array, a tensor, or nested lists; None of everything else."""
    if hasattr(value, "shape"):
        return tuple(value.shape)
    if isinstance(value, (list, tuple)) and value:
        inner = {shape_of(part) for part in value}
        if len(inner) == 1 and None not in inner:
            return (len(value), *inner.pop())
    return () if isinstance(value, (int, float)) else None


def picks(value, max_len, d_model):
    """What to write behind an expression so that a table (max_len, d_model) or (1, max_len, d_model) comes out."""
    whole, shape = (max_len, d_model), shape_of(value)
    if is_module(value):
        return [".weight"] if hasattr(value, "weight") and shape_of(value.weight) == whole else []
    if shape in (whole, (1, *whole)):
        return [""]
    if shape == (max_len, 1, d_model):
        return ["[:, 0]"]
    if shape and len(shape) == 3 and shape[1:] == whole and _all_equal(value):
        return ["[0]"]
    if shape == (1, 1, *whole):
        return ["[0]"]
    if isinstance(value, (tuple, list)) and shape is None and len(value) < 9:
        return [f"[{n}]{pick}" for n, part in enumerate(value) for pick in picks(part, max_len, d_model)]
    if isinstance(value, dict) and len(value) < 9:
        return [f"[{key!r}]{pick}" for key, part in value.items() for pick in picks(part, max_len, d_model)]
    return []


def _all_equal(value):
    return all(bool((value[0] == row).all()) for row in value)


def _leaves_x_alone(file, text):
    """A call with zeros must give a sum, not a product, and do so at another shape of x, too."""
    whole = "zeros((1, max_len, d_model))"
    if ".zeros((" not in text:
        return True
    try:
        zero, one = file.tried(text), file.tried(text.replace(".zeros((", ".ones(("))
        shorter = file.tried(text.replace(whole, "zeros((2, 3, d_model))")) if whole in text else zero
        return run("a look at x", _is_a_sum, zero, one, shorter)
    except (Failed, NotImplementedError):
        return False


def _is_a_sum(zero, one, shorter):
    """Ones give the same, or one more everywhere; a shorter x the first rows."""
    zero, one, shorter = (read_numbers(value) for value in (zero, one, shorter))
    steady = any(abs(one - zero - step).max() < 1e-5 for step in (0, 1))
    rows = shorter.shape[-2] if shorter.ndim > 1 else 0
    return steady and bool((abs(shorter - zero[..., :rows, :]) < 1e-5).all())


def _of_module(file, text, module):
    """Readings of a module by what its forward takes."""
    if picks(module, *SIZES[0]) and type(module).__module__.startswith("torch."):
        table = _table(file, text, module)
        if table:
            yield table
        return
    if type(module).__module__.startswith("torch."):
        return
    if _is_as_layer(text):
        if _answers(file, text):
            yield Reading(text, "layer", file)
        return
    before, as_layers, after = forward_calls(file, text, module)
    yield from filter(None, (_tried_table(file, call) for call in before))
    layers = [call for call in as_layers if _answers(file, call)]
    yield from (Reading(call, "layer", file) for call in layers)
    tables = [] if layers else list(filter(None, (_tried_table(file, call) for call in after)))
    yield from tables
    if not layers and not tables and not before and as_layers:
        yield _without_an_answer(file, as_layers[0])


def _tried_table(file, text):
    try:
        found = _table(file, text, file.tried(text))
    except (Failed, NotImplementedError):
        return None
    return found if found and _leaves_x_alone(file, text) else None


def _like_x(shape, axes):
    """Two axes or three, the last one the width, the others known."""
    return len(shape) in (2, 3) and shape[-1] == LAYER_SIZES[1] and set(shape[:-1]) <= axes


def _without_an_answer(file, text):
    """`Failed` when the layer stops at x; a `Reading` when it gives what is no tensor, which its diagnosis names."""
    torch, width = loaded_torch(), LAYER_SIZES[1]
    call = f"{with_sizes(text, *LAYER_SIZES)}(x), x of shape (2, 3, {width}),"
    run(call, lambda: file.evaluate(text, *LAYER_SIZES).eval()(torch.randn(2, 3, width)))
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
