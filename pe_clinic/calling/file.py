"""Somebody's file: its names, its source, and what a call about it gives."""

import functools
import re
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy

from ..sandbox.guard import run
from ..sandbox.state import loaded_torch
from .alone import run_alone
from .lines import Value
from .loading import CouldNotRun, load

SIZES = ({"max_len": 5, "d_model": 8}, {"max_len": 7, "d_model": 6})
OWN_CALL = r"TypeError: {}(\.__init__)?\(\) (got an unexpected|missing|takes)"  # by what the file itself runs
LAYER_SIZES = {"max_len": 8, "d_model": 8}


@dataclass(frozen=True, eq=False)
class File:
    """``layout`` is True where x has to be batch-first, False where sequence-first, None where nobody has said."""

    names: dict
    source: str = ""
    layout: bool | None = None
    path: str = ""
    note: str = ""  # what was left out, and why
    arrays: bool = False  # NumPy's are wanted, whatever else the file imports

    @functools.cached_property
    def library(self):
        """The module with which the file's code computes."""
        torch = loaded_torch()
        return torch if torch and not self.arrays and re.search(r"\btorch\b", self.source) else numpy

    def named(self, path):
        """What ``path`` names, as a `Value`."""
        return Value(path, lambda setting: self.resolve(path)[0])

    def thing_in(self, call):
        """What the first name in the text of a ``call`` names; None where the file has none of this name."""
        return self.names.get(re.match(r"\w*", call.text)[0])

    def with_numbers(self, path, numbers):
        """As `named`, run again by itself; ``numbers``, from names at the top of the file to sizes, take effect."""

        def give(setting):
            alone = self._alone(path, tuple((name, setting[size]) for name, size in numbers.items()))
            return replace(self, names=alone).resolve(path)[0]

        said = (f"{n} = {{{s}}}" if isinstance(n, str) else f"{{{s}}} in place of {n}" for n, s in numbers.items())
        return Value(path, give, remark="with " + ", ".join(said))

    @functools.cache  # noqa: B019 - a file lives as long as one look at it
    def _alone(self, path, numbers):
        return run_alone(self.source, path, self.path or "<file>", dict(numbers))

    def resolve(self, path):
        """What ``path`` names, the path of its class, and what is left where a class has no such attribute."""
        parts = path.split(".")
        thing = self.names[parts[0]]
        for n, part in enumerate(parts[1:], 1):
            if not hasattr(thing, part) and not isinstance(thing, type):
                raise KeyError(path)
            if not hasattr(thing, part):
                return thing, ".".join(parts[:n]), ".".join(parts[n:])
            thing = getattr(thing, part)
        return thing, ".".join(parts[:-1]), ""

    def tried(self, call, **setting):
        """What ``call`` gives, under guard; `Failed` quotes it with its numbers."""
        sizes = {**SIZES[0], **setting}
        return run(call.shown(**{name: sizes[name] for name in SIZES[0]}), call.give, sizes)

    def written(self, text):
        """A line that the user wrote, as a `Value`: it may use the names of the file, the sizes, numpy and torch.

        `CouldNotRun` for what is no expression.
        """
        helpers = {"numpy": numpy, "SimpleNamespace": SimpleNamespace, **self.names}
        if "torch" in text and "torch" not in helpers:
            import torch

            helpers["torch"] = torch
        try:
            code = compile(text, "--make", "eval")
        except SyntaxError as error:
            raise CouldNotRun(f"--make {text!r} is no expression: {error.msg}") from None
        return Value(text, lambda setting: eval(code, {**helpers, **setting}))


def opened(question, wanted):
    """The `File` of a `Question`, run as far as ``wanted`` needs it."""
    loaded = load(question.file, wanted)
    if not (question.name or question.make) and re.search(OWN_CALL.format(wanted), loaded.note):
        raise CouldNotRun(loaded.note.partition(": the definition")[0], f"call it as defined, or ask for :{wanted}")
    return File(loaded.names, loaded.source, question.layout, question.path, loaded.note)
