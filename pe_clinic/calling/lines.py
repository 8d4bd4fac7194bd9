"""A call as data: what is called, and with which values. It can be made, and it can be written as a line to paste."""

import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter, itemgetter

SIZES = ("max_len", "d_model")
BEFORE = "taken before its network"  # of a table that goes into weights


@dataclass(frozen=True)
class Value:
    """``text`` is how it is written; ``give(setting)`` what it is where max_len, d_model, x … have these values.

    ``made`` names the inputs in it that the clinic made up ("x", "ids", "positions"), and ``remark`` what the text
    cannot say.
    """

    text: str
    give: Callable[[Mapping], object] = field(compare=False)
    made: frozenset = frozenset()
    remark: str = ""

    def shown(self, **values):
        """The text with numbers in place of the sizes; names of parameters stay."""
        names = "|".join(values)
        text = re.sub(rf"(?<![\w.])({names})\b(?!=[^=])", lambda found: str(values[found[1]]), self.text)
        return f"{text}{', ' if self.remark else ''}{self.remark.format(**values)}"


@dataclass(frozen=True)
class Call:
    """``target(…)`` with ``arguments``, pairs of a name (None: by place) and a `Value`.

    >>> made = Call(Value("dict", lambda setting: dict), (("width", variable("d_model")), ("heads", constant(2))))
    >>> made.text, made.shown(max_len=5, d_model=8), made.give({"d_model": 8})
    ('dict(width=d_model, heads=2)', 'dict(width=8, heads=2)', {'width': 8, 'heads': 2})
    """

    target: Value
    arguments: tuple[tuple[str | None, Value], ...] = ()
    shown = Value.shown

    @property
    def text(self):
        written = (f"{name}={value.text}" if name else value.text for name, value in self.arguments)
        return f"{self.target.text}({', '.join(written)})"

    @property
    def made(self):
        return self.target.made.union(*(value.made for _, value in self.arguments))

    @property
    def remark(self):
        return self.target.remark

    def give(self, setting):
        by_place = [value.give(setting) for name, value in self.arguments if not name]
        named = {name: value.give(setting) for name, value in self.arguments if name}
        return self.target.give(setting)(*by_place, **named)


def variable(name):
    return Value(name, lambda setting: setting[name])


def constant(value):
    return Value(repr(value), lambda setting: value)


def expression(text, made=(), **names):
    """What the text gives, as Python reads it: it may use the settings and ``names``."""
    code = compile(text, "<a value>", "eval")
    return Value(text, lambda setting: eval(code, {**names, **setting}), frozenset(made))


def then(value, change, text=None, **others):
    """``change`` of what ``value`` gives, written like it where no other ``text`` is told."""
    fields = {"made": value.made, "remark": value.remark, **others}
    return Value(text or value.text, lambda setting: change(value.give(setting)), **fields)


def attribute(value, path):
    """``value.path``, where the path may have several parts."""
    return then(value, attrgetter(path), f"{value.text}.{path}")


def item(value, key, text=None):
    """``value[key]``; ``text`` writes a key that Python writes otherwise."""
    return then(value, itemgetter(key), f"{value.text}[{text or repr(key)}]")


def halved(value):
    """The same, made for half of d_model: what comes out has that width for each of two axes."""
    remark = value.remark.replace("{d_model}", "{d_model} // 2")
    text = re.sub(r"=d_model\b(?! //)", "=d_model // 2", value.text)
    return Value(text, lambda s: value.give({**s, "d_model": s["d_model"] // 2}), value.made, remark)


def with_argument(value, argument):
    """A `Value` that is called with ``argument`` first: a method taken from its class, and an object for it."""
    return Value(value.text, lambda setting: partial(value.give(setting), argument.give(setting)), value.made)


class Guess(str):
    """The text of a value for a parameter that nobody knows."""


GUESSES = tuple(map(Guess, ("None", "1", "False", "True", "10000.0", '"a"')))


@dataclass(frozen=True)
class Line:
    """``text`` for --make; the parameters that get a guess; and is x handed over with all its axes?"""

    text: str
    guessed: tuple[str, ...] = ()
    whole: bool = True


def by_rank(options):
    """The choices of one from each of ``options``, those with many firsts first; of too many, the first 20,000."""
    ways = itertools.islice(itertools.product(*map(enumerate, options)), 20_000)
    for way in sorted(ways, key=lambda way: sum(n for n, _ in way)):
        yield [value for _, value in way]
