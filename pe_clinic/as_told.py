"""Positions, times, masks and lengths in the shape that the words of the code name, where the call took another."""

import re
from dataclasses import replace

import numpy as np

from .calling.axes import of_each
from .calling.parameters import source_of
from .sandbox.guard import Failed, watch
from .sandbox.state import loaded_torch
from .sandbox.values import as_numbers, is_module
from .times import REMARK, WORDS

RANGE = r"\b(\w+)=((?:torch|numpy)\.arange\(max_len\)(?:\.\w+\(\w*\))?)"
ROW, COLUMN, ONE_TEXT = rf"{RANGE}[,)]", rf"{RANGE}\[:, None\]", rf"{RANGE}\[None\]"
MASK, LENGTHS = r"\b(\w+)=torch\.\w+(\(\(\*x\.shape\[:2\], 1\))", r"\b(\w+)=(torch\.full\(\(batch,\), max_len\))"
BATCH = r"(?:b|bsz?|batch\w*|n)"
IN_LINE = rf"(?i)\b(?:{{}}|time\w*)\b[^\n.=>]*?(?:\b1-?d\b|[(\[] *{BATCH} *,? *[)\]])"
OF_X = r"\b{}\b\W*(?:of\W+|shape\W+|is\W+)*[\[(] *(\w+) *, *(\w+) *, *\w+ *[\])]"
OF_SAMPLES = r"\b{}\b\W*(?:of\W+|shape\W+|is\W+)*[(\[] *(?:B|bs?z?|batch\w*) *,? *[)\]]"
OF_LAYER = r"layer\(x\), x of shape \((\d+, \d+), \d+\)"
TEXTS, LENGTH, WIDTH = 2, 6, 48
SEVERAL = {"torch": "torch.stack([{0}, {0}.flip(0)])", "numpy": "numpy.stack([{0}, {0}[::-1]])"}


def as_told(diagnosis, reading, file):
    """The mistake of a right ``diagnosis``: what the words name stops, or gives another shape or row; else None."""
    if not diagnosis.verdict.good:
        return None
    words = "\n".join(re.findall(REMARK, source_of(file.thing_in(reading.call))))
    seen = (
        _in_line(reading, file, words)
        or _of_texts(reading, file, words)
        or _lengths(reading, file)
        or _steps(reading, file, words)
    )
    return seen and diagnosis.mistaken(seen)


def of_ids(diagnosis):
    """``diagnosis`` of a layer of token ids: x, of which it speaks, stands for what embeds them."""

    def told(findings):
        says = [re.sub(OF_LAYER, r"layer(ids), ids of shape (\1)", finding.evidence) for finding in findings]
        return tuple(replace(finding, evidence=said) for finding, said in zip(findings, says, strict=True))

    return replace(diagnosis, findings=told(diagnosis.findings), usage=told(diagnosis.usage))


def _in_line(reading, file, words):
    """The `Finding` where times, which come in a row by the words, have to be a column."""
    for name, row in re.findall(COLUMN, reading.call.text):
        if re.search(IN_LINE.format(name), words):
            return _differs(reading, file, name, (f"{row}[:, None]", row), (LENGTH, WIDTH))
    return None


def _of_texts(reading, file, words):
    """The `Finding` for positions, a mask, or x itself, of several texts."""
    for pattern in (ROW, ONE_TEXT, MASK):
        for name, given in re.findall(pattern, reading.call.text):
            if pattern == ROW and of_each(name, words, OF_X):
                ways = given, f"torch.zeros({TEXTS}, {LENGTH}, {WIDTH})"
            elif not of_each(name, words):
                continue
            elif pattern == MASK:
                ways = given, "(x.shape[:2]"
            else:
                several = SEVERAL[given.partition(".")[0]].format(given)
                ways = f"{given}[None]" if pattern == ONE_TEXT else given, several
            return _differs(reading, file, name, ways, (TEXTS, LENGTH, WIDTH))
    return None


def _differs(reading, file, name, ways, wanted):
    """The `Finding` where the call gives what is ``wanted`` not in the second of two ``ways`` but in the first."""
    usual, asked = (_ask(reading, file, ways[0], way) for way in ways)
    if isinstance(usual, str):
        return None
    shape = wanted if "zeros" in ways[1] else wanted[:-1] if len(wanted) > 2 else f"({LENGTH},)"
    seen = f"{name} of shape {shape}, as the text says"
    if isinstance(asked, str):
        return WORDS["places-said"].found(f"{seen}: {asked}")
    one = asked.shape == (1, *wanted) and len(wanted) == 2
    if asked.shape != wanted and not one:
        return WORDS["places-said"].found(f"{seen}, gave the shape {asked.shape}")
    if "arange" in ways[1] and len(wanted) > 2 and abs(asked[1] - asked[0, ::-1]).max() > 1e-4:
        return WORDS["places-said"].found(f"{seen}: the second text gets other rows than its own")
    return None


def _ask(reading, file, given, way, texts=TEXTS):
    """As `numbers_of`, of the call with ``way`` in place of what was ``given``."""
    return numbers_of(file, reading.call.text.replace(given, way, 1), texts)


def differ(one, other):
    """Are both arrays of one shape, and others? An error in words is none."""
    fits = np.ndim(one) > 0 and np.shape(one) == np.shape(other)
    return fits and not np.allclose(one, other, atol=1e-4, equal_nan=True)


def numbers_of(file, text, texts=TEXTS, seed=0):
    """The numbers that the line ``text`` gives, or the error in words; a layer is asked with zeros of so many texts."""
    torch = loaded_torch()
    x = torch.zeros(texts, LENGTH, WIDTH) if torch else None
    setting = {"max_len": LENGTH, "d_model": WIDTH, "x": x, "batch": texts}

    def give():
        value = file.written(text).give(setting)
        value = value.eval()(x) if is_module(value) else value
        return value[0] if isinstance(value, tuple) else value

    try:
        return as_numbers(watch("it", give, seed=seed, traced=False).value)
    except Failed as failed:
        return failed.finding.evidence
    except (NotImplementedError, TypeError, ValueError):
        return "it gave no numbers"


def _steps(reading, file, words):
    """The `Finding` where a layer stops at one time for each sample, as the text says, and takes one for each token."""
    for name, given in re.findall(ROW, reading.call.text) if reading.kind == "layer" else ():
        if re.search(OF_SAMPLES.format(name), words) and not isinstance(_ask(reading, file, given, given, 1), str):
            asked = _ask(reading, file, given, f"torch.arange({TEXTS})")
            if isinstance(asked, str):
                return WORDS["places-said"].found(f"{name} of shape ({TEXTS},), as the text says: {asked}")
    return None


def _lengths(reading, file):
    """The `Finding` where the second of two texts gets other rows than by itself; None where it gets its own."""
    for name, given in re.findall(LENGTHS, reading.call.text):
        both, alone = (_ask(reading, file, given, f"torch.tensor({n})", len(n)) for n in ([2, LENGTH], [LENGTH]))
        if differ(both[1:], alone):
            return WORDS["lengths-of-one"].found(f"{name} = [2, {LENGTH}]: the second text gets other rows than alone")
    return None
