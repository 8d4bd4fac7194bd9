"""Which axis of x is which, where the code says it: in batch, heads, length, width = x.shape, or in a comment."""

import re

from .parameters import source_of

AXES = {
    "batch": "b bs bsz batch batch_size bz nbatches n_batch",
    "heads": "h nh n_h n_heads n_head num_heads heads head nheads num_head num_attention_heads",
    "length": """t s l n sl seq seq_len seqlen seq_length sequence sequence_length length len slen q_len n_tokens time
        timesteps tokens num_tokens frames""",
}
AXIS_OF = {word: axis for axis, words in AXES.items() for word in words.split()}
THREE = r"(\w+)\s*,\s*(\w+)\s*(?:,\s*\w+\s*)?"
FOUR = r"(\w+)\s*,\s*(\w+)\s*,\s*(\w+)\s*,\s*\w+"
UNPACKED = r"(?m)^\s*{}\s*=\s*\w+\.(?:shape|size\(\))"
SAID = rf"(?m)^.*?(?:#|\"\"\"|'''|^\s*)\W*(?:\b(?:x|q|xq|k|query|queries|key|input|tensor|shape)\b\W*)+{FOUR}\s*[)\]]"

GRID = r"grid|[tf]hw|(^|_)(height|width|end_[xy])$"  # in names of parameters
PICTURE = r"(?m)^\s*\w+(?:\s*,\s*\w+)*\s*,\s*(?:h|hgt|height)\s*,\s*(?:w|wid|width)\b.*=\s*\w+\.(?:shape|size\(\))"


def turns_pictures(thing):
    """Does the source say that x has rows and columns: b, h, w, c = x.shape?"""
    return bool(re.search(PICTURE, source_of(thing).lower()))


def takes_a_grid(thing):
    """Is it asked for the rows and columns of a grid, by the parameters of a function or of a method of a class?"""
    functions = vars(thing).values() if isinstance(thing, type) else [thing]
    codes = [getattr(getattr(f, "__func__", f), "__code__", None) for f in functions]
    names = [name for code in codes if code for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]]
    return turns_pictures(thing) or any(re.search(GRID, name) for name in names)


def axes_said(function):
    """("batch", "heads", "length") in the order that the source tells; None where it tells none, or two."""
    source = source_of(function)
    for pattern in (UNPACKED.format(FOUR), SAID):
        told = {tuple(AXIS_OF.get(name.lower()) for name in names) for names in re.findall(pattern, source)}
        if told := {axes for axes in told if {*axes} == {*AXES}}:
            return told.pop() if len(told) == 1 else None
    return None


def calls_x_batch_first(file, call):
    """Does the code that ``call`` calls say batch, length, width = x.shape?"""
    thing = file.names.get(re.match(r"\w*", call.text)[0])
    unpacked = re.findall(UNPACKED.format(THREE), source_of(getattr(thing, "forward", thing)))
    return any(tuple(AXIS_OF.get(name.lower()) for name in names) == ("batch", "length") for names in unpacked)
