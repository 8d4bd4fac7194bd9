"""What a call hid: sizes, a base or a switch that it left out, rows of a second sample."""

import contextlib
import re
from dataclasses import replace

import numpy as np

from .as_told import WORDS, differ, numbers_of
from .axes_told import batch_is_first
from .calling.lines import SIZES
from .calling.parameters import arguments_of, source_of
from .handed_positions import in_order, written_into
from .sandbox.guard import Failed
from .sandbox.mistakes import MISTAKES

ALONG_FIRST = r"\b(\w+)=((torch|numpy)\.(?:arange\(max_len\)\[:, None\]|zeros\(\(max_len, 1, d_model\)\)))"
SINES = {False: r"(use_|is_)?sin(e|cos|usoid\w*)?|(use_|is_)?(fixed|sin_?cos)", True: r"(is_|use_)?(learn\w*|train\w*)"}
COMPARED = r"\b{}\b *(?:==|in) *[\[({{]?['\"](\w+)"
ONE_SAMPLE = r"\b(b|bsz?|batch\w*)=1\b"


def of_what_is_handed_over(diagnosis, reading, file):
    """The mistake of a right ``diagnosis`` that other arguments show; else None."""
    looks = (_base, _batch, _samples, written_into, in_order) if reading.kind == "table" else (_base,)
    seen = next(filter(None, (look(reading, file) for look in looks)), None) if diagnosis.verdict.good else None
    if seen and seen.kind == "usage":
        return replace(diagnosis, usage=(*diagnosis.usage, seen))
    return seen and diagnosis.mistaken(seen)


def unread_sizes(diagnosis, reading, file):
    """Sizes that are arguments, and are read from names at the top of the file all the same."""
    given = [size for size in SIZES if re.search(rf"(?<![\w.]){size}\b(?!=)", reading.call.text)]
    names = given and re.findall(rf"([^\W\d]\w*) = \{{(?:{'|'.join(given)})\}}", reading.call.remark)
    if names and diagnosis.verdict.good:
        seen = f"with other arguments it gives the same; it reads {' and '.join(names)}"
        ignored = WORDS["arguments-ignored"].found(seen)
        return replace(diagnosis, findings=(ignored, *diagnosis.findings), ok=False)


def _left_out(reading, file):
    """(name, default, role) of what the call leaves to its default; none where more than a call is written."""
    text = reading.call.text
    arguments = arguments_of(file.thing_in(reading.call)) if text.endswith(")") else ()
    return [(a.name, a.parameter.default, a.role) for a in arguments if f"{a.name}=" not in text]


def _with_argument(reading, name, value):
    """The text of the call with one argument more."""
    return f"{reading.call.text[:-1]}, {name}={value!r})"


def _base(reading, file):
    """The `Finding` where a base changes nothing."""
    for name, default, role in _left_out(reading, file):
        if role == "base" and type(default) in (int, float) and default > 1:
            one, two = (numbers_of(file, _with_argument(reading, name, n)) for n in (default, 7 * default))
            if not isinstance(one, str) and np.shape(two) == one.shape and not differ(one, two):
                return MISTAKES["base-unread"].found(f"{name}={7 * default:g} gives what {name}={default:g} gives")
    return None


def _batch(reading, file):
    """The `Finding` where two samples get other rows than one."""
    one, two = (numbers_of(file, re.sub(ONE_SAMPLE, rf"\1={n}", reading.call.text)) for n in (1, 2))
    if np.ndim(one) == 3 and len(one) == 1 and differ(two, np.repeat(one, 2, axis=0)):
        return WORDS["samples-apart"].found("for a batch of 2 the samples get other rows than for a batch of 1")
    return None


def _samples(reading, file):
    """The `Finding` where x, or ids, were handed over along axis 0, the words say batch first, and two samples differ.

    None where each of them gets the rows that were seen.
    """
    text, told = reading.call.text, file.thing_in(reading.call)
    along = re.findall(ALONG_FIRST, text) if text.endswith("[:, 0]") else ()
    for name, given, lib in (one for one in along if batch_is_first(told, one[0])):
        two = f"{lib}.zeros((2, max_len, d_model))" if "zeros" in given else f"{lib}.stack([{lib}.arange(max_len)] * 2)"
        usual, asked = (numbers_of(file, one) for one in (text, text.replace(given, two).removesuffix("[:, 0]")))
        both = np.stack([usual, usual])
        fits = np.ndim(asked) and np.shape(asked) in (both.shape, both[:1].shape, both[0].shape)
        if fits and differ(np.broadcast_to(asked, both.shape), both):
            said = f"{name} of two samples, batch first as the code says: they get other rows"
            return WORDS["samples-apart"].found(said)
    return None


def of_the_sines(diagnosis, reading, file):
    """The diagnosis of the sines, where the default asks for learned rows, and the sines are wrong; else None."""
    if diagnosis.convention != "learned" or reading.kind != "layer":
        return None
    for name, default, _ in _left_out(reading, file):
        if type(default) is bool and re.fullmatch(SINES[default], name.lower()):
            other = _diagnosed(reading, file, name, not default)
            known = {finding.id for finding in diagnosis.findings}  # such as that all rows are added
            first, *others = [finding for finding in other.findings if finding.id not in known] or [None]
            if first and first.kind == "mistake":
                seen = replace(first, evidence=f"with {name}={not default}: {first.evidence}")
                return replace(other, findings=(seen, *others))
    return None


def of_what_is_off(diagnosis, reading, file):
    """The diagnosis with the switch on, where by default nothing is added to x; else None."""
    if [finding.id for finding in diagnosis.findings] != ["never-added"]:
        return None
    source = source_of(file.thing_in(reading.call))
    for name, default, _ in _left_out(reading, file):
        words = re.findall(COMPARED.format(name), source) if default is None or type(default) is str else []
        words = sorted({*words} - {default}, key=lambda word: ("sin" not in word, word))
        for choice in [True] if default is False else words:
            with contextlib.suppress(Failed):
                other = _diagnosed(reading, file, name, choice)
                if "never-added" not in {finding.id for finding in other.findings}:
                    seen = f"with {name}={default!r} nothing is added; what is said here holds for {name}={choice!r}"
                    return replace(other, usage=(*other.usage, WORDS["off-by-default"].found(seen)), ok=False)
    return None


def _diagnosed(reading, file, name, value):
    """What is said of the layer with one argument more."""
    from . import diagnose_layer

    line = file.written(_with_argument(reading, name, value))
    return diagnose_layer(replace(reading, call=line).layer, None)
