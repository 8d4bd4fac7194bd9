"""Sizes of pictures and of their patches, told by the words of a name beside others: img_size, patch_size, in_chans."""

import math
import re

from .lines import constant, expression
from .names import role_of

PIXELS = 2  # a side of a patch
KINDS = {
    "patch": r"(?i)(^|_)(patch|tubelet)_?(size|len|length|height|width|side|h|w)?$",
    "side": r"(?i)(^|_)(im(g|age)|pic(ture)?)s?_?(size|res|resolution|dim|side|height|width|h|w|len)$|"
            r"(^|_)(input|sample|canvas|crop)_?(size|res|resolution|height|width)$",
    "channels": r"(?i)^(n|num|c|vit)?_?(in|img|image|input|rgb|vision)?_?(channels?|chans?|chan|ch|c)$|^c_?in$",
}  # fmt: skip
WIDTH = r"(?<!kernel)(?<!grid)_(size|state|width)$"
# Of an image as many patches as max_len or more, in a square.
IMAGE = expression(f"{PIXELS} * math.ceil(max_len**0.5)", math=math)
OF_PICTURES = {"patch": constant(PIXELS), "side": IMAGE, "channels": constant(3)}


def kind_of(name):
    return next((kind for kind, words in KINDS.items() if re.search(words, name)), None)


def role_beside(name, names):
    """The role of ``name`` among ``names``, where the size of a patch is one of these; None for what has no other."""
    kinds = {other: kind_of(other) for other in names}
    wide = any(role_of(n) == "d_model" or re.search(WIDTH, n) for n, kind in kinds.items() if not kind)
    kind = kind_of(name) if "patch" in kinds.values() else None
    return None if kind == "channels" and not wide else kind


def is_reckoned_with(name, source):
    """Is a setting ``name``, or what keeps it, a number of something, or added or multiplied? No time, nor a start."""
    kept = [name, *re.findall(rf"(?m)\bself\.(\w+) *= *[\w.]+(?:\.|\[['\"]){name}\b['\"\]]*$", source)]
    one = rf"(?:\.|\[['\"])(?:{'|'.join(map(re.escape, kept))})\b['\"\]]*"
    counts = r"^(n|num|number)_|kernel|stride|dilation"
    used = re.search(rf"(?:[*/+<>%]|- )\s*\w+(?:\.\w+)?{one}|{one}\s*[-*/+<>%]", source) or re.search(counts, name)
    return bool(used and not re.search(r"time|start|end$|shift|origin", name))
