"""What a function or a forward may be handed, by the role of each parameter: the likeliest values first."""

import re
from itertools import islice
from types import SimpleNamespace

import numpy

from ..sandbox.state import loaded_torch
from .arrays import SQUARE, flat, lengths, like_x, maps, masks, pictures, places, positions, tokens
from .beside import GIVEN, WIDTH, is_reckoned_with, role_beside
from .lines import SIZES, Value, by_rank, constant, expression, variable
from .names import VALUES, role_of
from .own_settings import OF_SINES, own_settings, value_of, words_compared_with
from .parameters import TABLES, arguments_of, source_of

TRIALS = 48
OF_WORDS = r"(?i)glove|w(ord)?2v(ec)?|(word|token|pretrained)_?(vectors|emb\w*|weights?)|vectors$"
ITEM = r"\b{}(?:\.get\(|\[)\s*['\"](\w+)['\"]"
SIZE = {name: variable(name) for name in SIZES}
OF_ROLE = {**SIZE, **{role: constant(value) for role, value in VALUES.items()}, "inner": SIZE["d_model"], **GIVEN}
CONFIG = {**OF_ROLE, "positions": SIZE["max_len"], "column": constant(0), "x": SIZE["d_model"]}
OF_ROLE |= {"library": expression("numpy", numpy=numpy), "octaves": constant(2.0 ** VALUES["bands"])}
NONE = constant(None)
OF_AXES = Value("sections", lambda s: [s["d_model"] // 2 - s["d_model"] // 6 * 2, *[s["d_model"] // 6] * 2])  # M-RoPE's
SCALED = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "beta_fast": 32.0, "beta_slow": 1.0, "rope_theta": 10000.0}
SCALED |= {"factor": 8.0, "original_max_position_embeddings": 8192}


def alternatives(argument, inside_forward, file):
    """The values that ``argument`` may get; none where its name says nothing, no arrays where it is one number."""
    values = _alternatives(argument, inside_forward, file)
    if re.search(rf"\b{re.escape(argument.name)}\.dtype\b", file.source):  # whole numbers would make all of them whole
        values = [v for v in values if "at" not in v.made or re.search(r"\.float\(|\.astype\(", v.text)]
    return [value for value in values if not value.made] if argument.whole else values


def _alternatives(argument, inside_forward, file):
    lib, role, name = file.library, argument.role, argument.name
    at, size = positions(lib), [SIZE["max_len"]]
    numbered = re.search(rf"\b{re.escape(name)}\.(shape\[|size\()\w+ ?\+ ?1[\])]", file.source)  # axis by axis
    if "patch" in name and role == "max_len" and re.search(rf"\b{re.escape(name)} *\+ *1\b", file.source):
        return [*size, expression("max_len - 1")]  # the class token has a row, too
    if role in SIZES:
        many = role == "max_len" and (inside_forward or name == "t")  # a length, or the times
        return [*size, *(lengths(lib) if re.search(r"len(gth)?s?$", name) else []), *at] if many else [SIZE[role]]
    told = {
        "config": lambda: own_settings(file, name) or configurations(file.source, name, value_of(file, name, value_in)),
        "positions": lambda: [*at, *size, *tokens(lib)] if inside_forward else [*size, *at],
        "ids": lambda: [*tokens(lib), *flat(lib), *at, *like_x(lib)],
        "x": lambda: [*(maps if numbered else like_x)(lib), *tokens(lib), *flat(lib), *at, *size],
        "shape": lambda: [expression("(1, max_len, d_model)"), expression("(1, max_len)")],
        "dtype": lambda: [expression("torch.float32", torch=lib) if lib is loaded_torch() else constant(float)],
        "kind": lambda: list(map(constant, words_compared_with(file.source, name))),
        **dict.fromkeys(("column", "out"), list),
        "grid": lambda: places(lib),
        "picture": lambda: pictures(lib) if inside_forward else [*maps(lib), *pictures(lib)],
        "mask": lambda: [NONE, *masks(lib)],
    }
    if role in {*told, *OF_ROLE} or name in TABLES:
        return told[role]() if role in told else [OF_ROLE[role]] if role in OF_ROLE else []
    if re.search(OF_WORDS, name) and not inside_forward:
        return [expression(f"{lib.__name__}.ones(({VALUES['vocab']}, d_model))", **{lib.__name__: lib})]
    if argument.is_array and not inside_forward:
        return [*at, *like_x(lib)]
    return [*like_x(lib), *at, *tokens(lib), *size, *flat(lib)] if inside_forward else []


def given(function, inside_forward, file):
    """Lists of arguments, one for each way to call ``function``; none when a required parameter says nothing."""
    arguments, source = arguments_of(function), source_of(function)
    devices = [a for a in arguments if a.role == "device" and f"{a.name}.type" in source]  # "cpu" has none
    needed = [a for a in arguments if a.required or a in devices or a.wants_a_gpu]
    arguments = [a for a in arguments if a in needed or (a.role in SIZES and not inside_forward)]
    named = {argument.role for argument in arguments}
    missing = [SIZE[size] for size in SIZES if size not in named]
    unknown = sum(argument.role is None and not argument.is_array for argument in arguments)
    arrays = any(argument.role in ("x", "ids", "positions") or argument.is_array for argument in arguments)
    if not inside_forward and unknown > (min(1, len(missing)) if arrays else len(missing)):
        return []
    lists, at = [], positions(file.library)
    one_each = {"batch", "positions"} <= named and not named & {"max_len", "x", "ids"}  # a position for each sample
    for argument in arguments:
        values = alternatives(argument, inside_forward, file)
        values = [SIZE["max_len"], *values] if argument.role == "batch" and one_each else values
        if argument in devices:
            values = [expression('torch.device("cpu")', torch=loaded_torch())]
        if not values and not argument.role and argument.takes_a_size and not inside_forward:
            values = [*missing, *(at if SIZE["max_len"] in missing else []), like_x(file.library)[1]]
        lists.append([argument.with_value(value) for value in values if not (argument.whole and value.made)])
    return [tuple(way) for way in islice(by_rank(lists), TRIALS)]


def value_in(name, source="", items=(), beside=()):
    if re.search(r"rope_(scaling|param\w*|config)$", name) and ("factor" in items or not items):
        return scaled(source)
    if items:
        return _dict(items, source)
    if name.endswith(("rope_section", "rope_sections", "grid_size")):
        return SQUARE if name.endswith("size") else OF_AXES
    other = SIZE["d_model"] if re.search(WIDTH, name) else constant(1) if is_reckoned_with(name, source) else NONE
    words = [word for word in words_compared_with(source, name)[:1] if re.search(OF_SINES, word.lower())]
    return constant(words[0]) if words else CONFIG.get(role_beside(name, beside) or role_of(name), other)


def configurations(source, name, value=value_in):
    """A namespace, or a dict, with what the file asks of its parameter ``name``; ``value`` is as `value_in`."""
    items = _asked(source, ITEM.format(name))
    attributes = _asked(source, rf"\b{name}\.((?:\w+\.)*\w+)\b(?!\()")
    attributes += _asked(source, rf"\bgetattr\(\s*{name}\s*,\s*['\"](\w+)['\"]")
    found = [namespace(dict.fromkeys(attributes), source, name, value)] if attributes or not items else []
    return found + ([_dict(items, source, name, value)] if items else [])


def namespace(names, source="", of="", value=value_in):
    """A namespace with what is asked for: of "model.dim" one within another; a dict where its items are asked for."""
    inner = {}
    for name in names:
        first, _, rest = name.partition(".")
        inner.setdefault(first, []).extend([rest] if rest else [])
    items = {name: _asked(source, ITEM.format(rf"{of}\.{name}")) if of else [] for name in inner}
    values = {n: namespace(rest) if rest else value(n, source, items[n], inner) for n, rest in inner.items()}
    return settings("SimpleNamespace", SimpleNamespace, values)


def _dict(items, source="", of="", value=value_in):
    inner = {item: _asked(source, ITEM.format(rf"{of}\[['\"]{item}['\"]\]")) if of else () for item in items}
    return settings("dict", dict, {item: value(item, source, inner[item], items) for item in items})


def scaled(source):
    """How much longer texts shall be: what the file asks of a dict of that; None where it asks for no factor."""
    items = {name: value for name, value in SCALED.items() if re.search(rf"""['"]{name}['"]""", source)}
    kind = "llama3" if "low_freq_factor" in items else "yarn" if "beta_fast" in items else "linear"
    return constant({"rope_type": kind, "type": kind, **items}) if "factor" in items else NONE


def asked_of_self(function):
    return list(dict.fromkeys(re.findall(r"\bself\.(\w+)\b(?!\()", source_of(function))))


def settings(name, kind, values):
    text = ", ".join(f"{key}={value.text}" for key, value in values.items())
    return Value(f"{name}({text})", lambda s: kind(**{key: value.give(s) for key, value in values.items()}))


def _asked(source, pattern):
    return list(dict.fromkeys(re.findall(pattern, source)))
