"""Does a name, with its parameters, say that this turns queries and keys?"""

import re

import torch

from ..calling.declared import gives_waves
from ..calling.names import ROTATES, role_in_rotations, words_of
from ..calling.parameters import source_of
from .factors import FACTOR, RATES, SETTINGS, gives_frequencies
from .forms import parameters_of, takes_tables
from .plain import turning_method
from .roles import HELPER, SIZES, query_and_key

WORDS = ("rotat", "rotac", "rot_emb", "freqs", "cos_sin")
MAKES = ("freq", "precompute", "cis", "angle", "theta")
SCORES = {"einsum", "matmul", "bmm", "softmax", "scaled_dot_product_attention"}
WAVES = r"(?i)cos|sin|exp|polar|cis|freq|angle|theta"
MADE = r"(?m)^\s*(?:return |(\w+) = (?=\w+\([^\n]*\n\s*return \1$))(\w+)\("  # and returned
LEARNS = r"Linear|Embedding\(|Parameter|ModuleList"
ATTENTION = {
    *("q_proj", "wq", "w_q", "qkv", "query", "to_q", "c_attn", "in_proj", "w_query", "q_linear", "to_qkv", "wqkv"),
}
PROJECTS = r"(linear|lin|fc|proj|w|dense)_?(qkv?|query|queries)|(q[kv]*|query|queries)_?(proj\w*|linear|layer|dense|fc)"


def looks_like_rotation(thing, name):
    """Do the names say that this turns queries and keys?"""
    said = speaks_of_rotation(name) or any(word in name.lower() for word in WORDS)
    if not isinstance(thing, type):
        return bool(query_and_key(parameters_of(thing).names)) or takes_tables(thing) or said
    if is_attention(thing):
        return False
    if not issubclass(thing, torch.nn.Module):
        return said
    forward = parameters_of(thing.forward).names[1:]
    calls = re.search(rf"({ROTATES})\w*\(", code_of(thing.forward)) and not re.search(LEARNS, source_of(thing))
    return bool(turning_method(thing) or query_and_key(forward) or said or calls)


def is_surely_one(thing, name):
    """Is it never a table or a layer? Its name says rotary, rope or freqs_cis, or it asks for cos, sin or freqs."""
    called = thing.forward if isinstance(thing, type) and issubclass(thing, torch.nn.Module) else thing
    wanted = {"cos", "sin", "freqs", "freqs_cis"} & {*parameters_of(called).names}
    return speaks_of_rotation(name) or "freqs_cis" in name or bool(wanted)


def speaks_of_rotation(name):
    said = f"{name} {'_'.join(words_of(name))}".lower()  # ImageRopeEmbedding
    return "RoPE" in name or bool(re.search(rf"{ROTATES}|(?<![a-z])xpos(?!i)", said))


def makes_tables(thing, name, names):
    """Does it make, by its name, tables that a function of the same file applies, or e^(iθ) for any rotation?"""
    if gives_frequencies(thing) or gives_waves(thing):
        return True
    if isinstance(thing, type) or not any(word in name.lower() for word in MAKES):
        return False
    functions = [f for f in names.values() if callable(f) and not isinstance(f, type) and f is not thing]
    if "precompute" in name.lower() and any(re.fullmatch(FACTOR, each) for each in parameters_of(thing).names):
        return True  # for longer texts
    if "theta" in name.lower() and any({"theta", "thetas"} & {*parameters_of(f).tables} for f in functions):
        return True  # a theta beside x, which nobody raises to a power
    return "cis" in name.lower().split("_") or any(map(takes_tables, functions))


def takes_sizes(found, path):
    """Is its first parameter a size, or positions, of tables that it makes?"""
    first = role_in_rotations(found.vectors[0]) if found.vectors else None
    if first is None and len(found.sizes) == len(found.names) - 1 > 0:  # one size whose name tells nothing
        return bool(re.search(r"(?i)(^|[._])(get|make|build|create|precompute)", path))
    makes = first in SIZES or any(re.search(rf"{SETTINGS}|^{FACTOR}$", name) for name in found.vectors)
    of_places = "pos" in "".join(found.vectors) and all(re.fullmatch(RATES, name.lower()) for name in found.tables)
    return makes and not found.pair and (of_places or not found.tables)


def gives_object(file, function):
    """Does a function of sizes return an object of a class of the file?"""
    returned = [name for _, name in re.findall(MADE, source_of(function))]
    sized = takes_sizes(parameters_of(function), function.__name__) if returned else False
    return bool(sized) and all(isinstance(file.names.get(name), type) for name in returned)


def unknown_tables(found):
    """The two parameters behind x whose names, of another language, may mean cosines and sines; else ()."""
    two = tuple(name for name in found.names if name in {*found.tables, *found.unknown})
    return two if len(two) == 2 and found.names[:3] == (*found.vectors, *two) and not found.positions else ()


def is_attention(cls):
    """A module whose code holds projections: a whole attention layer, or a model."""
    if not isinstance(cls, type):
        return False
    own = [base for base in cls.__mro__ if not base.__module__.startswith("torch")]  # another class may project for it
    made = set().union(*(_code_names(vars(base).get("__init__")) for base in own))
    called = _code_names(getattr(cls, "forward", None))
    scores = SCORES & called and ("softmax" in called or re.search(ROTATES, source_of(cls).lower()))
    projects = any(re.fullmatch(PROJECTS, name) for name in made)
    takes = issubclass(cls, torch.nn.Module) and {"v", "value", "values"} & {*parameters_of(cls.forward).names}
    if takes and {"softmax", "scaled_dot_product_attention"} & called and turns_inside(cls):
        return True  # q, k and v are projected elsewhere
    return bool(ATTENTION & made or projects or {*"qkv"} <= made or ("linear" in made and scores))


def _code_names(function):
    return {name.lower() for name in getattr(getattr(function, "__code__", None), "co_names", ())}


def turns_in_attention(method, name):
    """Does a method of an attention layer turn x? Not forward, and not a helper such as rotate_half."""
    helper = name.startswith("__") or re.search("forward|half|every|pairs|init|cache|score|attn|attention", name)
    return not helper and looks_like_rotation(method, name)


def turns_inside(cls):
    """Does the code of an attention layer, not its comments, speak of a rotation?"""
    return bool(re.search(rf"{ROTATES}|rotate_half", code_of(cls)))


def code_of(cls):
    """Its source in small letters, without comments."""
    return re.sub(r'(?s)""".*?"""|#[^\n]*', "", source_of(cls).lower())


def is_helper(thing, name):
    """Is it rotate_half, or its like for neighbours: a quarter turn of every pair, without any angle?"""
    found, turns = parameters_of(thing), re.search(HELPER, name.lower())
    return bool(turns) and found.names == found.vectors and not re.search(WAVES, source_of(thing))


def what_can_be_looked_at(names):
    """Names of a file that look like rotations, for whoever gives a whole attention layer."""
    own = {n: t for n, t in names.items() if getattr(t, "__module__", "") == names.get("__name__")}
    own = {n: t for n, t in own.items() if callable(t) and not n.startswith("__") and not is_attention(t)}
    return [n for n, t in own.items() if looks_like_rotation(t, n)]
