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
