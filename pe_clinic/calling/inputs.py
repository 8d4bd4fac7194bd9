"""What a function or a forward may be handed besides sizes: positions, token ids, a length, a tensor for its shape.

Each is a line of Python; `given` lists, for one call, the lines that public code suggests, the likeliest first.
"""

import inspect
import re
from itertools import islice, product

from ..sandbox.state import loaded_torch
from .names import VALUES, words_of
from .parameters import SIZES, arguments_of

TRIALS = 48
CONFIG_VALUES = {**VALUES, "positions": "max_len", "column": "0", "x": "d_model", "kind": "None"}


def positions(lib):
    row = f"{lib}.arange(max_len)"
    real = f"{row}.float()" if lib == "torch" else f"{row}.astype(float)"
    return [row, f"{row}[:, None]", f"{row}[None]", real, f"{real}[:, None]", f"{real}[None]", f"{real}[None, :, None]"]


def tokens(lib):
    return ["torch.full((1, max_len), 2)"] if lib == "torch" else ["numpy.full((1, max_len), 2)"]


def shapes(lib):
    return [
        f"{lib}.zeros((1, max_len, d_model))",
        f"{lib}.zeros((max_len, d_model))",
        f"{lib}.zeros((max_len, 1, d_model))",
    ]


def flat(lib):
    return [f"{lib}.zeros((1, max_len))", f"{lib}.ones((1, max_len))"]


def alternatives(argument, inside_forward, context):
    """The texts that ``argument`` may get. ``context`` tells what the file offers; see `Context`."""
    lib, role = context.library, argument.role
    at, size = positions(lib), ["max_len"]
    if role == "config":
        return context.configurations(argument.parameter.name)
    if role in SIZES:
        many = role == "max_len" and (inside_forward or argument.parameter.name == "t")  # a length, or the times
        return [*size, *at] if many else [VALUES[role]]
    if role == "positions":
        return [*at, *size, *tokens(lib)] if inside_forward else [*size, *at]
    if role == "ids":
        return [*tokens(lib), *flat(lib), *at, *shapes(lib)]
    if role == "x":
        return [*shapes(lib), *tokens(lib), *flat(lib), *at, *size]
    if role == "shape":
        return ["(1, max_len, d_model)", "(1, max_len)"]
    if role == "dtype":
        return ["torch.float32" if lib == "torch" else "float"]
    if role == "kind":
        return [repr(word) for word in context.words_compared_with(argument.parameter.name)]
    if role == "mask" and lib == "torch":  # ones where there are tokens, or True where there are none
        return ["None", "torch.ones((1, max_len), dtype=torch.long)", "torch.zeros((1, max_len), dtype=torch.bool)"]
    if role in VALUES:
        return [VALUES[role]]
    if role == "column" or role == "out":
        return []
    if argument.is_array and not inside_forward:
        return [*at, *shapes(lib)]
    return [*shapes(lib), *at, *tokens(lib), *size, *flat(lib)] if inside_forward else []


def given(function, inside_forward, context, sizes_too=True):
    """Texts of arguments, one for each way to call ``function``; none when a required parameter says nothing."""
    arguments = [a for a in arguments_of(function) or [] if a.required or (sizes_too and a.role in SIZES)]
    if inside_forward:
        arguments = [a for a in arguments if a.required]
    named = {argument.role for argument in arguments}
    missing = [VALUES[size] for size in SIZES if size not in named]
    unknown = sum(argument.role is None and not argument.is_array for argument in arguments)
    arrays = any(argument.role in ("x", "ids", "positions") or argument.is_array for argument in arguments)
    if not inside_forward and unknown > (min(1, len(missing)) if arrays else len(missing)):
        return []
    lists = []
    for argument in arguments:
        texts = alternatives(argument, inside_forward, context)
        if not texts and not argument.role and argument.takes_a_size and not inside_forward:
            texts = [*missing, *(positions(context.library) if "max_len" in missing else [])]
        lists.append([argument.with_text(text) for text in texts])
    ways = sorted(product(*(enumerate(texts) for texts in lists)), key=lambda way: sum(n for n, _ in way))
    return [", ".join(text for _, text in way) for way in islice(ways, TRIALS)]


class Context:
    """The source of a file, for what a signature does not tell."""

    def __init__(self, source=""):
        self.source = source

    @property
    def library(self):
        """What the file's code computes with."""
        return "torch" if loaded_torch() and re.search(r"\btorch\b", self.source) else "numpy"

    def configurations(self, name):
        """A namespace, or a dict, with what the file asks of its parameter ``name``."""
        attributes = self._asked(rf"\b{name}\.((?:\w+\.)*\w+)\b(?!\()")
        items = self._asked(rf"\b{name}(?:\.get\(|\[)\s*['\"](\w+)['\"]")
        texts = []
        if items:
            texts.append("{" + ", ".join(f"{item!r}: {_value(item)}" for item in items) + "}")
        if attributes or not items:
            texts.insert(0, namespace(attributes))
        return texts

    def words_compared_with(self, name):
        """Texts that the file compares ``name`` with: first those that speak of sines, or of something fixed."""
        compared = self._asked(rf"\b{name}\s*==\s*['\"]([^'\"]+)['\"]")
        return sorted(compared, key=lambda word: not re.search("sin|cos|fix|abs", word.lower()))

    def attributes_of_self(self, function):
        try:
            self_source = inspect.getsource(function)
        except (OSError, TypeError):
            self_source = ""
        return list(dict.fromkeys(re.findall(r"\bself\.(\w+)\b(?!\()", self_source)))

    def _asked(self, pattern):
        return list(dict.fromkeys(re.findall(pattern, self.source)))


def namespace(names):
    """A namespace with what is asked for: of "model.dim" one within another."""
    inner = {}
    for name in names:
        first, _, rest = name.partition(".")
        inner.setdefault(first, []).extend([rest] if rest else [])
    given = ", ".join(f"{name}={namespace(rest) if rest else _value(name)}" for name, rest in inner.items())
    return f"__import__('types').SimpleNamespace({given})"


def _value(name):
    from .names import role_of

    role = role_of(name)
    if role == "positions" and "time" in words_of(name):
        return "max_len"
    return CONFIG_VALUES.get(role, "None")
