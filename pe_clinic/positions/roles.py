"""What each parameter of a maker of position ids takes: told by its name, or by what the code asks of it."""

import inspect
import re

from ..calling.parameters import source_of
from ..sandbox.guard import first_look

ROLES = {  # the first that fits
    "flag": r"^(reset|use|return)_|_loss$",
    "ends": r"cu_?(seq_?)?lens?(_|$)|^cumulative_(\w+_)?lengths?$",
    "parts": r"^(cp|context_parallel|world)_(world_)?size$",
    "part": r"^((cp|context_parallel)_)?rank$",
    "image": r"^(image|img)_?(pad_|soft_)?token(_id|_index)?$",
    "video": r"^video_(pad_)?token(_id|_index)?$",
    "opens": r"^((vision|image|img)_start|boi)_token(_id)?$",
    "grid": r"^(image_)?grids?(_thw)?$",
    "videos": r"^video_grids?(_thw)?$",
    "patches": r"^patch(es)?(_embeds)?_list$",
    "max_width": r"^max_w(idth)?$",
    "height": r"^((grid|patch|latent|image|img|num_patches)_?)?(h|height|rows)$|^gh$",
    "width": r"^((grid|patch|latent|image|img|num_patches)_?)?(w|width|cols)$|^gw$",
    "heights": r"^grid_hs$",
    "widths": r"^grid_ws$",
    "which": r"^(vision|image|video)_(idx|index)$",
    "times": r"^t_(index|idx)$|^frame_times$",
    "temporal": r"^temp\w*_(merge|patch)_size$",
    "spatial": r"^(spatial_)?merge_size$",
    "interval": r"^((time|frame|temporal)_)?interval$",
    "seconds": r"seconds?_per_(grid|frame)",
    "rate": r"^(tokens|position_id)_per_seconds?$",
    "separator": r"^(sep|separator|eo[dst]|bos|boundary|delimiter)_(token(_id)?|id)$|^(token_id|separator|sep|eo[sd])$",
    "pad": r"^pad(ding)?_(token|(token_)?(idx|id|index))$",
    "starts": r"^(doc|document|segment|seq|sequence)_(starts|boundaries)$|^(starts|boundaries)$",
    "now": r"^cache_positions?$",
    "past": r"^past(?!_key_values$|_position)(_|$)|^(kv_)?cache_?(len|pos)|offsets?$|^(start|st)(_pos\w*|_idx)?$",
    "kept": r"^past_key_values?$",
    "mask": r"^(attention_|padding_|attn_)?mask$",
    "documents": r"^(doc|document|seg|segment|seq|sequence)_(ids?|idx)$|^(doc|document|seg|segment)s$",
    "lengths": r"^(\w+_)?(lens|lengths)$|^seqlens$",
    "length": r"^((seq|q|new|sequence)_?)?(len|length)$|^num_tokens$",
    "batch": r"^(batch(_size)?|bsz|bs)$",
    "device": r"^device$",
    "embeds": r"^(inputs?_)?embeds$|^hidden_states$",
    "labels": r"^(labels?|targets?|tgt)$",
    "tokens": r"^(input_|token_|src_)?(ids|tokens)$|^(x|data|inputs?|tensor)$",
}
OPTIONAL = ("tokens", "labels", "embeds", "batch", "device", "videos")  # handed over where they have no default
ON = re.compile(r"reset_pos")  # a switch without which nothing is to be seen


HELD = r"self|cls|(\w+_)?(config|cfg|args)"  # asked, at any depth, for these:
SETTINGS = {"image", "video", "opens", "spatial", "temporal", "rate", "separator", "pad"}


class Held:
    """Answers by the role of what it is asked for, in whatever configuration inside it that is looked for."""

    def __getattr__(self, name):
        if role(name) in self.__dict__.get("given", ()):
            return self.given[role(name)]
        if re.search("config|cfg", name):
            return self
        raise AttributeError(name)


class Fields(dict):
    """A batch or a configuration: its entries are its attributes too."""

    __getattr__ = dict.__getitem__


class Asked(dict):
    """{attribute: role} of what is held; for ``self`` by an object of the class whose method asks."""

    def holding(self, given):
        made = first_look(self.owner) or object.__new__(type("", (self.owner,), {}))  # it may want arguments
        made.__class__ = type("Held", (Held, self.owner), {})
        vars(made).update({n: given[self[n]] for n in vars(made) if self.get(n) in given}, given=given)
        return made


class Unknown(Exception):
    """Nobody knows what a required parameter is for."""


def role(name):
    """The role that the name of a parameter tells; None where it tells nothing."""
    return next((role for role, words in ROLES.items() if re.search(words, name.lower())), None)


def parameters_of(function):
    """{parameter: (role or {attribute: role}, has it no default?)} of what has a name; None tells nothing."""
    told, source = {}, source_of(function)
    for p in inspect.signature(function).parameters.values():
        if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            named = "flag" if isinstance(p.default, bool) else role(p.name)
            asked = _object(p.name, source) if named in (None, "batch") else None  # a batch may be a dictionary
            told[p.name] = asked or named or _holder(p.name, function, source), p.default is p.empty
        elif p.kind is p.VAR_KEYWORD:
            keys = re.findall(rf"""\b{p.name}(?:\.get\(|\.pop\(|\[)\s*["'](\w+)""", source)
            told |= {key: (role(key), False) for key in keys if key not in told}
    return told


def roles_in(told):
    """All roles of `parameters_of`, those of attributes too."""
    return {one for role, _ in told.values() for one in (role.values() if isinstance(role, dict) else [role])} - {None}


def arguments(told, given):
    """Arguments by name for ``given`` {role: value}: what has a default and no value keeps it."""
    made = {}
    for name, (role, required) in told.items():
        if isinstance(role, Asked):
            made[name] = role.holding(given)
        elif isinstance(role, dict):
            made[name] = Fields({each: given.get(inner, True) for each, inner in role.items()})
        elif role in given and (role not in OPTIONAL or required):
            made[name] = given[role]
        elif role == "flag" and (required or ON.search(name)):
            made[name] = True
        elif required:
            raise Unknown(name)
    return made


def _object(name, source):
    """{attribute or key: role} of what the code asks of ``name``; None where that tells nothing: switches are on."""
    found = {}
    for each in re.findall(rf"""\b{name}(?:\.|\[['"]|\.get\(['"])(\w+)\b(?!\()""", source):
        found[each] = role(each)
    for each in re.findall(rf"\bgetattr\(\s*{name}\s*,\s*['\"](\w+)['\"]", source):
        found[each] = role(each) or "flag"
    return found if found and all(found.values()) and name != "self" else None


def _holder(name, function, source):
    """What is `Asked` of a configuration, or of ``self``; None of what is neither."""
    if not re.fullmatch(HELD, name):
        return None
    asked = Asked({each: role(each) for each in re.findall(r"\.(\w+)\b(?!\()", source) if role(each) in SETTINGS})
    owner = function.__globals__.get(function.__qualname__.split(".")[0]) if name == "self" else None
    asked.owner = owner if isinstance(owner, type) else type("Plain", (), {})
    return asked
