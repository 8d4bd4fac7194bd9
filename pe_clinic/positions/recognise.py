"""Do a function's name and parameters say that it makes position ids?"""

import re

from ..calling.names import role_of
from ..calling.parameters import source_of
from .roles import parameters_of, roles_in

PREPARES = "prepare_inputs_for_generation"
NAMED = re.compile(rf"(^|_|2|to)pos(_|$|ition)|^ids_|position|rope_ind(ex|ices)|(image|img)_ids|{PREPARES}$")
SURE = re.compile(rf"pos(ition)?s?_?ids?(_|$)|rope_ind(ex|ices)|input_positions|(image|img)_ids|{PREPARES}$")
OTHERWISE = re.compile(r"emb|enc|rot|rope|bias|slope|alibi|table|causal|mask|relative|index|coord|norm")
FROM = re.compile(r"_(from|of|by|for(?!_generation)|with)_.*")  # what it is made from: ids_from_mask
ELSE = ("d_model", "heads", "base", "dtype")  # what other things take
ENOUGH = [{*each.split()} for each in (
    "mask", "documents", "ends", "grid", "lengths", "starts", "past length", "batch length", "times heights widths",
    "tokens separator", "tokens pad", "labels pad", "embeds", "height width", "patches", "videos",
)]  # fmt: skip
ALONE = [{"tokens"}, {"length"}]  # enough where the name is sure


def speaks_of_ids(thing, name):
    """Is it a plain function whose name says that it makes position ids?"""
    name = name.lower().rpartition(".")[2]
    sure = SURE.search(FROM.sub("", name))  # lengths_from_position_ids are none
    sure = sure and not (sure[0] == PREPARES and "position_ids" not in source_of(thing))
    return hasattr(thing, "__code__") and bool(sure) and not re.search("emb|enc|rot", name)


def makes_positions(thing, name):
    """Of plain functions alone: any other parameter, such as heads, dtype or d_model, says that it is something else.

    A mask with a past length says so without a name; all else also needs a name that speaks of positions, or ids.
    """
    sure, name = speaks_of_ids(thing, name), name.lower().rpartition(".")[2]
    other = name.endswith(PREPARES) or OTHERWISE.search(FROM.sub("", name))
    if not hasattr(thing, "__code__") or (other and not sure):
        return False
    told = parameters_of(thing)
    unknown = {each: required for each, (role, required) in told.items() if role is None}
    if any(required or (role_of(each) in ELSE and not sure) for each, required in unknown.items()):
        return False
    roles = roles_in(told)
    if {"mask", "past"} <= roles:
        return True
    return any(needs <= roles for needs in ENOUGH + ALONE * sure) and bool(NAMED.search(name))
