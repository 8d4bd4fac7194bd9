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
FOUR = r"(\w+)\s*,\s*(\w+)\s*,\s*(\w+)\s*,\s*\w+"
UNPACKED = r"(?m)^\s*{}\s*=\s*(?:\w+\.(?:shape|size\(\))|\w+_shape\s*$)"
X = r"\b(?:x|q|xq|k|query|query_states|queries|keys?|inputs?|tensors?|shaped?)\b"
FILL = r"\b(?:is|are|has|have|of|the|an?|with|and|or|torch|float|expects?|param|as|single|new)\b"
BEFORE = r"(?:(?!cos|sin\b|freq|mask|cache|return|out|angle|[=(])[^\n])*?"  # of the sentence
SAID = rf"(?im)^.*?(?:#|\"\"\"|'''|^\s*){BEFORE}{X}\W*(?:(?:{FILL}|{X})\W*)*%s\s*[)\]}}`]"
TYPED = r"\b(?:x|q|query)\s*:\s*\w+\[[^\]\n]*[\"'](\w+) (\w+) (\w+) \w+[\"']"  # jaxtyping
TIMES, LETTERS = r"\b(\w+) [x×] (\w+) [x×] (\w+) [x×] \w+", r"\b([BSTLNH])([BSTLNH])([BSTLNH])D\b"
WIDTH = r"(\w*dim|[cde]|d_?[hk]|head_size|h[sd]|d_model|hidden\w*|channels?|features?|width)"
FEWER = rf"(\w+)\s*,\s*(\w+)\s*,\s*(?:{WIDTH[1:]}"
X_IN_THREE = rf"(?m)^\s*{FEWER}\s*=\s*[xqk]\.(?:shape|size\(\))"
WIDTH_LAST = rf"(?i)\w+,\s*\w+,\s*{WIDTH}\s*(=\s*\w+\.(shape|size)|[)\]])"
TURNS_AXES = r"transpose\(|permute\(|swapaxes\(|movedim\(|moveaxis\(|rearrange\(|\.m?T\b"
TURNED = rf"(?m)^\s*(?:x|x?[qk]|query|key)\b[^\n]*=[^\n]*(?:{TURNS_AXES})"  # what follows speaks of other axes
TWO = r"(?m)^\s*return (?!\w[\w.]*\([\[(])([^,\n]+),([^,\n]+)$"  # no list that is joined
WAVE = r"(?<![a-z])(?:cos|sin)(?![ug])"  # neither sinusoid nor single
GRID = r"grid|[tf]hw|(^|_)(height|end_[xy]|[xy]_len|len_[hwxy])$"  # in names of parameters
PICTURE = r"(?m)^\s*\w+(?:\s*,\s*\w+)*\s*,\s*(?:h|hgt|height)\s*,\s*(?:w|wid|width)\b.*=\s*\w+\.(?:shape|size\(\))"
LINE = r"[^\n]*(?:\n\s+(?!\w+\s*[:(=])[^\n]*)?"  # and the next one, where it is no parameter of its own
ONE = "row|seq|sequence|sample|example|request|prompt"
OF_ROWS = rf"\b{{}}\b{LINE}?([(\[]\s*(B|b|bsz?|batch\w*)\s*,?\s*[)\]]|per[- ]({ONE})\b|(each|every) ({ONE})\b)"
ADDED = r"\b{0}\b[^\n]*\+ *\w+\.arange|arange\([^\n]*\+ *{0}\b|arange\({0}, *{0} *\+"


def of_rows(function, name):
    """Does the text say that a start may be one number for each row of a batch?"""
    told = type(function) if hasattr(function, "forward") else function
    return bool(re.search(OF_ROWS.format(name), source_of(told)))


def is_start(function, name):
    """Is it, whatever its name, no list of positions: is a row of positions added to it?"""
    return "offset" in name and bool(re.search(ADDED.format(name), source_of(function)))


def turns_pictures(thing):
    """Does the source say that x has rows and columns: b, h, w, c = x.shape?"""
    return bool(re.search(PICTURE, source_of(thing).lower()))


def gives_waves(thing):
    """Does a function, or a class by its forward, return two things that its words call the cosines and the sines?"""
    returned = re.findall(TWO, source_of(vars(thing).get("forward") if isinstance(thing, type) else thing))
    told = [[{*re.findall(WAVE, part)} for part in parts] for parts in returned]
    return any(two in ([{"cos"}, {"sin"}], [{"sin"}, {"cos"}]) for two in told)


def takes_a_grid(thing):
    """Is it asked for the rows and columns of a grid, by the parameters of a function or of a method of a class?"""
    functions = vars(thing).values() if isinstance(thing, type) else [thing]
    codes = [getattr(getattr(f, "__func__", f), "__code__", None) for f in functions]
    names = [name for code in codes if code for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]]
    return turns_pictures(thing) or any(re.search(GRID, name) for name in names)


def axes_said(function):
    """("batch", "heads", "length") in the order that the source tells; None where it tells none, or two.

    Of x with three axes ("length", "heads"), these two the other way round, or ("batch", "length").
    """
    source = re.split(TURNED, source_of(function))[0]
    for patterns in ((UNPACKED.format(FOUR),), (X_IN_THREE,), (SAID % FOUR, TYPED, TIMES, LETTERS), (SAID % FEWER,)):
        told = {three(names) for pattern in patterns for names in re.findall(pattern, source)} - {None}
        if told:
            return told.pop() if len(told) == 1 else None
    return None


def three(names):
    """The axes that names tell, 1 the length of one new token; None where they are not the three, or two of them."""
    axes = tuple(AXIS_OF.get(name.lower()) for name in names)
    if "1" in names and {*axes} == {"batch", "heads", None}:
        axes = tuple(axis or "length" for axis in axes)
    return axes if {*axes} == {*AXES} or {*axes} == {"length", "heads"} or axes == ("batch", "length") else None
