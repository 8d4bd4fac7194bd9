"""All mistakes that the diagnosis can name, gathered from the rooms; each is written down where it is recognised."""

import importlib
import pkgutil

import pe_clinic as diagnosis
from pe_clinic.bias.words import MISTAKES as OF_BIASES
from pe_clinic.layer.words import MISTAKES
from pe_clinic.saying.catalogue import Mistake


def catalogue():
    """From id to `Mistake`; ValueError when two entries share an id."""
    found = pkgutil.walk_packages(diagnosis.__path__, f"{diagnosis.__name__}.")
    modules = (importlib.import_module(module.name) for module in found)
    entries = MISTAKES | OF_BIASES
    for module in modules:
        for thing in vars(module).values():
            for entry in thing if isinstance(thing, tuple) else (thing,):
                if isinstance(entry, Mistake) and entries.setdefault(entry.id, entry) != entry:
                    raise ValueError(f"two entries have the id {entry.id!r}")
    return entries
