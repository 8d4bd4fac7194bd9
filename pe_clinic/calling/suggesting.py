"""What to mend in code that stops: the error tells; and why a call that ran gave nothing to look at."""

import ast
import difflib
import re

from .calling import bindings
from .constants import SIZES_DIFFER
from .parameters import arguments_of

ROW_SIZES = {5, 8, 4}  # of the first call: positions, columns, pairs
IMPORTS = {
    **{name: f"import {name}" for name in ("math", "torch", "numpy", "random", "functools", "itertools")},
    "np": "import numpy as np",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
    "Tensor": "from torch import Tensor",
    "rearrange": "from einops import rearrange",
    "repeat": "from einops import repeat",
}
ADVICE = (
    (
        r"compiled with CUDA|No CUDA GPUs|NVIDIA driver",
        "leave .cuda() out: a buffer, self.register_buffer(name, table), goes where the layer goes",
    ),
    (r"[Ii]ntegers to negative integer powers", "write the base as 10000.0: whole numbers have no negative powers"),
    (r"'numpy' has no attribute '(float|int|bool|object|complex)'", "write it without np.: NumPy 1.24 took it out"),
    (r"Dimension out of range", "the tensor has fewer axes there: count from the last one, dim=-1"),
    (r"for \^:|ufunc 'bitwise_xor'", "a power is written **; ^ is another operation"),
    (
        r"dimension 1\..*Target sizes: \[\d+, \d+\]|could not broadcast .* shape \((\d+),\d+\) into shape \(\1,\d+\)",
        "the two sides have different numbers of columns: sine and cosine of a pair have one angle, so that the angles "
        "have half as many columns as the table",
    ),
    (
        r"dimension 0\..*Target sizes: \[\d+, \d+\]|could not broadcast .* shape \(\d+,\d+\) into shape \(\d+,\d+\)",
        "the two sides have different numbers of rows: a row for each position, torch.arange(max_len)",
    ),
)
MODULES_OWN = ("register_buffer", "register_parameter", "parameters", "buffers", "named_parameters")
NOT_SET_UP = r"before Module\.__init__\(\) call|has no attribute '_(modules|parameters|buffers|backward_hooks)'"


def of_the_code(why, source):
    """What to mend in the code itself, where its error tells; empty where another call may help."""
    if told := of_names(why, source):
        return told
    sizes = re.search(SIZES_DIFFER, why)
    if sizes and {int(size) for size in sizes.groups() if size} <= ROW_SIZES:
        return (
            "positions and frequencies are both one row there: make the positions a column, "
            "torch.arange(max_len)[:, None] or np.arange(max_len)[:, None]"
        )
    for error, advice in ADVICE:
        if re.search(error, why):
            return advice
    if cls := re.search(r"instantiate abstract class (\w+)", why):
        return f"give a class that inherits from {cls[1]} and defines what it leaves open"
    return ""


def of_names(why, source):
    """What to mend where an error is about a name, an attribute, or a constructor; empty for all other errors."""
    if name := re.search(r"NameError: name '(\w+)' is not defined", why):
        return _of_a_name(name[1], source)
    if re.search(NOT_SET_UP, why):
        return "call super().__init__() in the first line of __init__"
    told = re.search(r"AttributeError: '(\w+)' object has no attribute '(\w+)'|^(\w+) gave neither", why)
    return _of_a_class(told[1] or told[3], told[2], source) if told else ""


def _of_a_class(cls, name, source):
    """Of an object without the attribute ``name``, or that gave nothing: what is misspelt, or what has no value."""
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef) and node.name == cls]
    methods = {m.name: _stored(ast.unparse(m)) for node in found for m in node.body if isinstance(m, ast.FunctionDef)}
    alike = [m for m in methods if methods[m] and difflib.get_close_matches(m.strip("_"), ["init"], cutoff=0.75)]
    if alike and "__init__" not in methods:
        return f"rename {alike[0]} to __init__: under that name nothing calls it"
    if not found or not name:
        return ""
    is_set = any(name in stored for stored in methods.values())  # by a method that has not run, or not in every case
    near = difflib.get_close_matches(name, () if is_set else _stored(source), n=1)
    if near:
        return f"write self.{near[0]}, as it is stored"
    if re.search(rf"register_buffer\([^,]*,\s*self\.{name}\b", source):
        return f"hand register_buffer the tensor itself, which makes self.{name}"
    if name in MODULES_OWN:
        return f"let {cls} inherit nn.Module, whose method {name} is, and call super().__init__() first"
    if re.search(rf"\bself\.{name}\(", source):
        return f"define self.{name}, or call what {cls} defines"
    return f"give self.{name} a value in __init__, or read the name under which it is stored"


def _stored(code):
    """The attributes of self that code sets."""
    found = re.findall(r"\bself\.(\w+)\s*(?:,|=[^=])|register_buffer\(\s*['\"](\w+)", code)
    return [name for pair in found for name in pair if name]


def _of_a_name(name, source):
    if name in IMPORTS:
        return f"write {IMPORTS[name]} at the top of the file"
    if re.search(rf"\bsuper\(\s*{name}\b", source):
        return "write super().__init__(): it needs no name of a class"
    if re.search(rf"\bself\.{name}\b", source):
        return f"{name} and self.{name} are two names: {name} has no value there"
    return f"give {name} a value before it is used"


def nothing_in(file, path):
    """Why no reading of ``path`` gave anything to look at."""
    try:
        thing = file.resolve(path)[0]
    except KeyError:
        thing = None
    unknown = [binding.unknown for binding in bindings(thing)] if callable(thing) else []
    if unknown and all(unknown):
        needed = ", ".join(a.name for a in arguments_of(thing) if a.required)
        return f"{path} needs {needed}, and what {unknown[0][0]} is for is not known"
    return f"{path} gave neither a table (max_len, d_model) nor a layer"
