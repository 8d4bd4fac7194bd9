"""The settings that a file holds itself: as they are where no size is asked for, else what is no number in them."""

import re
from operator import attrgetter

from ..sandbox.guard import attempt, run
from .beside import WIDTH
from .lines import SIZES, Value, constant
from .names import role_of

CONFIGURATION = re.compile("config|args|params", re.IGNORECASE)
WORD, OF_SINES = r"""['"][^'"\n]+['"]""", "sin|cos|fix|abs|default"


def is_own(file, settings):
    """Is it an object of one of the file's classes of settings, as a default may be?"""
    return type(settings).__name__ in _classes(file)


def own_settings(file, name):
    """An object of the file's own class of settings with all that is asked of the parameter ``name``; [] without one.

    Where a size is asked for, it has to vary from call to call: the file's own would not.
    """
    asked = _asked(file, name)
    names = [path.rpartition(".")[2] for path in asked]
    if any(role_of(one) in SIZES or re.search(WIDTH, one) for one in names):
        return []
    return [Value(f"{n}()", lambda setting, n=n: file.names[n]()) for n in _fitting(file, asked)]


def value_of(file, name, otherwise):
    """``otherwise(setting, …)``, but of switches, words and padding what the file's own class of settings has."""
    own = next((attempt(run, n, file.names[n]) for n in _fitting(file, _asked(file, name))), None)

    def value(setting, *more):
        held = getattr(own, setting, None)
        taken = isinstance(held, (bool, str)) or (type(held) is int and role_of(setting) == "pad")
        return constant(held) if taken else otherwise(setting, *more)

    return value


def _classes(file):
    return [n for n, thing in file.names.items() if isinstance(thing, type) and CONFIGURATION.search(n)]


def _asked(file, name):
    return re.findall(rf"\b{name}\.((?:\w+\.)*\w+)\b(?!\()", file.source)


def _fitting(file, asked):
    return [n for n in _classes(file) if asked and attempt(run, n, _answers, file.names[n], asked)]


def _answers(cls, asked):
    settings = cls()
    return all(attrgetter(path)(settings) is not Ellipsis for path in asked)


def words_compared_with(source, name):
    """The first text that the file compares ``name`` with and that speaks of sines, or of something fixed; or all.

    Its own name for what is only written into a text.
    """
    told = re.findall(rf"\b{name}\s*(?:==|in)\s*([\[({{]?(?:\s*{WORD},?)+)", source)
    told = told or (re.findall(rf"({WORD})\s*:", source) if re.search(rf"\[{name}\]", source) else [])  # keys of a dict
    texts = re.findall(WORD, " ".join(dict.fromkeys(told)))
    words = ["default"] * (name == "rope_type") + [text[1:-1] for text in texts]
    words = words or re.findall(rf"{{(?:self\.)?({name})}}", source)[:1]
    return [word for word in words if re.search(OF_SINES, word.lower())][:1] or words
