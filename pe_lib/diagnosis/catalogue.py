"""All mistakes that the diagnosis can name, gathered from the rooms; each is written down where it is recognised."""

import importlib
import pkgutil

from .saying.mistake import Mistake


def catalogue():
    """From id to `Mistake`, for pages and tests; ValueError when two entries share an id."""
    package = importlib.import_module(__package__)
    modules = (importlib.import_module(m.name) for m in pkgutil.walk_packages(package.__path__, f"{__package__}."))
    entries = {}
    for module in modules:
        for thing in vars(module).values():
            for entry in thing if isinstance(thing, tuple) else (thing,):
                if isinstance(entry, Mistake) and entries.setdefault(entry.id, entry) != entry:
                    raise ValueError(f"two entries have the id {entry.id!r}")
    return entries
