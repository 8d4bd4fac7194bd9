"""What the parameters of a rotation may get in a line for --make, by their roles; as text."""

from .inputs import configurations
from .lines import GUESSES, Guess
from .names import role_in_rotations
from .table_texts import tables_of, takes_a_table

# For every parameter, then what one gets by its role in a constructor, and in the call itself.
ALIKE = {
    "mask": ("None",), "device": ('"cpu"',), "dtype": ("torch.float32",), "base": ("10000.0",), "std": ("1.0", "1"),
    "flag": ("False", "True"), "dropout": ("0.0",), "batch_first": ("True",), "layers": ("1",), "batch": ("1",),
    "vocab": ("100",), "classes": ("10",), "pad": ("0",),
}  # fmt: skip
MADE = {**ALIKE, "d_model": ("head_dim",), "max_len": ("4096",), "heads": ("1",), "x": ("head_dim",)}
CALLED = {
    **ALIKE,
    "positions": ("{p}", "{p}[None]", "{p}.expand(len({x}), -1)", "{p}.tolist()", "{p}[:, None]"),
    "start": ("start", "torch.tensor([start])", "torch.tensor([start]).expand(len({x}))", "torch.tensor(start)"),
    "max_len": ("{x}.shape[-2]", "{x}.shape[1]", "4096"), "d_model": ("{x}.shape[-1]",),
    "heads": ("{x}.shape[1]", "{x}.shape[-2]"), "batch": ("len({x})",), "mask": ("None",),
    "device": ("{x}.device",), "dtype": ("{x}.dtype",), "shape": ("{x}.shape",),
}  # fmt: skip
ALWAYS = ("positions", "start")  # handed over even where there is a default


def offered(file, argument, vectors, placed=True):
    """The texts that ``argument`` may get: {x} and {k} are the vectors, {p} the positions, {a} the angles.

    ``placed``: something else takes the positions.
    """
    name = argument.parameter.name
    if name in vectors:
        return ("{x}", "{k}")[vectors.index(name) : vectors.index(name) + 1]
    classes = [other for other, thing in file.names.items() if isinstance(thing, type) and name in other.lower()]
    objects = [Guess(f"{cls}()") for cls in classes]
    if takes_a_table(name):
        return (*tables_of(name), *objects)
    role = role_in_rotations(name)
    if role == "config":
        return [c.text for c in configurations(file.source, name)]
    guesses = [*objects, *GUESSES]
    return CALLED.get(role) or (guesses if placed else [Guess("{p}"), *guesses])
