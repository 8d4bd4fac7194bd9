"""What to mend in code that stops: the error tells; and why a call that ran gave nothing to look at."""

import difflib
import re

from .calling import bindings
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
    (r"for \^:|ufunc 'bitwise_xor'", "a power is written **; ^ is another operation"),
    (
        r"expanded size of the tensor|could not broadcast input array",
        "the two sides have different numbers of columns: even columns take the first (d_model + 1) // 2 frequencies, "
        "odd columns the first d_model // 2",
    ),
)
SIZES_DIFFER = r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)|shapes \((\d+),\) \((\d+),\)"


def of_the_code(why, source):
    """What to mend in the code itself, where its error tells; empty where another call may help."""
    if name := re.search(r"NameError: name '(\w+)' is not defined", why):
        return _of_a_name(name[1], source)
    missing = re.search(r"AttributeError: '(\w+)' object has no attribute '(\w+)'", why)
    if missing and re.search(rf"\bclass {missing[1]}\b", source):
        stored = re.findall(r"\bself\.(\w+)\s*(?:,|=[^=])|register_buffer\(\s*['\"](\w+)", source)
        near = difflib.get_close_matches(missing[2], [name for pair in stored for name in pair if name], n=1)
        return f"write self.{near[0]}, as it is stored" if near else f"give self.{missing[2]} a value in __init__"
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


def _of_a_name(name, source):
    if name in IMPORTS:
        return f"write {IMPORTS[name]} at the top of the file"
    if re.search(rf"\bself\.{name}\b", source):
        return f"{name} and self.{name} are two names: write self.{name}, or give {name} its value before it is used"
    return f"give {name} a value before it is used"


def nothing_in(file, path):
    """Why no reading of ``path`` gave anything to look at."""
    try:
        thing = file.resolve(path)[0]
    except KeyError:
        thing = None
    unknown = [binding.unknown for binding in bindings(thing)] if callable(thing) else []
    if unknown and all(unknown):
        needed = ", ".join(a.parameter.name for a in arguments_of(thing) if a.required)
        return f"{path} needs {needed}, and what {unknown[0][0]} is for is not known"
    return f"{path} gave neither a table (max_len, d_model) nor a layer"
