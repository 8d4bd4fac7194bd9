"""What a right call hid: sizes or a base that no line reads, rows of a second sample, positions in another order."""

import re
from dataclasses import replace

import numpy as np

from .as_told import WORDS
from .axes_told import batch_is_first
from .calling.lines import SIZES
from .calling.loading import CouldNotRun
from .calling.parameters import arguments_of
from .sandbox.guard import Failed, run
from .sandbox.mistakes import MISTAKES
from .sandbox.state import loaded_torch
from .sandbox.values import as_numbers

RANGE = r"\b(\w+)=((?:torch|numpy)\.arange\(max_len\))(?=[,)])"
ALONG_FIRST = r"\b(\w+)=((torch|numpy)\.(?:arange\(max_len\)\[:, None\]|zeros\(\(max_len, 1, d_model\)\)))"
ONE_SAMPLE = r"\b(b|bsz?|batch\w*)=1\b"
LENGTH, WIDTH = 6, 12


def of_what_is_handed_over(diagnosis, reading, file):
    """The mistake of a right ``diagnosis`` that other arguments show; else None."""
    if not diagnosis.verdict.main_right and diagnosis.verdict.id != "convention":
        return None
    seen = _base(reading, file) or (
        reading.kind == "table" and (_batch(reading, file) or _samples(reading, file) or _order(reading, file))
    )
    return replace(diagnosis, ok=False, convention=None, findings=(seen,), usage=()) if seen else None


def unread_sizes(diagnosis, reading, file):
    """Sizes that are arguments, and are read from names at the top of the file all the same."""
    given = [size for size in SIZES if re.search(rf"(?<![\w.]){size}\b(?!=)", reading.call.text)]
    names = given and re.findall(rf"([^\W\d]\w*) = \{{(?:{'|'.join(given)})\}}", reading.call.remark)
    if names and diagnosis.verdict.good:
        seen = f"with other arguments it gives the same; it reads {' and '.join(names)}"
        ignored = WORDS["arguments-ignored"].found(seen)
        return replace(diagnosis, findings=(ignored, *diagnosis.findings), ok=False)


def _base(reading, file):
    """The `Finding` where a base changes nothing."""
    text = reading.call.text
    for a in arguments_of(file.names.get(re.match(r"\w*", text)[0])) if text.endswith(")") else ():
        given, default = f"{a.name}=" in text, a.parameter.default
        if a.role == "base" and not given and type(default) in (int, float) and default > 1:
            usual, other = (_rows(reading, file, f"{text[:-1]}, {a.name}={base!r})") for base in (default, 7 * default))
            if usual is not None and other is not None and _alike(usual, other):
                return WORDS["base-unread"].found(f"{a.name}={7 * default:g} gives what {a.name}={default:g} gives")
    return None


def _batch(reading, file):
    """The `Finding` where two samples get other rows than one."""
    one, two = (_rows(reading, file, re.sub(ONE_SAMPLE, rf"\1={n}", reading.call.text)) for n in (1, 2))
    if one is None or two is None or one.ndim != 3 or one.shape[0] != 1 or two.shape != (2, *one.shape[1:]):
        return None
    if _alike(two, np.repeat(one, 2, axis=0)):
        return None
    return WORDS["samples-apart"].found("for a batch of 2 the samples get other rows than for a batch of 1")


def _samples(reading, file):
    """The `Finding` where x, or ids, were handed over along axis 0, the words say batch first, and two samples differ.

    None where each of them gets the rows that were seen.
    """
    text = reading.call.text
    for name, given, lib in re.findall(ALONG_FIRST, text) if text.endswith("[:, 0]") else ():
        if not batch_is_first(file.names.get(re.match(r"\w*", text)[0]), name):
            continue
        two = f"{lib}.zeros((2, max_len, d_model))" if "zeros" in given else f"{lib}.stack([{lib}.arange(max_len)] * 2)"
        usual, asked = _rows(reading, file, text), _rows(reading, file, text.replace(given, two).removesuffix("[:, 0]"))
        if usual is None or asked is None or asked.shape not in ((2, *usual.shape), (1, *usual.shape), usual.shape):
            continue
        if not _alike(np.broadcast_to(asked, (2, *usual.shape)), np.repeat(usual[None], 2, axis=0)):
            return WORDS["samples-apart"].found(
                f"{name} of two samples, batch first as the code says: they get other rows"
            )
    return None


def _order(reading, file):
    """The `Finding` where a position gets another row beside others than in their usual order."""
    for name, row in re.findall(RANGE, reading.call.text):
        usual, again = (_rows(reading, file, reading.call.text, seed) for seed in (0, 1))
        if usual is None or again is None or not _alike(usual, again):
            return None  # dropout, in a module that nobody has put to eval
        for places in ([2, 3, 4, 5], [3, 1, 2, 0]) if usual.ndim == 2 else ():
            other = _rows(reading, file, reading.call.text.replace(row, f"{row}[{places}]"))
            if other is not None and other.shape == (4, WIDTH) and not _alike(other, usual[places]):
                said = f"{name} = {places}: a position gets another row than among 0 to {LENGTH - 1}"
                return MISTAKES.found("positions-apart", said)
    return None


def _rows(reading, file, text, seed=0):
    """The numbers of the table, or of the layer's sum with x; None where there are none."""
    torch, sizes = loaded_torch(), {"max_len": LENGTH, "d_model": WIDTH}

    def give():
        if torch:
            torch.manual_seed(seed)
        value = file.written(text).give(sizes)
        if reading.kind == "layer":
            x = torch.randn(2, LENGTH, WIDTH, generator=torch.Generator().manual_seed(0))
            value = value.eval()(x)
        return value[0] if isinstance(value, tuple) else value

    try:
        return as_numbers(run("it", give))
    except (Failed, NotImplementedError, CouldNotRun, TypeError, ValueError, AttributeError):
        return None


def _alike(some, others):
    return some.shape == others.shape and bool(np.allclose(some, others, atol=1e-4, equal_nan=True))
