"""Which axis of x is which, where the code says it: in batch, heads, length, width = x.shape, or in a comment."""

import inspect
import re

AXES = {
    "batch": "b bs bsz batch batch_size bz",
    "heads": "h nh n_h n_heads n_head num_heads heads head nheads num_head num_attention_heads",
    "length": "t s l n seq seq_len seqlen seq_length sequence sequence_length length len slen q_len n_tokens time",
}
AXIS_OF = {word: axis for axis, words in AXES.items() for word in words.split()}
FOUR = r"(\w+)\s*,\s*(\w+)\s*,\s*(\w+)\s*,\s*\w+"
UNPACKED = rf"(?m)^\s*{FOUR}\s*=\s*\w+\.(?:shape|size\(\))"
SAID = rf"(?m)^.*?(?:#|\"\"\"|'''|^\s*)\W*(?:\b(?:x|q|xq|k|query|queries|key|input|tensor|shape)\b\W*)+{FOUR}\s*[)\]]"


def axes_said(function):
    """("batch", "heads", "length") in the order that the source tells; None where it tells none, or two."""
    try:
        source = inspect.getsource(function)
    except (OSError, TypeError):
        return None
    told = {tuple(AXIS_OF.get(name.lower()) for name in names) for names in re.findall(UNPACKED, source)}
    told = told or {tuple(AXIS_OF.get(name.lower()) for name in names) for names in re.findall(SAID, source)}
    told = {axes for axes in told if {*axes} == {*AXES}}
    return told.pop() if len(told) == 1 else None
