"""Do a function's name and parameters say that it makes position ids?"""

import inspect
import re

from ..calling.names import role_of
from .roles import parameters_of, roles_in

NAMED = re.compile(r"(^|_|2|to)pos(_|$|ition)|^ids_|position|rope_ind(ex|ices)")
SURE = re.compile(r"pos(ition)?s?_?ids?(_|$)|rope_ind(ex|ices)")
OTHERWISE = re.compile(r"emb|enc|rot|rope|bias|slope|alibi|table|causal|mask")
FROM = re.compile(r"_(from|of|by|for|with)_.*")  # what it is made from: ids_from_mask
ELSE = ("d_model", "heads", "base", "dtype")  # what other things take
ENOUGH = {"mask"}, {"documents"}, {"ends"}, {"grid"}, {"lengths"}, {"starts"}, {"past", "length"}, {"batch", "length"}


def speaks_of_ids(thing, name):
    """Is it a plain function whose name says that it makes position ids?"""
    sure = SURE.search(FROM.sub("", name.lower()))  # lengths_from_position_ids are none
    return inspect.isfunction(thing) and bool(sure) and not re.search("emb|enc|rot", name.lower())


def makes_positions(thing, name):
    """Of plain functions alone: any other parameter, such as heads, dtype or d_model, says that it is something else.

    A mask with a past length says so without a name; all else also needs a name that speaks of positions, or ids.
    """
    sure = speaks_of_ids(thing, name)
    if not inspect.isfunction(thing) or (OTHERWISE.search(FROM.sub("", name.lower())) and not sure):
        return False
    told = parameters_of(thing)
    if any(not role and (required or (role_of(each) in ELSE and not sure)) for each, (role, required) in told.items()):
        return False
    roles = roles_in(told)
    if {"mask", "past"} <= roles:
        return True
    enough = any(
        needs <= roles
        for needs in (*ENOUGH, {"times", "heights", "widths"}, {"tokens", "separator"}, {"tokens", "pad"})
    )
    return bool(enough and NAMED.search(name.lower()))
