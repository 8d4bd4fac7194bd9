"""Do a function's name and parameters say that it makes position ids?"""

import inspect
import re

from .cases import KNOWN

NAMED = re.compile(r"(^|_)pos(_|$|ition)|^ids_|position")
OTHERWISE = re.compile(r"emb|enc|rot|rope|bias|slope|alibi|table|causal|mask")
FROM = re.compile(r"_(from|of|by|for|with)_.*")  # what it is made from: ids_from_mask
BESIDE = ("device",)


def makes_positions(thing, name):
    """Of plain functions alone: any other parameter, such as heads, dtype or d_model, says that it is something else.

    A mask with a past length says so without a name; all else also needs a name that speaks of positions, or ids.
    """
    if not inspect.isfunction(thing) or OTHERWISE.search(FROM.sub("", name.lower())):
        return False
    names = [each for each in inspect.signature(thing).parameters if each not in BESIDE]
    roles = {role for each in names for role, known in KNOWN.items() if each in known.split()}
    if len(roles) < len(names):
        return False
    if {"mask", "past"} <= roles:
        return True
    enough = roles & {"mask", "documents", "ends", "grid"} or {"past", "length"} <= roles
    return bool(enough and NAMED.search(name.lower()))
