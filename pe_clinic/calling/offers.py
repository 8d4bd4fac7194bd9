"""What the parameters of a rotation, or of a bias, may get in a line for --make, by their roles; as text."""

import re

from .inputs import configurations
from .lines import GUESSES, Guess
from .names import role_in_rotations, role_of
from .table_texts import tables_of, takes_a_table

ALIKE = {  # for every kind
    "mask": ("None",), "device": ('"cpu"',), "dtype": ("torch.float32",), "base": ("10000.0",), "std": ("1.0", "1"),
    "flag": ("False", "True"), "dropout": ("0.0",), "batch_first": ("True",), "layers": ("1",), "batch": ("1",),
    "vocab": ("100",), "classes": ("10",), "pad": ("0",),
}  # fmt: skip
# What a parameter gets by its role, for each kind of line: in a constructor, and in the call itself.
MADE = {
    "rope": {**ALIKE, "d_model": ("head_dim",), "max_len": ("4096",), "heads": ("1",), "x": ("head_dim",)},
    "alibi": {**ALIKE, "d_model": ("8 * heads",), "max_len": ("length", "4096"), "heads": ("heads",)},
}
CALLED = {
    "rope": {
        **ALIKE,
        "positions": ("{p}", "{p}[None]", "{p}.expand(len({x}), -1)", "{p}.tolist()", "{p}[:, None]"),
        "start": ("start", "torch.tensor([start])", "torch.tensor([start]).expand(len({x}))", "torch.tensor(start)"),
        "max_len": ("{x}.shape[-2]", "{x}.shape[1]", "4096"), "d_model": ("{x}.shape[-1]",),
        "heads": ("{x}.shape[1]", "{x}.shape[-2]"), "batch": ("len({x})",), "mask": ("None",),
        "device": ("{x}.device",), "dtype": ("{x}.dtype",), "shape": ("{x}.shape",),
    },
    "alibi": {
        **ALIKE, **MADE["alibi"], "max_len": ("length", "heads"), "batch": ("1",),
        "positions": ("torch.arange(length)",),
        "mask": ("torch.ones(1, length)", "torch.ones(length, length).tril()", "None"), "offset": ("0",),
        "scores": ("torch.zeros(1, heads, length, length)",),
        "x": ("torch.zeros(1, length, 8 * heads)", "torch.zeros(1, heads, length, length)"),
        "ids": ("torch.ones(1, length, dtype=torch.long)",),
    },
}  # fmt: skip
ALWAYS = {"rope": ("positions", "start"), "alibi": ("heads", "max_len")}  # handed over even where there is a default
OF_BIAS = {
    "heads": r"^n?_?(h|heads?|nheads?)$|heads", "scores": r"scores|attn|att|logits|sim|dots|qk$",
    "max_len": r"^(i|j|l|n|size)$|len$|length$",
}  # fmt: skip


def offered(file, kind, argument, vectors, placed=True):
    """The texts that ``argument`` may get: {x} and {k} are the vectors, {p} the positions, {a} the angles.

    ``placed``: something else takes the positions.
    """
    name = argument.parameter.name
    if name in vectors:
        return ("{x}", "{k}")[vectors.index(name) : vectors.index(name) + 1]
    classes = [other for other, thing in file.names.items() if isinstance(thing, type) and name in other.lower()]
    objects = [Guess(f"{cls}()") for cls in classes]
    if kind == "rope" and takes_a_table(name):
        return (*tables_of(name), *objects)
    role = role_in(kind, argument)
    if role == "config":
        return [c.text for c in configurations(file.source, name)]
    guesses = [*objects, *GUESSES]
    return CALLED[kind].get(role) or (guesses if placed else [Guess("{p}"), *guesses])


def role_in(kind, argument):
    """The role of the parameter in a rotation ("rope") or a bias ("alibi")."""
    name = argument.parameter.name
    if kind == "rope":
        return role_in_rotations(name)
    return next((role for role, words in OF_BIAS.items() if re.search(words, name.lower())), role_of(name))
