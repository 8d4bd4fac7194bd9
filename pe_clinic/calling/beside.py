"""What stands beside a parameter tells more of it than its name: sizes of pictures and patches, one of two sizes."""

import math
import re
from dataclasses import replace

from ..sandbox.state import loaded_torch
from .arrays import SQUARE
from .lines import SIZES, Value, constant, expression
from .names import SIZE_OF_WORD, role_of, words_of

PIXELS = 2  # a side of a patch
KINDS = {
    "patch": r"(?i)(^|_)(patch|tubelet)_?(size|len|length|height|width|side|h|w)?$",
    "side": r"(?i)(^|_)(im(g|age)|pic(ture)?)s?_?(size|res|resolution|dim|side|height|width|h|w|len)$|"
            r"(^|_)(input|sample|canvas|crop|tile)_?(size|res|resolution|height|width)$",
    "channels": r"(?i)^(n|num|c|vit)?_?(in|img|image|input|rgb|vision)?_?(channels?|chans?|chan|ch|c)$|^c_?in$",
}  # fmt: skip
WIDTH = r"(?<!kernel)(?<!grid)_(size|state|width)$"
# Of an image as many patches as max_len or more, in a square.
IMAGE = expression(f"{PIXELS} * math.ceil(max_len**0.5)", math=math)
IMAGES = expression(f"({IMAGE.text},) * 2", math=math)
GIVEN = {"patch": constant(PIXELS), "side": IMAGE, "channels": constant(3)}
GIVEN |= {"resolution": Value("torch.ones(1)", lambda setting: loaded_torch().ones(1)), "sides": SQUARE}
GIVEN |= {"activation": Value("torch.nn.SiLU", lambda setting: loaded_torch().nn.SiLU)}
# Of features: rows and columns are unpacked from their shape. A class of activations is called without arguments.
BY_USE = {
    "picture": r"(?im)^[\w\s,]*\b(?:h|hgt|height)\s*,\s*(?:w|wid|width)\b[^=\n]*=\s*\*?{}\.(?:shape|size\(\))",
    "activation": r"(?<![.\w]){}\(\)",
    "sides": r"(?im)^\s*(?:h|hgt|height)\s*,\s*(?:w|wid|width) *= *{}$",
    "resolution": r"einsum\([^()]*,\s*\w*grid\w*,\s*{}\)",  # of a pixel: the places are multiplied by it
    # Where another is called dropout, a size that goes in there is a slip.
    "dropout": r"(?s)\A(?!.*[(,]\s*drop\w*\s*[:=,)]).*\bDropout\w*\(\s*(?:p\s*=\s*)?{}\b",
}
OCTAVES = {"sigma": "octaves", "m": "bands"}  # of Fourier features: σ^(j/m), for j below m


def kind_of(name):
    return next((kind for kind, words in KINDS.items() if re.search(words, name)), None)


def role_beside(name, names):
    """The role of ``name`` among ``names``, where the size of a patch is one of these; None for what has no other."""
    kinds = {other: kind_of(other) for other in names}
    wide = any(role_of(n) == "d_model" or re.search(WIDTH, n) for n, kind in kinds.items() if not kind)
    kind = kind_of(name) if "patch" in kinds.values() else None
    return None if kind == "channels" and not wide else kind


def role_by_use(name, source):
    """The role that a line of ``source`` tells of ``name``; None where none does."""
    return next((role for role, use in BY_USE.items() if re.search(use.format(name), source)), None)


def is_reckoned_with(name, source):
    """Is a setting ``name``, or what keeps it, a number of something, or added or multiplied? No time, nor a start."""
    kept = [name, *re.findall(rf"(?m)\bself\.(\w+) *= *[\w.]+(?:\.|\[['\"]){name}\b['\"\]]*$", source)]
    one = rf"(?:\.|\[['\"])(?:{'|'.join(map(re.escape, kept))})\b['\"\]]*"
    counts = r"^(n|num|number)_|kernel|stride|dilation"
    used = re.search(rf"(?:[*/+<>%]|- )\s*\w+(?:\.\w+)?{one}|{one}\s*[-*/+<>%]", source) or re.search(counts, name)
    return bool(used and not re.search(r"time|start|end$|shift|origin", name))


def told_beside(told, is_function):
    """The arguments ``told``, each with the role that all of them tell."""
    known = OCTAVES if {a.name for a in told} >= {*OCTAVES} else {}
    told = [replace(a, role=known.get(a.name, a.role)) for a in told]
    rules = (("batch", _batch), ("vocab", _vocabulary), (None, _side), (None, _count), ("d_model", _width))
    for role, rule in (*rules, ("max_len", _length)):
        found = rule(told, {a.role for a in told}, is_function)
        told = [replace(a, role=role) if [a] == found else a for a in told]
    return told


def _sized(told, role):
    return [a for a in told if a.role == role and a.takes_a_size]


def _batch(told, roles, is_function):
    """Beside a length and a width, a batch is their number."""
    return [a for a in told if a.name == "batch" and roles >= {*SIZES}]


def _vocabulary(told, roles, is_function):
    """Of n_tokens, or num_embeddings, and max_len, the number of tokens is that of all there are."""
    lengths = _sized(told, "max_len")
    tokens = [a for a in lengths if {"token", "tokens", "ntoken", "ntokens"} & {*words_of(a.name)}]
    tokens = tokens or [a for a in lengths if a.name == "num_embeddings"]
    return tokens if len(lengths) > 1 and "vocab" not in roles else []


def _side(told, roles, is_function):
    """Beside a max_height, the max_width is a side of a picture."""
    height, width = ([a for a in told if words_of(a.name)[-1:] == [side]] for side in ("height", "width"))
    return width if len(height) == 1 else []


def _count(told, roles, is_function):
    """Beside the grid_size that is asked for, num_prefix_tokens=0, or None, counts rows of another kind."""
    sides = [a for a in told if a.required and a.name.endswith("grid_size")]
    return [a for a in _sized(told, "max_len") if not a.required and not a.parameter.default] if sides else []


def _width(told, roles, is_function):
    """Where nothing else is the width: C, or out_dim; a size beside x, which tells the length; an embedding_length."""
    lengths = _sized(told, "max_len")
    letters = [a for a in told if a.name in ("C", "c") and a.required]
    out = [a for a in told if a.role == "inner" and "out" in words_of(a.name)]
    sizes = [a for a in lengths if words_of(a.name)[-1] == "size"] if "x" in roles else []
    wide = [a for a in lengths if {SIZE_OF_WORD.get(word) for word in words_of(a.name)} >= {*SIZES}]
    found = [one for one in (letters, out) if len(one) == 1] + [wide[:1] if len(lengths) > 1 else sizes]
    return found[0] if "d_model" not in roles else []


def _length(told, roles, is_function):
    """Of two widths and no length, n_channels or max_time_dim beside dim is the length: a number of something.

    A function of vocab_size and a width that makes a table takes the vocabulary for the positions.
    """
    required = [a for a in told if a.required]
    if is_function and {a.role for a in required} == {"vocab", "d_model"}:
        return [a for a in required if a.role == "vocab"]
    wide = [a for a in _sized(told, "d_model") if a.required or is_function]
    counts = [a for a in wide if words_of(a.name)[:1] in (["n"], ["num"], ["max"])]
    return counts if len(wide) == 2 and "max_len" not in roles else []


def is_called(name, source):
    """Does the class keep a parameter as it is, and call it?"""
    kept = re.findall(rf"(?m)^\s*self\.(\w+)\s*=\s*{name}\s*(?:#.*)?$", source)
    return any(re.search(rf"\bself\.{one}\(", source) for one in kept)
