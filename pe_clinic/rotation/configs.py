"""The settings that a class takes: the configuration that the file holds, before one is made up."""

import contextlib
import re
from copy import copy
from functools import partial
from types import SimpleNamespace

from ..calling.inputs import configurations
from ..calling.names import role_in_rotations
from ..sandbox.guard import Failed, run
from .forms import named_parameters

CONFIG = r"(?i)config|cfg|args|params|settings"


def configuration(file, p):
    """(name, object) of what a parameter takes: its default, or of the class that it names, or the file's only one."""
    one, own = None if p.default is p.empty else p.default, own_class(file, p)
    if not _holds(file, one):
        one = own or next(iter(_only(file)), None)
    name = next((n for n, thing in file.names.items() if thing is one), type(one).__name__)
    with contextlib.suppress(Failed, NotImplementedError):
        made = run(name, one) if isinstance(one, type) else copy(one)
        if made is not None and (own or one is p.default or _has_all(made, file, p)):
            return name, made
    return "", None


def _holds(file, thing):
    """Is it settings: a dict, a namespace, a class of the file, or an object of one?"""
    cls = thing if isinstance(thing, type) else type(thing)
    return isinstance(thing, (dict, SimpleNamespace)) or cls.__module__ == file.names.get("__name__")


def _only(file):
    found = [t for n, t in file.names.items() if re.search(CONFIG, n) and not n.startswith("__") and _holds(file, t)]
    return found if len(found) == 1 else []


def _has_all(made, file, p):
    """Does it hold all that the file asks of it?"""
    asked = configurations(file.source, p.name)[0].give({"d_model": 64, "max_len": 64})
    is_dict = isinstance(asked, dict)
    return is_dict == isinstance(made, dict) and all(n in made if is_dict else hasattr(made, n) for n in held_by(asked))


def own_class(file, p):
    """The class of the file that the annotation names, or of which the default is; None where it is another."""
    named = type(p.default) if p.annotation is p.empty else p.annotation
    cls = file.names.get(getattr(named, "__name__", named))
    return cls if isinstance(cls, type) and cls.__module__ == file.names.get("__name__") else None


def held_by(config):
    """What an object of settings holds by name; a class may hold its settings itself."""
    held = config if isinstance(config, dict) else {**vars(type(config)), **vars(config)}
    return {n: value for n, value in held.items() if not n.startswith("__")}


def given_to(config):
    """As `held_by`, of a dataclass without what it reckons from its fields."""
    return {n: value for n, value in held_by(config).items() if n in getattr(config, "__dataclass_fields__", [n])}


def configured(workshop, function):
    """``function`` with the configuration and the factor that it takes."""
    every = named_parameters(function)
    configs = [p for p in every if role_in_rotations(p.name) == "config"]
    values = {p.name: workshop.made_up(p).give(workshop.setting) for p in configs}
    values |= {p.name: workshop.factor or 2.0 for p in every if workshop.sets(p)}
    return partial(function, **values) if values else function
