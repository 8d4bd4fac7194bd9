"""What the parameters of a rotation may get in a line for --make, as text: by their roles, or the paper's tables."""

import re

from .inputs import configurations
from .lines import GUESSES, Guess
from .names import VALUES, is_table, role_in_rotations

# For every parameter, then what one gets by its role in a constructor, and in the call itself.
ALIKE = {role: (repr(value),) for role, value in VALUES.items()}
ALIKE |= {"dtype": ("torch.float32",), "std": ("1.0", "1"), "flag": ("False", "True"), "patch": ("1",), "side": ("8",)}
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
RATES = "10000 ** (-torch.arange(0, head_dim, 2) / head_dim)"
POLAR = "torch.polar(torch.ones_like({a}), {a})"
BOTH = ("({a}.cos(), {a}.sin())", "torch.stack(({a}.cos(), {a}.sin()), -1)", "torch.cat(({a}.cos(), {a}.sin()), -1)")
AXES = ("", "[None]", "[None, None]", "[:, None]", "[None, :, None]")
LAYOUTS = ("", ".repeat(1, 2)", ".repeat_interleave(2, -1)")
# Angles (length, head_dim/2) or (length, head_dim), with axes of 1; of the positions, or of all up to the last.
angles = [
    f"({places}[..., None] * {RATES}){layout}{axes}"
    for places in ("{p}", "torch.arange({p}.max() + 1)")
    for axes in AXES
    for layout in LAYOUTS
]
NO_VECTOR = re.compile("len|size|pos|mask|num|dim|scale")


def offered(file, argument, vectors, placed=True):
    """The texts that ``argument`` may get: {x} and {k} are the vectors, {p} the positions, {a} the angles.

    ``placed``: something else takes the positions.
    """
    name = argument.name
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


def takes_a_table(name):
    """Cosines, sines, angles: positions must never stand for them."""
    said = name.lower()
    return is_table(said) or said in ("theta", "thetas") or bool(re.search(r"cos|sin(?![gc])|cis|freqs|angles", said))


def tables_of(name):
    """What a parameter for cosines, sines, angles, or all in one may get, by the words of its name."""
    said = name.lower()
    if ("cos" in said) != ("sin" in said) and "sinus" not in said:
        return ("{a}.cos()",) if "cos" in said else ("{a}.sin()",)
    if "cis" in said or "complex" in said:
        return (POLAR, "{a}")
    if "inv" in said:
        return (RATES, "{a}")
    if "freq" in said or "theta" in said or "angle" in said:
        return ("{a}", POLAR, RATES, *BOTH)
    return (*BOTH, POLAR, "{a}")


def vectors_of(names):
    """The names of q and k, or of x alone, among those of the parameters."""
    plain = [n for n in names if not NO_VECTOR.search(n.lower())]
    q = [n for n in plain if n.lower().startswith(("q", "xq"))]
    k = [n for n in plain if re.match(r"k(ey)?s?(_|$)|xk", n.lower()) or role_in_rotations(n) == "key"]
    if q and k:
        return q[0], k[0]
    x = [n for n in names if role_in_rotations(n) in ("x", None) and not takes_a_table(n)] or names
    return tuple(x[:1])
