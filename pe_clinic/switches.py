"""Switches of a class: sines behind learned rows, or positions that are off by default, and what is said of those."""

import contextlib
import re
from dataclasses import replace

from .calling.parameters import arguments_of, source_of
from .sandbox.guard import Failed
from .saying.catalogue import words_beside

WORDS = words_beside(__file__, "in_context.md")
SINES = {False: r"(use_|is_)?sin(e|cos|usoid\w*)?|(use_|is_)?(fixed|sin_?cos)", True: r"(is_|use_)?(learn\w*|train\w*)"}
COMPARED = r"\b{}\b *(?:==|in) *[\[({{]?['\"](\w+)"


def of_the_sines(diagnosis, reading, file):
    """The diagnosis of the sines, where the default asks for learned rows, and the sines are wrong; else None."""
    if diagnosis.convention != "learned":
        return None
    for name, default in _switches(reading, file):
        if type(default) is bool and re.fullmatch(SINES[default], name.lower()):
            other = _with_argument(reading, file, name, not default)
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
    source = source_of(file.names.get(re.match(r"\w*", reading.call.text)[0]))
    for name, default in _switches(reading, file):
        words = re.findall(COMPARED.format(name), source) if default is None or type(default) is str else []
        words = sorted({*words} - {default}, key=lambda word: ("sin" not in word, word))
        for choice in [True] if default is False else words:
            with contextlib.suppress(Failed):
                other = _with_argument(reading, file, name, choice)
                if "never-added" not in {finding.id for finding in other.findings}:
                    seen = f"with {name}={default!r} nothing is added; what is said here holds for {name}={choice!r}"
                    return replace(other, usage=(*other.usage, WORDS["off-by-default"].found(seen)), ok=False)
    return None


def _switches(reading, file):
    """(name, default) of the parameters that the call of a layer leaves out."""
    if reading.kind != "layer" or not reading.call.text.endswith(")"):
        return []
    arguments = arguments_of(file.names.get(re.match(r"\w*", reading.call.text)[0])) or []
    return [(a.name, a.parameter.default) for a in arguments if f"{a.name}=" not in reading.call.text]


def _with_argument(reading, file, name, value):
    """What is said of the layer with one argument more."""
    from . import diagnose_layer

    line = file.written(f"{reading.call.text[:-1]}, {name}={value!r})")
    return diagnose_layer(replace(reading, call=line).layer, None)
