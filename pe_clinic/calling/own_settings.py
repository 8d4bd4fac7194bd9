"""The settings that a file holds itself, for code that asks its configuration for no size."""

import re
from operator import attrgetter

from ..sandbox.guard import attempt, run
from .beside import WIDTH
from .lines import SIZES, Value
from .names import role_of

CONFIGURATION = re.compile("config|args|params", re.IGNORECASE)


def own_settings(file, name):
    """An object of the file's own class of settings with all that is asked of the parameter ``name``; [] without one.

    Where a size is asked for, it has to vary from call to call: the file's own would not.
    """
    asked = re.findall(rf"\b{name}\.((?:\w+\.)*\w+)\b(?!\()", file.source)
    if not asked or any(map(_is_size, asked)):
        return []
    classes = [n for n, thing in file.names.items() if isinstance(thing, type) and CONFIGURATION.search(n)]
    fitting = [n for n in classes if attempt(run, n, _answers, file.names[n], asked)]
    return [Value(f"{n}()", lambda setting, n=n: file.names[n]()) for n in fitting]


def _is_size(asked):
    name = asked.rpartition(".")[2]
    return role_of(name) in SIZES or bool(re.search(WIDTH, name))


def _answers(cls, asked):
    settings = cls()
    return all(attrgetter(path)(settings) is not Ellipsis for path in asked)
